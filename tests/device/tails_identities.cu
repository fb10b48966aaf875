// SPDX-License-Identifier: Apache-2.0
// kernel: identities
// grid: 1
// block: 32
// arg i8: buf i8 len=7 io=out want=i==0?0:i==1?1:i==2?127:i==3?-128:i==4?-1:0
// arg u8: buf u8 len=7 io=out want=i==0?0:i==1?1:i==2?255:i==3?0:i==4?255:0
// arg i16: buf i16 len=7 io=out want=i==0?0:i==1?1:i==2?32767:i==3?-32768:i==4?-1:0
// arg u16: buf u16 len=7 io=out want=i==0?0:i==1?1:i==2?65535:i==3?0:i==4?65535:0
// arg i32: buf i32 len=7 io=out want=i==0?0:i==1?1:i==2?INT_MAX:i==3?INT_MIN:i==4?-1:0
// arg u32: buf u32 len=7 io=out want=i==0?0:i==1?1:i==2?4294967295:i==3?0:i==4?4294967295:0
// arg i64: buf i64 len=7 io=out want=i==0?0:i==1?1:i==2?9223372036854775807:i==3?-9223372036854775807-1:i==4?-1:0
// arg u64: buf u64 len=7 io=out want=i==0?0:i==1?1:i==2?18446744073709551615u:i==3?0:i==4?18446744073709551615u:0
// arg f32: buf u32 len=4 io=out want=i==0?0x80000000u:i==1?0x3f800000:i==2?0x7f800000:0xff800000u
// arg f64: buf u64 len=4 io=out want=i==0?0x8000000000000000u:i==1?0x3ff0000000000000:i==2?0x7ff0000000000000:0xfff0000000000000u
// expect: none
// why: What a thread without an element brings: sum, product, min, max, and, or, xor; of reals to the bit, so that -0.0 is told from 0.0.
#include <lanewise/device.h>

#define FOUR(out, name)                                 \
    out[0] = BITS_OF_##name(lw_identity_sum_##name());     \
    out[1] = BITS_OF_##name(lw_identity_product_##name()); \
    out[2] = BITS_OF_##name(lw_identity_min_##name());     \
    out[3] = BITS_OF_##name(lw_identity_max_##name());
#define SEVEN(out, name)                  \
    out[0] = lw_identity_sum_##name();     \
    out[1] = lw_identity_product_##name(); \
    out[2] = lw_identity_min_##name();     \
    out[3] = lw_identity_max_##name();     \
    out[4] = lw_identity_and_##name();     \
    out[5] = lw_identity_or_##name();      \
    out[6] = lw_identity_xor_##name();
#define BITS_OF_f32(value) __float_as_uint(value)
#define BITS_OF_f64(value) (uint64_t)__double_as_longlong(value)

__global__ void identities(int8_t *i8, uint8_t *u8, int16_t *i16, uint16_t *u16, int32_t *i32, uint32_t *u32, int64_t *i64, uint64_t *u64, uint32_t *f32, uint64_t *f64)
{
    if (threadIdx.x != 0)
        return;
    SEVEN(i8, i8)
    SEVEN(u8, u8)
    SEVEN(i16, i16)
    SEVEN(u16, u16)
    SEVEN(i32, i32)
    SEVEN(u32, u32)
    SEVEN(i64, i64)
    SEVEN(u64, u64)
    FOUR(f32, f32)
    FOUR(f64, f64)
}
