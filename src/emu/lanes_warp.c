/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations in which lanes see each other's values (PTX ISA, shfl, vote, match.sync, redux.sync, activemask, elect.sync).  The core has
 * already brought the lanes of the member mask together: here `mask` is who takes part.
 *
 * A shuffle from a lane that takes no part is undefined in the manual; the reader keeps its own value here, and the core reports it.
 */
#include "emu/lanes_kit.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

static const uint32_t lane_numbers[EMU_LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

static bool is_word_or_sink(const struct emu_op *op)
{
    return op->dst == EMU_REF_NONE || op->dst_size == 4;
}

/* ---- shfl -------------------------------------------------------------------------------------------------------------------- */

/* out[l] = values[from[l]], 0 <= from[l] < 32. */
static inline void gather(const uint32_t *values, const uint32_t *from, uint32_t *out)
{
#if defined(__AVX512F__)
    const __m512i low = _mm512_loadu_si512(values), high = _mm512_loadu_si512(values + 16);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(from), high));
    _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(from + 16), high));
#elif defined(__AVX2__)
    for (unsigned i = 0; i < EMU_LANES; i += 8) {
        const __m256i index = _mm256_loadu_si256((const __m256i *)(const void *)(from + i));
        _mm256_storeu_si256((__m256i *)(void *)(out + i), _mm256_i32gather_epi32((const int *)(const void *)values, index, 4));
    }
#else
    for (unsigned l = 0; l < EMU_LANES; l++)
        out[l] = values[from[l]];
#endif
}

/* c holds the segment mask in bits 8..12 and the clamp in bits 0..4: a lane's segment begins at `first` and ends at `last`. */
#define SHUFFLE(name, source_lane, inside)                                                                             \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        const u32 *pa = emu_slot(warp, op->a), *pb = emu_slot(warp, op->b), *pc = emu_slot(warp, op->c);               \
        uint32_t values[EMU_LANES], from[EMU_LANES], result[EMU_LANES], valid[EMU_LANES];                              \
        LANES_EACH                                                                                                     \
        {                                                                                                              \
            const int32_t lane = (int32_t)lane_numbers[l], b = (int32_t)(pb[l] & 31);                                  \
            const int32_t segments = (int32_t)(pc[l] >> 8 & 31), clamp = (int32_t)(pc[l] & 31);                        \
            const int32_t first = lane & segments, last = first | (clamp & ~segments);                                 \
            const int32_t other = (source_lane);                                                                       \
            const bool is_valid = (inside);                                                                            \
            const uint32_t chosen = (uint32_t)(is_valid ? other : lane);                                               \
            const bool present = mask >> chosen & 1;                                                                   \
            values[l] = pa[l];                                                                                         \
            from[l] = present ? chosen : (uint32_t)lane;                                                               \
            valid[l] = is_valid ? lanes_bit[l] : 0;                                                                    \
            (void)first;                                                                                               \
        }                                                                                                              \
        gather(values, from, result);                                                                                  \
        if (op->dst != EMU_REF_NONE)                                                                                   \
            LANES_STORE(u32, result);                                                                                  \
        if (op->dst2 != EMU_REF_NONE) {                                                                                \
            uint32_t answers = 0;                                                                                      \
            LANES_EACH answers |= valid[l];                                                                            \
            emu_predicate_store(warp, op->dst2, answers, mask);                                                        \
        }                                                                                                              \
        return EMU_NEXT;                                                                                               \
    }
SHUFFLE(shfl_up, lane - b, other >= last)
SHUFFLE(shfl_down, lane + b, other <= last)
SHUFFLE(shfl_bfly, lane ^ b, other <= last)
SHUFFLE(shfl_idx, first | (b & ~segments), other <= last)

static emu_fn *select_shfl(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (!is_word_or_sink(op) || op->a_size != 4 || op->b_size != 4 || op->c_size != 4)
        return NULL;
    switch (instruction->mode) {
    case PTX_MODE_UP: return shfl_up;
    case PTX_MODE_DOWN: return shfl_down;
    case PTX_MODE_BFLY: return shfl_bfly;
    case PTX_MODE_IDX: return shfl_idx;
    default: return NULL;
    }
}

