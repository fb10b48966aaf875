/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparison and selection (PTX ISA, Comparison and Selection Instructions; Half Precision Comparison Instructions): setp, set, selp,
 * slct, testp.
 *
 * The heart is a table of functions, one for each comparison and kind of value, that give the 32 answers as a mask.  setp without a
 * boolean operation and without a second result, by far the most common form, has a lane operation of its own for each of them.
 */
#include "emu/lanes_half.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

typedef uint32_t compare_fn(const void *a, const void *b);

/* ---- one comparison of 32 lanes ---------------------------------------------------------------------------------------- */

#if defined(__AVX512BW__) && defined(__AVX512DQ__)
/* Compare instructions that give masks.  `imm` numbers the predicate. */
#define LOAD512(p, n) _mm512_loadu_si512((const char *)(p) + 64 * (n))
#define MASKS2(compare, imm) (compare(LOAD512(a, 0), LOAD512(b, 0), imm) | (uint32_t)compare(LOAD512(a, 1), LOAD512(b, 1), imm) << 16)
#define MASKS4(compare, imm)                                                                                           \
    (compare(LOAD512(a, 0), LOAD512(b, 0), imm) | (uint32_t)compare(LOAD512(a, 1), LOAD512(b, 1), imm) << 8 |          \
     (uint32_t)compare(LOAD512(a, 2), LOAD512(b, 2), imm) << 16 | (uint32_t)compare(LOAD512(a, 3), LOAD512(b, 3), imm) << 24)
#define FLOAT512(x, y, imm) _mm512_cmp_ps_mask(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), imm)
#define DOUBLE512(x, y, imm) _mm512_cmp_pd_mask(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), imm)
#define ANSWERS_u16(expr, imm) return _mm512_cmp_epu16_mask(LOAD512(a, 0), LOAD512(b, 0), imm);
#define ANSWERS_s16(expr, imm) return _mm512_cmp_epi16_mask(LOAD512(a, 0), LOAD512(b, 0), imm);
#define ANSWERS_u32(expr, imm) return MASKS2(_mm512_cmp_epu32_mask, imm);
#define ANSWERS_s32(expr, imm) return MASKS2(_mm512_cmp_epi32_mask, imm);
#define ANSWERS_u64(expr, imm) return MASKS4(_mm512_cmp_epu64_mask, imm);
#define ANSWERS_s64(expr, imm) return MASKS4(_mm512_cmp_epi64_mask, imm);
#define ANSWERS_f32(expr, imm) return MASKS2(FLOAT512, imm);
#define ANSWERS_f64(expr, imm) return MASKS4(DOUBLE512, imm);
#else
/* The answers as vectors of words, then their top bits together. */
#if defined(__AVX2__)
static inline uint32_t top_bits32(const int32_t *words)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)(const void *)(words + 8 * i))) << 8 * i;
    return bits;
}
#else
static inline uint32_t top_bits32(const int32_t *words)
{
    uint32_t bits = 0;
    LANES_EACH bits |= (uint32_t)words[l] & lanes_bit[l];
    return bits;
}
#endif
#define ANSWERS(T, expr)                                                                                               \
    const T *pa = a_slot, *pb = b_slot;                                                                                \
    int32_t words[EMU_LANES];                                                                                          \
    LANES_EACH                                                                                                         \
    {                                                                                                                  \
        const T a = pa[l], b = pb[l];                                                                                  \
        words[l] = -(int32_t)(expr);                                                                                   \
    }                                                                                                                  \
    return top_bits32(words);
#define ANSWERS_u16(expr, imm) ANSWERS(u16, expr)
#define ANSWERS_s16(expr, imm) ANSWERS(s16, expr)
#define ANSWERS_u32(expr, imm) ANSWERS(u32, expr)
#define ANSWERS_s32(expr, imm) ANSWERS(s32, expr)
#define ANSWERS_u64(expr, imm) ANSWERS(u64, expr)
#define ANSWERS_s64(expr, imm) ANSWERS(s64, expr)
#define ANSWERS_f32(expr, imm) ANSWERS(f32, expr)
#define ANSWERS_f64(expr, imm) ANSWERS(f64, expr)
#endif

