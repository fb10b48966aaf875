/* SPDX-License-Identifier: Apache-2.0
 *
 * LW104: does an index stay in the row that it was computed for?
 *
 * Requires: a kernel in analysis whose contract gives arrays two or three dimensions.  Gives: for each access whose element number holds a
 * multiple of the row length that differs between threads or trips, whether the rest, its column, lies in [0, columns); with three dimensions
 * the rest of the plane likewise.  A number without such multiples is flat; it is asked only together with another access of
 * the same thread, at another place in the source, a constant distance away: are both in the same row?
 * Wraps are LW103's matter: here index arithmetic counts as exact.  Gives up on: element numbers that are no whole multiples of the element.
 */
#include "check/row.h"

#include <string.h>

/* ---- decomposition ------------------------------------------------------------------------------------------- */

/* The polynomial with what is directly a 32-bit reading replaced by what is read. */
static sym_poly without_wraps(struct sym *sym, sym_poly poly)
{
    for (int round = 0; round < 16; round++) {
        struct sym_poly_data data = sym->polys.data[poly];
        sym_poly next = poly;
        for (uint32_t i = 0; i < data.count && next == poly; i++) {
            struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
            for (uint32_t k = 0; k < monomial.count && next == poly; k++) {
                struct sym_atom_data atom = sym->atoms.data[monomial.atoms[k]];
                if ((atom.kind == SYM_WRAP_SIGNED || atom.kind == SYM_WRAP_UNSIGNED) && atom.bits == 32)
                    next = sym_substitute(sym, poly, &monomial.atoms[k], &atom.a, 1);
            }
        }
        if (next == poly)
            return poly;
        poly = next;
    }
    return poly;
}

/* monomial / divisor, or false. */
static bool divide_monomial(struct sym *sym, sym_monomial monomial, sym_monomial divisor, sym_poly *quotient)
{
    struct sym_monomial_data a = sym->monomials.data[monomial], b = sym->monomials.data[divisor];
    sym_poly product = sym_constant(sym, 1);
    uint32_t j = 0;
    for (uint32_t i = 0; i < a.count; i++) {
        if (j < b.count && a.atoms[i] == b.atoms[j])
            j++;
        else
            product = sym_multiply(sym, product, sym_of_atom(sym, a.atoms[i]));
    }
    *quotient = product;
    return j == b.count;
}

/* poly = multiple * length + rest, where the multiple takes all that the leading term of `length` divides. */
static void divide_by(struct sym *sym, sym_poly poly, sym_poly length, sym_poly *multiple, sym_poly *rest)
{
    struct sym_poly_data data = sym->polys.data[poly], by = sym->polys.data[length];
    *multiple = SYM_ZERO;
    *rest = poly;
    if (by.count == 0)
        return;
    struct sym_term lead = by.terms[0];
    for (uint32_t i = 1; i < by.count; i++)
        if (sym->monomials.data[by.terms[i].monomial].count >= sym->monomials.data[lead.monomial].count)
            lead = by.terms[i];
    for (uint32_t i = 0; i < data.count; i++) {
        sym_poly quotient;
        if (data.terms[i].coefficient % lead.coefficient != 0 || !divide_monomial(sym, data.terms[i].monomial, lead.monomial, &quotient))
            continue;
        *multiple = sym_add(sym, *multiple, sym_scale(sym, quotient, data.terms[i].coefficient / lead.coefficient));
    }
    *rest = sym_subtract(sym, poly, sym_multiply(sym, *multiple, length));
}

/* A remainder a - length*floor(a / length) belongs together: it is a column, not a row less. */
static void keep_remainders(struct sym *sym, sym_poly length, sym_poly *multiple, sym_poly *rest)
{
    struct sym_poly_data data = sym->polys.data[*multiple];
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        if (monomial.count != 1 || data.terms[i].coefficient >= 0)
            continue;
        struct sym_atom_data atom = sym->atoms.data[monomial.atoms[0]];
        if (atom.kind != SYM_QUOTIENT && atom.kind != SYM_TRUNCATED)
            continue;
        /* length = scale * b: scale*a - length*floor(a / b) is scale*(a mod b) */
        sym_poly scale, left;
        divide_by(sym, length, atom.b, &scale, &left);
        if (left != SYM_ZERO)
            continue;
        sym_integer times = -data.terms[i].coefficient;
        sym_poly whole = sym_multiply(sym, scale, without_wraps(sym, atom.a));
        sym_poly without = sym_subtract(sym, *rest, sym_scale(sym, whole, times));
        if (sym->polys.data[without].count >= sym->polys.data[*rest].count)
            continue; /* what was divided does not stand beside it */
        sym_poly quotient = sym_scale(sym, sym_of_atom(sym, monomial.atoms[0]), times);
        *multiple = sym_add(sym, *multiple, quotient);
        *rest = sym_subtract(sym, *rest, sym_multiply(sym, quotient, length));
    }
}

