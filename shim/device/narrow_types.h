// SPDX-License-Identifier: Apache-2.0
//
// The class of a 16-bit float and of a pair of them. Included once a format (cuda_fp16.h, cuda_bf16.h), which names the
// types and the conversions in LW_NARROW..., so there is no include guard.

#pragma clang system_header

struct __attribute__((aligned(2))) LW_NARROW {
    unsigned short __x;

    LW_NARROW() = default;
    LW_BOTH_MEMBER constexpr LW_NARROW(const LW_NARROW_RAW &raw) : __x(raw.x) {}
    LW_BOTH_MEMBER LW_NARROW(float value) : __x(LW_FLOAT_TO_NARROW(value)) {}
    LW_BOTH_MEMBER LW_NARROW(double value) : __x(LW_DOUBLE_TO_NARROW(value)) {}
    LW_BOTH_MEMBER LW_NARROW(short value) : __x(LW_FLOAT_TO_NARROW((float)value)) {}
    LW_BOTH_MEMBER LW_NARROW(unsigned short value) : __x(LW_FLOAT_TO_NARROW((float)value)) {}
    LW_BOTH_MEMBER LW_NARROW(int value) : __x(LW_DOUBLE_TO_NARROW((double)value)) {}
    LW_BOTH_MEMBER LW_NARROW(unsigned int value) : __x(LW_DOUBLE_TO_NARROW((double)value)) {}
    LW_BOTH_MEMBER LW_NARROW(long value) : __x(LW_DOUBLE_TO_NARROW(lw_sticky((long long)value))) {}
    LW_BOTH_MEMBER LW_NARROW(unsigned long value) : __x(LW_DOUBLE_TO_NARROW(lw_sticky((unsigned long long)value))) {}
    LW_BOTH_MEMBER LW_NARROW(long long value) : __x(LW_DOUBLE_TO_NARROW(lw_sticky(value))) {}
    LW_BOTH_MEMBER LW_NARROW(unsigned long long value) : __x(LW_DOUBLE_TO_NARROW(lw_sticky(value))) {}

    // Defined where both formats are known, in cuda_bf16.h.
    LW_BOTH_MEMBER explicit LW_NARROW(const LW_NARROW_OTHER &value);

    LW_BOTH_MEMBER LW_NARROW &operator=(const LW_NARROW_RAW &raw) {
        __x = raw.x;
        return *this;
    }
#define LW_ASSIGN(type)                                                                                        \
    LW_BOTH_MEMBER LW_NARROW &operator=(type value) {                                                          \
        __x = LW_NARROW(value).__x;                                                                            \
        return *this;                                                                                          \
    }
    LW_ASSIGN(float)
    LW_ASSIGN(double)
    LW_ASSIGN(short)
    LW_ASSIGN(unsigned short)
    LW_ASSIGN(int)
    LW_ASSIGN(unsigned int)
    LW_ASSIGN(long long)
    LW_ASSIGN(unsigned long long)
#undef LW_ASSIGN

    LW_BOTH_MEMBER operator LW_NARROW_RAW() const { return LW_NARROW_RAW{__x}; }
    LW_BOTH_MEMBER operator float() const { return LW_NARROW_TO_FLOAT(__x); }
    LW_BOTH_MEMBER constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#ifdef __CUDA_ARCH__
#define LW_TO_INTEGER(type)                                                                                    \
    LW_BOTH_MEMBER operator type() const { return (type)LW_NARROW_TO_FLOAT(__x); }
#else
#define LW_TO_INTEGER(type)                                                                                    \
    LW_BOTH_MEMBER operator type() const { return lw_to_integer<type>(LW_NARROW_TO_FLOAT(__x), LW_TO_ZERO); }
#endif
    LW_TO_INTEGER(char)
    LW_TO_INTEGER(signed char)
    LW_TO_INTEGER(unsigned char)
    LW_TO_INTEGER(short)
    LW_TO_INTEGER(unsigned short)
    LW_TO_INTEGER(int)
    LW_TO_INTEGER(unsigned int)
    LW_TO_INTEGER(long)
    LW_TO_INTEGER(unsigned long)
    LW_TO_INTEGER(long long)
    LW_TO_INTEGER(unsigned long long)
#undef LW_TO_INTEGER
};

struct __attribute__((aligned(4))) LW_NARROW_PAIR {
    LW_NARROW x, y;

    LW_NARROW_PAIR() = default;
    LW_BOTH_MEMBER constexpr LW_NARROW_PAIR(const LW_NARROW &low, const LW_NARROW &high) : x(low), y(high) {}
    LW_BOTH_MEMBER constexpr LW_NARROW_PAIR(const LW_NARROW_PAIR_RAW &raw)
        : x(LW_NARROW_RAW{raw.x}), y(LW_NARROW_RAW{raw.y}) {}
    // A template, so that {} on the right can only mean the type itself.
    template <typename Raw>
    LW_BOTH_MEMBER typename lw_enable_if<lw_is_same<Raw, LW_NARROW_PAIR_RAW>::value, LW_NARROW_PAIR &>::type
    operator=(const Raw &raw) {
        x = LW_NARROW_RAW{raw.x};
        y = LW_NARROW_RAW{raw.y};
        return *this;
    }
    LW_BOTH_MEMBER operator LW_NARROW_PAIR_RAW() const { return LW_NARROW_PAIR_RAW{x.__x, y.__x}; }
};
