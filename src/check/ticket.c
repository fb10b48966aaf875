/* SPDX-License-Identifier: Apache-2.0
 *
 * The last block: order between blocks by a ticket that each of them takes.
 *
 * One thread of each block adds 1 to a counter; the block that gets the number of the blocks less one is the last, and may touch what the
 * others have written before they took their tickets.  It takes: everything written -> barrier -> fence -> ticket -> fence -> barrier -> touched,
 * where the barrier may be missing for accesses of the thread that takes the ticket.  Who is last is known from the ticket itself, or from a
 * flag in shared memory that this thread stores.
 * Sound for: counters that are 0 at the start of the launch (said among the assumptions).  Gives up on: counters in loops, tickets handed round by
 * shuffles, fences of a block alone, and fences that other threads make in the place of the one with the ticket.
 */
#include "check/ticket.h"

#include <string.h>

struct taker {
    struct race *race;
    struct prove *prove;
    const struct ir_function *ir;
    const struct ir_cfg *cfg;
    uint32_t access, instruction, block; /* of the ticket */
    sym_poly old, blocks;
    sym_atom old_atom;
    bool fenced_before, fenced_after;    /* between barriers and the ticket, between the ticket and barriers */
};

/* ---- ways ------------------------------------------------------------------------------------------------------ */

static bool is_wide_fence(const struct ir_instruction *instruction)
{
    const struct ptx_instruction *source = instruction->source;
    if ((instruction->op != PTX_OP_membar && instruction->op != PTX_OP_fence) || source == NULL || instruction->guard != IR_NONE)
        return false;
    if (instruction->op == PTX_OP_membar)
        return source->mode == PTX_MODE_GL || source->mode == PTX_MODE_SYS;
    /* One-sided fences do not do: what is before must stay before, and what is behind, behind. */
    bool is_full = source->mode == PTX_MODE_SC ||
                   (source->mode == 0 && (source->semantics == PTX_SEMANTICS_NONE || source->semantics == PTX_ACQ_REL));
    return is_full && (source->scope == PTX_SCOPE_GPU || source->scope == PTX_SCOPE_SYS);
}

static bool is_full_barrier(const struct taker *taker, uint32_t instruction)
{
    const struct sync *sync = taker->race->sync;
    for (uint32_t i = 0; i < sync->points.count; i++)
        if (sync->points.data[i].instruction == instruction)
            return sync->points.data[i].is_barrier && sync->points.data[i].is_full && sync->points.data[i].answer.verdict == CHECK_PROVED &&
                   taker->ir->instructions[instruction].guard == IR_NONE;
    return false;
}

enum target { TO_BARRIER, TO_INSTRUCTION, TO_ENTRY };

struct way {
    const struct taker *taker;
    struct bitset seen;
    uint32_t wanted; /* instruction, of TO_INSTRUCTION */
    enum target target;
    bool backward, fences_stop;
};

/* Goes along one block from `at`; true if the target is met, false with *ended where a fence stops the way. */
static bool meets(const struct way *way, uint32_t block, uint32_t at, bool *ended)
{
    const struct taker *taker = way->taker;
    const struct ir_block *data = &taker->cfg->blocks[block];
    for (uint32_t i = at; way->backward ? i-- > data->first : i < data->end; i += way->backward ? 0 : 1) {
        if (way->fences_stop && is_wide_fence(&taker->ir->instructions[i])) {
            *ended = true;
            return false;
        }
        if (way->target == TO_INSTRUCTION ? i == way->wanted : is_full_barrier(taker, i))
            return true;
    }
    return way->target == TO_ENTRY && block == 0;
}

/* Can the target be met on some way from `start`, itself left out? */
static bool can_meet(struct way *way, uint32_t start)
{
    const struct taker *taker = way->taker;
    struct arena *arena = taker->prove->arena;
    sym_blocks list = {0};
    uint32_t block = taker->ir->instructions[start].block;
    bool ended = false;
    bitset_init(&way->seen, arena, taker->cfg->block_count + 1);
    if (meets(way, block, way->backward ? start : start + 1, &ended))
        return true;
    if (!ended)
        *vec_push(arena, &list) = block;
    while (list.count != 0) {
        const struct ir_block *data = &taker->cfg->blocks[list.data[--list.count]];
        uint32_t count = way->backward ? data->predecessor_count : data->successor_count;
        for (uint32_t s = 0; s < count; s++) {
            uint32_t next = way->backward ? data->predecessors[s] : data->successors[s];
            if (bitset_has(&way->seen, next))
                continue;
            bitset_add(&way->seen, next);
            ended = false;
            if (meets(way, next, way->backward ? taker->cfg->blocks[next].end : taker->cfg->blocks[next].first, &ended))
                return true;
            if (!ended)
                *vec_push(arena, &list) = next;
        }
    }
    return false;
}

