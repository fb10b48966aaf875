/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that always hold: an access in a loop behind a comparison that the rest of what is known there implies.  The compiler could not see
 * it, so each trip pays for it.
 *
 * Requires: a kernel that was proved, and options.asks_test, which says at which lines it matters (an instance of get_or of
 * lanewise/device.h).  Gives: result->needless, a place for each line whose tests, in all copies of its accesses, always hold.
 */
#include "check/prove.h"

static bool has_fact(const sym_facts *facts, sym_cond fact)
{
    for (uint32_t i = 0; i < facts->count; i++)
        if (facts->data[i] == fact)
            return true;
    return false;
}

/* What is known before the test in front of the access, and behind it; false: there is no test that belongs to it alone. */
static bool facts_around(struct prove *prove, uint32_t index, sym_facts *before, sym_facts *behind)
{
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    const struct ir_block *block = &prove->ir->cfg->blocks[instruction->block];
    if (instruction->guard != IR_NONE) {
        sym_facts_at_block(prove->kernel, instruction->block, before);
        sym_facts_at_instruction(prove->kernel, index, behind);
        return true;
    }
    if (block->predecessor_count != 1)
        return false;
    uint32_t from = block->predecessors[0];
    const struct ir_block *test = &prove->ir->cfg->blocks[from];
    if (test->successor_count != 2 || test->loop != block->loop)
        return false;
    sym_facts_at_block(prove->kernel, from, before);
    sym_facts_on_edge(prove->kernel, from, instruction->block, behind);
    return true;
}

static bool always_holds(struct prove *prove, uint32_t index)
{
    sym_facts before = {0}, behind = {0};
    if (!facts_around(prove, index, &before, &behind) ||
        sym_contradict(prove->sym, behind.data, behind.count, &prove->kernel->limits) == SYM_PROVED)
        return false; /* no test, or no thread comes there */
    bool is_tested = false;
    for (uint32_t i = 0; i < behind.count; i++) {
        sym_cond goal = behind.data[i];
        if (has_fact(&before, goal))
            continue;
        sym_facts facts = {0};
        for (uint32_t k = 0; k < before.count; k++)
            sym_facts_add(prove->kernel, &facts, before.data[k]);
        sym_facts_close(prove->kernel, &facts, goal);
        if (sym_prove(prove->sym, facts.data, facts.count, goal, &prove->kernel->limits) != SYM_PROVED)
            return false;
        is_tested = true;
    }
    return is_tested;
}

void prove_needless_tests(struct prove *prove)
{
    const struct check_options *options = prove->options;
    for (uint32_t a = 0; options->asks_test != NULL && a < prove->ir->access_count; a++) {
        const struct ir_access *access = &prove->ir->accesses[a];
        uint32_t block = prove->ir->instructions[access->instruction].block;
        if ((access->flags & IR_ACCESS_READ) == 0 || (access->flags & IR_ACCESS_HINT) != 0 || !prove->ir->cfg->blocks[block].reachable ||
            prove->ir->cfg->blocks[block].loop == IR_NONE)
            continue;
        struct place place = prove_place(prove, access->instruction);
        if (!options->asks_test(options->test_context, place))
            continue;
        struct check_needless *line = NULL;
        for (uint32_t i = 0; i < prove->result->needless.count && line == NULL; i++)
            if (prove->result->needless.data[i].place.line == place.line && text_equal(prove->result->needless.data[i].place.file, place.file))
                line = &prove->result->needless.data[i];
        if (line == NULL) {
            line = vec_push(prove->arena, &prove->result->needless);
            *line = (struct check_needless){.place = place, .holds = true};
        }
        line->holds = line->holds && always_holds(prove, access->instruction);
    }
}