static void decompose(struct sym *sym, sym_poly poly, sym_poly length, sym_poly *multiple, sym_poly *rest)
{
    divide_by(sym, poly, length, multiple, rest);
    keep_remainders(sym, length, multiple, rest);
}

/* ---- questions ------------------------------------------------------------------------------------------------------ */

static sym_cond lies_in(struct sym *sym, sym_poly value, sym_poly end)
{
    sym_cond below = sym_ge(sym, sym_shift(sym, sym_subtract(sym, end, value), -1));
    return sym_and(sym, sym_ge(sym, value), below);
}

/* Same row: no multiple of the pitch lies between the two. */
static sym_cond in_one_row(struct sym *sym, const struct row_place *place)
{
    sym_poly other = sym_shift(sym, place->element, place->distance);
    sym_poly row = sym_quotient(sym, place->element, place->pitch), other_row = sym_quotient(sym, other, place->pitch);
    return sym_eq(sym, sym_subtract(sym, row, other_row));
}

static const char *words(struct prove *prove, const struct row_place *place)
{
    struct buffer text;
    buffer_init(&text, prove->arena);
    if (place->partner != SYM_NONE) {
        buffer_puts(&text, "nothing known keeps elements `");
        sym_print(prove->sym, place->element, &text);
        buffer_printf(&text, "` and the one %lld further on in one row", (long long)place->distance);
    } else {
        buffer_puts(&text, "nothing known keeps column `");
        sym_print(prove->sym, place->column, &text);
        buffer_puts(&text, "` below `");
        sym_print(prove->sym, place->used, &text);
        buffer_puts(&text, "`");
    }
    return text.size > 600 ? "nothing known keeps the column in its row" : text.data;
}

/* Is the column inside its row when one row is moved to it or away from it? */
static bool fits_shifted(struct prove *prove, const struct row_place *place, sym_facts *facts)
{
    struct sym *sym = prove->sym;
    static const int shifts[] = {0, 1, -1};
    for (unsigned i = 0; place->partner == SYM_NONE && i < COUNT_OF(shifts); i++) {
        sym_poly column = sym_add(sym, place->column, sym_scale(sym, place->pitch, shifts[i]));
        sym_cond goal = lies_in(sym, column, place->used);
        sym_facts_close(prove->kernel, facts, goal);
        if (goal != SYM_FALSE && sym_prove(sym, facts->data, facts->count, goal, &prove->kernel->limits) == SYM_PROVED)
            return true;
    }
    return false;
}

static void ask(struct prove *prove, struct row_place *place)
{
    const struct contract_parameter *parameter = &prove->environment->contract->parameters.data[place->parameter];
    struct prove_answer answer = {.kind = FINDING_ROW_CROSSING, .verdict = CHECK_PROVED, .array = parameter->name};
    sym_facts facts = {0};
    sym_facts_at_instruction(prove->kernel, place->instruction, &facts);
    if (place->partner != SYM_NONE) /* both accesses are made */
        sym_facts_at_instruction(prove->kernel, prove->rows->items.data[place->partner].instruction, &facts);
    sym_facts_add(prove->kernel, &facts, place->condition);
    sym_cond goal = place->partner != SYM_NONE ? in_one_row(prove->sym, place) : lies_in(prove->sym, place->column, place->used);
    if (prove_unreachable(prove, &facts))
        answer.verdict = CHECK_UNREACHABLE;
    else if (!fits_shifted(prove, place, &facts) && !prove_goal(prove, &facts, goal, &answer))
        answer.reason = words(prove, place);
    place->is_open = answer.verdict == CHECK_UNPROVED;
    prove_add(prove, place->instruction, NULL, &answer);
    for (uint32_t s = 0; s < prove->result->sites.count; s++) {
        const struct check_site *site = &prove->result->sites.data[s];
        struct place at = prove_place(prove, place->instruction);
        if (site->kind == FINDING_ROW_CROSSING && site->place.line == at.line && site->array != NULL &&
            strcmp(site->array, parameter->name) == 0)
            place->site = s;
    }
}

