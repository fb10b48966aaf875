/* SPDX-License-Identifier: Apache-2.0
 *
 * LW101, LW102, LW105: is each access inside its array, and at a multiple of its size?
 *
 * Requires: a kernel in analysis.  Gives: an answer for each access: its address is the start of an array plus an offset polynomial, and
 * 0 <= offset, offset + size <= extent are proved in exact integers.  The polynomial is congruent to the real offset modulo the width of
 * the address; if it lies in [0, extent) it is the offset, since no array passes the end of the address space.
 * Gives up on: pointers from memory, pointers without an extent, accesses whose size the PTX does not say.
 */
#include "check/prove.h"

#include <string.h>

struct question {
    struct prove *prove;
    const struct ir_access *access;
    uint32_t size; /* bytes in one go */
    sym_facts facts;
    struct prove_answer bounds, alignment;
    bool asks_alignment;
    uint32_t depth; /* of choices on the way to the present address */
    struct buffer proof;
};

static enum finding_kind kind_of_space(uint8_t space)
{
    switch (space) {
    case PTX_SPACE_SHARED:
        return FINDING_OOB_SHARED;
    case PTX_SPACE_LOCAL:
        return FINDING_OOB_LOCAL;
    case PTX_SPACE_CONST:
    case PTX_SPACE_PARAM:
        return FINDING_OOB_CONST;
    default:
        return FINDING_OOB_GLOBAL;
    }
}

static void weaken(struct prove_answer *answer, enum check_verdict verdict, const char *reason)
{
    if (answer->verdict < verdict || (answer->verdict == verdict && answer->reason == NULL)) {
        answer->verdict = (uint8_t)verdict;
        answer->reason = reason;
    }
}

/* ---- extents -------------------------------------------------------------------------------------------------- */

/* Bytes of the array; SYM_NONE with a reason. */
static sym_poly extent_of(struct question *question, const struct sym_base *base)
{
    struct prove *prove = question->prove;
    struct sym_environment *environment = prove->environment;
    const struct ptx_variable *variable = &prove->ir->module->variables.data[base->variable];
    if (base->parameter != SYM_NONE) {
        const struct contract_parameter *parameter = &environment->contract->parameters.data[base->parameter];
        question->bounds.array = parameter->name;
        if (environment->extents[base->parameter] == SYM_NONE) {
            weaken(&question->bounds, CHECK_NOT_ANALYSED,
                   arena_printf(prove->arena, "`%s` has no LW_SHAPE, so nothing says how long it is", parameter->name));
            return SYM_NONE;
        }
        uint32_t size = parameter->element_size == 0 ? 1 : parameter->element_size;
        return sym_scale(prove->sym, environment->extents[base->parameter], size);
    }
    question->bounds.array = prove_variable_name(prove, base->variable);
    if (base->object == SYM_NONE) {
        weaken(&question->bounds, CHECK_NOT_ANALYSED,
               arena_printf(prove->arena, "no contract says how long `%s` is", question->bounds.array));
        return SYM_NONE;
    }
    question->bounds.kind = kind_of_space(variable->space);
    if (variable->space == PTX_SPACE_SHARED && variable->size == 0) {
        if (environment->shared_bytes == SYM_NONE)
            weaken(&question->bounds, CHECK_NOT_ANALYSED,
                   "no LW_SHARED_BYTES says how much dynamic shared memory a launch has");
        return environment->shared_bytes;
    }
    if (variable->size == 0) {
        weaken(&question->bounds, CHECK_NOT_ANALYSED,
               arena_printf(prove->arena, "`%s` is declared elsewhere, without a size", question->bounds.array));
        return SYM_NONE;
    }
    return sym_constant(prove->sym, (sym_integer)variable->size);
}

/* ---- bounds -------------------------------------------------------------------------------------------------------- */

