// SPDX-License-Identifier: Apache-2.0
//
// Everything that __half and __nv_bfloat16 have in common: arithmetic and comparison by name and by operator, functions,
// loads, shuffles and pairs. Included once a format, after it has given lw_add, lw_multiply, lw_fma ... on LW_NARROW and
// LW_NARROW_PAIR (or LW_NARROW_HOST_OPERATIONS, which makes them here out of float), so there is no include guard.

#pragma clang system_header

LW_BOTH float lw_to_float(LW_NARROW value) { return LW_NARROW_TO_FLOAT(value.__x); }
LW_BOTH LW_NARROW lw_from_float(LW_NARROW *, float value) { return lw_bits<LW_NARROW>(LW_FLOAT_TO_NARROW(value)); }
#define LW_ROUND(value) lw_from_float((LW_NARROW *)nullptr, value)

// ---- the operations out of float: where the format has none of its own ----

#ifdef LW_NARROW_HOST_OPERATIONS
#define LW_PAIRWISE_2(name)                                                                                    \
    LW_BOTH LW_NARROW_PAIR name(LW_NARROW_PAIR a, LW_NARROW_PAIR b) {                                          \
        return LW_NARROW_PAIR(name(a.x, b.x), name(a.y, b.y));                                                 \
    }
#define LW_PAIRWISE_3(name)                                                                                    \
    LW_BOTH LW_NARROW_PAIR name(LW_NARROW_PAIR a, LW_NARROW_PAIR b, LW_NARROW_PAIR c) {                        \
        return LW_NARROW_PAIR(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                       \
    }
#define LW_BY_FLOAT(name, expression)                                                                          \
    LW_BOTH LW_NARROW name(LW_NARROW a, LW_NARROW b) {                                                         \
        float x = lw_to_float(a), y = lw_to_float(b);                                                          \
        return LW_ROUND(expression);                                                                           \
    }                                                                                                          \
    LW_PAIRWISE_2(name)

LW_BY_FLOAT(lw_add, x + y)
LW_BY_FLOAT(lw_subtract, x - y)
LW_BY_FLOAT(lw_multiply, x * y)
LW_BY_FLOAT(lw_add_rn, x + y)
LW_BY_FLOAT(lw_subtract_rn, x - y)
LW_BY_FLOAT(lw_multiply_rn, x * y)
LW_BY_FLOAT(lw_add_saturated, lw_clamp_unit(x + y))
LW_BY_FLOAT(lw_subtract_saturated, lw_clamp_unit(x - y))
LW_BY_FLOAT(lw_multiply_saturated, lw_clamp_unit(x * y))
LW_BY_FLOAT(lw_minimum, __builtin_fminf(x, y))
LW_BY_FLOAT(lw_maximum, __builtin_fmaxf(x, y))
LW_BY_FLOAT(lw_minimum_nan, x != x || y != y ? __builtin_nanf("") : __builtin_fminf(x, y))
LW_BY_FLOAT(lw_maximum_nan, x != x || y != y ? __builtin_nanf("") : __builtin_fmaxf(x, y))
LW_BOTH LW_NARROW lw_fma(LW_NARROW a, LW_NARROW b, LW_NARROW c) {
    // The product is exact in double.
    return lw_bits<LW_NARROW>(LW_DOUBLE_TO_NARROW((double)lw_to_float(a) * lw_to_float(b) + lw_to_float(c)));
}
LW_BOTH LW_NARROW lw_fma_saturated(LW_NARROW a, LW_NARROW b, LW_NARROW c) {
    return LW_ROUND(lw_clamp_unit(lw_to_float(lw_fma(a, b, c))));
}
LW_BOTH LW_NARROW lw_fma_relu(LW_NARROW a, LW_NARROW b, LW_NARROW c) {
    float value = lw_to_float(lw_fma(a, b, c));
    return LW_ROUND(value < 0.0f ? 0.0f : value);
}
LW_BOTH LW_NARROW lw_negate(LW_NARROW a) { return lw_bits<LW_NARROW>((unsigned short)(a.__x ^ 0x8000)); }
LW_BOTH LW_NARROW_PAIR lw_negate(LW_NARROW_PAIR a) { return LW_NARROW_PAIR(lw_negate(a.x), lw_negate(a.y)); }
LW_PAIRWISE_3(lw_fma)
LW_PAIRWISE_3(lw_fma_saturated)
LW_PAIRWISE_3(lw_fma_relu)
#undef LW_BY_FLOAT
#undef LW_PAIRWISE_2
#undef LW_PAIRWISE_3
#endif

// ---- arithmetic by name ----

#define LW_NAMED_2(name, operation)                                                                            \
    LW_BOTH LW_NARROW __h##name(LW_NARROW a, LW_NARROW b) { return operation(a, b); }
#define LW_NAMED_2_PAIR(name, operation)                                                                       \
    LW_BOTH LW_NARROW_PAIR __h##name(LW_NARROW_PAIR a, LW_NARROW_PAIR b) { return operation(a, b); }

LW_NAMED_2(add, lw_add)
LW_NAMED_2(sub, lw_subtract)
LW_NAMED_2(mul, lw_multiply)
LW_NAMED_2(add_rn, lw_add_rn)
LW_NAMED_2(sub_rn, lw_subtract_rn)
LW_NAMED_2(mul_rn, lw_multiply_rn)
LW_NAMED_2(add_sat, lw_add_saturated)
LW_NAMED_2(sub_sat, lw_subtract_saturated)
LW_NAMED_2(mul_sat, lw_multiply_saturated)
LW_NAMED_2(min, lw_minimum)
LW_NAMED_2(max, lw_maximum)
LW_NAMED_2(min_nan, lw_minimum_nan)
LW_NAMED_2(max_nan, lw_maximum_nan)
LW_NAMED_2_PAIR(add2, lw_add)
LW_NAMED_2_PAIR(sub2, lw_subtract)
LW_NAMED_2_PAIR(mul2, lw_multiply)
LW_NAMED_2_PAIR(add2_rn, lw_add_rn)
LW_NAMED_2_PAIR(sub2_rn, lw_subtract_rn)
LW_NAMED_2_PAIR(mul2_rn, lw_multiply_rn)
LW_NAMED_2_PAIR(add2_sat, lw_add_saturated)
LW_NAMED_2_PAIR(sub2_sat, lw_subtract_saturated)
LW_NAMED_2_PAIR(mul2_sat, lw_multiply_saturated)
LW_NAMED_2_PAIR(min2, lw_minimum)
LW_NAMED_2_PAIR(max2, lw_maximum)
LW_NAMED_2_PAIR(min2_nan, lw_minimum_nan)
LW_NAMED_2_PAIR(max2_nan, lw_maximum_nan)
#undef LW_NAMED_2
#undef LW_NAMED_2_PAIR

LW_BOTH LW_NARROW __hdiv(LW_NARROW a, LW_NARROW b) { return LW_ROUND(lw_to_float(a) / lw_to_float(b)); }
LW_BOTH LW_NARROW_PAIR __h2div(LW_NARROW_PAIR a, LW_NARROW_PAIR b) {
    return LW_NARROW_PAIR(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
LW_BOTH LW_NARROW __hfma(LW_NARROW a, LW_NARROW b, LW_NARROW c) { return lw_fma(a, b, c); }
LW_BOTH LW_NARROW __hfma_sat(LW_NARROW a, LW_NARROW b, LW_NARROW c) { return lw_fma_saturated(a, b, c); }
LW_BOTH LW_NARROW __hfma_relu(LW_NARROW a, LW_NARROW b, LW_NARROW c) { return lw_fma_relu(a, b, c); }
LW_BOTH LW_NARROW_PAIR __hfma2(LW_NARROW_PAIR a, LW_NARROW_PAIR b, LW_NARROW_PAIR c) { return lw_fma(a, b, c); }
LW_BOTH LW_NARROW_PAIR __hfma2_sat(LW_NARROW_PAIR a, LW_NARROW_PAIR b, LW_NARROW_PAIR c) {
    return lw_fma_saturated(a, b, c);
}
LW_BOTH LW_NARROW_PAIR __hfma2_relu(LW_NARROW_PAIR a, LW_NARROW_PAIR b, LW_NARROW_PAIR c) {
    return lw_fma_relu(a, b, c);
}
// Complex multiply-add: x is the real part.
LW_BOTH LW_NARROW_PAIR __hcmadd(LW_NARROW_PAIR a, LW_NARROW_PAIR b, LW_NARROW_PAIR c) {
    LW_NARROW real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
    return LW_NARROW_PAIR(__hfma(lw_negate(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}
LW_BOTH LW_NARROW __hneg(LW_NARROW a) { return lw_negate(a); }
LW_BOTH LW_NARROW_PAIR __hneg2(LW_NARROW_PAIR a) { return lw_negate(a); }
LW_BOTH LW_NARROW __habs(LW_NARROW a) { return lw_bits<LW_NARROW>((unsigned short)(a.__x & 0x7fff)); }
LW_BOTH LW_NARROW_PAIR __habs2(LW_NARROW_PAIR a) { return LW_NARROW_PAIR(__habs(a.x), __habs(a.y)); }

// ---- comparisons: ordered, and unordered (true where an operand is NaN) with a u at the end ----

#define LW_RELATION(name, operator, negated)                                                                   \
    LW_BOTH bool __h##name(LW_NARROW a, LW_NARROW b) { return lw_to_float(a) operator lw_to_float(b); }        \
    LW_BOTH bool __h##name##u(LW_NARROW a, LW_NARROW b) { return !(lw_to_float(a) negated lw_to_float(b)); }   \
    LW_RELATION_PAIR(name)                                                                                     \
    LW_RELATION_PAIR(name##u)
#define LW_RELATION_PAIR(name)                                                                                 \
    LW_BOTH LW_NARROW_PAIR __h##name##2(LW_NARROW_PAIR a, LW_NARROW_PAIR b) {                                  \
        return LW_NARROW_PAIR(LW_ROUND(__h##name(a.x, b.x) ? 1.0f : 0.0f),                                     \
                              LW_ROUND(__h##name(a.y, b.y) ? 1.0f : 0.0f));                                    \
    }                                                                                                          \
    LW_BOTH unsigned int __h##name##2_mask(LW_NARROW_PAIR a, LW_NARROW_PAIR b) {                               \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                \
    }                                                                                                          \
    LW_BOTH bool __hb##name##2(LW_NARROW_PAIR a, LW_NARROW_PAIR b) {                                           \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                     \
    }

LW_RELATION(eq, ==, !=)
LW_RELATION(lt, <, >=)
LW_RELATION(le, <=, >)
LW_RELATION(gt, >, <=)
LW_RELATION(ge, >=, <)
// Not equal is ordered too: false where an operand is NaN.
LW_BOTH bool __hne(LW_NARROW a, LW_NARROW b) {
    return lw_to_float(a) < lw_to_float(b) || lw_to_float(a) > lw_to_float(b);
}
LW_BOTH bool __hneu(LW_NARROW a, LW_NARROW b) { return lw_to_float(a) != lw_to_float(b); }
LW_RELATION_PAIR(ne)
LW_RELATION_PAIR(neu)
#undef LW_RELATION
#undef LW_RELATION_PAIR

LW_BOTH bool __hisnan(LW_NARROW a) { return lw_to_float(a) != lw_to_float(a); }
LW_BOTH LW_NARROW_PAIR __hisnan2(LW_NARROW_PAIR a) {
    return LW_NARROW_PAIR(LW_ROUND(__hisnan(a.x) ? 1.0f : 0.0f), LW_ROUND(__hisnan(a.y) ? 1.0f : 0.0f));
}
LW_BOTH int __hisinf(LW_NARROW a) {
    float value = lw_to_float(a);
    return value == __builtin_inff() ? 1 : value == -__builtin_inff() ? -1 : 0;
}

// ---- operators ----

#define LW_OPERATOR(symbol, operation, pair_operation)                                                         \
    LW_BOTH LW_NARROW operator symbol(const LW_NARROW &a, const LW_NARROW &b) { return operation(a, b); }      \
    LW_BOTH LW_NARROW &operator symbol##=(LW_NARROW &a, const LW_NARROW &b) { return a = operation(a, b); }    \
    LW_BOTH LW_NARROW_PAIR operator symbol(const LW_NARROW_PAIR &a, const LW_NARROW_PAIR &b) {                 \
        return pair_operation(a, b);                                                                           \
    }                                                                                                          \
    LW_BOTH LW_NARROW_PAIR &operator symbol##=(LW_NARROW_PAIR &a, const LW_NARROW_PAIR &b) {                   \
        return a = pair_operation(a, b);                                                                       \
    }
LW_OPERATOR(+, lw_add, lw_add)
LW_OPERATOR(-, lw_subtract, lw_subtract)
LW_OPERATOR(*, lw_multiply, lw_multiply)
LW_OPERATOR(/, __hdiv, __h2div)
#undef LW_OPERATOR

#define LW_COMPARISON(symbol, name)                                                                            \
    LW_BOTH bool operator symbol(const LW_NARROW &a, const LW_NARROW &b) { return __h##name(a, b); }           \
    LW_BOTH bool operator symbol(const LW_NARROW_PAIR &a, const LW_NARROW_PAIR &b) { return __hb##name##2(a, b); }
LW_COMPARISON(==, eq)
LW_COMPARISON(!=, neu)
LW_COMPARISON(<, lt)
LW_COMPARISON(<=, le)
LW_COMPARISON(>, gt)
LW_COMPARISON(>=, ge)
#undef LW_COMPARISON

LW_BOTH LW_NARROW operator+(const LW_NARROW &a) { return a; }
LW_BOTH LW_NARROW operator-(const LW_NARROW &a) { return lw_negate(a); }
LW_BOTH LW_NARROW_PAIR operator+(const LW_NARROW_PAIR &a) { return a; }
LW_BOTH LW_NARROW_PAIR operator-(const LW_NARROW_PAIR &a) { return lw_negate(a); }
#define LW_STEP(symbol, operation)                                                                             \
    LW_BOTH LW_NARROW &operator symbol(LW_NARROW &a) { return a = operation(a, LW_ROUND(1.0f)); }              \
    LW_BOTH LW_NARROW operator symbol(LW_NARROW &a, int) {                                                     \
        LW_NARROW old = a;                                                                                     \
        a = operation(a, LW_ROUND(1.0f));                                                                      \
        return old;                                                                                            \
    }                                                                                                          \
    LW_BOTH LW_NARROW_PAIR &operator symbol(LW_NARROW_PAIR &a) {                                               \
        return a = operation(a, LW_NARROW_PAIR(LW_ROUND(1.0f), LW_ROUND(1.0f)));                               \
    }
LW_STEP(++, lw_add)
LW_STEP(--, lw_subtract)
#undef LW_STEP

// ---- functions: in float, rounded at the end ----

#define LW_FUNCTION(name, expression)                                                                          \
    LW_DEVICE LW_NARROW h##name(LW_NARROW a) {                                                                 \
        float x = lw_to_float(a);                                                                              \
        return LW_ROUND(expression);                                                                           \
    }                                                                                                          \
    LW_DEVICE LW_NARROW_PAIR h2##name(LW_NARROW_PAIR a) { return LW_NARROW_PAIR(h##name(a.x), h##name(a.y)); }
LW_FUNCTION(ceil, ceilf(x))
LW_FUNCTION(floor, floorf(x))
LW_FUNCTION(rint, rintf(x))
LW_FUNCTION(trunc, truncf(x))
LW_FUNCTION(sqrt, lw_sqrt_approx(x))
LW_FUNCTION(rsqrt, lw_rsqrt_approx(x))
LW_FUNCTION(rcp, lw_rcp_approx(x))
LW_FUNCTION(exp, lw_exp2_approx(x * 0x1.715476p+0f))
LW_FUNCTION(exp2, lw_exp2_approx(x))
LW_FUNCTION(exp10, lw_exp2_approx(x * 0x1.a934f0p+1f))
LW_FUNCTION(log, __log2f(x) * 0x1.62e430p-1f)
LW_FUNCTION(log2, __log2f(x))
LW_FUNCTION(log10, __log2f(x) * 0x1.344136p-2f)
LW_FUNCTION(sin, __nv_sinf(x))
LW_FUNCTION(cos, __nv_cosf(x))
LW_FUNCTION(tanh, __nv_tanhf(x))
LW_FUNCTION(tanh_approx, __tanhf(x))
#undef LW_FUNCTION

// ---- halves of a pair as floats ----

LW_BOTH float __low2float(LW_NARROW_PAIR value) { return lw_to_float(value.x); }
LW_BOTH float __high2float(LW_NARROW_PAIR value) { return lw_to_float(value.y); }

// ---- memory ----

#define LW_THROUGH(name)                                                                                       \
    LW_DEVICE LW_NARROW name(const LW_NARROW *address) {                                                       \
        return lw_bits<LW_NARROW>(name((const unsigned short *)address));                                      \
    }                                                                                                          \
    LW_DEVICE LW_NARROW_PAIR name(const LW_NARROW_PAIR *address) {                                             \
        return lw_bits<LW_NARROW_PAIR>(name((const unsigned int *)address));                                   \
    }
LW_THROUGH(__ldg)
LW_THROUGH(__ldca)
LW_THROUGH(__ldcg)
LW_THROUGH(__ldcs)
LW_THROUGH(__ldlu)
LW_THROUGH(__ldcv)
#undef LW_THROUGH
#define LW_THROUGH(name)                                                                                       \
    LW_DEVICE void name(LW_NARROW *address, LW_NARROW value) { name((unsigned short *)address, value.__x); }   \
    LW_DEVICE void name(LW_NARROW_PAIR *address, LW_NARROW_PAIR value) {                                       \
        name((unsigned int *)address, lw_bits<unsigned int>(value));                                           \
    }
LW_THROUGH(__stwb)
LW_THROUGH(__stcg)
LW_THROUGH(__stcs)
LW_THROUGH(__stwt)
#undef LW_THROUGH

// ---- shuffles ----

#define LW_SHUFFLE(name, lane_type)                                                                            \
    LW_DEVICE LW_NARROW name(unsigned int mask, LW_NARROW value, lane_type lane, int width = 32) {             \
        return lw_bits<LW_NARROW>((unsigned short)name(mask, (unsigned int)value.__x, lane, width));           \
    }                                                                                                          \
    LW_DEVICE LW_NARROW_PAIR name(unsigned int mask, LW_NARROW_PAIR value, lane_type lane, int width = 32) {   \
        return lw_bits<LW_NARROW_PAIR>(name(mask, lw_bits<unsigned int>(value), lane, width));                 \
    }
LW_SHUFFLE(__shfl_sync, int)
LW_SHUFFLE(__shfl_up_sync, unsigned int)
LW_SHUFFLE(__shfl_down_sync, unsigned int)
LW_SHUFFLE(__shfl_xor_sync, int)
#undef LW_SHUFFLE

// ---- atomics ----
//
// A pair is one atomic where the format has one, else a compare-and-swap of the 32-bit word.

#ifdef LW_NARROW_ATOMIC
LW_DEVICE LW_NARROW atomicAdd(LW_NARROW *address, LW_NARROW value) {
    unsigned short old;
    asm volatile("atom.add.noftz." LW_NARROW_ATOMIC " %0, [%1], %2;" : "=h"(old) : "l"(address), "h"(value.__x) : "memory");
    return lw_bits<LW_NARROW>(old);
}
LW_DEVICE LW_NARROW_PAIR atomicAdd(LW_NARROW_PAIR *address, LW_NARROW_PAIR value) {
    unsigned int old;
    asm volatile("atom.add.noftz." LW_NARROW_ATOMIC "x2 %0, [%1], %2;"
                 : "=r"(old) : "l"(address), "r"(lw_bits<unsigned int>(value)) : "memory");
    return lw_bits<LW_NARROW_PAIR>(old);
}
#else
LW_DEVICE LW_NARROW atomicAdd(LW_NARROW *address, LW_NARROW value) {
    unsigned short *word = (unsigned short *)address, old = *(volatile unsigned short *)word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, lw_add(lw_bits<LW_NARROW>(seen), value).__x);
    } while (old != seen);
    return lw_bits<LW_NARROW>(old);
}
LW_DEVICE LW_NARROW_PAIR atomicAdd(LW_NARROW_PAIR *address, LW_NARROW_PAIR value) {
    unsigned int *word = (unsigned int *)address, old = *(volatile unsigned int *)word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, lw_bits<unsigned int>(lw_add(lw_bits<LW_NARROW_PAIR>(seen), value)));
    } while (old != seen);
    return lw_bits<LW_NARROW_PAIR>(old);
}
#endif

#undef LW_ROUND