static bool reaches(const struct taker *taker, uint32_t from, uint32_t to, bool fences_stop)
{
    struct way way = {.taker = taker, .wanted = to, .target = TO_INSTRUCTION, .fences_stop = fences_stop};
    return can_meet(&way, from);
}

/* Can both be in one interval, in different threads of a block? */
static bool share_interval(const struct taker *taker, uint32_t a, uint32_t b)
{
    struct bitset wanted;
    interval_meetings meetings = {0};
    bitset_init(&wanted, taker->prove->arena, taker->ir->instruction_count + 1);
    bitset_add(&wanted, a);
    bitset_add(&wanted, b);
    if (!interval_find(taker->race->sync, SYM_SCOPE_BLOCK, NULL, &wanted, &meetings))
        return true;
    for (uint32_t m = 0; m < meetings.count; m++)
        if ((meetings.data[m].a == a && meetings.data[m].b == b) || (meetings.data[m].a == b && meetings.data[m].b == a))
            return true;
    return false;
}

/* All of the block are done with `a` before any comes to `b`. */
static bool comes_before(const struct taker *taker, uint32_t a, uint32_t b)
{
    return !reaches(taker, b, a, false) && !share_interval(taker, a, b);
}

/* ---- the ticket -------------------------------------------------------------------------------------------------- */

static bool adds_one(struct taker *taker, const struct ir_instruction *instruction)
{
    struct sym *sym = taker->prove->sym;
    const uint32_t *operands = ir_operands(taker->ir, instruction);
    sym_integer number;
    if (instruction->op != PTX_OP_atom || instruction->result_count != 1 || instruction->operand_count < 2 || instruction->guard != IR_NONE ||
        instruction->source->scope == PTX_SCOPE_CTA || instruction->source->scope == PTX_SCOPE_CLUSTER ||
        taker->ir->values[instruction->first_result].bits != 32)
        return false;
    sym_poly operand = sym_reading(taker->prove->kernel, operands[instruction->operand_count - 1], false);
    if (instruction->source->operation == PTX_OPERATION_ADD)
        return sym_is_constant(sym, operand, &number) && number == 1;
    if (instruction->source->operation != PTX_OPERATION_INC)
        return false;
    /* It goes back to 0 above the operand: not before all blocks have taken theirs. */
    sym_facts facts = {0};
    sym_cond goal = sym_ge(sym, sym_shift(sym, sym_subtract(sym, operand, taker->blocks), 1));
    sym_facts_at_instruction(taker->prove->kernel, taker->instruction, &facts);
    sym_facts_close(taker->prove->kernel, &facts, goal);
    return sym_prove(sym, facts.data, facts.count, goal, &taker->prove->kernel->limits) == SYM_PROVED;
}

/* The branch that picks the thread with the ticket: the only one on which the ticket depends that parts a block.  The thread (0,0,0) must be picked, so
 * that there is one, and must come to the ticket: a flag that it stores behind the ticket would else be read unwritten. */
static uint32_t find_pick(const struct taker *taker)
{
    struct sym_uniform *uniform = taker->race->sync->block;
    struct prove *prove = taker->prove;
    struct bitset branches;
    uint32_t pick = IR_NONE;
    bitset_init(&branches, prove->arena, taker->cfg->block_count + 1);
    sym_control_closure(uniform, taker->block, IR_NONE, &branches);
    for (uint32_t b = 0; b < taker->cfg->block_count; b++) {
        if (!bitset_has(&branches, b) || !uniform->branches[b])
            continue;
        if (pick != IR_NONE)
            return IR_NONE;
        pick = b;
    }
    if (pick == IR_NONE)
        return IR_NONE;
    const struct ir_block *block = &taker->cfg->blocks[pick];
    const struct ir_instruction *last = &taker->ir->instructions[block->end - 1];
    if (last->op != PTX_OP_bra || last->guard == IR_NONE || block->successor_count != 2 || block->loop != IR_NONE)
        return IR_NONE;
    sym_cond taken = sym_truth(prove->kernel, last->guard);
    if (last->guard_negated)
        taken = sym_not(prove->sym, taken);
    sym_atom atoms[3];
    sym_poly zeros[3] = {SYM_ZERO, SYM_ZERO, SYM_ZERO};
    uint32_t count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const struct sym_poly_data *thread = &prove->sym->polys.data[prove->environment->thread[axis]];
        if (thread->count == 1 && prove->sym->monomials.data[thread->terms[0].monomial].count == 1)
            atoms[count++] = prove->sym->monomials.data[thread->terms[0].monomial].atoms[0];
    }
    sym_cond first = sym_substitute_cond(prove->sym, taken, atoms, zeros, count);
    if (first != SYM_TRUE && first != SYM_FALSE)
        return IR_NONE;
    uint32_t way = block->successors[first == SYM_TRUE ? 0 : 1];
    bool comes_to_it = ir_cfg_dominates(taker->cfg, way, taker->block) && ir_cfg_postdominates(taker->cfg, taker->block, way);
    return comes_to_it ? pick : IR_NONE;
}

