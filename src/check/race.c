/* SPDX-License-Identifier: Apache-2.0
 *
 * LW204, LW301, LW302: do two threads touch one place, one of them writing, with nothing that orders them?
 *
 * Requires: what prove_sync found.  Gives: an answer for each access to a shared or global array that the kernel writes.  Shared
 * arrays: two threads of a block in one interval between barriers.  Global arrays: any two threads of the launch; where
 * that is not enough, threads of different blocks, and threads of one block in an interval.  Where any two threads of a block cannot be
 * shown apart, different warps and lanes of one warp are asked about on their own: bar.warp.sync orders the latter.
 * Sound for: accesses inside their arrays; written arrays overlap no others unless LW_MAY_ALIAS says so, and are then the same.
 * Gives up on: asynchronous copies, matrix accesses, pointers from memory, fences and flags as order but for tickets (ticket.c).
 */
#include "check/ticket.h"

/* ---- accesses --------------------------------------------------------------------------------------------------- */

static bool may_alias(const struct contract *contract, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < contract->parameters.data[a].may_alias.count; i++)
        if (contract->parameters.data[a].may_alias.data[i] == b)
            return true;
    return false;
}

/* Parameters that may be one buffer are one array: the smallest of them stands for all. */
static uint32_t array_of(const struct prove *prove, uint32_t base_index)
{
    const struct sym_kernel *kernel = prove->kernel;
    const struct contract *contract = prove->environment->contract;
    uint32_t parameter = kernel->bases.data[base_index].parameter;
    if (parameter == SYM_NONE || contract == NULL)
        return base_index;
    for (uint32_t step = 0; step < contract->parameters.count; step++) {
        uint32_t before = parameter;
        for (uint32_t p = 0; p < parameter; p++)
            if (may_alias(contract, p, parameter) || may_alias(contract, parameter, p)) {
                parameter = p;
                break;
            }
        if (parameter == before)
            break;
    }
    /* Parameters are numbered past the bases. */
    return kernel->bases.count + parameter;
}

static bool is_looked_at(const struct ir_access *access)
{
    return (access->flags & IR_ACCESS_HINT) == 0 && access->space != PTX_SPACE_LOCAL && access->space != PTX_SPACE_PARAM &&
           access->space != PTX_SPACE_CONST && access->space != PTX_SPACE_TEX;
}

/* Which space the base is in; NONE: not known. */
static uint8_t space_of_base(const struct prove *prove, const struct sym_base *base)
{
    return base->object == SYM_NONE ? PTX_SPACE_GLOBAL : prove->ir->module->variables.data[base->variable].space;
}

/* One place that the access may go to; `base_index` SYM_NONE: it is not known. */
static void add_item(struct race *race, uint32_t index, uint32_t base_index, sym_poly offset, const sym_facts *way)
{
    struct prove *prove = race->prove;
    const struct ir_access *access = &prove->ir->accesses[index];
    struct race_access item = {.access = index, .instruction = access->instruction, .array = SYM_NONE, .size = access->size * access->count};
    uint8_t space = access->space;
    if (base_index != SYM_NONE) {
        const struct sym_base *base = &prove->kernel->bases.data[base_index];
        item.offset = offset;
        item.array = array_of(prove, base_index);
        item.name = base->parameter != SYM_NONE ? prove->environment->contract->parameters.data[base->parameter].name
                                                : prove_variable_name(prove, base->variable);
        space = space_of_base(prove, base);
        if (space != PTX_SPACE_GLOBAL && space != PTX_SPACE_SHARED)
            return;
    }
    bool is_async = (access->flags & IR_ACCESS_ASYNC) != 0 && !race_async_is_waited(race->sync, access->instruction);
    if (item.size == 0 || (access->flags & IR_ACCESS_COLLECTIVE) != 0 || is_async)
        item.array = SYM_NONE;
    item.way = *way;
    item.is_shared = space == PTX_SPACE_SHARED;
    item.is_atomic = (access->flags & IR_ACCESS_ATOMIC) != 0;
    item.is_write = item.is_atomic || is_async || (access->flags & IR_ACCESS_WRITE) != 0;
    item.is_cached = (access->flags & IR_ACCESS_CONSTANT) != 0;
    item.is_strong = access->semantics > PTX_WEAK;
    item.far = item.near = (struct prove_answer){.kind = item.is_shared ? FINDING_SHARED_RACE : FINDING_GLOBAL_RACE,
                                                 .array = item.name, .verdict = CHECK_PROVED};
    item.near.kind = FINDING_WARP_RACE;
    race_add_by_groups(race, &item);
}

