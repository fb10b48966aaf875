/* SPDX-License-Identifier: Apache-2.0
 *
 * The kit that lane operations are made of.  A lane operation is a loop over 32 lanes that the compiler vectorises for the
 * instruction set it is compiled for; a macro makes both its forms, for all lanes and for some, from one C expression.
 *
 * Rules for an expression: no branch, no call that is not inline, no undefined behaviour for any input (a lane that is not asked
 * for is computed as well and thrown away).  The same input gives the same bits on every instruction set: no contraction, no
 * reassociation, and no NaN whose payload depends on the order the compiler chose.
 *
 * A family (integer, float, ...) is a file.  It exports one array of rows; a row says which instructions an operation serves.
 */
#ifndef LANEWISE_EMU_LANES_KIT_H
#define LANEWISE_EMU_LANES_KIT_H

#include "emu/lanes.h"

#if defined(__clang__)
/* Short loops of rare operations may stay scalar. */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* A name for each instruction set: LANES(rows) is rows_avx2 under -DEMU_ISA=avx2. */
#define LANES_PASTE2(name, isa) name##_##isa
#define LANES_PASTE(name, isa) LANES_PASTE2(name, isa)
#define LANES(name) LANES_PASTE(name, EMU_ISA)

/* Slots hold different types at different times. */
#define LANES_SLOT_TYPE __attribute__((__may_alias__))
typedef LANES_SLOT_TYPE uint8_t u8;
typedef LANES_SLOT_TYPE uint16_t u16;
typedef LANES_SLOT_TYPE uint32_t u32;
typedef LANES_SLOT_TYPE uint64_t u64;
typedef LANES_SLOT_TYPE int8_t s8;
typedef LANES_SLOT_TYPE int16_t s16;
typedef LANES_SLOT_TYPE int32_t s32;
typedef LANES_SLOT_TYPE int64_t s64;
typedef LANES_SLOT_TYPE float f32;
typedef LANES_SLOT_TYPE double f64;

/* ---- rows ---------------------------------------------------------------------------------------------------- */

typedef emu_fn *lanes_select(const struct ptx_instruction *instruction, const struct emu_op *op);

/* Serves the instructions of `op` whose mode, rounding and flags are exactly these; `by_type` is indexed by the first type.
 * A row with `select` serves what the function says, whatever mode, rounding and flags.  The last row has neither. */
struct lanes_row {
    uint16_t op;
    uint8_t mode, round;
    uint32_t flags;
    emu_fn *const *by_type;
    lanes_select *select;
};

/* The same vector of functions for types that share the operation. */
#define LANES_INTEGERS(f)                                                                                              \
    [PTX_U16] = f##_16, [PTX_S16] = f##_16, [PTX_U32] = f##_32, [PTX_S32] = f##_32, [PTX_U64] = f##_64,                \
    [PTX_S64] = f##_64
#define LANES_SIGNED_INTEGERS(f)                                                                                       \
    [PTX_U16] = f##_u16, [PTX_S16] = f##_s16, [PTX_U32] = f##_u32, [PTX_S32] = f##_s32, [PTX_U64] = f##_u64,           \
    [PTX_S64] = f##_s64
#define LANES_BITS(f) [PTX_B16] = f##_16, [PTX_B32] = f##_32, [PTX_B64] = f##_64

/* ---- loops -------------------------------------------------------------------------------------------------- */

/* Every slot an operation touches is either another slot or the same: iterations are independent. */
#if defined(__clang__)
#define LANES_EACH _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < EMU_LANES; l++)
#else
#define LANES_EACH _Pragma("GCC ivdep") for (unsigned l = 0; l < EMU_LANES; l++)
#endif

