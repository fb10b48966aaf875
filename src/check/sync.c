/* SPDX-License-Identifier: Apache-2.0
 *
 * LW201, LW203: is each block barrier reached by all threads of the block, is each warp operation reached by the lanes that it names?
 *
 * Requires: a kernel in analysis.  Gives: an answer for each, and for the race proofs the ones that order what lies around them.  A place is
 * proved if every branch that decides whether it is reached goes one way for all (sym_uniform), so that all make the same visits to it.
 * Where that fails, what may come after the parting is not proved either: some threads may wait there for ever.  Sound for: kernels
 * without unknown instructions and calls that may do anything.
 */
#include "check/sync.h"

static bool is_block_barrier(const struct ir_instruction *instruction)
{
    return (instruction->op == PTX_OP_bar || instruction->op == PTX_OP_barrier) && instruction->source->mode != PTX_MODE_WARP;
}

static bool is_warp_operation(const struct ir_instruction *instruction)
{
    if (instruction->op >= PTX_OP_COUNT || instruction->source == NULL)
        return false;
    if (instruction->op == PTX_OP_bar)
        return instruction->source->mode == PTX_MODE_WARP;
    return (ptx_op_info((enum ptx_op)instruction->op)->flags & PTX_FLAG_WARP_SYNC) != 0 &&
           (instruction->source->flags & PTX_MODIFIER_SYNC) != 0;
}

uint32_t sync_threads_multiple_of(struct prove *prove, sym_integer size)
{
    struct sym_environment *environment = prove->environment;
    struct sym *sym = prove->sym;
    sym_poly threads = sym_constant(sym, 1), unit = sym_constant(sym, size);
    sym_facts facts = {0};
    for (int axis = 0; axis < 3; axis++)
        threads = sym_multiply(sym, threads, environment->block[axis]);
    if (sym_content(sym, threads) % size == 0)
        return 1;
    sym_poly rest = sym_subtract(sym, threads, sym_multiply(sym, sym_quotient(sym, threads, unit), unit));
    sym_cond goal = sym_eq(sym, rest);
    for (uint32_t i = 0; i < environment->facts.count; i++)
        sym_facts_add(prove->kernel, &facts, environment->facts.data[i]);
    sym_facts_close(prove->kernel, &facts, goal);
    return sym_prove(sym, facts.data, facts.count, goal, &prove->kernel->limits) == SYM_PROVED;
}

bool sync_guard_is_uniform(struct sym_uniform *uniform, uint32_t index)
{
    const struct ir_instruction *instruction = &uniform->kernel->ir->instructions[index];
    if (instruction->guard == IR_NONE || !sym_differs(uniform, instruction->guard, instruction->block))
        return true;
    sym_cond guard = sym_truth(uniform->kernel, instruction->guard);
    return !sym_depends_on_data(uniform->kernel, guard) && sym_same_condition(uniform, instruction->block, guard, NULL);
}

/* ---- reasons ------------------------------------------------------------------------------------------------- */

static const char *branch_words(struct prove *prove, uint32_t branch)
{
    const struct ir_function *ir = prove->ir;
    const struct ir_block *block = &ir->cfg->blocks[branch];
    uint32_t last = block->end - 1;
    uint32_t line = ir_place(ir, last).line;
    if (block->end == block->first || ir->instructions[last].guard == IR_NONE)
        return "a branch before it may go different ways";
    sym_cond condition = sym_truth(prove->kernel, ir->instructions[last].guard);
    struct buffer text;
    buffer_init(&text, prove->arena);
    sym_print_cond(prove->sym, condition, &text);
    bool plain = text.size != 0 && text.size < 100 && !sym_depends_on_data(prove->kernel, condition);
    return plain ? arena_printf(prove->arena, "the branch at line %u hangs on `%s`", line, text.data)
                 : arena_printf(prove->arena, "the branch at line %u hangs on %s", line,
                                sym_depends_on_data(prove->kernel, condition) ? "the contents of memory" : "the thread");
}

void sync_part_at(struct sync *sync, struct sync_point *point, const struct sym_uniform *uniform, uint32_t branch)
{
    point->answer.verdict = CHECK_UNPROVED;
    point->answer.reason = arena_printf(sync->prove->arena, "%s, which may differ between threads of a %s",
                                        branch_words(sync->prove, branch), uniform->scope == SYM_SCOPE_WARP ? "warp" : "block");
}

void sync_part_here(struct sync_point *point, const char *reason)
{
    point->answer.verdict = CHECK_UNPROVED;
    point->answer.reason = reason;
    point->parts_here = true;
}

/* Where threads go different ways before a place that is not proved. */
static void find_parting(struct sync *sync, struct sync_point *point)
{
    struct prove *prove = sync->prove;
    struct sym_uniform *uniform = point->is_barrier ? sync->block : sync->warp;
    const struct ir_cfg *cfg = prove->ir->cfg;
    uint32_t block = prove->ir->instructions[point->instruction].block;
    struct bitset branches;
    bitset_init(&branches, prove->arena, cfg->block_count + 1);
    sym_control_closure(uniform, block, IR_NONE, &branches);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        if (!bitset_has(&branches, b) || !uniform->branches[b])
            continue;
        *vec_push(prove->arena, &point->parting) = b;
        const struct ir_block *data = &cfg->blocks[b];
        uint32_t guard = data->end == data->first ? IR_NONE : prove->ir->instructions[data->end - 1].guard;
        point->answer.depends_on_data |= guard == IR_NONE || sym_depends_on_data(prove->kernel, sym_truth(prove->kernel, guard));
    }
}