static void add_places(struct race *race, uint32_t index, sym_poly address, const sym_facts *way, unsigned depth);

/* `choice` is `value`, under the condition. */
static void add_way(struct race *race, uint32_t index, sym_poly address, const sym_facts *way, sym_atom choice, sym_poly value,
                    sym_cond condition, unsigned depth)
{
    struct prove *prove = race->prove;
    sym_facts own = {0};
    if (condition == SYM_FALSE)
        return;
    for (uint32_t i = 0; i < way->count; i++)
        *vec_push(prove->arena, &own) = way->data[i];
    sym_facts_add(prove->kernel, &own, condition);
    add_places(race, index, sym_substitute(prove->sym, address, &choice, &value, 1), &own, depth + 1);
}

/* An address that is a choice goes to each of its places under the condition for it. */
static void add_places(struct race *race, uint32_t index, sym_poly address, const sym_facts *way, unsigned depth)
{
    enum { DEEPEST = 4, MOST_WAYS = 16 };
    struct sym *sym = race->prove->sym;
    uint32_t base_index;
    sym_poly offset;
    sym_atom choice = depth < DEEPEST ? prove_choice_in(sym, address) : SYM_NONE;
    /* A choice in the offset alone is left to the solver, but where it may tell groups of threads apart. */
    if (sym_find_base(race->prove->kernel, address, &base_index, &offset) && (choice == SYM_NONE || race->groups.count == 0)) {
        add_item(race, index, base_index, offset, way);
        return;
    }
    struct sym_atom_data data = choice == SYM_NONE ? (struct sym_atom_data){0} : sym->atoms.data[choice];
    bool is_join = choice != SYM_NONE && data.kind == SYM_JOIN;
    if (choice == SYM_NONE || (is_join && sym->joins.data[data.index].count > MOST_WAYS)) {
        add_item(race, index, SYM_NONE, SYM_ZERO, way);
    } else if (is_join) {
        struct sym_join join = sym->joins.data[data.index];
        for (uint32_t i = 0; i < join.count; i++)
            add_way(race, index, address, way, choice, join.values[i], join.facts[i], depth);
    } else {
        add_way(race, index, address, way, choice, data.a, data.condition, depth);
        add_way(race, index, address, way, choice, data.b, sym_not(sym, data.condition), depth);
    }
}

static void add_access(struct race *race, uint32_t index)
{
    const struct ir_access *access = &race->prove->ir->accesses[index];
    sym_facts anywhere = {0};
    add_places(race, index, sym_shift(race->prove->sym, sym_value(race->prove->kernel, access->address), access->offset), &anywhere, 0);
}

static void collect(struct race *race)
{
    const struct ir_function *ir = race->prove->ir;
    race->first_access = ARENA_ARRAY(race->prove->arena, uint32_t, ir->instruction_count + 1);
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        uint32_t before = race->accesses.count;
        for (uint32_t a = 0; a < instruction->access_count; a++)
            if (is_looked_at(&ir->accesses[instruction->first_access + a]) && ir->cfg->blocks[instruction->block].reachable)
                add_access(race, instruction->first_access + a);
        race->first_access[i] = race->accesses.count != before ? before : IR_NONE;
    }
}

/* ---- answers -------------------------------------------------------------------------------------------------------- */

static void weaken(struct race *race, struct race_access *access, const struct race_access *other, bool near, const char *reason)
{
    struct prove *prove = race->prove;
    struct prove_answer *answer = near ? &access->near : &access->far;
    bool depends = access->array == SYM_NONE || other->array == SYM_NONE;
    if (!depends) {
        depends = sym_depends_on_data(prove->kernel, sym_eq(prove->sym, access->offset)) ||
                  sym_depends_on_data(prove->kernel, sym_eq(prove->sym, other->offset));
        for (int which = 0; which < 2; which++) {
            const sym_facts *facts = which == 0 ? &access->facts : &other->facts;
            for (uint32_t i = 0; i < facts->count && !depends; i++)
                depends = sym_depends_on_data(prove->kernel, facts->data[i]);
        }
    }
    answer->depends_on_data = answer->verdict == CHECK_PROVED ? depends : answer->depends_on_data && depends;
    if (answer->verdict == CHECK_PROVED || answer->reason == NULL) {
        uint32_t line = prove_place(prove, other->instruction).line, own = prove_place(prove, access->instruction).line;
        answer->verdict = CHECK_UNPROVED;
        answer->reason = reason != NULL ? reason
                         : line == own  ? arena_printf(prove->arena, "cannot show that no other thread %s it here too without order",
                                                      other->is_write ? "writes" : "reads")
                                       : arena_printf(prove->arena, "cannot show that no other thread %s it at line %u without order",
                                                      other->is_write ? "writes" : "reads", line);
    }
}