static const char *words_of(struct question *question, sym_poly offset, sym_poly extent, const struct sym_base *base)
{
    struct prove *prove = question->prove;
    struct buffer text;
    uint32_t element = 1;
    if (base->parameter != SYM_NONE)
        element = prove->environment->contract->parameters.data[base->parameter].element_size;
    else if (base->object != SYM_NONE)
        element = ptx_type_size(prove->ir->module->variables.data[base->variable].type);
    if (element == 0 || sym_content(prove->sym, offset) % element != 0 || sym_content(prove->sym, extent) % element != 0)
        element = 1;
    buffer_init(&text, prove->arena);
    buffer_puts(&text, element == 1 ? "byte `" : "element `");
    sym_print(prove->sym, sym_divide_exact(prove->sym, offset, element), &text);
    buffer_puts(&text, "` of `");
    sym_print(prove->sym, sym_divide_exact(prove->sym, extent, element), &text);
    buffer_puts(&text, "`");
    return text.size > 600 ? "its index is too long to print" : text.data;
}

static void prove_region(struct question *question, sym_facts *facts, sym_poly offset)
{
    struct prove *prove = question->prove;
    struct sym *sym = prove->sym;
    if (!question->access->has_region || prove->region_failed)
        return;
    struct prove_answer unused = {.verdict = CHECK_UNPROVED}; /* no model is looked for */
    sym_cond above = sym_ge(sym, sym_shift(sym, offset, -(sym_integer)question->access->region_first));
    sym_cond below = sym_ge(
        sym, sym_shift(sym, sym_scale(sym, offset, -1), (sym_integer)question->access->region_end - question->size));
    prove->region_failed = !prove_goal(prove, facts, above, &unused) || !prove_goal(prove, facts, below, &unused);
}

/* Do the facts speak of single bits of the start address?  A comparison of whole addresses (a null pointer, the end of a walk) is no
 * test of the alignment. */
static bool tests_bits(struct question *question, const sym_facts *facts, const struct sym_base *base)
{
    struct sym *sym = question->prove->sym;
    struct bitset set;
    bitset_init(&set, question->prove->arena, sym->atoms.count);
    for (uint32_t i = 0; i < facts->count; i++)
        sym_collect_cond_atoms(sym, facts->data[i], &set);
    for (sym_atom atom = 0; atom < set.bits; atom++) {
        const struct sym_atom_data *data = &sym->atoms.data[atom];
        bool is_bits = data->kind == SYM_QUOTIENT || data->kind == SYM_BIT_AND || data->kind == SYM_BIT_OR || data->kind == SYM_BIT_XOR;
        if (bitset_has(&set, atom) && is_bits && (sym_mentions(sym, data->a, base->atom) || sym_mentions(sym, data->b, base->atom)))
            return true;
    }
    return false;
}

/* Elements of the array are multiples of the access, so whatever starts it has that alignment too. */
static bool fits_element(const struct question *question, const struct sym_base *base)
{
    const struct contract *contract = question->prove->environment->contract;
    uint32_t element = contract == NULL || base->parameter == SYM_NONE ? 0 : contract->parameters.data[base->parameter].element_size;
    return element != 0 && element % question->size == 0;
}

static void prove_alignment(struct question *question, sym_facts *facts, sym_poly address, sym_poly offset,
                            const struct sym_base *base)
{
    struct prove *prove = question->prove;
    struct sym *sym = prove->sym;
    sym_poly size = sym_constant(sym, question->size);
    if (question->size <= 1)
        return;
    const struct ptx_variable *variable = &prove->ir->module->variables.data[base->variable];
    bool declared = base->object != SYM_NONE;
    uint32_t align = declared && variable->size == 0 && variable->space == PTX_SPACE_SHARED ? 16 : variable->align;
    /* An address that the program itself tests is aligned to its elements, and to nothing wider. */
    bool tested = !declared && !fits_element(question, base) && tests_bits(question, facts, base);
    sym_poly place = tested ? address : offset;
    sym_poly rest = sym_subtract(sym, place, sym_multiply(sym, size, sym_quotient(sym, place, size)));
    sym_cond goal = sym_eq(sym, rest);
    if (declared && align % question->size != 0) {
        question->asks_alignment = true;
        weaken(&question->alignment, CHECK_UNPROVED,
               arena_printf(prove->arena, "`%s` is declared with an alignment of %u bytes, the access needs %u",
                            question->bounds.array, align, question->size));
        return;
    }
    if (!tested && !declared)
        prove->uses_alignment = true;
    if (goal == SYM_TRUE)
        return;
    question->asks_alignment = true;
    if (!prove_goal(prove, facts, goal, &question->alignment) && question->alignment.reason == NULL)
    {
        struct buffer text;
        buffer_init(&text, prove->arena);
        sym_print(sym, offset, &text);
        question->alignment.reason = arena_printf(prove->arena, "nothing known shows that byte `%.300s` is a multiple of %u",
                                                  text.data, question->size);
    }
}