/* X(name, C expression, integer predicate, float predicate).  The predicates are those of the AVX compare instructions. */
#define ORDERED(X, T)                                                                                                  \
    X(lt, T, a < b, 1, 17)                                                                                             \
    X(le, T, a <= b, 2, 18)                                                                                            \
    X(gt, T, a > b, 6, 30)                                                                                             \
    X(ge, T, a >= b, 5, 29)
#define EQUALITY(X, T)                                                                                                 \
    X(eq, T, a == b, 0, 0)                                                                                             \
    X(ne, T, a != b, 4, 0)
#define FLOAT_EQUALITY(X, T)                                                                                           \
    X(eq, T, a == b, 0, 0)                                                                                             \
    X(ne, T, a < b || a > b, 4, 12)
#define UNORDERED(X, T)                                                                                                \
    X(equ, T, !(a < b || a > b), 0, 8)                                                                                 \
    X(neu, T, a != b, 0, 4)                                                                                            \
    X(ltu, T, !(a >= b), 0, 25)                                                                                        \
    X(leu, T, !(a > b), 0, 26)                                                                                         \
    X(gtu, T, !(a <= b), 0, 22)                                                                                        \
    X(geu, T, !(a < b), 0, 21)                                                                                         \
    X(num, T, a == a && b == b, 0, 7)                                                                                  \
    X(nan, T, a != a || b != b, 0, 3)

#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#define COMPARE_ARGUMENTS const void *a, const void *b
#else
#define COMPARE_ARGUMENTS const void *a_slot, const void *b_slot
#endif
#define INTEGER_COMPARE(name, T, expr, integer, floating)                                                              \
    static uint32_t name##_##T(COMPARE_ARGUMENTS) { ANSWERS_##T(expr, integer) }
#define FLOAT_COMPARE(name, T, expr, integer, floating)                                                                \
    static uint32_t name##_##T(COMPARE_ARGUMENTS) { ANSWERS_##T(expr, floating) }

EQUALITY(INTEGER_COMPARE, u16)
EQUALITY(INTEGER_COMPARE, u32)
EQUALITY(INTEGER_COMPARE, u64)
ORDERED(INTEGER_COMPARE, u16)
ORDERED(INTEGER_COMPARE, s16)
ORDERED(INTEGER_COMPARE, u32)
ORDERED(INTEGER_COMPARE, s32)
ORDERED(INTEGER_COMPARE, u64)
ORDERED(INTEGER_COMPARE, s64)
FLOAT_EQUALITY(FLOAT_COMPARE, f32)
ORDERED(FLOAT_COMPARE, f32)
UNORDERED(FLOAT_COMPARE, f32)
FLOAT_EQUALITY(FLOAT_COMPARE, f64)
ORDERED(FLOAT_COMPARE, f64)
UNORDERED(FLOAT_COMPARE, f64)

/* Kinds of value.  Those after COMPARE_F64 are brought to f32 first. */
enum compare_kind {
    COMPARE_U16, COMPARE_S16, COMPARE_U32, COMPARE_S32, COMPARE_U64, COMPARE_S64, COMPARE_F32, COMPARE_F64,
    COMPARE_F32_FTZ, COMPARE_F16, COMPARE_BF16, COMPARE_F16_FTZ, COMPARE_KINDS
};
enum { COMPARE_COUNT = PTX_COMPARE_NAN + 1 };