/* Is the access a ticket that one thread of each block takes, once at most, and that nobody else changes? */
static bool is_ticket(struct taker *taker)
{
    struct race *race = taker->race;
    const struct race_access *access = &race->accesses.data[taker->access];
    const struct ir_instruction *instruction = &taker->ir->instructions[taker->instruction];
    if (!access->is_atomic || access->is_shared || access->array == SYM_NONE || access->size != 4 ||
        taker->cfg->blocks[taker->block].loop != IR_NONE || !adds_one(taker, instruction))
        return false;
    taker->old = sym_reading(taker->prove->kernel, instruction->first_result, false);
    taker->old_atom = taker->prove->kernel->own_atoms[instruction->first_result];
    return taker->old_atom != SYM_NONE && race_is_launch_wide(race, access->offset) &&
           race_is_apart(race, taker->access, taker->access, RACE_ANY_OF_BLOCK, NULL);
}

/* ---- who is last -------------------------------------------------------------------------------------------------------- */

static bool entails_last(const struct taker *taker, const sym_facts *facts, sym_cond more)
{
    struct prove *prove = taker->prove;
    struct sym *sym = prove->sym;
    sym_facts all = {0};
    sym_cond goal = sym_eq(sym, sym_shift(sym, sym_subtract(sym, taker->old, taker->blocks), 1));
    for (uint32_t i = 0; i < facts->count; i++)
        sym_facts_add(prove->kernel, &all, facts->data[i]);
    sym_facts_add(prove->kernel, &all, more);
    sym_facts_close(prove->kernel, &all, goal);
    return sym_prove(sym, all.data, all.count, goal, &prove->kernel->limits) == SYM_PROVED;
}

/* The one store to the array of the flag that the load reads; NULL. */
static const struct race_access *find_store(const struct taker *taker, const struct race_access *load)
{
    const struct race_access *found = NULL;
    for (uint32_t i = 0; i < taker->race->accesses.count; i++) {
        const struct race_access *other = &taker->race->accesses.data[i];
        if (!other->is_write || (other->array != SYM_NONE && other->array != load->array))
            continue;
        if (other->array == SYM_NONE || found != NULL || other->is_atomic || other->size != load->size || other->offset != load->offset)
            return NULL;
        found = other;
    }
    return found;
}

/* What a load of the flag says: the value that the thread with the ticket has stored; SYM_TRUE: nothing. */
static sym_cond flag_says(const struct taker *taker, uint32_t pick, const struct race_access *load)
{
    struct prove *prove = taker->prove;
    struct sym *sym = prove->sym;
    const struct ir_instruction *reader = &taker->ir->instructions[load->instruction];
    sym_integer ignored;
    if (!load->is_shared || load->is_write || load->array == SYM_NONE || load->size > 4 || reader->result_count != 1 || reader->guard != IR_NONE ||
        !sym_is_constant(sym, load->offset, &ignored))
        return SYM_TRUE;
    const struct race_access *store = find_store(taker, load);
    if (store == NULL)
        return SYM_TRUE;
    const struct ir_instruction *writer = &taker->ir->instructions[store->instruction];
    uint32_t place = writer->block;
    bool follows = place == taker->block ? store->instruction > taker->instruction
                                         : ir_cfg_dominates(taker->cfg, taker->block, place) &&
                                               ir_cfg_postdominates(taker->cfg, place, taker->block);
    if (!follows || writer->guard != IR_NONE || taker->cfg->blocks[place].loop != IR_NONE ||
        !ir_cfg_dominates(taker->cfg, pick, reader->block) || !comes_before(taker, store->instruction, load->instruction))
        return SYM_TRUE;
    uint32_t stored = ir_operands(taker->ir, writer)[writer->operand_count - 1];
    sym_poly value = sym_value(prove->kernel, stored), own = sym_substitute(sym, value, &taker->old_atom, &(sym_poly){SYM_ZERO}, 1);
    if (!race_is_launch_wide(taker->race, own))
        return SYM_TRUE;
    sym_poly read = sym_wrap(sym, sym_value(prove->kernel, reader->first_result), 8 * load->size, false);
    return sym_eq(sym, sym_subtract(sym, read, sym_wrap(sym, value, 8 * load->size, false)));
}