static void weaken_both(struct race *race, uint32_t a, uint32_t b, bool near, const char *reason)
{
    struct race_access *first = &race->accesses.data[a], *second = &race->accesses.data[b];
    weaken(race, first, second, near, reason);
    weaken(race, second, first, near, reason);
}

/* Must the two be ordered? */
static bool may_conflict(const struct race_access *a, const struct race_access *b)
{
    if ((!a->is_write && !b->is_write) || (a->is_atomic && b->is_atomic) || a->array != b->array || a->array == SYM_NONE)
        return false;
    return a->is_shared || !a->is_strong || !b->is_strong;
}

static uint32_t pair_number(const struct race *race, uint32_t a, uint32_t b)
{
    return a < b ? a * race->accesses.count + b : b * race->accesses.count + a;
}

/* No questions are left: the pair is counted, once. */
static bool is_spent(struct race *race, uint32_t a, uint32_t b)
{
    if (race->questions < race->budget)
        return false;
    bitset_add(&race->left, pair_number(race, a, b));
    return true;
}

/* Stands for the reason until it is known how many pairs are left. */
static const char spent[] = "";

static void word_spent(struct race *race, uint32_t left)
{
    const char *reason = arena_printf(race->prove->arena, "the budget of questions about two threads is spent: %u pair%s of accesses %s left",
                                      left, left == 1 ? "" : "s", left == 1 ? "is" : "are");
    for (uint32_t i = 0; i < race->accesses.count; i++) {
        struct race_access *access = &race->accesses.data[i];
        if (access->far.reason == spent)
            access->far.reason = reason;
        if (access->near.reason == spent)
            access->near.reason = reason;
    }
}

/* ---- intervals -------------------------------------------------------------------------------------------------------- */

static void mark_wanted(const struct race *race, const struct bitset *open, struct bitset *wanted)
{
    for (uint32_t i = 0; i < race->accesses.count; i++)
        if (bitset_has(open, i))
            bitset_add(wanted, race->accesses.data[i].instruction);
}

/* Accesses whose lanes must be asked about on their own. */
struct block_state {
    struct bitset near;
    bool any;
};

typedef void meeting_visit(struct race *race, struct block_state *state, uint32_t a, uint32_t b, const uint8_t *relations);

/* `group`: the pairs that have it in common; IR_NONE: those that have none. */
static void visit_meetings(struct race *race, uint32_t group, const struct bitset *open, const interval_meetings *meetings,
                           struct block_state *state, meeting_visit *visit)
{
    for (uint32_t m = 0; m < meetings->count; m++) {
        const struct interval_meeting *meeting = &meetings->data[m];
        for (uint32_t a = race->first_access[meeting->a];
             a < race->accesses.count && race->accesses.data[a].instruction == meeting->a; a++)
            for (uint32_t b = race->first_access[meeting->b];
                 b < race->accesses.count && race->accesses.data[b].instruction == meeting->b; b++)
                if (bitset_has(open, a) && bitset_has(open, b) && may_conflict(&race->accesses.data[a], &race->accesses.data[b]) &&
                    !bitset_has(&race->apart, pair_number(race, a, b)) && race_common_group(race, a, b) == group &&
                    !race_is_handed_over(race, a, b))
                    visit(race, state, a, b, meeting->relations);
    }
}

