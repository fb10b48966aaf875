/* SPDX-License-Identifier: Apache-2.0
 *
 * Wide loads and stores with a tail: several elements at once where they are all there, one by one where they are not.
 *
 *     struct lw_vector_f32 v                    v.part[0] .. v.part[LW_VECTOR_f32 - 1]
 *     lw_vectors_f32(length)                    how many vectors cover so many elements, the last one perhaps in part
 *     lw_load_vector_f32(x, number, fill)       elements 4 * number and the next three; `fill` for those that are not there
 *     lw_store_vector_f32(y, number, v)         the same to write; what is not there is left out
 *
 * A vector has 4 elements, of 8-byte types 2.  The wide instruction needs an array that is aligned to the whole vector: that is tested,
 * the same way for all threads, since a part of a slice may begin anywhere.  Nothing is asked of the length, and no element past it is
 * touched.  The arrays lie in global memory.  (__ldca and __stwb are the plain cached accesses; written as plain C, compilers take the
 * wide access apart and share a piece of it with the tail.)
 */
#ifndef LANEWISE_DEVICE_VECTOR_H
#define LANEWISE_DEVICE_VECTOR_H

#include <lanewise/device/tail.h>

#define LW_VECTOR_i8 4
#define LW_VECTOR_i16 4
#define LW_VECTOR_i32 4
#define LW_VECTOR_i64 2
#define LW_VECTOR_u8 4
#define LW_VECTOR_u16 4
#define LW_VECTOR_u32 4
#define LW_VECTOR_u64 2
#define LW_VECTOR_f32 4
#define LW_VECTOR_f64 2

/* `wide`: the type of CUDA for it; `load`, `store`: between it and the parts. */
#define LW_DEVICE_VECTOR_(name, type, wide, count, load, store)                                                                   \
    struct lw_vector_##name {                                                                                                     \
        type part[count];                                                                                                         \
    };                                                                                                                            \
    LW_DEVICE_FUNCTION uint64_t lw_vectors_##name(uint64_t length)                                                                \
    {                                                                                                                             \
        return LW_CEIL_DIV(length, count);                                                                                        \
    }                                                                                                                             \
    LW_DEVICE_FUNCTION bool lw_is_wide_##name(const type *data)                                                                   \
    {                                                                                                                             \
        return (uintptr_t)data % sizeof(wide) == 0;                                                                               \
    }                                                                                                                             \
    LW_DEVICE_FUNCTION struct lw_vector_##name lw_load_vector_##name(struct lw_view_##name view, uint64_t number, type fill)      \
    {                                                                                                                             \
        struct lw_vector_##name vector;                                                                                           \
        uint64_t whole = view.length / count;                                                                                     \
        if (number < whole && lw_is_wide_##name(view.data)) {                                                                     \
            wide parts = __ldca((const wide *)view.data + number);                                                                \
            load(vector, parts)                                                                                                   \
            return vector;                                                                                                        \
        }                                                                                                                         \
        unsigned there = number < whole ? count : number == whole ? (unsigned)(view.length % count) : 0;                          \
        _Pragma("unroll") for (unsigned k = 0; k < count; k++)                                                                    \
            vector.part[k] = k < there ? view.data[number * count + k] : fill;                                                    \
        return vector;                                                                                                            \
    }                                                                                                                             \
    LW_DEVICE_FUNCTION void lw_store_vector_##name(struct lw_slice_##name slice, uint64_t number, struct lw_vector_##name vector) \
    {                                                                                                                             \
        uint64_t whole = slice.length / count;                                                                                    \
        if (number < whole && lw_is_wide_##name(slice.data)) {                                                                    \
            wide parts;                                                                                                           \
            store(parts, vector)                                                                                                  \
            __stwb((wide *)slice.data + number, parts);                                                                           \
            return;                                                                                                               \
        }                                                                                                                         \
        unsigned there = number < whole ? count : number == whole ? (unsigned)(slice.length % count) : 0;                         \
        _Pragma("unroll") for (unsigned k = 0; k < count; k++)                                                                    \
            if (k < there)                                                                                                        \
                slice.data[number * count + k] = vector.part[k];                                                                  \
    }

#define LW_VECTOR_LOAD_2_(vector, wide) vector.part[0] = wide.x, vector.part[1] = wide.y;
#define LW_VECTOR_STORE_2_(wide, vector) wide.x = vector.part[0], wide.y = vector.part[1];
#define LW_VECTOR_LOAD_4_(vector, wide) \
    LW_VECTOR_LOAD_2_(vector, wide)     \
    vector.part[2] = wide.z, vector.part[3] = wide.w;
#define LW_VECTOR_STORE_4_(wide, vector) \
    LW_VECTOR_STORE_2_(wide, vector)     \
    wide.z = vector.part[2], wide.w = vector.part[3];

LW_DEVICE_VECTOR_(i8, int8_t, char4, 4, LW_VECTOR_LOAD_4_, LW_VECTOR_STORE_4_)
LW_DEVICE_VECTOR_(i16, int16_t, short4, 4, LW_VECTOR_LOAD_4_, LW_VECTOR_STORE_4_)
LW_DEVICE_VECTOR_(i32, int32_t, int4, 4, LW_VECTOR_LOAD_4_, LW_VECTOR_STORE_4_)
LW_DEVICE_VECTOR_(i64, int64_t, longlong2, 2, LW_VECTOR_LOAD_2_, LW_VECTOR_STORE_2_)
LW_DEVICE_VECTOR_(u8, uint8_t, uchar4, 4, LW_VECTOR_LOAD_4_, LW_VECTOR_STORE_4_)
LW_DEVICE_VECTOR_(u16, uint16_t, ushort4, 4, LW_VECTOR_LOAD_4_, LW_VECTOR_STORE_4_)
LW_DEVICE_VECTOR_(u32, uint32_t, uint4, 4, LW_VECTOR_LOAD_4_, LW_VECTOR_STORE_4_)
LW_DEVICE_VECTOR_(u64, uint64_t, ulonglong2, 2, LW_VECTOR_LOAD_2_, LW_VECTOR_STORE_2_)
LW_DEVICE_VECTOR_(f32, float, float4, 4, LW_VECTOR_LOAD_4_, LW_VECTOR_STORE_4_)
LW_DEVICE_VECTOR_(f64, double, double2, 2, LW_VECTOR_LOAD_2_, LW_VECTOR_STORE_2_)

#endif
