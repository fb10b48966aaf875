/* SPDX-License-Identifier: Apache-2.0
 *
 * See harness.h.  Operands are decoded as the core does it: slots by register, constants broadcast into a pool.
 */
#include "harness.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a register lives, from its name: a letter and a number. */
static uint32_t register_reference(const char *name, uint8_t *size)
{
    const unsigned long number = strtoul(name + 2, NULL, 10);
    switch (name[1]) {
    case 'p': *size = 1; return (uint32_t)(offsetof(struct register_file, p) + number * 64);
    case 'h': *size = 2; return (uint32_t)(offsetof(struct register_file, h) + number * 64);
    case 'r': *size = 4; return (uint32_t)(offsetof(struct register_file, r) + number * 128);
    case 'd': *size = 8; return (uint32_t)(offsetof(struct register_file, d) + number * 256);
    default: *size = 16; return (uint32_t)(offsetof(struct register_file, q) + number * 512);
    }
}

static uint32_t constant_reference(struct lane_case *lane_case, uint64_t value, uint8_t size)
{
    const uint32_t offset = (uint32_t)lane_case->pool_size;
    for (unsigned l = 0; l < EMU_LANES; l++)
        memcpy(lane_case->pool + offset + l * size, &value, size);
    lane_case->pool_size += 256;
    return offset | EMU_REF_POOL;
}

static uint32_t operand_reference(struct lane_case *lane_case, const struct ptx_operand *operand, uint8_t *size)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER: return register_reference(operand->text, size);
    case PTX_OPERAND_INTEGER:
        lane_case->op.immediate = operand->value;
        return constant_reference(lane_case, (uint64_t)operand->value, *size);
    default: return EMU_REF_NONE;
    }
}

static void decode(struct lane_case *lane_case, const struct ptx_function *function)
{
    const struct ptx_instruction *instruction = lane_case->instruction;
    struct emu_op *op = &lane_case->op;
    uint32_t *sources[4] = {&op->a, &op->b, &op->c, &op->d};
    uint8_t spare = 4, *sizes[4] = {&op->a_size, &op->b_size, &op->c_size, &spare};
    unsigned next = 0;
    *op = (struct emu_op){.dst = EMU_REF_NONE, .dst2 = EMU_REF_NONE, .a = EMU_REF_NONE, .b = EMU_REF_NONE, .c = EMU_REF_NONE,
                          .d = EMU_REF_NONE, .carry = EMU_REF_NONE, .guard = EMU_REF_NONE, .list = lane_case->list,
                          .source = instruction};
    for (unsigned k = 0; k < instruction->operand_count; k++) {
        const struct ptx_operand *operand = &instruction->operands[k];
        uint8_t size = 4;
        if (operand->kind == PTX_OPERAND_VECTOR) {
            for (uint32_t i = 0; i < operand->count; i++) {
                lane_case->list[op->list_count++] = operand_reference(lane_case, &operand->elements[i], &size);
                if (operand->elements[i].kind == PTX_OPERAND_REGISTER)
                    op->list_size = size;
            }
            next += k != 0;
        } else if (k == 0) {
            op->dst = operand_reference(lane_case, operand, &size);
            op->dst_size = operand->kind == PTX_OPERAND_SINK ? 0 : size;
            if (operand->pair != PTX_NONE)
                op->dst2 = register_reference(function->registers.data[operand->pair].name, &spare);
        } else if (next < 4) {
            *sources[next] = operand_reference(lane_case, operand, &size);
            *sizes[next] = size;
            op->negate |= operand->negated ? 1u << next : 0;
            next++;
        } else { /* lop3's predicate */
            op->carry = operand_reference(lane_case, operand, &size);
            op->negate |= operand->negated ? 1u << 4 : 0;
        }
    }
    const bool carries = instruction->op == PTX_OP_addc || instruction->op == PTX_OP_subc || instruction->op == PTX_OP_madc;
    if (carries || instruction->flags & PTX_MODIFIER_CC)
        op->carry = register_reference("%p7", &spare);
    if (instruction->flags & PTX_MODIFIER_CC)
        op->dst2 = op->carry;
}