static void visit_in_block(struct race *race, struct block_state *state, uint32_t a, uint32_t b, const uint8_t *relations)
{
    /* Where both are open already, only lanes are still to be asked about. */
    bool is_open = race->accesses.data[a].far.verdict != CHECK_PROVED && race->accesses.data[b].far.verdict != CHECK_PROVED;
    bool over = is_spent(race, a, b);
    if (!is_open && !over && race_is_apart(race, a, b, RACE_ANY_OF_BLOCK, relations))
        return;
    bitset_add(&state->near, a);
    bitset_add(&state->near, b);
    state->any = true;
    if (!is_open && (over || !race_is_apart(race, a, b, RACE_OTHER_WARP, relations)))
        weaken_both(race, a, b, false, over ? spent : NULL);
}

static void visit_in_warp(struct race *race, struct block_state *state, uint32_t a, uint32_t b, const uint8_t *relations)
{
    (void)state;
    race->accesses.data[a].asks_near = race->accesses.data[b].asks_near = true;
    bool over = is_spent(race, a, b);
    if (race->accesses.data[a].near.verdict != CHECK_PROVED && race->accesses.data[b].near.verdict != CHECK_PROVED)
        return;
    if (over || !race_is_apart(race, a, b, RACE_SAME_WARP, relations))
        weaken_both(race, a, b, true, over ? spent : NULL);
}

/* Threads of one block, of the accesses in `open`; of a group: see visit_meetings. */
static void prove_in_group(struct race *race, uint32_t number, const struct bitset *open)
{
    const struct sync_group *group = number == IR_NONE ? NULL : race->groups.data[number];
    race->group = number;
    struct prove *prove = race->prove;
    struct bitset wanted;
    interval_meetings meetings = {0}, close = {0};
    struct block_state state = {.any = false};
    bitset_init(&wanted, prove->arena, prove->ir->instruction_count + 1);
    bitset_init(&state.near, prove->arena, race->accesses.count + 1);
    mark_wanted(race, open, &wanted);
    bool good = interval_find(race->sync, SYM_SCOPE_BLOCK, group, &wanted, &meetings);
    if (good)
        visit_meetings(race, number, open, &meetings, &state, visit_in_block);
    if (good && state.any)
        good = interval_find(race->sync, SYM_SCOPE_WARP, group, &wanted, &close);
    if (good && state.any)
        visit_meetings(race, number, &state.near, &close, &state, visit_in_warp);
    for (uint32_t i = 0; i < race->accesses.count && !good; i++)
        if (bitset_has(open, i))
            weaken(race, &race->accesses.data[i], &race->accesses.data[i], false, "too many ways between barriers");
}

static void prove_in_block(struct race *race, const struct bitset *open)
{
    prove_in_group(race, IR_NONE, open);
    for (uint32_t g = 0; g < race->groups.count; g++)
        prove_in_group(race, g, open);
    race->group = IR_NONE;
}

/* ---- arrays --------------------------------------------------------------------------------------------------------------- */

/* Are the accesses of different blocks ordered by a ticket?  It is sought when first needed. */
static bool has_ticket(struct race *race, uint32_t a, uint32_t b)
{
    if (!race->sought_ticket) {
        struct ticket *ticket = ARENA_NEW(race->prove->arena, struct ticket);
        race->sought_ticket = true;
        race->ticket = ticket_find(race, ticket) ? ticket : NULL;
    }
    bool orders = race->ticket != NULL && ticket_orders(race->ticket, a, b);
    race->prove->uses_ticket |= orders;
    return orders;
}

/* Global arrays: any two threads of the launch first; what fails is left in `open`. */
static void prove_in_launch(struct race *race, struct bitset *open)
{
    for (uint32_t a = 0; a < race->accesses.count; a++)
        for (uint32_t b = a; b < race->accesses.count; b++) {
            const struct race_access *first = &race->accesses.data[a], *second = &race->accesses.data[b];
            if (first->is_shared || second->is_shared || !may_conflict(first, second))
                continue;
            bool over = is_spent(race, a, b);
            if (first->far.verdict != CHECK_PROVED && second->far.verdict != CHECK_PROVED) {
                bitset_add(open, a);
                bitset_add(open, b);
                continue;
            }
            if (!over && race_is_apart(race, a, b, RACE_ANY_OF_LAUNCH, NULL)) {
                bitset_add(&race->apart, pair_number(race, a, b));
                continue;
            }
            bitset_add(open, a);
            bitset_add(open, b);
            if (first->is_cached || second->is_cached)
                weaken_both(race, a, b, false, over ? spent : "it is read by ld.global.nc, which may see it before or after any barrier");
            else if (over || (!race_is_apart(race, a, b, RACE_OTHER_BLOCK, NULL) && !has_ticket(race, a, b)))
                weaken_both(race, a, b, false, over ? spent : NULL);
        }
}