static const uint32_t lanes_bit[EMU_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

#define LANES_HEAD(name)                                                                                               \
    static enum emu_next name(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)

/* d[l] = expr in the lanes of `mask`; `load` declares what the expression reads. */
#define LANES_BODY(TD, load, expr)                                                                                     \
    if (mask == EMU_FULL_MASK) {                                                                                       \
        LANES_EACH                                                                                                     \
        {                                                                                                              \
            load d[l] = (TD)(expr);                                                                                    \
        }                                                                                                              \
    } else {                                                                                                           \
        LANES_EACH                                                                                                     \
        {                                                                                                              \
            load const TD lanes_result = (TD)(expr);                                                                   \
            d[l] = mask & lanes_bit[l] ? lanes_result : d[l];                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    return EMU_NEXT;

#define LANES_UNARY(name, TD, TA, expr)                                                                                \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        TD *d = emu_slot(warp, op->dst);                                                                               \
        const TA *pa = emu_slot(warp, op->a);                                                                          \
        LANES_BODY(TD, const TA a = pa[l];, expr)                                                                      \
    }

#define LANES_BINARY(name, TD, TA, TB, expr)                                                                           \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        TD *d = emu_slot(warp, op->dst);                                                                               \
        const TA *pa = emu_slot(warp, op->a);                                                                          \
        const TB *pb = emu_slot(warp, op->b);                                                                          \
        LANES_BODY(TD, const TA a = pa[l]; const TB b = pb[l];, expr)                                                  \
    }

#define LANES_TERNARY(name, TD, TA, TB, TC, expr)                                                                      \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        TD *d = emu_slot(warp, op->dst);                                                                               \
        const TA *pa = emu_slot(warp, op->a);                                                                          \
        const TB *pb = emu_slot(warp, op->b);                                                                          \
        const TC *pc = emu_slot(warp, op->c);                                                                          \
        LANES_BODY(TD, const TA a = pa[l]; const TB b = pb[l]; const TC c = pc[l];, expr)                              \
    }

#define LANES_QUATERNARY(name, TD, TA, TB, TC, TE, expr)                                                               \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        TD *d = emu_slot(warp, op->dst);                                                                               \
        const TA *pa = emu_slot(warp, op->a);                                                                          \
        const TB *pb = emu_slot(warp, op->b);                                                                          \
        const TC *pc = emu_slot(warp, op->c);                                                                          \
        const TE *pe = emu_slot(warp, op->d);                                                                          \
        LANES_BODY(TD, const TA a = pa[l]; const TB b = pb[l]; const TC c = pc[l]; const TE e = pe[l];, expr)          \
    }

/* Stores a whole result computed elsewhere. */
#define LANES_STORE(TD, result)                                                                                        \
    do {                                                                                                               \
        TD *lanes_d = emu_slot(warp, op->dst);                                                                         \
        LANES_EACH lanes_d[l] = mask & lanes_bit[l] ? (result)[l] : lanes_d[l];                                        \
    } while (0)

/* Predicate destinations may be `_`. */
static inline void lanes_store_predicate(struct emu_warp *warp, uint32_t reference, uint32_t value, uint32_t mask)
{
    if (reference != EMU_REF_NONE)
        emu_predicate_store(warp, reference, value, mask);
}

/* One lane of a slot of 2, 4 or 8 bytes as an integer, and back: for operations that are too rare to be vectors. */
static inline uint64_t lanes_read(struct emu_warp *warp, uint32_t reference, unsigned size, unsigned lane)
{
    const void *slot = emu_slot(warp, reference);
    return size == 8 ? ((const u64 *)slot)[lane] : size == 4 ? ((const u32 *)slot)[lane] : ((const u16 *)slot)[lane];
}

static inline void lanes_write(struct emu_warp *warp, uint32_t reference, unsigned size, unsigned lane, uint64_t value)
{
    void *slot = emu_slot(warp, reference);
    if (size == 8)
        ((u64 *)slot)[lane] = value;
    else if (size == 4)
        ((u32 *)slot)[lane] = (uint32_t)value;
    else
        ((u16 *)slot)[lane] = (uint16_t)value;
}

/* ---- bits of floating-point values ------------------------------------------------------------------------------ */

static inline uint32_t lanes_bits32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float lanes_float32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t lanes_bits64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double lanes_float64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define LANES_NAN32 0x7fffffffu /* the one NaN that single-precision arithmetic gives */

/* A subnormal becomes a zero of its sign. */
static inline float lanes_flush(float value)
{
    const uint32_t bits = lanes_bits32(value);
    return lanes_float32(bits & 0x7f800000u ? bits : bits & 0x80000000u);
}

static inline float lanes_canonical(float value)
{
    return value != value ? lanes_float32(LANES_NAN32) : value;
}

/* .sat: NaN and -0 become +0. */
static inline float lanes_saturate(float value)
{
    return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
}

/* Double precision keeps a NaN's payload.  Where both operands are NaN the first one wins: said here because a compiler may
 * exchange the operands of + and *. */
static inline double lanes_first_nan(double first, double result)
{
    return first != first ? lanes_float64(lanes_bits64(first) | 0x0008000000000000u) : result;
}

#endif
