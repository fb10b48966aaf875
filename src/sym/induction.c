/* SPDX-License-Identifier: Apache-2.0
 *
 * Induction variables.
 *
 * A header phi whose value goes up by the same amount on every way back is start + step * L modulo its width, L being the number of trips
 * finished: that needs no proof.  One that goes to and fro between two values is a choice by whether L is even.  Gives up on: other cycles
 * of phis, which stand for themselves.
 */
#include "sym/translate.h"

#include "sym/table.h"

uint32_t sym_phi_loop(const struct sym_kernel *kernel, uint32_t phi)
{
    uint32_t instruction = kernel->ir->values[kernel->phis.data[phi]].index;
    return kernel->ir->cfg->blocks[kernel->ir->instructions[instruction].block].loop;
}

/* Known phis replaced in a polynomial, until none is left. */
static sym_poly replace_phis(struct sym_kernel *kernel, sym_poly poly)
{
    for (int round = 0; round < 16; round++) {
        sym_poly next = poly;
        for (uint32_t i = 0; i < kernel->phis.count; i++)
            if (kernel->phi_values.data[i] != SYM_NONE)
                next = sym_substitute(kernel->sym, next, &kernel->phi_atoms.data[i], &kernel->phi_values.data[i], 1);
        if (next == poly)
            break;
        poly = next;
    }
    return poly;
}

/* What a trip adds: next - phi, where next may be a choice on a condition that no trip changes. */
static sym_poly step_of(struct sym_kernel *kernel, sym_poly next, sym_poly phi, unsigned bits, uint32_t loop)
{
    struct sym *sym = kernel->sym;
    sym_atom single = sym_single_atom(sym, next);
    struct sym_atom_data data = {0};
    sym_cond condition = SYM_FALSE;
    sym_poly first = SYM_NONE, second = SYM_NONE;
    if (single != SYM_NONE)
        data = sym->atoms.data[single];
    if (single != SYM_NONE && data.kind == SYM_SELECT) {
        condition = data.condition;
        first = data.a;
        second = data.b;
    } else if (single != SYM_NONE && data.kind == SYM_JOIN && sym->joins.data[data.index].count == 2) {
        struct sym_join join = sym->joins.data[data.index];
        if (join.facts[0] == sym_not(sym, join.facts[1])) {
            condition = join.facts[0];
            first = join.values[0];
            second = join.values[1];
        }
    }
    if (first != SYM_NONE && !sym_cond_varies(kernel, condition, loop)) {
        first = sym_congruent(sym, sym_subtract(sym, first, phi), bits);
        second = sym_congruent(sym, sym_subtract(sym, second, phi), bits);
        return sym_select(sym, condition, first, second);
    }
    return sym_congruent(sym, sym_subtract(sym, next, phi), bits);
}

/* What the phi begins with, and what it becomes, if each is the same over all its edges; as_step: what a trip adds. */
static bool ends_of(struct sym_kernel *kernel, uint32_t phi, bool as_step, sym_poly *start, sym_poly *next)
{
    struct sym *sym = kernel->sym;
    uint32_t value = kernel->phis.data[phi], loop = sym_phi_loop(kernel, phi);
    const struct ir_instruction *instruction = &kernel->ir->instructions[kernel->ir->values[value].index];
    const struct ir_block *header = &kernel->ir->cfg->blocks[instruction->block];
    const uint32_t *operands = ir_operands(kernel->ir, instruction);
    unsigned bits = sym_bits(kernel, value);
    sym_poly atom = sym_of_atom(sym, kernel->phi_atoms.data[phi]);
    *start = *next = SYM_NONE;
    for (uint32_t i = 0; i < instruction->operand_count && i < header->predecessor_count; i++) {
        sym_poly operand = sym_congruent(sym, sym_value(kernel, operands[i]), bits);
        bool back = sym_is_back_edge(kernel, header->predecessors[i], instruction->block);
        sym_poly *known = back ? next : start;
        if (back && as_step)
            operand = step_of(kernel, operand, atom, bits, loop);
        if (*known != SYM_NONE && *known != operand)
            return false;
        *known = operand;
    }
    return *start != SYM_NONE && *next != SYM_NONE && !sym_varies(kernel, *start, loop);
}