/* ---- accesses ---------------------------------------------------------------------------------------------------------- */

static bool differs(struct prove *prove, sym_poly poly)
{
    struct bitset set;
    bitset_init(&set, prove->arena, prove->sym->atoms.count);
    sym_collect_atoms(prove->sym, poly, &set);
    for (sym_atom atom = 0; atom < set.bits; atom++) {
        if (!bitset_has(&set, atom))
            continue;
        sym_poly single = sym_of_atom(prove->sym, atom);
        for (int axis = 0; axis < 3; axis++)
            if (single == prove->environment->thread[axis] || single == prove->environment->block_index[axis])
                return true;
        for (uint32_t l = 0; l < prove->ir->cfg->loop_count; l++)
            if (atom == prove->kernel->loops[l].counter)
                return true;
    }
    return false;
}

static void add_place(struct prove *prove, struct row_place place)
{
    *vec_push(prove->arena, &prove->rows->items) = place;
}

/* Rows taken away by a quotient that no remainder explains: the index was folded, and its rows cannot be told. */
static bool is_folded(const struct sym *sym, sym_poly row)
{
    const struct sym_poly_data *data = &sym->polys.data[row];
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++) {
            uint8_t kind = sym->atoms.data[monomial->atoms[k]].kind;
            if (data->terms[i].coefficient < 0 && (kind == SYM_QUOTIENT || kind == SYM_TRUNCATED))
                return true;
        }
    }
    return false;
}

/* One dimension: rows of `pitch` elements, of which `used` count. */
static sym_poly add_dimension(struct prove *prove, struct row_place place, sym_poly element, sym_poly pitch, sym_poly used)
{
    decompose(prove->sym, element, pitch, &place.row, &place.column);
    if (is_folded(prove->sym, place.row))
        return element;
    place.element = element;
    place.pitch = pitch;
    place.used = used;
    if (place.row == SYM_ZERO || !differs(prove, place.row))
        place.row = SYM_NONE; /* flat */
    add_place(prove, place);
    return place.row == SYM_NONE ? element : place.column;
}

static void add_element(struct prove *prove, struct row_place place, const struct contract_parameter *parameter, sym_poly element)
{
    struct sym *sym = prove->sym;
    sym_poly shape[3];
    for (unsigned d = 0; d < parameter->dimensions; d++)
        shape[d] = sym_of_expression(prove->environment, &parameter->shape[d]);
    if (parameter->shape_kind == CONTRACT_SHAPE_PITCHED) {
        add_dimension(prove, place, element, shape[2], shape[1]);
    } else if (parameter->dimensions == 2) {
        add_dimension(prove, place, element, shape[1], shape[1]);
    } else {
        sym_poly plane = sym_multiply(sym, shape[1], shape[2]);
        element = add_dimension(prove, place, element, plane, plane);
        add_dimension(prove, place, element, shape[2], shape[2]);
    }
}

/* A choice in the index may add rows: each way is a place of its own. */
static void add_ways(struct prove *prove, struct row_place place, const struct contract_parameter *parameter, sym_poly element,
                     unsigned depth)
{
    struct sym *sym = prove->sym;
    struct sym_poly_data data = sym->polys.data[element];
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        for (uint32_t k = 0; k < monomial.count; k++) {
            sym_atom choice = monomial.atoms[k];
            struct sym_atom_data atom = sym->atoms.data[choice];
            if (atom.kind != SYM_SELECT && atom.kind != SYM_JOIN)
                continue;
            if (depth >= 3)
                return; /* too many ways: not asked */
            uint32_t ways = atom.kind == SYM_SELECT ? 2 : sym->joins.data[atom.index].count;
            for (uint32_t w = 0; w < ways; w++) {
                struct row_place way = place;
                sym_poly value = atom.kind == SYM_JOIN ? sym->joins.data[atom.index].values[w] : w == 0 ? atom.a : atom.b;
                sym_cond condition = atom.kind == SYM_JOIN ? sym->joins.data[atom.index].facts[w]
                                     : w == 0             ? atom.condition
                                                          : sym_not(sym, atom.condition);
                way.condition = sym_and(sym, place.condition, condition);
                sym_poly chosen = without_wraps(sym, sym_substitute(sym, element, &choice, &value, 1));
                add_ways(prove, way, parameter, chosen, depth + 1);
            }
            return;
        }
    }
    add_element(prove, place, parameter, element);
}