/* ---- what waits elsewhere --------------------------------------------------------------------------------------- */

/* Blocks that control may come to after leaving `block`. */
static void add_reachable(struct sync *sync, uint32_t block, struct bitset *reached)
{
    const struct ir_cfg *cfg = sync->prove->ir->cfg;
    sym_blocks work = {0};
    *vec_push(sync->prove->arena, &work) = block;
    while (work.count != 0) {
        const struct ir_block *data = &cfg->blocks[work.data[--work.count]];
        for (uint32_t s = 0; s < data->successor_count; s++)
            if (!bitset_has(reached, data->successors[s])) {
                bitset_add(reached, data->successors[s]);
                *vec_push(sync->prove->arena, &work) = data->successors[s];
            }
    }
}

/* Threads that part before `bad` may be missing wherever the others go on to. */
static void weaken_after(struct sync *sync, const struct sync_point *bad)
{
    struct prove *prove = sync->prove;
    const struct ir_function *ir = prove->ir;
    struct bitset reached;
    bitset_init(&reached, prove->arena, ir->cfg->block_count + 1);
    for (uint32_t i = 0; i < bad->parting.count; i++)
        add_reachable(sync, bad->parting.data[i], &reached);
    if (bad->parts_here)
        add_reachable(sync, ir->instructions[bad->instruction].block, &reached);
    for (uint32_t i = 0; i < sync->points.count; i++) {
        struct sync_point *point = &sync->points.data[i];
        uint32_t block = ir->instructions[point->instruction].block;
        bool is_after = bitset_has(&reached, block) ||
                        (bad->parts_here && block == ir->instructions[bad->instruction].block && point->instruction > bad->instruction);
        if (point == bad || !is_after || point->answer.verdict != CHECK_PROVED)
            continue;
        point->answer.verdict = CHECK_UNPROVED;
        point->answer.depends_on_data = bad->answer.depends_on_data;
        point->answer.reason = arena_printf(prove->arena, "some threads may wait at line %u instead",
                                            ir_place(ir, bad->instruction).line);
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

static const char *find_blind(struct prove *prove)
{
    if (prove->ir->has_opaque)
        return "an unknown instruction in the kernel may make threads wait or leave";
    for (uint32_t c = 0; c < prove->ir->call_count; c++)
        if (prove->ir->calls[c].effect == IR_EFFECT_ANY &&
            (prove->ir->calls[c].callee == IR_NONE || !ir_function_is_no_return(prove->ir->module, prove->ir->calls[c].callee)))
            return "a call in the kernel may make threads wait or leave";
    return NULL;
}

static void collect(struct sync *sync)
{
    const struct ir_function *ir = sync->prove->ir;
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        bool is_barrier = is_block_barrier(instruction);
        if ((!is_barrier && !is_warp_operation(instruction)) || !ir->cfg->blocks[instruction->block].reachable)
            continue;
        struct sync_point *point = vec_push(sync->prove->arena, &sync->points);
        *point = (struct sync_point){.instruction = i, .is_barrier = is_barrier};
        point->answer.kind = is_barrier ? FINDING_BARRIER_DIVERGENCE : FINDING_SHUFFLE_INACTIVE;
        point->answer.verdict = CHECK_PROVED;
    }
}

static struct sym_uniform *uniform_at(struct sync *sync, enum sym_scope scope)
{
    const struct ir_function *ir = sync->prove->ir;
    struct bitset places;
    bool any = false;
    bitset_init(&places, sync->prove->arena, ir->cfg->block_count + 1);
    for (uint32_t i = 0; i < sync->points.count; i++)
        if (sync->points.data[i].is_barrier == (scope == SYM_SCOPE_BLOCK)) {
            bitset_add(&places, ir->instructions[sync->points.data[i].instruction].block);
            any = true;
        }
    return any || scope == SYM_SCOPE_BLOCK ? sym_uniform_build(sync->prove->kernel, scope, &places) : NULL;
}

struct sync *prove_sync(struct prove *prove)
{
    struct sync *sync = ARENA_NEW(prove->arena, struct sync);
    sync->prove = prove;
    sync->blind = find_blind(prove);
    collect(sync);
    sync->block = uniform_at(sync, SYM_SCOPE_BLOCK);
    sync->warp = uniform_at(sync, SYM_SCOPE_WARP);
    for (uint32_t i = 0; i < sync->points.count; i++) {
        struct sync_point *point = &sync->points.data[i];
        if (sync->blind != NULL) {
            point->answer.verdict = CHECK_NOT_ANALYSED;
            point->answer.reason = sync->blind;
        } else if (point->is_barrier) {
            prove_barrier(sync, point);
        } else {
            prove_warp_operation(sync, point);
        }
    }
    if (sync->blind == NULL)
        prove_partial_barriers(sync);
    for (uint32_t i = 0; i < sync->points.count && sync->blind == NULL; i++)
        if (sync->points.data[i].answer.verdict != CHECK_PROVED)
            find_parting(sync, &sync->points.data[i]);
    for (uint32_t i = 0; i < sync->points.count; i++)
        if (sync->points.data[i].parting.count != 0 || sync->points.data[i].parts_here)
            weaken_after(sync, &sync->points.data[i]);
    for (uint32_t i = 0; i < sync->points.count; i++)
        prove_add(prove, sync->points.data[i].instruction, NULL, &sync->points.data[i].answer);
    return sync;
}