/* ---- vote, activemask, elect ----------------------------------------------------------------------------------------------------- */

#define VOTE(name, answer)                                                                                             \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        const uint32_t a = emu_predicate(warp, op, op->a, 0) & mask;                                                   \
        lanes_store_predicate(warp, op->dst, (answer) ? EMU_FULL_MASK : 0, mask);                                      \
        return EMU_NEXT;                                                                                               \
    }
VOTE(vote_all, a == mask)
VOTE(vote_any, a != 0)
VOTE(vote_uni, a == 0 || a == mask)

static void store_word(struct emu_warp *warp, const struct emu_op *op, uint32_t word, uint32_t mask)
{
    if (op->dst == EMU_REF_NONE)
        return;
    u32 *d = emu_slot(warp, op->dst);
    LANES_EACH d[l] = mask & lanes_bit[l] ? word : d[l];
}

LANES_HEAD(vote_ballot)
{
    store_word(warp, op, emu_predicate(warp, op, op->a, 0) & mask, mask);
    return EMU_NEXT;
}

static emu_fn *select_vote(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    switch (instruction->mode) {
    case PTX_MODE_ALL: return vote_all;
    case PTX_MODE_ANY: return vote_any;
    case PTX_MODE_UNI: return vote_uni;
    case PTX_MODE_BALLOT: return op->dst_size == 4 ? vote_ballot : NULL;
    default: return NULL;
    }
}

/* Lanes that a guard switched off are not active: they are not in `mask`. */
LANES_HEAD(activemask)
{
    store_word(warp, op, mask, mask);
    return EMU_NEXT;
}

static emu_fn *select_activemask(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    (void)instruction;
    return op->dst_size == 4 ? activemask : NULL;
}

/* The lowest lane leads; d is its number, p is true in it alone. */
LANES_HEAD(elect)
{
    const uint32_t leader = mask & (0u - mask);
    store_word(warp, op, (uint32_t)__builtin_ctz(mask | 0x80000000u), mask);
    lanes_store_predicate(warp, op->dst2, leader, mask);
    return EMU_NEXT;
}

static emu_fn *select_elect(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    (void)instruction;
    return is_word_or_sink(op) ? elect : NULL;
}

/* ---- match --------------------------------------------------------------------------------------------------------------------------- */

/* The lanes of `mask` whose value equals that of lane `leader`. */
static uint32_t same_value(struct emu_warp *warp, const struct emu_op *op, unsigned leader, uint32_t mask)
{
    uint32_t same = 0;
    if (op->a_size == 8) {
        const u64 *a = emu_slot(warp, op->a);
        LANES_EACH same |= a[l] == a[leader] ? lanes_bit[l] : 0;
    } else {
        const u32 *a = emu_slot(warp, op->a);
        LANES_EACH same |= a[l] == a[leader] ? lanes_bit[l] : 0;
    }
    return same & mask;
}

LANES_HEAD(match_any)
{
    uint32_t result[EMU_LANES] = {0};
    for (uint32_t left = mask; left;) {
        const uint32_t same = same_value(warp, op, (unsigned)__builtin_ctz(left), mask);
        for (uint32_t lanes = same; lanes; lanes &= lanes - 1)
            result[__builtin_ctz(lanes)] = same;
        left &= ~same;
    }
    if (op->dst != EMU_REF_NONE)
        LANES_STORE(u32, result);
    return EMU_NEXT;
}

LANES_HEAD(match_all)
{
    const bool all = mask && same_value(warp, op, (unsigned)__builtin_ctz(mask), mask) == mask;
    store_word(warp, op, all ? mask : 0, mask);
    lanes_store_predicate(warp, op->dst2, all ? EMU_FULL_MASK : 0, mask);
    return EMU_NEXT;
}