/* Does only the last block come to this access, and see all that was done before the tickets? */
static bool is_of_last(const struct taker *taker, uint32_t pick, uint32_t index)
{
    struct race *race = taker->race;
    struct race_access *access = &race->accesses.data[index];
    uint32_t block = taker->ir->instructions[access->instruction].block;
    race_gather(race, access);
    bool by_itself = block == taker->block ? access->instruction > taker->instruction : ir_cfg_dominates(taker->cfg, taker->block, block);
    if (by_itself)
        return !reaches(taker, taker->instruction, access->instruction, true) && entails_last(taker, &access->facts, SYM_TRUE);
    if (!taker->fenced_after)
        return false;
    for (uint32_t i = 0; i < race->accesses.count; i++) {
        const struct race_access *load = &race->accesses.data[i];
        uint32_t place = taker->ir->instructions[load->instruction].block;
        bool ran = place == block ? load->instruction < access->instruction : ir_cfg_dominates(taker->cfg, place, block);
        sym_cond says = ran ? flag_says(taker, pick, load) : SYM_TRUE;
        if (says != SYM_TRUE && entails_last(taker, &access->facts, says))
            return true;
    }
    return false;
}

/* ---- what comes before the ticket -------------------------------------------------------------------------------------------- */

static bool is_before(const struct taker *taker, uint32_t index)
{
    uint32_t instruction = taker->race->accesses.data[index].instruction;
    if (reaches(taker, taker->instruction, instruction, false))
        return false;
    if (taker->fenced_before && !share_interval(taker, instruction, taker->instruction))
        return true;
    /* The thread with the ticket itself. */
    return !reaches(taker, instruction, taker->instruction, true) && race_is_one_thread(taker->race, index, taker->access);
}

/* ---- all -------------------------------------------------------------------------------------------------------------------- */

static bool fill(struct taker *taker, struct ticket *ticket)
{
    struct race *race = taker->race;
    uint32_t pick = find_pick(taker);
    struct way before = {.taker = taker, .target = TO_ENTRY, .backward = true, .fences_stop = true};
    struct way after = {.taker = taker, .target = TO_BARRIER, .fences_stop = true};
    if (pick == IR_NONE)
        return false;
    taker->fenced_before = !can_meet(&before, taker->instruction);
    taker->fenced_after = !can_meet(&after, taker->instruction);
    bitset_init(&ticket->before, taker->prove->arena, race->accesses.count + 1);
    bitset_init(&ticket->last, taker->prove->arena, race->accesses.count + 1);
    for (uint32_t i = 0; i < race->accesses.count; i++) {
        const struct race_access *access = &race->accesses.data[i];
        if (i == taker->access || access->is_shared || access->array == SYM_NONE ||
            (taker->prove->ir->accesses[access->access].flags & IR_ACCESS_CONSTANT) != 0)
            continue;
        if (is_of_last(taker, pick, i))
            bitset_add(&ticket->last, i);
        else if (is_before(taker, i))
            bitset_add(&ticket->before, i);
    }
    /* Whatever else changes the counter must come after all tickets. */
    for (uint32_t i = 0; i < race->accesses.count; i++) {
        const struct race_access *access = &race->accesses.data[i];
        bool may_change = access->is_write && (access->array == SYM_NONE || access->array == race->accesses.data[taker->access].array);
        if (i != taker->access && may_change && !(access->is_shared && access->array != SYM_NONE) && !bitset_has(&ticket->last, i))
            return false;
    }
    return bitset_count(&ticket->last) != 0;
}

bool ticket_find(struct race *race, struct ticket *ticket)
{
    struct prove *prove = race->prove;
    struct taker taker = {.race = race, .prove = prove, .ir = prove->ir, .cfg = prove->ir->cfg, .blocks = sym_constant(prove->sym, 1)};
    for (int axis = 0; axis < 3; axis++)
        taker.blocks = sym_multiply(prove->sym, taker.blocks, prove->environment->grid[axis]);
    for (uint32_t i = 0; i < race->accesses.count; i++) {
        taker.access = i;
        taker.instruction = race->accesses.data[i].instruction;
        taker.block = prove->ir->instructions[taker.instruction].block;
        if (race->accesses.data[i].is_atomic && is_ticket(&taker) && fill(&taker, ticket))
            return true;
    }
    return false;
}

bool ticket_orders(const struct ticket *ticket, uint32_t a, uint32_t b)
{
    bool first = bitset_has(&ticket->last, a), second = bitset_has(&ticket->last, b);
    return (first && second) || (first && bitset_has(&ticket->before, b)) || (second && bitset_has(&ticket->before, a));
}
