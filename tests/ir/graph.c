/* SPDX-License-Identifier: Apache-2.0
 *
 * Control-flow graphs of random functions against plain definitions: dominance by deleting a node,
 * loops by what the order promises.  The functions are made by hand, instruction by instruction,
 * so that no parser is needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ir/ir.h"

struct random {
    uint64_t state;
};

static uint32_t random_below(struct random *random, uint32_t bound)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random->state >> 33) % bound;
}

/* A function of `count` instructions; about two thirds branch somewhere. `structure` 1 keeps most
 * jumps short. */
static struct ptx_module *make_module(struct arena *arena, struct random *random, uint32_t count,
                                      uint32_t structure)
{
    struct ptx_module *module = ARENA_NEW(arena, struct ptx_module);
    module->arena = arena;
    struct ptx_function *function = vec_push(arena, &module->functions);
    memset(function, 0, sizeof *function);
    function->name = "random";
    function->is_entry = function->has_body = 1;
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_instruction *instruction = vec_push(arena, &function->instructions);
        memset(instruction, 0, sizeof *instruction);
        instruction->guard = PTX_NONE;
        uint32_t kind = random_below(random, 12);
        instruction->op = PTX_OP_add;
        if (kind < 7) {
            instruction->op = PTX_OP_bra;
            instruction->operand_count = 1;
            instruction->operands = ARENA_NEW(arena, struct ptx_operand);
            instruction->operands->kind = PTX_OPERAND_LABEL;
            uint32_t reach = structure ? 1 + random_below(random, 8) : count;
            uint32_t low = i > reach ? i - reach : 0, high = i + reach < count ? i + reach : count;
            instruction->operands->id = low + random_below(random, high - low + 1);
            instruction->guard = kind < 6 ? 0 : PTX_NONE;
        } else if (kind == 7) {
            instruction->op = random_below(random, 2) ? PTX_OP_ret : PTX_OP_exit;
            instruction->guard = random_below(random, 3) ? 0 : PTX_NONE;
        }
    }
    return module;
}

/* Blocks reached from `from` by successors (or predecessors) without passing `without`. */
static void reach(const struct ir_cfg *cfg, uint32_t from, uint32_t without, bool backwards,
                  uint8_t *seen)
{
    memset(seen, 0, cfg->block_count + 1u);
    uint32_t stack[300], depth = 0;
    if (from != without) {
        seen[from] = 1;
        stack[depth++] = from;
    }
    while (depth > 0) {
        uint32_t b = stack[--depth];
        for (uint32_t other = 0; other <= cfg->block_count; other++) {
            uint32_t source = backwards ? other : b, target = backwards ? b : other;
            bool edge = false;
            if (source < cfg->block_count && target < cfg->block_count)
                for (uint32_t i = 0; i < cfg->blocks[source].successor_count; i++)
                    edge |= cfg->blocks[source].successors[i] == target;
            else if (source < cfg->block_count && target == cfg->exit)
                edge = cfg->blocks[source].leave != IR_LEAVE_NO;
            if (edge && other != without && !seen[other]) {
                seen[other] = 1;
                stack[depth++] = other;
            }
        }
    }
}

static void check_edges(const struct ir_cfg *cfg)
{
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        for (uint32_t i = 0; block->reachable && i < block->successor_count; i++) {
            const struct ir_block *to = &cfg->blocks[block->successors[i]];
            uint32_t found = 0;
            for (uint32_t k = 0; k < to->predecessor_count; k++)
                found += to->predecessors[k] == b;
            assert_int_equal(found, 1);
        }
    }
    assert_int_equal(cfg->blocks[0].predecessor_count, 0);
}

static void check_dominators(const struct ir_cfg *cfg)
{
    uint8_t seen[300];
    reach(cfg, 0, IR_NONE, false, seen);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        assert_int_equal(seen[b], cfg->blocks[b].reachable);
    for (uint32_t a = 0; a < cfg->block_count; a++) {
        if (!cfg->blocks[a].reachable)
            continue;
        reach(cfg, 0, a, false, seen);
        for (uint32_t b = 0; b < cfg->block_count; b++) {
            if (!cfg->blocks[b].reachable)
                continue;
            assert_int_equal(ir_cfg_dominates(cfg, a, b), !seen[b]);
            if (cfg->blocks[b].idom == a)
                assert_true(a != b && !seen[b]);
        }
    }
}

/* Only where every reachable block can reach the exit is post-dominance free of the edges that
 * join endless code. */
