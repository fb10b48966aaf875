/* SPDX-License-Identifier: Apache-2.0
 *
 * mov (PTX ISA, Data Movement Instructions): copies of every size, of predicates, and the forms that pack a vector of registers into
 * one register or unpack it.  Addresses of variables and functions and special registers are the core's.
 */
#include "emu/lanes_kit.h"

LANES_UNARY(mov_16, u16, u16, a)
LANES_UNARY(mov_32, u32, u32, a)
LANES_UNARY(mov_64, u64, u64, a)

LANES_HEAD(mov_128)
{
    u64 *d = emu_slot(warp, op->dst);
    const u64 *a = emu_slot(warp, op->a);
    for (unsigned half = 0; half < 2; half++, d += EMU_LANES, a += EMU_LANES)
        LANES_EACH d[l] = mask & lanes_bit[l] ? a[l] : d[l];
    return EMU_NEXT;
}

LANES_HEAD(mov_pred)
{
    lanes_store_predicate(warp, op->dst, emu_predicate(warp, op, op->a, 0), mask);
    return EMU_NEXT;
}

/* ---- vectors ----------------------------------------------------------------------------------------------------------- */

/* Two halves of a register: by far the most common vectors. */
#define PACK2(name, TD, TS, bits)                                                                                      \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        TD *d = emu_slot(warp, op->dst);                                                                               \
        const TS *px = emu_slot(warp, op->list[0]), *py = emu_slot(warp, op->list[1]);                                 \
        LANES_BODY(TD, const TS x = px[l]; const TS y = py[l];, x | (TD)y << (bits))                                   \
    }
PACK2(pack_2x16, u32, u16, 16)
PACK2(pack_2x32, u64, u32, 32)

/* The source may be one of the destinations' slots only if there is one destination: no register has two sizes. */
#define UNPACK(name, TD, TS, bits)                                                                                     \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        const TS *a = emu_slot(warp, op->a);                                                                           \
        for (unsigned i = 0; i < op->list_count; i++) {                                                                \
            if (op->list[i] == EMU_REF_NONE)                                                                           \
                continue;                                                                                              \
            TD *d = emu_slot(warp, op->list[i]);                                                                       \
            const unsigned shift = (bits)*i;                                                                           \
            LANES_EACH d[l] = mask & lanes_bit[l] ? (TD)(a[l] >> shift) : d[l];                                        \
        }                                                                                                              \
        return EMU_NEXT;                                                                                               \
    }
UNPACK(unpack_32_to_16, u16, u32, 16)
UNPACK(unpack_64_to_32, u32, u64, 32)
UNPACK(unpack_64_to_16, u16, u64, 16)

/* Any other: elements of `bits` bits, also bytes (which live in 16-bit slots) and halves of 128-bit registers. */
static unsigned element_bits(const struct emu_op *op, unsigned register_size)
{
    return register_size * 8u / op->list_count;
}

static uint64_t low_ones(unsigned bits)
{
    return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

LANES_HEAD(pack_any)
{
    const unsigned bits = element_bits(op, op->dst_size);
    for (unsigned l = 0; l < EMU_LANES; l++) {
        if (!(mask & lanes_bit[l]))
            continue;
        uint64_t words[2] = {0, 0};
        for (unsigned i = 0; i < op->list_count; i++) {
            const uint64_t element = lanes_read(warp, op->list[i], op->list_size, l) & low_ones(bits);
            words[bits * i / 64] |= element << bits * i % 64;
        }
        if (op->dst_size == 16) {
            u64 *d = emu_slot(warp, op->dst);
            d[l] = words[0];
            d[EMU_LANES + l] = words[1];
        } else {
            lanes_write(warp, op->dst, op->dst_size, l, words[0]);
        }
    }
    return EMU_NEXT;
}

LANES_HEAD(unpack_any)
{
    const unsigned bits = element_bits(op, op->a_size);
    for (unsigned l = 0; l < EMU_LANES; l++) {
        if (!(mask & lanes_bit[l]))
            continue;
        uint64_t words[2] = {0, 0};
        if (op->a_size == 16) {
            const u64 *a = emu_slot(warp, op->a);
            words[0] = a[l];
            words[1] = a[EMU_LANES + l];
        } else {
            words[0] = lanes_read(warp, op->a, op->a_size, l);
        }
        for (unsigned i = 0; i < op->list_count; i++)
            if (op->list[i] != EMU_REF_NONE)
                lanes_write(warp, op->list[i], op->list_size, l, words[bits * i / 64] >> bits * i % 64 & low_ones(bits));
    }
    return EMU_NEXT;
}

/* Sizes must fit: a vector's elements fill the register exactly. */
static emu_fn *select_vector(const struct emu_op *op, bool packs)
{
    const unsigned whole = packs ? op->dst_size : op->a_size;
    const unsigned count = op->list_count;
    if (whole < 2 || whole > 16 || (count != 2 && count != 4) || whole % count || op->list_size < 2)
        return NULL;
    const unsigned element = whole / count;
    if (element > op->list_size)
        return NULL;
    if (element == op->list_size && whole <= 8) {
        if (packs && count == 2)
            return whole == 4 ? pack_2x16 : pack_2x32;
        if (!packs)
            return whole == 4 ? unpack_32_to_16 : count == 2 ? unpack_64_to_32 : unpack_64_to_16;
    }
    return packs ? pack_any : unpack_any;
}

static emu_fn *select_mov(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (instruction->operand_count != 2 || instruction->vector > 1)
        return NULL;
    const unsigned to = instruction->operands[0].kind, from = instruction->operands[1].kind;
    if (to == PTX_OPERAND_VECTOR || from == PTX_OPERAND_VECTOR)
        return to == from || !op->list ? NULL : select_vector(op, from == PTX_OPERAND_VECTOR);
    switch (op->dst_size == op->a_size ? op->dst_size : 0) {
    case 1: return mov_pred;
    case 2: return mov_16;
    case 4: return mov_32;
    case 8: return mov_64;
    case 16: return mov_128;
    default: return NULL;
    }
}

const struct lanes_row LANES(lanes_move_rows)[] = {
    {PTX_OP_mov, 0, 0, 0, NULL, select_mov},
    {0, 0, 0, 0, NULL, NULL},
};