/* start + step * counter, if every way back adds the same step. */
static bool find_induction(struct sym_kernel *kernel, uint32_t phi)
{
    struct sym *sym = kernel->sym;
    sym_poly start, step;
    if (!ends_of(kernel, phi, true, &start, &step) || sym_varies(kernel, step, sym_phi_loop(kernel, phi)))
        return false;
    sym_poly trips = sym_of_atom(sym, kernel->loops[sym_phi_loop(kernel, phi)].counter);
    sym_poly sum = sym_add(sym, start, sym_multiply(sym, step, trips));
    kernel->phi_values.data[phi] = sym_congruent(sym, sum, sym_bits(kernel, kernel->phis.data[phi]));
    kernel->phi_steps.data[phi] = step;
    return true;
}

/* What a phi is in every other trip: two pointers that change places, `c - x`, `x ^ c`.  SYM_NONE: it is none of these. */
static sym_poly other_value(struct sym_kernel *kernel, uint32_t phi, sym_poly start, sym_poly next)
{
    struct sym *sym = kernel->sym;
    uint32_t loop = sym_phi_loop(kernel, phi);
    unsigned bits = sym_bits(kernel, kernel->phis.data[phi]);
    sym_poly atom = sym_of_atom(sym, kernel->phi_atoms.data[phi]), sum = sym_congruent(sym, sym_add(sym, next, atom), bits);
    for (uint32_t i = 0; i < kernel->phis.count; i++) {
        sym_poly other_start, other_next;
        if (i != phi && next == sym_of_atom(sym, kernel->phi_atoms.data[i]) && sym_phi_loop(kernel, i) == loop &&
            sym_bits(kernel, kernel->phis.data[i]) == bits && ends_of(kernel, i, false, &other_start, &other_next) && other_next == atom)
            return other_start;
    }
    if (!sym_varies(kernel, sum, loop))
        return sym_congruent(sym, sym_subtract(sym, sum, start), bits);
    sym_atom single = sym_single_atom(sym, next);
    if (single == SYM_NONE || sym->atoms.data[single].kind != SYM_BIT_XOR || sym->atoms.data[single].bits != bits)
        return SYM_NONE;
    struct sym_atom_data data = sym->atoms.data[single];
    sym_poly mask = data.a == atom ? data.b : data.b == atom ? data.a : SYM_NONE;
    return mask == SYM_NONE || sym_varies(kernel, mask, loop) ? SYM_NONE : sym_bitwise(sym, SYM_BIT_XOR, start, mask, bits);
}

/* A phi that goes to and fro is a choice by whether the number of the trip is even. */
static bool find_alternation(struct sym_kernel *kernel, uint32_t phi)
{
    struct sym *sym = kernel->sym;
    sym_poly start, next, other = SYM_NONE;
    if (ends_of(kernel, phi, false, &start, &next))
        other = other_value(kernel, phi, start, next);
    if (other == SYM_NONE)
        return false;
    sym_poly trips = sym_of_atom(sym, kernel->loops[sym_phi_loop(kernel, phi)].counter);
    sym_poly half = sym_quotient(sym, trips, sym_constant(sym, 2));
    sym_cond is_even = sym_eq(sym, sym_subtract(sym, trips, sym_scale(sym, half, 2)));
    kernel->phi_values.data[phi] = sym_select(sym, is_even, start, other);
    return true;
}

bool sym_find_inductions(struct sym_kernel *kernel)
{
    bool found = false;
    for (uint32_t i = 0; i < kernel->phis.count; i++)
        if (kernel->phi_values.data[i] == SYM_NONE)
            found |= find_induction(kernel, i) || find_alternation(kernel, i);
    for (uint32_t i = 0; found && i < kernel->phis.count; i++)
        if (kernel->phi_values.data[i] != SYM_NONE) {
            kernel->phi_values.data[i] = replace_phis(kernel, kernel->phi_values.data[i]);
            if (kernel->phi_steps.data[i] != SYM_NONE)
                kernel->phi_steps.data[i] = replace_phis(kernel, kernel->phi_steps.data[i]);
        }
    return found;
}