static emu_fn *select_match(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (!is_word_or_sink(op) || (op->a_size != 4 && op->a_size != 8))
        return NULL;
    return instruction->mode == PTX_MODE_ANY ? match_any : instruction->mode == PTX_MODE_ALL ? match_all : NULL;
}

/* ---- redux --------------------------------------------------------------------------------------------------------------------------- */

#define REDUX(name, T, initial, expr)                                                                                  \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        const T *a = emu_slot(warp, op->a);                                                                            \
        T total = (T)(initial);                                                                                        \
        LANES_EACH                                                                                                     \
        {                                                                                                              \
            const T value = mask & lanes_bit[l] ? a[l] : (T)(initial);                                                 \
            total = (T)(expr);                                                                                         \
        }                                                                                                              \
        store_word(warp, op, (uint32_t)total, mask);                                                                   \
        return EMU_NEXT;                                                                                               \
    }
REDUX(redux_add, u32, 0, total + value)
REDUX(redux_and, u32, UINT32_MAX, total &value)
REDUX(redux_or, u32, 0, total | value)
REDUX(redux_xor, u32, 0, total ^ value)
REDUX(redux_min_u32, u32, UINT32_MAX, value < total ? value : total)
REDUX(redux_max_u32, u32, 0, value > total ? value : total)
REDUX(redux_min_s32, s32, INT32_MAX, value < total ? value : total)
REDUX(redux_max_s32, s32, INT32_MIN, value > total ? value : total)

/* min and max of floats: NaN loses, or wins with .NaN; .abs takes magnitudes; -0 is below +0. */
LANES_HEAD(redux_float)
{
    const u32 *a = emu_slot(warp, op->a);
    const uint32_t flags = op->source->flags;
    const bool is_max = op->source->operation == PTX_OPERATION_MAX;
    uint32_t best = LANES_NAN32;
    bool nan = false, any = false;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        if (!(mask & lanes_bit[l]))
            continue;
        const uint32_t bits = flags & PTX_MODIFIER_ABS ? a[l] & 0x7fffffffu : a[l];
        if ((bits & 0x7fffffffu) > 0x7f800000u) {
            nan = true;
            continue;
        }
        const uint32_t key = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        const uint32_t best_key = best & 0x80000000u ? ~best : best | 0x80000000u;
        if (!any || (is_max ? key > best_key : key < best_key))
            best = bits;
        any = true;
    }
    store_word(warp, op, nan && flags & PTX_MODIFIER_NAN ? LANES_NAN32 : best, mask);
    return EMU_NEXT;
}

static emu_fn *select_redux(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (op->dst_size != 4 || op->a_size != 4)
        return NULL;
    const bool minmax = instruction->operation == PTX_OPERATION_MIN || instruction->operation == PTX_OPERATION_MAX;
    if (instruction->type == PTX_F32)
        return minmax ? redux_float : NULL;
    if (instruction->flags & (PTX_MODIFIER_ABS | PTX_MODIFIER_NAN))
        return NULL;
    const bool is_signed = instruction->type == PTX_S32;
    switch (instruction->operation) {
    case PTX_OPERATION_ADD: return redux_add;
    case PTX_OPERATION_AND: return redux_and;
    case PTX_OPERATION_OR: return redux_or;
    case PTX_OPERATION_XOR: return redux_xor;
    case PTX_OPERATION_MIN: return is_signed ? redux_min_s32 : redux_min_u32;
    case PTX_OPERATION_MAX: return is_signed ? redux_max_s32 : redux_max_u32;
    default: return NULL;
    }
}

const struct lanes_row LANES(lanes_warp_rows)[] = {
    {PTX_OP_shfl, 0, 0, 0, NULL, select_shfl},   {PTX_OP_vote, 0, 0, 0, NULL, select_vote},
    {PTX_OP_match, 0, 0, 0, NULL, select_match}, {PTX_OP_redux, 0, 0, 0, NULL, select_redux},
    {PTX_OP_elect, 0, 0, 0, NULL, select_elect}, {PTX_OP_activemask, 0, 0, 0, NULL, select_activemask},
    {0, 0, 0, 0, NULL, NULL},
};