void lane_case_init(struct lane_case *lane_case, const char *text)
{
    memset(lane_case, 0, sizeof *lane_case);
    arena_init(&lane_case->arena);
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, &lane_case->arena);
    const char *module_text = arena_printf(&lane_case->arena,
                                           ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n"
                                           ".reg .pred %%p<%d>;\n.reg .b16 %%h<%d>;\n.reg .b32 %%r<%d>;\n"
                                           ".reg .b64 %%d<%d>;\n.reg .b128 %%q<%d>;\n%s\nret;\n}\n",
                                           FILE_PREDICATES, FILE_HALVES, FILE_WORDS, FILE_LONGS, FILE_QUADS, text);
    const struct ptx_module *module =
        ptx_parse(&lane_case->arena, "case", module_text, strlen(module_text), &diagnostics);
    for (uint32_t i = 0; i < diagnostics.items.count; i++)
        print_error("%s: %s\n", text, diagnostics.items.data[i].message);
    assert_int_equal(diagnostics.errors, 0);
    const struct ptx_function *function = &module->functions.data[0];
    lane_case->instruction = &function->instructions.data[0];
    lane_case->pool = arena_alloc(&lane_case->arena, 16 * 256);
    decode(lane_case, function);
}

void lane_case_free(struct lane_case *lane_case)
{
    arena_free(&lane_case->arena);
}

bool lane_case_run(struct lane_case *lane_case, unsigned isa, struct register_file *file, uint32_t mask)
{
    struct emu_lane_view view = {{(char *)file, lane_case->pool}, EMU_FULL_MASK, mask};
    emu_fn *run = emu_lanes_selector_for(isa)(lane_case->instruction, &lane_case->op);
    if (run != NULL)
        assert_int_equal(run((struct emu_warp *)(void *)&view, &lane_case->op, mask), EMU_NEXT);
    return run != NULL;
}

void lane_run(const char *text, struct register_file *file)
{
    struct lane_case lane_case;
    lane_case_init(&lane_case, text);
    if (!lane_case_run(&lane_case, EMU_ISA_BEST, file, EMU_FULL_MASK))
        fail_msg("no operation for `%s`", text);
    lane_case_free(&lane_case);
}

uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t random_value(uint64_t *state, unsigned bits)
{
    static const uint64_t edges16[] = {0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e01, 0x7d01, 0x0400, 0x03ff,
                                       0x8001, 0x7bff, 0x3f80, 0xff80, 0x7f80, 0x7f81, 0x0080, 0x007f, 31, 32, 0x3555};
    static const uint64_t edges32[] = {0, 1, 2, 7, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000,
                                       0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001, 0x00800000, 0x007fffff, 0x80000001, 0x7f7fffff,
                                       0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x477fefff, 0x477ff000, 0x33000000,
                                       0x3f7fffff, 0x7e800001, 0x40490fdb, 0xc3480000, 0x4b000001, 0x3effffff, 0x3f000000};
    static const uint64_t edges64[] = {0, 1, 63, 64, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX, 0x3ff0000000000000,
                                       0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001,
                                       0x7ff0000000000001, 0x0010000000000000, 0x000fffffffffffff, 0x8000000000000001,
                                       0x7fefffffffffffff, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000,
                                       0x43e0000000000000, 0x3810000000000000, 0x380fffffffffffff, 0x47efffffe0000000,
                                       0x3690000000000000, 0x40dffc0000000000, 0x00000000ffffffff, 0xffffffff00000000};
    const uint64_t pick = random_next(state), value = random_next(state);
    if (pick & 1)
        return bits == 16 ? value & 0xffff : bits == 32 ? value & 0xffffffffu : value;
    if (pick & 2) { /* a float of a moderate size */
        const uint64_t sign = value & 1;
        if (bits == 16)
            return sign << 15 | (0x2800 + (value >> 8) % 0x2800);
        if (bits == 32)
            return sign << 31 | (0x3c000000 + (value >> 8) % 0x0a000000);
        return sign << 63 | (0x3f00000000000000 + (value >> 8) % 0x0200000000000000);
    }
    return bits == 16 ? edges16[value % COUNT_OF(edges16)]
           : bits == 32 ? edges32[value % COUNT_OF(edges32)]
                        : edges64[value % COUNT_OF(edges64)];
}

void random_file(uint64_t *state, struct register_file *file)
{
    memset(file, 0, sizeof *file);
    for (unsigned i = 0; i < FILE_PREDICATES; i++)
        file->p[i][0] = (uint32_t)random_next(state);
    for (unsigned l = 0; l < EMU_LANES; l++) {
        for (unsigned i = 0; i < FILE_HALVES; i++)
            file->h[i][l] = (uint16_t)random_value(state, 16);
        for (unsigned i = 0; i < FILE_WORDS; i++)
            file->r[i][l] = (uint32_t)random_value(state, 32);
        for (unsigned i = 0; i < FILE_LONGS; i++)
            file->d[i][l] = random_value(state, 64);
        for (unsigned i = 0; i < FILE_QUADS; i++)
            file->q[i][0][l] = random_value(state, 64), file->q[i][1][l] = random_value(state, 64);
    }
}