/* An access that may go to any array of its space. */
static void weaken_unknown(struct race *race)
{
    struct prove *prove = race->prove;
    for (uint32_t u = 0; u < race->accesses.count; u++) {
        struct race_access *unknown = &race->accesses.data[u];
        bool is_generic = prove->ir->accesses[unknown->access].space == PTX_SPACE_NONE;
        if (unknown->array != SYM_NONE)
            continue;
        for (uint32_t i = 0; i < race->accesses.count; i++) {
            struct race_access *other = &race->accesses.data[i];
            if ((!unknown->is_write && !other->is_write) || (unknown->is_atomic && other->is_atomic) ||
                (unknown->is_shared != other->is_shared && !is_generic))
                continue;
            const char *reason = arena_printf(prove->arena, "which place the access at line %u touches is not known",
                                              prove_place(prove, unknown->instruction).line);
            for (int near = 0; near < 2; near++) {
                weaken(race, other, unknown, near != 0, reason);
                weaken(race, unknown, other, near != 0, reason);
            }
        }
    }
}

static void weaken_blind(struct race *race)
{
    const char *reason = race->sync->blind;
    for (uint32_t c = 0; c < race->prove->ir->call_count && reason == NULL; c++)
        if (race->prove->ir->calls[c].effect == IR_EFFECT_ARGUMENTS)
            reason = "a call in the kernel may touch it";
    for (uint32_t i = 0; reason != NULL && i < race->accesses.count; i++) {
        race->accesses.data[i].far.verdict = CHECK_NOT_ANALYSED;
        race->accesses.data[i].far.reason = reason;
    }
}

/* Only arrays that some access writes can be raced for. */
static bool is_written(const struct race *race, const struct race_access *access)
{
    for (uint32_t i = 0; i < race->accesses.count; i++) {
        const struct race_access *other = &race->accesses.data[i];
        if (other->is_write && (other->array == access->array || other->array == SYM_NONE || access->array == SYM_NONE))
            return true;
    }
    return false;
}

void prove_races(struct sync *sync)
{
    struct prove *prove = sync->prove;
    uint32_t budget = prove->options->pairs != 0 ? prove->options->pairs : RACE_QUESTIONS, left = 0;
    struct race race = {.sync = sync, .prove = prove, .z3_before = prove->sym->stats.z3_calls, .budget = budget, .group = IR_NONE};
    struct bitset open;
    text_map_init(&race.known, prove->arena);
    race_find_groups(&race);
    collect(&race);
    bitset_init(&open, prove->arena, race.accesses.count + 1);
    weaken_blind(&race);
    weaken_unknown(&race);
    if (sync->blind == NULL && race.accesses.count > RACE_ACCESSES) {
        left = race.accesses.count * (race.accesses.count - 1) / 2;
        for (uint32_t i = 0; i < race.accesses.count; i++)
            weaken(&race, &race.accesses.data[i], &race.accesses.data[i], false, spent);
    } else if (sync->blind == NULL) {
        bitset_init(&race.left, prove->arena, race.accesses.count * race.accesses.count + 1);
        bitset_init(&race.apart, prove->arena, race.accesses.count * race.accesses.count + 1);
        prove_in_launch(&race, &open);
        for (uint32_t i = 0; i < race.accesses.count; i++)
            if (race.accesses.data[i].is_shared && race.accesses.data[i].array != SYM_NONE)
                bitset_add(&open, i);
        prove_in_block(&race, &open);
        left = bitset_count(&race.left);
    }
    if (left != 0)
        word_spent(&race, left);
    for (uint32_t i = 0; i < race.accesses.count; i++) {
        struct race_access *access = &race.accesses.data[i];
        const struct ir_access *data = &prove->ir->accesses[access->access];
        if (!is_written(&race, access))
            continue;
        prove_add(prove, access->instruction, data, &access->far);
        if (access->asks_near)
            prove_add(prove, access->instruction, data, &access->near);
        if (access->array == SYM_NONE && data->space == PTX_SPACE_NONE) { /* it may be either */
            access->far.kind = FINDING_SHARED_RACE;
            prove_add(prove, access->instruction, data, &access->far);
        }
    }
}