void prove_rows_of_access(struct prove *prove, uint32_t index)
{
    const struct ir_access *access = &prove->ir->accesses[index];
    const struct ir_instruction *instruction = &prove->ir->instructions[access->instruction];
    struct sym *sym = prove->sym;
    uint32_t base;
    sym_poly offset, address = sym_shift(sym, sym_value(prove->kernel, access->address), access->offset);
    if ((access->flags & IR_ACCESS_HINT) || !prove->ir->cfg->blocks[instruction->block].reachable ||
        prove->environment->contract == NULL || !sym_find_base(prove->kernel, address, &base, &offset) ||
        prove->kernel->bases.data[base].parameter == SYM_NONE)
        return;
    uint32_t p = prove->kernel->bases.data[base].parameter;
    const struct contract_parameter *parameter = &prove->environment->contract->parameters.data[p];
    if (parameter->dimensions < 2 || parameter->element_size == 0)
        return;
    offset = without_wraps(sym, offset);
    if (sym_content(sym, offset) % parameter->element_size != 0)
        return;
    struct row_place place = {.instruction = access->instruction,
                              .ptx_line = instruction->source != NULL ? instruction->source->line : 0,
                              .parameter = p,
                              .partner = SYM_NONE,
                              .site = SYM_NONE};
    place.condition = SYM_TRUE;
    add_ways(prove, place, parameter, sym_divide_exact(sym, offset, parameter->element_size), 0);
}

/* ---- pairs of flat accesses -------------------------------------------------------------------------------------------------- */

static bool same_place(struct place a, struct place b)
{
    return a.line == b.line && a.column == b.column;
}

/* The smallest distance at which copies of `a` and `b` lie: unrolled loops have each access several times. */
static bool smallest_distance(struct prove *prove, uint32_t a, struct place b, uint32_t *partner, sym_integer *distance)
{
    const struct row_place *place = &prove->rows->items.data[a];
    bool found = false;
    for (uint32_t i = 0; i < prove->rows->items.count; i++) {
        const struct row_place *other = &prove->rows->items.data[i];
        sym_integer apart;
        if (i == a || other->row != SYM_NONE || other->parameter != place->parameter || other->pitch != place->pitch ||
            !same_place(prove_place(prove, other->instruction), b) ||
            !sym_is_constant(prove->sym, sym_subtract(prove->sym, other->element, place->element), &apart))
            continue;
        if (!found || (apart < 0 ? -apart : apart) < (*distance < 0 ? -*distance : *distance)) {
            *partner = i;
            *distance = apart;
        }
        found = true;
    }
    return found;
}

/* A flat access is asked together with the nearest other one that is made whenever it is. */
static void ask_flat(struct prove *prove, uint32_t index)
{
    struct row_place *place = &prove->rows->items.data[index];
    struct place here = prove_place(prove, place->instruction);
    uint32_t block = prove->ir->instructions[place->instruction].block;
    for (uint32_t i = 0; i < prove->rows->items.count; i++) {
        const struct row_place *other = &prove->rows->items.data[i];
        struct place there = prove_place(prove, other->instruction);
        sym_integer distance = 0;
        uint32_t partner = SYM_NONE;
        if (i == index || other->row != SYM_NONE || same_place(here, there) ||
            !ir_cfg_dominates(prove->ir->cfg, prove->ir->instructions[other->instruction].block, block) ||
            (prove->ir->instructions[other->instruction].block == block && other->instruction > place->instruction) ||
            !smallest_distance(prove, index, there, &partner, &distance) || distance == 0 || distance > 8 || distance < -8)
            continue;
        place->partner = partner;
        place->distance = distance;
        ask(prove, place);
        return;
    }
}

void prove_rows(struct prove *prove)
{
    prove->rows = ARENA_NEW(prove->arena, struct row_list);
    prove->rows->sym = prove->sym;
    prove->rows->environment = prove->environment;
    for (uint32_t a = 0; a < prove->ir->access_count; a++)
        prove_rows_of_access(prove, a);
    for (uint32_t i = 0; i < prove->rows->items.count; i++)
        if (prove->rows->items.data[i].row != SYM_NONE)
            ask(prove, &prove->rows->items.data[i]);
        else
            ask_flat(prove, i);
    prove->result->rows = prove->rows;
}