static void check_postdominators(const struct ir_cfg *cfg)
{
    uint8_t seen[300];
    reach(cfg, cfg->exit, IR_NONE, true, seen);
    bool all = true;
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        assert_true(cfg->blocks[b].ipdom <= cfg->exit);
        all &= seen[b];
    }
    if (!all)
        return;
    for (uint32_t a = 0; a < cfg->block_count; a++) {
        reach(cfg, cfg->exit, a, true, seen);
        for (uint32_t b = 0; b < cfg->block_count; b++)
            assert_int_equal(ir_cfg_postdominates(cfg, a, b), !seen[b]);
    }
}

static void check_loops_and_order(const struct ir_cfg *cfg)
{
    uint8_t seen[300] = {0};
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        assert_true(cfg->blocks[b].order < cfg->block_count && !seen[cfg->blocks[b].order]);
        seen[cfg->blocks[b].order] = 1;
        assert_int_equal(cfg->by_order[cfg->blocks[b].order], b);
        uint32_t loop = cfg->blocks[b].loop;
        assert_true(loop == IR_NONE || ir_loop_contains(cfg, loop, b));
    }
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        for (uint32_t i = 0; block->reachable && i < block->successor_count; i++) {
            uint32_t to = block->successors[i], loop = cfg->blocks[to].loop;
            bool back =
                loop != IR_NONE && cfg->loops[loop].header == to && ir_loop_contains(cfg, loop, b);
            assert_true(back || block->order < cfg->blocks[to].order);
            /* An edge that leaves a loop goes past its stretch, or back to the header of a loop
             * around it. */
            for (uint32_t l = block->loop; l != IR_NONE; l = cfg->loops[l].parent)
                assert_true(back || ir_loop_contains(cfg, l, to) ||
                            cfg->blocks[to].order >= cfg->loops[l].order_end);
        }
    }
    for (uint32_t l = 0; l < cfg->loop_count; l++) {
        const struct ir_loop *loop = &cfg->loops[l];
        assert_true(loop->parent == IR_NONE || loop->parent < l);
        assert_int_equal(cfg->by_order[loop->order_first], loop->header);
        bool dominated = true, entered = false;
        for (uint32_t i = loop->order_first; i < loop->order_end; i++) {
            uint32_t b = cfg->by_order[i];
            dominated &= ir_cfg_dominates(cfg, loop->header, b);
            for (uint32_t k = 0; k < cfg->blocks[b].predecessor_count && b != loop->header; k++)
                entered |= !ir_loop_contains(cfg, l, cfg->blocks[b].predecessors[k]);
            for (uint32_t inner = cfg->blocks[b].loop; inner != l; inner = cfg->loops[inner].parent)
                assert_true(inner != IR_NONE);
        }
        assert_int_equal(loop->irreducible, !dominated);
        assert_int_equal(loop->irreducible, entered);
        assert_true(loop->latch_count > 0);
        for (uint32_t i = 0; i < loop->latch_count; i++)
            assert_true(ir_loop_contains(cfg, l, loop->latches[i]));
    }
}

static void random_graphs(void **state)
{
    (void)state;
    struct random random = {7};
    for (uint32_t round = 0; round < 3000; round++) {
        struct arena arena;
        arena_init(&arena);
        uint32_t count = 1 + random_below(&random, round % 10 == 0 ? 120 : 24);
        struct ptx_module *module = make_module(&arena, &random, count, round & 1);
        struct ir_cfg *cfg = ir_cfg_build(&arena, module, 0);
        check_edges(cfg);
        check_dominators(cfg);
        check_postdominators(cfg);
        check_loops_and_order(cfg);
        arena_free(&arena);
    }
}

/* 100,000 loops inside one another, each also left to the very end: no recursion, no quadratic
 * time. */
static void deep_nest(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    struct arena arena;
    arena_init(&arena);
    struct random random = {1};
    struct ptx_module *module = make_module(&arena, &random, 1, 0);
    struct ptx_function *function = &module->functions.data[0];
    function->instructions.count = 0;
    for (uint32_t i = 0; i < 3 * DEPTH; i++) {
        struct ptx_instruction *instruction = vec_push(&arena, &function->instructions);
        memset(instruction, 0, sizeof *instruction);
        instruction->op = i < DEPTH ? PTX_OP_add : PTX_OP_bra;
        instruction->guard = 0;
        if (i >= DEPTH) {
            instruction->operand_count = 1;
            instruction->operands = ARENA_NEW(&arena, struct ptx_operand);
            instruction->operands->kind = PTX_OPERAND_LABEL;
            uint32_t level = (i - DEPTH) / 2;
            instruction->operands->id = (i - DEPTH) % 2 ? 3 * DEPTH : DEPTH - 1 - level;
        }
    }
    struct ir_cfg *cfg = ir_cfg_build(&arena, module, 0);
    assert_int_equal(cfg->loop_count, DEPTH);
    assert_int_equal(cfg->loops[DEPTH - 1].depth, DEPTH);
    assert_false(cfg->has_irreducible);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs),
                                       cmocka_unit_test(deep_nest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