static bool has_check(const struct question *question)
{
    const struct prove *prove = question->prove;
    const struct ir_instruction *instruction = &prove->ir->instructions[question->access->instruction];
    uint32_t operand = (uint32_t)(question->access - prove->ir->accesses) - instruction->first_access;
    for (uint32_t i = 0; i < prove->options->checked_count; i++) {
        const struct check_place *place = &prove->options->checked[i];
        if (place->function == prove->ir->frames[instruction->frame].function && place->instruction == instruction->index && place->operand == operand)
            return true;
    }
    return false;
}

/* Whoever comes past a run-time check is inside.  The check sees the offset modulo 2^64: one that cannot leave 63 bits is what it sees. */
static void rely_on_check(struct question *question, sym_poly offset, sym_cond inside)
{
    struct prove *prove = question->prove;
    const sym_integer far = (sym_integer)1 << 62;
    sym_integer low, high;
    sym_interval(prove->sym, offset, &low, &high);
    if (has_check(question) && low > -far && high < far)
        *vec_push(prove->kernel->arena, &prove->kernel->loaded) = (struct sym_loaded){.instruction = question->access->instruction, .fact = inside};
}

static void prove_in_array(struct question *question, sym_facts *facts, sym_poly address, uint32_t base_index, sym_poly offset)
{
    struct prove *prove = question->prove;
    struct sym *sym = prove->sym;
    struct sym_base base = prove->kernel->bases.data[base_index];
    sym_poly extent = extent_of(question, &base);
    prove_region(question, facts, offset);
    if (extent == SYM_NONE && base.parameter != SYM_NONE)
        prove_keep_unshaped(prove, facts, base.parameter, offset, question->size, &question->bounds);
    if (extent != SYM_NONE) {
        sym_cond above = sym_ge(sym, offset);
        sym_cond below = sym_ge(sym, sym_shift(sym, sym_subtract(sym, extent, offset), -(sym_integer)question->size));
        bool inside = prove_goal(prove, facts, above, &question->bounds);
        inside = prove_goal(prove, facts, below, &question->bounds) && inside;
        if (!inside && question->bounds.reason == NULL) {
            const char *words = words_of(question, offset, extent, &base);
            question->bounds.reason = question->bounds.depends_on_data
                                          ? arena_printf(prove->arena, "%s depends on the contents of memory%s", words,
                                                         prove_data_words(prove, facts, sym_and(sym, above, below)))
                                          : arena_printf(prove->arena, "nothing known shows that %s exists", words);
        }
        if (!inside && question->depth == 0)
            rely_on_check(question, offset, sym_and(sym, above, below));
        if (inside && prove->options->explain) {
            prove_explain(prove, facts, above, &question->proof);
            prove_explain(prove, facts, below, &question->proof);
        }
    }
    prove_alignment(question, facts, address, offset, &base);
}

/* ---- addresses ----------------------------------------------------------------------------------------------------------- */

enum { MAX_WAYS = 32 };

sym_atom prove_choice_in(const struct sym *sym, sym_poly address)
{
    const struct sym_poly_data *data = &sym->polys.data[address];
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++) {
            uint8_t kind = sym->atoms.data[monomial->atoms[k]].kind;
            if (kind == SYM_SELECT || kind == SYM_JOIN)
                return monomial->atoms[k];
        }
    }
    return SYM_NONE;
}

static void prove_address(struct question *question, const sym_facts *facts, sym_poly address, uint32_t depth);

static void prove_way(struct question *question, const sym_facts *facts, sym_poly address, sym_atom choice, sym_poly value,
                      sym_cond condition, uint32_t depth)
{
    struct prove *prove = question->prove;
    sym_facts way = {0};
    if (condition == SYM_FALSE)
        return;
    for (uint32_t i = 0; i < facts->count; i++)
        sym_facts_add(prove->kernel, &way, sym_substitute_cond(prove->sym, facts->data[i], &choice, &value, 1));
    sym_facts_add(prove->kernel, &way, condition);
    prove_address(question, &way, sym_substitute(prove->sym, address, &choice, &value, 1), depth + 1);
}

