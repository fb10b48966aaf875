/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds where.
 *
 * Gives: the facts at a block, an edge, an instruction: what the contract admits, the conditions of the branches that dominate the
 * place, invariants of the loops whose headers do, ranges of elements whose loads do.  Sound for reducible flow: a
 * dominating branch has been taken, in the latest trip of the loops around it, which is the trip that names of atoms mean.
 */
#include "sym/translate.h"

bool sym_is_back_edge(const struct sym_kernel *kernel, uint32_t from, uint32_t to)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    uint32_t loop = cfg->blocks[to].loop;
    return loop != IR_NONE && cfg->loops[loop].header == to && ir_loop_contains(cfg, loop, from);
}

/* The condition as the branch states it. */
static sym_cond stated_fact(struct sym_kernel *kernel, uint32_t from, uint32_t to)
{
    const struct ir_function *ir = kernel->ir;
    const struct ir_block *block = &ir->cfg->blocks[from];
    if (block->end == block->first)
        return SYM_TRUE;
    const struct ir_instruction *last = &ir->instructions[block->end - 1];
    if (last->guard == IR_NONE || last->op >= PTX_OP_COUNT)
        return SYM_TRUE;
    sym_cond holds = sym_truth(kernel, last->guard);
    if (last->guard_negated)
        holds = sym_not(kernel->sym, holds);
    if (last->op == PTX_OP_bra) {
        if (block->successor_count != 2)
            return SYM_TRUE;
        return block->successors[0] == to ? holds : sym_not(kernel->sym, holds);
    }
    if (block->leave != IR_LEAVE_NO && block->leave_is_guarded && block->successor_count == 1)
        return sym_not(kernel->sym, holds);
    return SYM_TRUE;
}

sym_cond sym_branch_fact(struct sym_kernel *kernel, uint32_t from, uint32_t to)
{
    sym_cond fact = stated_fact(kernel, from, to);
    for (uint32_t i = 0; i < kernel->refinements.count; i++)
        if (kernel->refinements.data[i].from == from && kernel->refinements.data[i].to == to)
            fact = sym_and(kernel->sym, kernel->refinements.data[i].fact, fact);
    return fact;
}

/* Ranges of what the block has loaded, up to instruction `end`. */
static void visit_loaded(struct sym_kernel *kernel, uint32_t block, uint32_t end,
                         void (*visit)(void *context, sym_cond fact), void *context)
{
    const struct ir_block *data = &kernel->ir->cfg->blocks[block];
    for (uint32_t i = 0; i < kernel->loaded.count; i++) {
        const struct sym_loaded *loaded = &kernel->loaded.data[i];
        /* A guarded load has run only where its guard holds. */
        if (loaded->instruction >= data->first && loaded->instruction < end &&
            kernel->ir->instructions[loaded->instruction].guard == IR_NONE)
            visit(context, loaded->fact);
    }
}

/* Facts of one step up the dominator tree: how control came to `block`, and what holds at its begin. */
static void visit_arrival(struct sym_kernel *kernel, uint32_t block, void (*visit)(void *context, sym_cond fact), void *context)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    const struct ir_block *data = &cfg->blocks[block];
    if (data->loop != IR_NONE && cfg->loops[data->loop].header == block) {
        const struct sym_loop *loop = &kernel->loops[data->loop];
        for (uint32_t i = 0; i < loop->invariants.count; i++)
            visit(context, loop->invariants.data[i]);
    }
    if (data->predecessor_count == 1)
        visit(context, sym_branch_fact(kernel, data->predecessors[0], block));
}

struct conjunction {
    struct sym *sym;
    sym_cond all;
};

static void join_fact(void *context, sym_cond fact)
{
    struct conjunction *conjunction = context;
    conjunction->all = sym_and(conjunction->sym, conjunction->all, fact);
}

sym_cond sym_way_to_join(struct sym_kernel *kernel, uint32_t from, uint32_t block)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    struct conjunction way = {.sym = kernel->sym, .all = sym_branch_fact(kernel, from, block)};
    uint32_t stop = cfg->blocks[block].idom;
    for (uint32_t at = from; at != stop && at != IR_NONE; at = cfg->blocks[at].idom) {
        visit_arrival(kernel, at, join_fact, &way);
        visit_loaded(kernel, at, cfg->blocks[at].end, join_fact, &way);
    }
    return way.all;
}

struct collection {
    struct sym_kernel *kernel;
    sym_facts *facts;
};