#define INTEGER_ROW(unsigned_type, T)                                                                                  \
    {[PTX_COMPARE_EQ] = eq_##unsigned_type, [PTX_COMPARE_NE] = ne_##unsigned_type, [PTX_COMPARE_LT] = lt_##T,          \
     [PTX_COMPARE_LE] = le_##T, [PTX_COMPARE_GT] = gt_##T, [PTX_COMPARE_GE] = ge_##T,                                  \
     [PTX_COMPARE_LO] = lt_##unsigned_type, [PTX_COMPARE_LS] = le_##unsigned_type,                                     \
     [PTX_COMPARE_HI] = gt_##unsigned_type, [PTX_COMPARE_HS] = ge_##unsigned_type}
#define FLOAT_ROW(T)                                                                                                   \
    {[PTX_COMPARE_EQ] = eq_##T, [PTX_COMPARE_NE] = ne_##T, [PTX_COMPARE_LT] = lt_##T, [PTX_COMPARE_LE] = le_##T,       \
     [PTX_COMPARE_GT] = gt_##T, [PTX_COMPARE_GE] = ge_##T, [PTX_COMPARE_EQU] = equ_##T, [PTX_COMPARE_NEU] = neu_##T,   \
     [PTX_COMPARE_LTU] = ltu_##T, [PTX_COMPARE_LEU] = leu_##T, [PTX_COMPARE_GTU] = gtu_##T,                            \
     [PTX_COMPARE_GEU] = geu_##T, [PTX_COMPARE_NUM] = num_##T, [PTX_COMPARE_NAN] = nan_##T}
static compare_fn *const compare_table[COMPARE_KINDS][COMPARE_COUNT] = {
    [COMPARE_U16] = INTEGER_ROW(u16, u16), [COMPARE_S16] = INTEGER_ROW(u16, s16), [COMPARE_U32] = INTEGER_ROW(u32, u32),
    [COMPARE_S32] = INTEGER_ROW(u32, s32), [COMPARE_U64] = INTEGER_ROW(u64, u64), [COMPARE_S64] = INTEGER_ROW(u64, s64),
    [COMPARE_F32] = FLOAT_ROW(f32),        [COMPARE_F64] = FLOAT_ROW(f64),        [COMPARE_F32_FTZ] = FLOAT_ROW(f32),
    [COMPARE_F16] = FLOAT_ROW(f32),        [COMPARE_BF16] = FLOAT_ROW(f32),       [COMPARE_F16_FTZ] = FLOAT_ROW(f32),
};

/* ---- which comparison an instruction asks for --------------------------------------------------------------------------- */

static const uint8_t compare_kinds[PTX_TYPE_COUNT] = { /* kind + 1; 0: no comparison of this type */
    [PTX_B16] = COMPARE_U16 + 1, [PTX_U16] = COMPARE_U16 + 1, [PTX_S16] = COMPARE_S16 + 1, [PTX_B32] = COMPARE_U32 + 1,
    [PTX_U32] = COMPARE_U32 + 1, [PTX_S32] = COMPARE_S32 + 1, [PTX_B64] = COMPARE_U64 + 1, [PTX_U64] = COMPARE_U64 + 1,
    [PTX_S64] = COMPARE_S64 + 1, [PTX_F32] = COMPARE_F32 + 1, [PTX_F64] = COMPARE_F64 + 1, [PTX_F16] = COMPARE_F16 + 1,
    [PTX_F16X2] = COMPARE_F16 + 1, [PTX_BF16] = COMPARE_BF16 + 1, [PTX_BF16X2] = COMPARE_BF16 + 1};

static enum compare_kind compare_kind(unsigned type, uint32_t flags)
{
    const enum compare_kind kind = (enum compare_kind)(compare_kinds[type] - 1);
    if (flags & PTX_MODIFIER_FTZ)
        return kind == COMPARE_F32 ? COMPARE_F32_FTZ : kind == COMPARE_F16 ? COMPARE_F16_FTZ : kind;
    return kind;
}

static inline float flush_f16(uint32_t half) /* as a float: a subnormal half is a normal float */
{
    return lanes_from_f16(half & 0x7c00u ? half : half & 0x8000u);
}

/* Halves (the low or the high ones of pairs) or single-precision values, as single-precision values to compare. */
static void compare_widen(enum compare_kind kind, const void *slot, unsigned stride, unsigned half, float *out)
{
    const u16 *halves = slot;
    const f32 *floats = slot;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        if (kind == COMPARE_F32_FTZ)
            out[l] = lanes_flush(floats[l]);
        else if (kind == COMPARE_F16)
            out[l] = lanes_from_f16(halves[stride * l + half]);
        else if (kind == COMPARE_F16_FTZ)
            out[l] = flush_f16(halves[stride * l + half]);
        else
            out[l] = lanes_from_bf16(halves[stride * l + half]);
    }
}

/* The answers of any comparison; pairs take their low or high halves. */
static uint32_t compare_any(struct emu_warp *warp, const struct emu_op *op, unsigned type, unsigned half)
{
    const struct ptx_instruction *source = op->source;
    const enum compare_kind kind = compare_kind(type, source->flags);
    compare_fn *compare = compare_table[kind][source->compare];
    const void *a = emu_slot(warp, op->a), *b = emu_slot(warp, op->b);
    if (kind <= COMPARE_F64)
        return compare(a, b);
    const unsigned stride = type == PTX_F16X2 || type == PTX_BF16X2 ? 2 : 1;
    float wide_a[EMU_LANES], wide_b[EMU_LANES];
    compare_widen(kind, a, stride, half, wide_a);
    compare_widen(kind, b, stride, half, wide_b);
    return compare(wide_a, wide_b);
}

static uint32_t combine(unsigned operation, uint32_t answer, uint32_t c)
{
    return operation == PTX_OPERATION_AND   ? answer & c
           : operation == PTX_OPERATION_OR  ? answer | c
           : operation == PTX_OPERATION_XOR ? answer ^ c
                                            : answer;
}

static uint32_t boolean_operand(struct emu_warp *warp, const struct emu_op *op)
{
    return op->c == EMU_REF_NONE ? 0 : emu_predicate(warp, op, op->c, 2);
}

static bool comparison_known(unsigned type, const struct ptx_instruction *instruction)
{
    return compare_kinds[type] && instruction->compare < COMPARE_COUNT &&
           compare_table[compare_kinds[type] - 1][instruction->compare];
}

/* ---- setp ---------------------------------------------------------------------------------------------------------------- */

#define SETP(name, T, expr, integer, floating)                                                                         \
    LANES_HEAD(setp_##name##_##T)                                                                                      \
    {                                                                                                                  \
        const uint32_t answers = name##_##T(emu_slot(warp, op->a), emu_slot(warp, op->b));                             \
        emu_predicate_store(warp, op->dst, answers, mask);                                                             \
        return EMU_NEXT;                                                                                               \
    }
EQUALITY(SETP, u16)
EQUALITY(SETP, u32)
EQUALITY(SETP, u64)
ORDERED(SETP, u16)
ORDERED(SETP, s16)
ORDERED(SETP, u32)
ORDERED(SETP, s32)
ORDERED(SETP, u64)
ORDERED(SETP, s64)
FLOAT_EQUALITY(SETP, f32)
ORDERED(SETP, f32)
UNORDERED(SETP, f32)
FLOAT_EQUALITY(SETP, f64)
ORDERED(SETP, f64)
UNORDERED(SETP, f64)

#define SETP_INTEGER_ROW(unsigned_type, T)                                                                             \
    {[PTX_COMPARE_EQ] = setp_eq_##unsigned_type, [PTX_COMPARE_NE] = setp_ne_##unsigned_type,                           \
     [PTX_COMPARE_LT] = setp_lt_##T, [PTX_COMPARE_LE] = setp_le_##T, [PTX_COMPARE_GT] = setp_gt_##T,                   \
     [PTX_COMPARE_GE] = setp_ge_##T, [PTX_COMPARE_LO] = setp_lt_##unsigned_type,                                       \
     [PTX_COMPARE_LS] = setp_le_##unsigned_type, [PTX_COMPARE_HI] = setp_gt_##unsigned_type,                           \
     [PTX_COMPARE_HS] = setp_ge_##unsigned_type}
#define SETP_FLOAT_ROW(T)                                                                                              \
    {[PTX_COMPARE_EQ] = setp_eq_##T, [PTX_COMPARE_NE] = setp_ne_##T, [PTX_COMPARE_LT] = setp_lt_##T,                   \
     [PTX_COMPARE_LE] = setp_le_##T, [PTX_COMPARE_GT] = setp_gt_##T, [PTX_COMPARE_GE] = setp_ge_##T,                   \
     [PTX_COMPARE_EQU] = setp_equ_##T, [PTX_COMPARE_NEU] = setp_neu_##T, [PTX_COMPARE_LTU] = setp_ltu_##T,             \
     [PTX_COMPARE_LEU] = setp_leu_##T, [PTX_COMPARE_GTU] = setp_gtu_##T, [PTX_COMPARE_GEU] = setp_geu_##T,             \
     [PTX_COMPARE_NUM] = setp_num_##T, [PTX_COMPARE_NAN] = setp_nan_##T}
static emu_fn *const setp_table[COMPARE_KINDS][COMPARE_COUNT] = {
    [COMPARE_U16] = SETP_INTEGER_ROW(u16, u16), [COMPARE_S16] = SETP_INTEGER_ROW(u16, s16),
    [COMPARE_U32] = SETP_INTEGER_ROW(u32, u32), [COMPARE_S32] = SETP_INTEGER_ROW(u32, s32),
    [COMPARE_U64] = SETP_INTEGER_ROW(u64, u64), [COMPARE_S64] = SETP_INTEGER_ROW(u64, s64),
    [COMPARE_F32] = SETP_FLOAT_ROW(f32),        [COMPARE_F64] = SETP_FLOAT_ROW(f64),
};

/* p = answer op c, q = !answer op c. */
LANES_HEAD(setp_any)
{
    const uint32_t answer = compare_any(warp, op, op->source->type, 0);
    const uint32_t c = boolean_operand(warp, op);
    lanes_store_predicate(warp, op->dst, combine(op->source->operation, answer, c), mask);
    lanes_store_predicate(warp, op->dst2, combine(op->source->operation, ~answer, c), mask);
    return EMU_NEXT;
}

/* Of a pair, p is the comparison of the low halves and q that of the high ones. */
LANES_HEAD(setp_pair)
{
    const unsigned type = op->source->type;
    const uint32_t low = compare_any(warp, op, type, 0), high = compare_any(warp, op, type, 1);
    const uint32_t c = boolean_operand(warp, op);
    lanes_store_predicate(warp, op->dst, combine(op->source->operation, low, c), mask);
    lanes_store_predicate(warp, op->dst2, combine(op->source->operation, high, c), mask);
    return EMU_NEXT;
}

static emu_fn *select_setp(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const unsigned type = instruction->type;
    if (!comparison_known(type, instruction) || instruction->flags & ~(uint32_t)PTX_MODIFIER_FTZ)
        return NULL;
    if (type == PTX_F16X2 || type == PTX_BF16X2)
        return setp_pair;
    const enum compare_kind kind = compare_kind(type, instruction->flags);
    const bool plain = instruction->operation == PTX_OPERATION_NONE && op->dst2 == EMU_REF_NONE && op->dst != EMU_REF_NONE;
    emu_fn *run = setp_table[kind][instruction->compare];
    return plain && run ? run : setp_any;
}

/* ---- set ----------------------------------------------------------------------------------------------------------------- */

/* What "true" is in each destination type; 0: not a destination of set. */
static const uint32_t set_true[PTX_TYPE_COUNT] = {
    [PTX_U16] = 0xffff,      [PTX_S16] = 0xffff,      [PTX_U32] = 0xffffffffu, [PTX_S32] = 0xffffffffu, [PTX_F32] = 0x3f800000u,
    [PTX_F16] = 0x3c00,      [PTX_BF16] = 0x3f80,     [PTX_F16X2] = 0x3c00,    [PTX_BF16X2] = 0x3f80};

LANES_HEAD(set_any)
{
    const struct ptx_instruction *source = op->source;
    const uint32_t yes = set_true[source->type];
    const uint32_t c = boolean_operand(warp, op);
    const uint32_t low = combine(source->operation, compare_any(warp, op, source->type2, 0), c);
    const bool is_pair = source->type2 == PTX_F16X2 || source->type2 == PTX_BF16X2;
    const uint32_t high = is_pair ? combine(source->operation, compare_any(warp, op, source->type2, 1), c) : 0;
    const uint32_t one = is_pair ? yes & 0xffff : yes;
    uint32_t result[EMU_LANES];
    LANES_EACH result[l] = (low & lanes_bit[l] ? one : 0) | (high & lanes_bit[l] ? yes << 16 : 0);
    if (op->dst_size == 2)
        LANES_STORE(u16, result);
    else
        LANES_STORE(u32, result);
    return EMU_NEXT;
}

static emu_fn *select_set(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const bool known = set_true[instruction->type] && comparison_known(instruction->type2, instruction) &&
                       (op->dst_size == 2 || op->dst_size == 4);
    return known && !(instruction->flags & ~(uint32_t)PTX_MODIFIER_FTZ) ? set_any : NULL;
}

/* ---- selp, slct ---------------------------------------------------------------------------------------------------------- */

#define SELP(name, T)                                                                                                  \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        T *d = emu_slot(warp, op->dst);                                                                                \
        const T *pa = emu_slot(warp, op->a), *pb = emu_slot(warp, op->b);                                              \
        const uint32_t c = emu_predicate(warp, op, op->c, 2);                                                          \
        LANES_BODY(T, const T a = pa[l]; const T b = pb[l];, c &lanes_bit[l] ? a : b)                                  \
    }
SELP(selp_16, u16)
SELP(selp_32, u32)
SELP(selp_64, u64)
#define BY_SIZE(f)                                                                                                     \
    {LANES_BITS(f), LANES_INTEGERS(f), [PTX_F16] = f##_16, [PTX_BF16] = f##_16, [PTX_F32] = f##_32, [PTX_F64] = f##_64,\
     [PTX_F16X2] = f##_32, [PTX_BF16X2] = f##_32}
static emu_fn *const selp[PTX_TYPE_COUNT] = BY_SIZE(selp);

#define SLCT(suffix, TC, test)                                                                                         \
    LANES_TERNARY(slct_##suffix##_16, u16, u16, u16, TC, (test) ? a : b)                                               \
    LANES_TERNARY(slct_##suffix##_32, u32, u32, u32, TC, (test) ? a : b)                                               \
    LANES_TERNARY(slct_##suffix##_64, u64, u64, u64, TC, (test) ? a : b)                                               \
    static emu_fn *const slct_##suffix[PTX_TYPE_COUNT] = BY_SIZE(slct_##suffix);
SLCT(s32, s32, c >= 0)
SLCT(f32, f32, c >= 0.0f)
SLCT(ftz, f32, lanes_flush(c) >= 0.0f)

static emu_fn *select_slct(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    (void)op;
    if (instruction->type2 == PTX_S32)
        return slct_s32[instruction->type];
    if (instruction->type2 == PTX_F32)
        return (instruction->flags & PTX_MODIFIER_FTZ ? slct_ftz : slct_f32)[instruction->type];
    return NULL;
}

/* ---- testp --------------------------------------------------------------------------------------------------------------- */

/* Which classes a value belongs to, one bit each. */
enum { IS_FINITE = 1, IS_INFINITE = 2, IS_NAN = 4, IS_NORMAL = 8, IS_SUBNORMAL = 16 };

static unsigned classes(uint64_t magnitude, uint64_t infinity, uint64_t least_normal)
{
    if (magnitude >= infinity)
        return magnitude == infinity ? IS_INFINITE : IS_NAN;
    /* Zeros count as normal. */
    return IS_FINITE | (magnitude == 0 || magnitude >= least_normal ? IS_NORMAL : IS_SUBNORMAL);
}

LANES_HEAD(testp_any)
{
    const struct ptx_instruction *source = op->source;
    const unsigned wanted = source->mode == PTX_MODE_FINITE         ? IS_FINITE
                            : source->mode == PTX_MODE_INFINITE     ? IS_INFINITE
                            : source->mode == PTX_MODE_NUMBER       ? IS_FINITE | IS_INFINITE
                            : source->mode == PTX_MODE_NOTANUMBER   ? IS_NAN
                            : source->mode == PTX_MODE_NORMAL       ? IS_NORMAL
                                                                    : IS_SUBNORMAL;
    const u32 *words = emu_slot(warp, op->a);
    const u64 *longs = emu_slot(warp, op->a);
    uint32_t answers = 0;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const unsigned is = source->type == PTX_F32
                                ? classes(words[l] & 0x7fffffffu, 0x7f800000u, 0x00800000u)
                                : classes(longs[l] & 0x7fffffffffffffffu, 0x7ff0000000000000u, 0x0010000000000000u);
        answers |= (uint32_t)((is & wanted) != 0) << l;
    }
    lanes_store_predicate(warp, op->dst, answers, mask);
    return EMU_NEXT;
}

static emu_fn *select_testp(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    (void)op;
    const bool known = instruction->mode >= PTX_MODE_FINITE && instruction->mode <= PTX_MODE_SUBNORMAL;
    return known && (instruction->type == PTX_F32 || instruction->type == PTX_F64) ? testp_any : NULL;
}

const struct lanes_row LANES(lanes_compare_rows)[] = {
    {PTX_OP_setp, 0, 0, 0, NULL, select_setp}, {PTX_OP_set, 0, 0, 0, NULL, select_set},
    {PTX_OP_selp, 0, 0, 0, selp, NULL},        {PTX_OP_slct, 0, 0, 0, NULL, select_slct},
    {PTX_OP_testp, 0, 0, 0, NULL, select_testp}, {0, 0, 0, 0, NULL, NULL},
};