static void prove_address(struct question *question, const sym_facts *facts, sym_poly address, uint32_t depth)
{
    struct prove *prove = question->prove;
    struct sym *sym = prove->sym;
    uint32_t base;
    sym_poly offset;
    question->depth = depth;
    if (sym_find_base(prove->kernel, address, &base, &offset)) {
        sym_facts own = {0};
        const char *failing = question->bounds.verdict == CHECK_PROVED ? NULL : question->bounds.array;
        for (uint32_t i = 0; i < facts->count; i++)
            *vec_push(prove->arena, &own) = facts->data[i];
        prove_in_array(question, &own, address, base, offset);
        if (failing != NULL)
            question->bounds.array = failing; /* of several arrays the one that is told of */
        return;
    }
    sym_atom choice = depth < 5 ? prove_choice_in(sym, address) : SYM_NONE;
    if (choice == SYM_NONE) {
        weaken(&question->bounds, CHECK_NOT_ANALYSED, "the pointer comes from memory or from arithmetic that is not followed");
        return;
    }
    struct sym_atom_data data = sym->atoms.data[choice];
    if (data.kind == SYM_SELECT) {
        prove_way(question, facts, address, choice, data.a, data.condition, depth);
        prove_way(question, facts, address, choice, data.b, sym_not(sym, data.condition), depth);
        return;
    }
    struct sym_join join = sym->joins.data[data.index];
    if (join.count > MAX_WAYS) {
        weaken(&question->bounds, CHECK_NOT_ANALYSED, "the pointer comes by too many ways");
        return;
    }
    for (uint32_t i = 0; i < join.count; i++)
        prove_way(question, facts, address, choice, join.values[i], join.facts[i], depth);
}

/* ---- an access ------------------------------------------------------------------------------------------------------------- */

/* Is the access wider than what it is declared to point at? */
static bool is_reinterpreted(const struct question *question)
{
    const struct prove *prove = question->prove;
    const struct ir_access *access = question->access;
    for (uint32_t b = 0; b < prove->kernel->bases.count; b++) {
        const struct sym_base *base = &prove->kernel->bases.data[b];
        if (question->bounds.array == NULL || base->parameter == SYM_NONE)
            continue;
        const struct contract_parameter *parameter = &prove->environment->contract->parameters.data[base->parameter];
        if (strcmp(parameter->name, question->bounds.array) == 0)
            return question->size > (parameter->element_size == 0 ? 1 : parameter->element_size);
    }
    return access->count > 1;
}

void prove_access(struct prove *prove, uint32_t index)
{
    const struct ir_access *access = &prove->ir->accesses[index];
    const struct ir_block *block = &prove->ir->cfg->blocks[prove->ir->instructions[access->instruction].block];
    struct question question = {.prove = prove, .access = access, .size = access->size * access->count};
    if ((access->flags & IR_ACCESS_HINT) || !block->reachable)
        return;
    buffer_init(&question.proof, prove->arena);
    question.bounds = (struct prove_answer){.kind = kind_of_space(access->space), .verdict = CHECK_PROVED};
    question.alignment = (struct prove_answer){.kind = FINDING_MISALIGNED, .verdict = CHECK_PROVED};
    sym_facts_at_instruction(prove->kernel, access->instruction, &question.facts);
    sym_poly address = sym_shift(prove->sym, sym_value(prove->kernel, access->address), access->offset);
    if (prove_unreachable(prove, &question.facts))
        question.bounds.verdict = CHECK_UNREACHABLE;
    else if (question.size == 0 || (access->flags & IR_ACCESS_COLLECTIVE))
        weaken(&question.bounds, CHECK_NOT_ANALYSED, "a matrix or bulk access: its bytes are not those of one thread");
    else
        prove_address(&question, &question.facts, address, 0);
    if (question.proof.size != 0)
        question.bounds.proof = question.proof.data;
    prove_add(prove, access->instruction, access, &question.bounds);
    question.alignment.array = question.bounds.array;
    if (question.bounds.verdict != CHECK_NOT_ANALYSED && question.bounds.verdict != CHECK_UNREACHABLE &&
        (question.asks_alignment || is_reinterpreted(&question)))
        prove_add(prove, access->instruction, access, &question.alignment);
    prove_address_wraps(prove, index, question.bounds.array);
}