void sym_facts_add(struct sym_kernel *kernel, sym_facts *facts, sym_cond fact)
{
    const struct sym_cond_data *data = &kernel->sym->conds.data[fact];
    if (data->kind == SYM_AND) {
        sym_cond right = data->right;
        sym_facts_add(kernel, facts, data->left);
        sym_facts_add(kernel, facts, right);
        return;
    }
    if (fact == SYM_TRUE)
        return;
    for (uint32_t i = 0; i < facts->count; i++)
        if (facts->data[i] == fact)
            return;
    *vec_push(kernel->arena, facts) = fact;
}

static void collect_fact(void *context, sym_cond fact)
{
    struct collection *collection = context;
    sym_facts_add(collection->kernel, collection->facts, fact);
}

/* A join of few ways without a loop: one of them was taken. */
static void add_join_choice(struct sym_kernel *kernel, uint32_t block, sym_facts *facts)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    const struct ir_block *data = &cfg->blocks[block];
    if (data->predecessor_count < 2 || data->predecessor_count > 4)
        return;
    sym_cond any = SYM_FALSE;
    for (uint32_t i = 0; i < data->predecessor_count; i++) {
        uint32_t from = data->predecessors[i];
        if (sym_is_back_edge(kernel, from, block) || cfg->blocks[from].loop != data->loop)
            return;
        sym_cond way = sym_way_to_join(kernel, from, block);
        if (way == SYM_TRUE || kernel->sym->conds.data[way].kind == SYM_UNKNOWN)
            return;
        any = sym_or(kernel->sym, any, way);
    }
    sym_facts_add(kernel, facts, any);
}

static void facts_before(struct sym_kernel *kernel, uint32_t block, uint32_t instruction, sym_facts *facts)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    struct collection collection = {.kernel = kernel, .facts = facts};
    for (uint32_t i = 0; i < kernel->environment->facts.count; i++)
        sym_facts_add(kernel, facts, kernel->environment->facts.data[i]);
    for (uint32_t i = 0; i < kernel->environment->thread_facts.count; i++)
        sym_facts_add(kernel, facts, kernel->environment->thread_facts.data[i]);
    visit_loaded(kernel, block, instruction, collect_fact, &collection);
    for (uint32_t at = block; at != IR_NONE; at = cfg->blocks[at].idom) {
        if (at != block)
            visit_loaded(kernel, at, cfg->blocks[at].end, collect_fact, &collection);
        visit_arrival(kernel, at, collect_fact, &collection);
        add_join_choice(kernel, at, facts);
    }
}

void sym_facts_at_block(struct sym_kernel *kernel, uint32_t block, sym_facts *facts)
{
    facts_before(kernel, block, kernel->ir->cfg->blocks[block].first, facts);
}

void sym_facts_on_edge(struct sym_kernel *kernel, uint32_t from, uint32_t to, sym_facts *facts)
{
    facts_before(kernel, from, kernel->ir->cfg->blocks[from].end, facts);
    sym_facts_add(kernel, facts, sym_branch_fact(kernel, from, to));
}

void sym_facts_at_instruction(struct sym_kernel *kernel, uint32_t index, sym_facts *facts)
{
    const struct ir_instruction *instruction = &kernel->ir->instructions[index];
    facts_before(kernel, instruction->block, index, facts);
    if (instruction->guard != IR_NONE) {
        sym_cond guard = sym_truth(kernel, instruction->guard);
        sym_facts_add(kernel, facts, instruction->guard_negated ? sym_not(kernel->sym, guard) : guard);
    }
}

void sym_facts_close(struct sym_kernel *kernel, sym_facts *facts, sym_cond goal)
{
    struct sym *sym = kernel->sym;
    for (int round = 0; round < 4; round++) {
        struct bitset set;
        uint32_t before = facts->count;
        bitset_init(&set, kernel->arena, sym->atoms.count);
        sym_collect_cond_atoms(sym, goal, &set);
        for (uint32_t i = 0; i < facts->count; i++)
            sym_collect_cond_atoms(sym, facts->data[i], &set);
        for (uint32_t atom = 0; atom < set.bits; atom++)
            if (bitset_has(&set, atom)) {
                struct sym_atom_info info = *sym_info(kernel, atom);
                sym_facts_add(kernel, facts, info.low);
                sym_facts_add(kernel, facts, info.high);
            }
        if (facts->count == before)
            return;
    }
}
