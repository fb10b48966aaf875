/* SPDX-License-Identifier: Apache-2.0
 *
 * Logic, shifts and bit fields (PTX ISA, Logic and Shift Instructions, and the bit operations of Integer Arithmetic): and, or, xor,
 * not, cnot, shl, shr, shf, lop3, prmt, popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext.
 */
#include "emu/lanes_kit.h"

/* ---- bitwise --------------------------------------------------------------------------------------------------------- */

/* Predicates are one word: bit l is lane l. */
#define PREDICATE(name, expr)                                                                                          \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        const uint32_t a = emu_predicate(warp, op, op->a, 0);                                                          \
        const uint32_t b = op->b == EMU_REF_NONE ? 0 : emu_predicate(warp, op, op->b, 1);                              \
        (void)b;                                                                                                       \
        lanes_store_predicate(warp, op->dst, expr, mask);                                                              \
        return EMU_NEXT;                                                                                               \
    }
#define BITWISE(name, expr)                                                                                            \
    PREDICATE(name##_pred, expr)                                                                                       \
    LANES_BINARY(name##_16, u16, u16, u16, expr)                                                                       \
    LANES_BINARY(name##_32, u32, u32, u32, expr)                                                                       \
    LANES_BINARY(name##_64, u64, u64, u64, expr)                                                                       \
    static emu_fn *const name[PTX_TYPE_COUNT] = {LANES_BITS(name), [PTX_PRED] = name##_pred};
BITWISE(bits_and, a &b)
BITWISE(bits_or, a | b)
BITWISE(bits_xor, a ^ b)

PREDICATE(bits_not_pred, ~a)
LANES_UNARY(bits_not_16, u16, u16, ~a)
LANES_UNARY(bits_not_32, u32, u32, ~a)
LANES_UNARY(bits_not_64, u64, u64, ~a)
static emu_fn *const bits_not[PTX_TYPE_COUNT] = {LANES_BITS(bits_not), [PTX_PRED] = bits_not_pred};

LANES_UNARY(cnot_16, u16, u16, a == 0)
LANES_UNARY(cnot_32, u32, u32, a == 0)
LANES_UNARY(cnot_64, u64, u64, a == 0)
static emu_fn *const cnot[PTX_TYPE_COUNT] = {LANES_BITS(cnot)};

/* ---- shifts: amounts are 32-bit and clamped to the width ------------------------------------------------------------- */

#define ARITHMETIC(T, a, b, width) ((a) >> ((b) < (width) ? (b) : (width)-1))
LANES_BINARY(shl_16, u16, u16, u32, b < 16 ? (uint32_t)a << (b & 15) : 0u)
LANES_BINARY(shl_32, u32, u32, u32, b < 32 ? a << (b & 31) : 0u)
LANES_BINARY(shl_64, u64, u64, u32, b < 64 ? a << (b & 63) : 0u)
LANES_BINARY(shr_u16, u16, u16, u32, b < 16 ? (uint32_t)a >> (b & 15) : 0u)
LANES_BINARY(shr_u32, u32, u32, u32, b < 32 ? a >> (b & 31) : 0u)
LANES_BINARY(shr_u64, u64, u64, u32, b < 64 ? a >> (b & 63) : 0u)
LANES_BINARY(shr_s16, s16, s16, u32, ARITHMETIC(s16, a, b, 16))
LANES_BINARY(shr_s32, s32, s32, u32, ARITHMETIC(s32, a, b, 32))
LANES_BINARY(shr_s64, s64, s64, u32, ARITHMETIC(s64, a, b, 64))
static emu_fn *const shl[PTX_TYPE_COUNT] = {LANES_BITS(shl)};
static emu_fn *const shr[PTX_TYPE_COUNT] = {[PTX_B16] = shr_u16, [PTX_B32] = shr_u32, [PTX_B64] = shr_u64,
                                            LANES_SIGNED_INTEGERS(shr)};

/* Funnel shifts of the pair b:a. */
#define PAIR(a, b) ((uint64_t)(b) << 32 | (a))
#define AMOUNT_CLAMP(c) ((c) < 32 ? (c) : 32)
LANES_TERNARY(shf_l_wrap, u32, u32, u32, u32, PAIR(a, b) << (c & 31) >> 32)
LANES_TERNARY(shf_r_wrap, u32, u32, u32, u32, PAIR(a, b) >> (c & 31))
LANES_TERNARY(shf_l_clamp, u32, u32, u32, u32, PAIR(a, b) << AMOUNT_CLAMP(c) >> 32)
LANES_TERNARY(shf_r_clamp, u32, u32, u32, u32, PAIR(a, b) >> AMOUNT_CLAMP(c))

static emu_fn *select_shf(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    static emu_fn *const rows[2][2] = {{shf_l_wrap, shf_l_clamp}, {shf_r_wrap, shf_r_clamp}};
    (void)op;
    const bool known = instruction->type == PTX_B32 &&
                       (instruction->mode == PTX_MODE_L || instruction->mode == PTX_MODE_R) &&
                       (instruction->mode2 == PTX_MODE_WRAP || instruction->mode2 == PTX_MODE_CLAMP);
    return known ? rows[instruction->mode == PTX_MODE_R][instruction->mode2 == PTX_MODE_CLAMP] : NULL;
}

/* ---- lop3 ------------------------------------------------------------------------------------------------------------ */

/* Bit n of the table is the result where a, b, c are bits 2, 1, 0 of n. */
#define MINTERM(n, x, y, z) ((0u - (table >> (n)&1u)) & (x) & (y) & (z))
#define LOP3                                                                                                           \
    (MINTERM(0, ~a, ~b, ~c) | MINTERM(1, ~a, ~b, c) | MINTERM(2, ~a, b, ~c) | MINTERM(3, ~a, b, c) |                   \
     MINTERM(4, a, ~b, ~c) | MINTERM(5, a, ~b, c) | MINTERM(6, a, b, ~c) | MINTERM(7, a, b, c))

LANES_HEAD(lop3_32)
{
    u32 *d = emu_slot(warp, op->dst);
    const u32 *pa = emu_slot(warp, op->a), *pb = emu_slot(warp, op->b), *pc = emu_slot(warp, op->c);
    const uint32_t table = (uint32_t)op->immediate;
    LANES_BODY(u32, const u32 a = pa[l]; const u32 b = pb[l]; const u32 c = pc[l];, LOP3)
}

/* The tables that compilers write most. */
LANES_TERNARY(lop3_and_and, u32, u32, u32, u32, a &b &c)
LANES_TERNARY(lop3_or_or, u32, u32, u32, u32, a | b | c)
LANES_TERNARY(lop3_xor_xor, u32, u32, u32, u32, a ^ b ^ c)
LANES_TERNARY(lop3_and_or, u32, u32, u32, u32, (a & b) | c)
LANES_TERNARY(lop3_choose, u32, u32, u32, u32, (a & b) | (~a & c))
LANES_TERNARY(lop3_majority, u32, u32, u32, u32, (a & b) | (c & (a | b)))
LANES_TERNARY(lop3_and_xor, u32, u32, u32, u32, (a & b) ^ c)

/* lop3.BoolOp d|p, a, b, c, table, q: p = (d != 0) BoolOp q.  Here d may be `_`, and q is the core's op->carry. */
LANES_HEAD(lop3_predicate)
{
    const u32 *pa = emu_slot(warp, op->a), *pb = emu_slot(warp, op->b), *pc = emu_slot(warp, op->c);
    const uint32_t table = (uint32_t)op->immediate;
    const uint32_t q = emu_predicate(warp, op, op->carry, 4);
    uint32_t result[EMU_LANES], differs = 0;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const uint32_t a = pa[l], b = pb[l], c = pc[l];
        result[l] = LOP3;
        differs |= (uint32_t)(result[l] != 0) << l;
    }
    if (op->dst != EMU_REF_NONE)
        LANES_STORE(u32, result);
    const uint32_t p = op->source->operation == PTX_OPERATION_AND   ? differs & q
                       : op->source->operation == PTX_OPERATION_XOR ? differs ^ q
                                                                    : differs | q;
    lanes_store_predicate(warp, op->dst2, p, mask);
    return EMU_NEXT;
}

static emu_fn *select_lop3(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    static const struct {
        uint8_t table;
        emu_fn *run;
    } rows[] = {{0x80, lop3_and_and}, {0xfe, lop3_or_or},    {0x96, lop3_xor_xor}, {0xea, lop3_and_or},
                {0xca, lop3_choose},  {0xe8, lop3_majority}, {0x6a, lop3_and_xor}};
    if (instruction->type != PTX_B32)
        return NULL;
    if (instruction->operation != PTX_OPERATION_NONE)
        return op->carry == EMU_REF_NONE ? NULL : lop3_predicate;
    if (op->dst == EMU_REF_NONE)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].table == (op->immediate & 0xff))
            return rows[i].run;
    return lop3_32;
}

/* ---- prmt ------------------------------------------------------------------------------------------------------------ */

/* Byte n of the pair, or its sign spread over a byte where bit 3 of the selector says so. */
static inline uint32_t prmt_byte(uint64_t bytes, uint32_t selector)
{
    const uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 0xff;
    return selector & 8 ? (0u - (byte >> 7)) & 0xff : byte;
}

static inline uint32_t prmt(uint64_t bytes, uint32_t selector)
{
    return prmt_byte(bytes, selector) | prmt_byte(bytes, selector >> 4) << 8 | prmt_byte(bytes, selector >> 8) << 16 |
           prmt_byte(bytes, selector >> 12) << 24;
}

/* The selectors of the modes, by the low two bits of c. */
enum { PRMT_MODES = 6 };
static const uint16_t prmt_selectors[PRMT_MODES][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e: four bytes forward */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e: four bytes backward */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8: one byte replicated */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl: edge clamp left */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr: edge clamp right */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16: one half replicated */
};
LANES_TERNARY(prmt_default, u32, u32, u32, u32, prmt(PAIR(a, b), c))
#define PRMT(name, row) LANES_TERNARY(name, u32, u32, u32, u32, prmt(PAIR(a, b), prmt_selectors[row][c & 3]))
PRMT(prmt_f4e, 0)
PRMT(prmt_b4e, 1)
PRMT(prmt_rc8, 2)
PRMT(prmt_ecl, 3)
PRMT(prmt_ecr, 4)
PRMT(prmt_rc16, 5)
#define B32(f) {[PTX_B32] = f}
static emu_fn *const prmt_none_type[PTX_TYPE_COUNT] = B32(prmt_default);
static emu_fn *const prmt_f4e_type[PTX_TYPE_COUNT] = B32(prmt_f4e);
static emu_fn *const prmt_b4e_type[PTX_TYPE_COUNT] = B32(prmt_b4e);
static emu_fn *const prmt_rc8_type[PTX_TYPE_COUNT] = B32(prmt_rc8);
static emu_fn *const prmt_ecl_type[PTX_TYPE_COUNT] = B32(prmt_ecl);
static emu_fn *const prmt_ecr_type[PTX_TYPE_COUNT] = B32(prmt_ecr);
static emu_fn *const prmt_rc16_type[PTX_TYPE_COUNT] = B32(prmt_rc16);

/* ---- counting and finding -------------------------------------------------------------------------------------------- */

static inline uint32_t count_ones32(uint32_t x)
{
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    x += x >> 8; /* not the usual multiplication: compilers know that pattern and leave the vectors */
    return (x + (x >> 16)) & 0x3fu;
}

static inline uint32_t count_ones64(uint64_t x)
{
    return count_ones32((uint32_t)x) + count_ones32((uint32_t)(x >> 32));
}

/* All bits below the highest one set: its population is the position of that bit, plus one. */
static inline uint32_t smear32(uint32_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    return x | x >> 16;
}

static inline uint64_t smear64(uint64_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return x | x >> 32;
}

#define WIDTH32(x) count_ones32(smear32(x))
#define WIDTH64(x) count_ones64(smear64(x))
#define UNSIGNED32(x) ((x) ^ (0u - ((x) >> 31))) /* a signed value's bits that differ from the sign */
#define UNSIGNED64(x) ((x) ^ (0u - ((x) >> 63)))
#define SHIFT_AMOUNT(width, bits) ((width) ? (bits) - (width) : UINT32_MAX)

LANES_UNARY(popc_32, u32, u32, count_ones32(a))
LANES_UNARY(popc_64, u32, u64, count_ones64(a))
LANES_UNARY(clz_32, u32, u32, 32 - WIDTH32(a))
LANES_UNARY(clz_64, u32, u64, 64 - WIDTH64(a))
LANES_UNARY(bfind_u32, u32, u32, WIDTH32(a) - 1)
LANES_UNARY(bfind_s32, u32, u32, WIDTH32(UNSIGNED32(a)) - 1)
LANES_UNARY(bfind_u64, u32, u64, WIDTH64(a) - 1)
LANES_UNARY(bfind_s64, u32, u64, WIDTH64(UNSIGNED64(a)) - 1)
LANES_UNARY(shiftamt_u32, u32, u32, SHIFT_AMOUNT(WIDTH32(a), 32))
LANES_UNARY(shiftamt_s32, u32, u32, SHIFT_AMOUNT(WIDTH32(UNSIGNED32(a)), 32))
LANES_UNARY(shiftamt_u64, u32, u64, SHIFT_AMOUNT(WIDTH64(a), 64))
LANES_UNARY(shiftamt_s64, u32, u64, SHIFT_AMOUNT(WIDTH64(UNSIGNED64(a)), 64))
#define WORDS(f) {[PTX_B32] = f##_32, [PTX_B64] = f##_64}
#define SIGNED_WORDS(f) {[PTX_U32] = f##_u32, [PTX_S32] = f##_s32, [PTX_U64] = f##_u64, [PTX_S64] = f##_s64}
static emu_fn *const popc[PTX_TYPE_COUNT] = WORDS(popc);
static emu_fn *const clz[PTX_TYPE_COUNT] = WORDS(clz);
static emu_fn *const bfind[PTX_TYPE_COUNT] = SIGNED_WORDS(bfind);
static emu_fn *const shiftamt[PTX_TYPE_COUNT] = SIGNED_WORDS(shiftamt);

/* Position of the nth one from `base`, upwards or downwards; 0 asks for the base itself. */
static uint32_t find_nth(uint32_t word, uint32_t base, int32_t offset)
{
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return word >> base & 1 ? base : UINT32_MAX;
    uint32_t left = offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset;
    for (uint32_t position = base; position < 32; position += offset < 0 ? UINT32_MAX : 1)
        if (word >> position & 1 && --left == 0)
            return position;
    return UINT32_MAX;
}
LANES_HEAD(fns_b32)
{
    const u32 *a = emu_slot(warp, op->a), *b = emu_slot(warp, op->b);
    const s32 *c = emu_slot(warp, op->c);
    uint32_t result[EMU_LANES];
    for (unsigned l = 0; l < EMU_LANES; l++)
        result[l] = find_nth(a[l], b[l], c[l]);
    LANES_STORE(u32, result);
    return EMU_NEXT;
}
static emu_fn *const fns[PTX_TYPE_COUNT] = B32(fns_b32);

static inline uint32_t reverse32(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
LANES_UNARY(brev_32, u32, u32, reverse32(a))
LANES_UNARY(brev_64, u64, u64, (uint64_t)reverse32((uint32_t)a) << 32 | reverse32((uint32_t)(a >> 32)))
static emu_fn *const brev[PTX_TYPE_COUNT] = WORDS(brev);

/* ---- bit fields: positions and lengths are taken modulo 256 ------------------------------------------------------------ */

#define LOW_ONES32(n) ((n) < 32 ? (1u << ((n)&31)) - 1u : UINT32_MAX)
#define LOW_ONES64(n) ((n) < 64 ? ((uint64_t)1 << ((n)&63)) - 1u : UINT64_MAX)
#define RIGHT32(x, n) ((n) < 32 ? (x) >> ((n)&31) : 0u)
#define RIGHT64(x, n) ((n) < 64 ? (x) >> ((n)&63) : 0u)
#define LEFT32(x, n) ((n) < 32 ? (x) << ((n)&31) : 0u)
#define LEFT64(x, n) ((n) < 64 ? (x) << ((n)&63) : 0u)
#define LAST(position, length, msb) ((position) + (length)-1 < (msb) ? (position) + (length)-1 : (msb))

static inline uint32_t extract_u32(uint32_t a, uint32_t position, uint32_t length)
{
    return RIGHT32(a, position & 0xff) & LOW_ONES32(length & 0xff);
}

/* The sign is that of the field's last bit inside the word; what lies beyond is filled with it. */
static inline uint32_t extract_s32(uint32_t a, uint32_t position, uint32_t length)
{
    position &= 0xff;
    length &= 0xff;
    const uint32_t last = LAST(position, length, 31u);
    const uint32_t sign = length ? 0u - (a >> last & 1) : 0u;
    const uint32_t inside = position < 32 ? last + 1 - position : 0;
    const uint32_t field = LOW_ONES32(length ? inside : 0);
    return (RIGHT32(a, position) & field) | (sign & ~field);
}

static inline uint64_t extract_u64(uint64_t a, uint32_t position, uint32_t length)
{
    return RIGHT64(a, position & 0xff) & LOW_ONES64(length & 0xff);
}

static inline uint64_t extract_s64(uint64_t a, uint32_t position, uint32_t length)
{
    position &= 0xff;
    length &= 0xff;
    const uint32_t last = LAST(position, length, 63u);
    const uint64_t sign = length ? 0u - (a >> last & 1) : 0u;
    const uint32_t inside = position < 64 ? last + 1 - position : 0;
    const uint64_t field = LOW_ONES64(length ? inside : 0);
    return (RIGHT64(a, position) & field) | (sign & ~field);
}

static inline uint32_t insert32(uint32_t a, uint32_t b, uint32_t position, uint32_t length)
{
    position &= 0xff;
    const uint32_t field = LEFT32(LOW_ONES32(length & 0xff), position);
    return (LEFT32(a, position) & field) | (b & ~field);
}

static inline uint64_t insert64(uint64_t a, uint64_t b, uint32_t position, uint32_t length)
{
    position &= 0xff;
    const uint64_t field = LEFT64(LOW_ONES64(length & 0xff), position);
    return (LEFT64(a, position) & field) | (b & ~field);
}

LANES_TERNARY(bfe_u32, u32, u32, u32, u32, extract_u32(a, b, c))
LANES_TERNARY(bfe_s32, u32, u32, u32, u32, extract_s32(a, b, c))
LANES_TERNARY(bfe_u64, u64, u64, u32, u32, extract_u64(a, b, c))
LANES_TERNARY(bfe_s64, u64, u64, u32, u32, extract_s64(a, b, c))
LANES_QUATERNARY(bfi_32, u32, u32, u32, u32, u32, insert32(a, b, c, e))
LANES_QUATERNARY(bfi_64, u64, u64, u64, u32, u32, insert64(a, b, c, e))
static emu_fn *const bfe[PTX_TYPE_COUNT] = SIGNED_WORDS(bfe);
static emu_fn *const bfi[PTX_TYPE_COUNT] = WORDS(bfi);

/* `b` ones from position `a`. */
LANES_BINARY(bmsk_clamp_32, u32, u32, u32, LEFT32(LOW_ONES32(b), a))
LANES_BINARY(bmsk_wrap_32, u32, u32, u32, LEFT32(LOW_ONES32(b & 31), a & 31))
LANES_BINARY(szext_clamp_u32, u32, u32, u32, a &LOW_ONES32(b))
LANES_BINARY(szext_wrap_u32, u32, u32, u32, a &LOW_ONES32(b & 31))
LANES_BINARY(szext_clamp_s32, u32, u32, u32, b < 32 ? extract_s32(a, 0, b & 31) : a)
LANES_BINARY(szext_wrap_s32, u32, u32, u32, extract_s32(a, 0, b & 31))
static emu_fn *const bmsk_clamp[PTX_TYPE_COUNT] = B32(bmsk_clamp_32);
static emu_fn *const bmsk_wrap[PTX_TYPE_COUNT] = B32(bmsk_wrap_32);
static emu_fn *const szext_clamp[PTX_TYPE_COUNT] = {[PTX_U32] = szext_clamp_u32, [PTX_S32] = szext_clamp_s32};
static emu_fn *const szext_wrap[PTX_TYPE_COUNT] = {[PTX_U32] = szext_wrap_u32, [PTX_S32] = szext_wrap_s32};

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

const struct lanes_row LANES(lanes_logic_rows)[] = {
    {PTX_OP_and, 0, 0, 0, bits_and, NULL},
    {PTX_OP_or, 0, 0, 0, bits_or, NULL},
    {PTX_OP_xor, 0, 0, 0, bits_xor, NULL},
    {PTX_OP_not, 0, 0, 0, bits_not, NULL},
    {PTX_OP_cnot, 0, 0, 0, cnot, NULL},
    {PTX_OP_shl, 0, 0, 0, shl, NULL},
    {PTX_OP_shr, 0, 0, 0, shr, NULL},
    {PTX_OP_shf, 0, 0, 0, NULL, select_shf},
    {PTX_OP_lop3, 0, 0, 0, NULL, select_lop3},
    {PTX_OP_prmt, 0, 0, 0, prmt_none_type, NULL},
    {PTX_OP_prmt, PTX_MODE_F4E, 0, 0, prmt_f4e_type, NULL},
    {PTX_OP_prmt, PTX_MODE_B4E, 0, 0, prmt_b4e_type, NULL},
    {PTX_OP_prmt, PTX_MODE_RC8, 0, 0, prmt_rc8_type, NULL},
    {PTX_OP_prmt, PTX_MODE_ECL, 0, 0, prmt_ecl_type, NULL},
    {PTX_OP_prmt, PTX_MODE_ECR, 0, 0, prmt_ecr_type, NULL},
    {PTX_OP_prmt, PTX_MODE_RC16, 0, 0, prmt_rc16_type, NULL},
    {PTX_OP_popc, 0, 0, 0, popc, NULL},
    {PTX_OP_clz, 0, 0, 0, clz, NULL},
    {PTX_OP_bfind, 0, 0, 0, bfind, NULL},
    {PTX_OP_bfind, PTX_MODE_SHIFTAMT, 0, 0, shiftamt, NULL},
    {PTX_OP_fns, 0, 0, 0, fns, NULL},
    {PTX_OP_brev, 0, 0, 0, brev, NULL},
    {PTX_OP_bfe, 0, 0, 0, bfe, NULL},
    {PTX_OP_bfi, 0, 0, 0, bfi, NULL},
    {PTX_OP_bmsk, PTX_MODE_CLAMP, 0, 0, bmsk_clamp, NULL},
    {PTX_OP_bmsk, PTX_MODE_WRAP, 0, 0, bmsk_wrap, NULL},
    {PTX_OP_szext, PTX_MODE_CLAMP, 0, 0, szext_clamp, NULL},
    {PTX_OP_szext, PTX_MODE_WRAP, 0, 0, szext_wrap, NULL},
    {0, 0, 0, 0, NULL, NULL},
};
