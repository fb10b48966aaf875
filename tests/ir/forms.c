/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of the analysis form that the dumps in shapes/ do not show: options, regions, calls,
 * places, and that the verifier notices what is broken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ir/ir.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

struct fixture {
    struct arena arena;
    struct diagnostic_list diagnostics;
    struct ptx_module *module;
};

static void parse(struct fixture *fixture, const char *text)
{
    arena_init(&fixture->arena);
    diagnostic_list_init(&fixture->diagnostics, &fixture->arena);
    fixture->module =
        ptx_parse(&fixture->arena, "test.ptx", text, strlen(text), &fixture->diagnostics);
    if (fixture->diagnostics.errors != 0)
        fail_msg("%s", fixture->diagnostics.items.data[0].message);
}

static struct ir_function *build(struct fixture *fixture, const char *name,
                                 struct ir_options options)
{
    options.verify = true;
    uint32_t index = ptx_find_function(fixture->module, name);
    assert_int_not_equal(index, PTX_NONE);
    struct ir_function *function =
        ir_function_build(&fixture->arena, fixture->module, index, &options, &fixture->diagnostics);
    if (fixture->diagnostics.errors != 0)
        fail_msg("%s", fixture->diagnostics.items.data[0].message);
    return function;
}

static uint32_t count_op(const struct ir_function *function, uint32_t op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        count += function->instructions[i].op == op;
    return count;
}

static const char stack_text[] =
    HEAD ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n"
         ".local .align 8 .b8 depot[32];\n.reg .b32 %r<6>;\n.reg .b64 %rd<6>, %SP, %SPL;\n"
         "mov.u64 %SPL, depot;\ncvta.local.u64 %SP, %SPL;\nld.param.u64 %rd1, [k_a];\nld.param.u32 "
         "%r1, [k_n];\n"
         "st.u64 [%SP], %rd1;\nst.u32 [%SP+24], %r1;\n"
         "and.b32 %r2, %r1, 3;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %SP, 8;\nadd.s64 %rd3, "
         "%rd3, %rd2;\nst.u32 [%rd3], %r1;\n"
         "ld.u8 %r3, [%SP+24];\nld.u64 %rd4, [%SP];\nst.global.u32 [%rd4], %r3;\nret;\n}\n";

static void regions(void **state)
{
    (void)state;
    struct fixture fixture;
    parse(&fixture, stack_text);
    struct ir_function *function = build(&fixture, "k", (struct ir_options){0});
    assert_true(function->has_regions);
    assert_int_equal(function->access_count, 2);
    assert_true(function->accesses[0].has_region && function->accesses[0].pointer.is_indexed);
    assert_int_equal(function->accesses[0].region_first, 8);
    assert_int_equal(function->accesses[0].region_end, 24);
    /* The pointer that was in the stack is known. */
    assert_int_equal(function->accesses[1].space, PTX_SPACE_GLOBAL);
    assert_int_equal(function->bases[function->accesses[1].pointer.base].kind, IR_BASE_PARAMETER);
    /* Part of a slot: the low byte of the parameter, widened. */
    assert_int_equal(count_op(function, IR_OP_EXTRACT), 1);
    assert_int_equal(count_op(function, IR_OP_EXTEND), 1);

    function = build(&fixture, "k", (struct ir_options){.no_regions = true});
    assert_false(function->has_regions);
    assert_int_equal(function->access_count, 6);

    function = build(&fixture, "k", (struct ir_options){.keep_memory = true});
    assert_int_equal(function->access_count, 8);
    assert_int_equal(function->rounds, 0);
    arena_free(&fixture.arena);
}

static const char call_text[] = HEAD
    ".func (.param .b32 c_q) c(.param .b32 c_x)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, "
    "[c_x];\nadd.s32 %r2, %r1, 1;\n"
    "st.param.b32 [c_q], %r2;\nret;\n}\n"
    ".func (.param .b32 b_q) b(.param .b32 b_x)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [b_x];\n"
    "{\n.param .b32 x;\n.param .b32 q;\nst.param.b32 [x], %r1;\ncall.uni (q), c, "
    "(x);\nld.param.b32 %r2, [q];\n}\n"
    "st.param.b32 [b_q], %r2;\nret;\n}\n"
    ".visible .entry a(.param .u64 a_p, .param .u32 a_n)\n{\n.reg .b32 %r<3>;\n.reg .b64 "
    "%rd<2>;\nld.param.u64 %rd1, [a_p];\n"
    "ld.param.u32 %r1, [a_n];\n{\n.param .b32 x;\n.param .b32 q;\nst.param.b32 [x], %r1;\ncall.uni "
    "(q), b, (x);\n"
    "ld.param.b32 %r2, [q];\n}\nst.global.u32 [%rd1], %r2;\nret;\n}\n";

static void inlining(void **state)
{
    (void)state;
    struct fixture fixture;
    parse(&fixture, call_text);
    struct ir_function *function = build(&fixture, "a", (struct ir_options){0});
    assert_int_equal(function->frame_count, 3);
    assert_int_equal(function->frames[2].parent, 1);
    assert_int_equal(function->frames[2].depth, 2);
    assert_int_equal(function->call_count, 0);
    /* add, st, ret: arguments and results are seen through. */
    assert_int_equal(function->instruction_count, 3);
    assert_int_equal(function->instructions[0].frame, 2);

    function = build(&fixture, "a", (struct ir_options){.max_depth = 1});
    assert_int_equal(function->left[IR_LEFT_DEEP], 1);
    assert_int_equal(function->call_count, 1);
    assert_int_equal(function->calls[0].argument_count, 1);
    assert_int_equal(function->calls[0].arguments[0].size, 4);
    assert_int_equal(function->values[function->calls[0].arguments[0].value].kind,
                     IR_VALUE_PARAMETER);
    assert_int_equal(function->values[function->calls[0].results[0].value].index,
                     function->calls[0].instruction);

    function = build(&fixture, "a", (struct ir_options){.max_instructions = 12});
    assert_int_equal(function->left[IR_LEFT_LARGE], 1);

    /* A function on its own: its parameters are values, what it returns stays memory. */
    function = build(&fixture, "c", (struct ir_options){0});
    assert_int_equal(function->access_count, 1);
    assert_int_equal(function->accesses[0].flags, IR_ACCESS_WRITE);
    arena_free(&fixture.arena);
}

static void overlap(void **state)
{
    (void)state;
    struct fixture fixture;
    parse(&fixture, HEAD ".visible .entry k(.param .u64 k_a, .param .align 8 .b8 k_s[16])\n{\n"
                         ".local .align 8 .b8 depot[16];\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
                         "ld.param.u64 %rd1, [k_a];\nmov.u64 %rd2, depot;\n"
                         "ld.param.v2.u32 {%r1, %r2}, [k_s];\nst.local.v2.u32 [%rd2], {%r1, "
                         "%r2};\nld.local.u64 %rd3, [%rd2];\n"
                         "st.global.u64 [%rd1], %rd3;\nst.local.u64 [%rd2+8], %rd3;\nld.local.u16 "
                         "%r3, [%rd2+10];\nst.global.u32 [%rd1+8], %r3;\n"
                         "ret;\n}\n");
    struct ir_function *function = build(&fixture, "k", (struct ir_options){0});
    assert_int_equal(function->access_count, 2);
    /* Halves that are put together again: concat; two bytes out of the middle: an extract of the
     * low parameter word, extended. */
    assert_int_equal(count_op(function, IR_OP_CONCAT), 1);
    assert_int_equal(count_op(function, IR_OP_EXTRACT), 1);
    assert_int_equal(count_op(function, IR_OP_EXTEND), 1);
    arena_free(&fixture.arena);
}

static void escapes(void **state)
{
    (void)state;
    struct fixture fixture;
    parse(&fixture, HEAD ".visible .entry k(.param .u64 k_a)\n{\n.local .align 8 .b8 "
                         "kept[8];\n.local .align 8 .b8 gone[8];\n"
                         ".reg .b64 %rd<6>;\nld.param.u64 %rd1, [k_a];\nmov.u64 %rd2, "
                         "gone;\ncvta.local.u64 %rd3, %rd2;\n"
                         "st.global.u64 [%rd1], %rd3;\nst.local.u64 [gone], %rd1;\nst.local.u64 "
                         "[kept], %rd1;\nld.local.u64 %rd4, [gone];\n"
                         "ld.local.u64 %rd5, [kept];\nst.global.u64 [%rd4], 1;\nst.global.u64 "
                         "[%rd5], 2;\nret;\n}\n");
    struct ir_function *function = build(&fixture, "k", (struct ir_options){0});
    for (uint32_t i = 0; i < function->object_count; i++) {
        const struct ir_object *object = &function->objects[i];
        if (object->space == PTX_SPACE_LOCAL) {
            bool is_gone =
                strcmp(fixture.module->variables.data[object->variable].name, "gone") == 0;
            assert_int_equal(object->escapes, is_gone);
            assert_int_equal(object->is_promoted, !is_gone);
        }
    }
    const struct ir_access *last = &function->accesses[function->access_count - 1];
    assert_int_equal(function->bases[last->pointer.base].kind, IR_BASE_PARAMETER);
    assert_int_equal(function->bases[last[-1].pointer.base].kind, IR_BASE_VALUE);
    arena_free(&fixture.arena);
}

static void places(void **state)
{
    (void)state;
    struct fixture fixture;
    parse(&fixture, HEAD ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 k_a)\n{\n.reg .b32 "
                         "%r<3>;\n.reg .b64 %rd<2>;\n.loc 1 3 0\n"
                         "ld.param.u64 %rd1, [k_a];\n.loc 1 0 0\nmov.u32 %r1, %tid.x;\nadd.s32 "
                         "%r2, %r1, 5;\n.loc 1 7 2\n"
                         "st.global.u32 [%rd1], %r2;\nret;\n}\n");
    struct ir_function *function = build(&fixture, "k", (struct ir_options){0});
    assert_int_equal(function->instructions[0].op, PTX_OP_add);
    struct place place = ir_place(function, 0);
    assert_int_equal(place.line, 7);
    assert_string_equal(place.file, "k.cu");
    arena_free(&fixture.arena);
}

static void liveness(void **state)
{
    (void)state;
    struct fixture fixture;
    parse(&fixture,
          HEAD ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n.reg .pred %p<2>;\n.reg "
               ".b32 %r<5>;\n.reg .b64 %rd<2>;\n"
               "ld.param.u64 %rd1, [k_a];\nld.param.u32 %r1, [k_n];\nsetp.eq.s32 %p1, %r1, "
               "0;\nmov.u32 %r2, 1;\n"
               "@%p1 mov.u32 %r3, 4;\n@%p1 bra $end;\nmov.u32 %r2, 2;\nadd.s32 %r4, %r1, "
               "1;\nst.global.u32 [%rd1+4], %r4;\n"
               "$end:\nst.global.u32 [%rd1], %r2;\nst.global.u32 [%rd1+8], %r3;\nret;\n}\n");
    struct ir_cfg *cfg = ir_cfg_build(&fixture.arena, fixture.module, 0);
    struct ir_liveness *live = ir_liveness_build(&fixture.arena, cfg);
    uint32_t reg[5] = {0}, address = 0;
    for (uint32_t r = 0; r < cfg->source->registers.count; r++) {
        const char *name = cfg->source->registers.data[r].name;
        if (text_starts_with(name, "%r") && !text_starts_with(name, "%rd"))
            reg[name[2] - '0'] = r;
        else if (strcmp(name, "%rd1") == 0)
            address = r;
    }
    assert_int_equal(cfg->block_count, 3);
    assert_true(ir_live_out(live, 0, address) && ir_live_in(live, 2, address));
    assert_true(ir_live_out(live, 0, reg[2]) && !ir_live_in(live, 1, reg[2]) &&
                ir_live_out(live, 1, reg[2]));
    assert_true(ir_live_in(live, 0, reg[3])); /* written under a guard only */
    assert_true(ir_live_in(live, 1, reg[1]) && !ir_live_out(live, 1, reg[1]));
    assert_int_equal(live->index_of[reg[4]], IR_NONE);
    arena_free(&fixture.arena);
}

/* ---- the verifier ---------------------------------------------------------------------------- */

static const char loop_text[] =
    HEAD ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n.reg .pred %p<2>;\n.reg .b32 "
         "%r<4>;\n.reg .b64 %rd<2>;\n"
         "ld.param.u64 %rd1, [k_a];\nld.param.u32 %r1, [k_n];\nmov.u32 %r2, 0;\n$loop:\nadd.s32 "
         "%r2, %r2, 3;\n"
         "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $loop;\nst.global.u32 [%rd1], %r2;\nret;\n}\n";

typedef void breaker(struct ir_function *function);

static struct ir_instruction *find_op(struct ir_function *function, uint32_t op)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (function->instructions[i].op == op)
            return &function->instructions[i];
    return NULL;
}

static void break_nothing(struct ir_function *function)
{
    (void)function;
}
static void break_order(struct ir_function *function)
{
    /* The sum uses what the comparison makes. */
    function->operands[find_op(function, PTX_OP_add)->first_operand] =
        find_op(function, PTX_OP_setp)->first_result;
}
static void break_dominance(struct ir_function *function)
{
    function->operands[find_op(function, IR_OP_PHI)->first_operand] =
        find_op(function, PTX_OP_add)->first_result;
}
static void break_operand(struct ir_function *function)
{
    function->operands[find_op(function, PTX_OP_add)->first_operand] = 4000000;
}
static void break_phi(struct ir_function *function)
{
    find_op(function, IR_OP_PHI)->operand_count = 1;
}
static void break_width(struct ir_function *function)
{
    function->values[find_op(function, IR_OP_PHI)->first_result].bits = 64;
}
static void break_guard(struct ir_function *function)
{
    find_op(function, PTX_OP_bra)->guard = find_op(function, PTX_OP_add)->first_result;
}
static void break_block(struct ir_function *function)
{
    find_op(function, PTX_OP_st)->block = 0;
}
static void break_range(struct ir_function *function)
{
    function->cfg->blocks[1].end = 4000000;
}
static void break_dominator(struct ir_function *function)
{
    function->cfg->blocks[2].idom = 2;
}
static void break_access(struct ir_function *function)
{
    function->accesses[0].operand = 1;
}
static void break_edge(struct ir_function *function)
{
    function->cfg->blocks[2].predecessor_count = 0;
}
static void break_uses(struct ir_function *function)
{
    function->uses[0] = function->instruction_count - 1;
}
static void break_source(struct ir_function *function)
{
    find_op(function, PTX_OP_add)->source = NULL;
}

static void verifier(void **state)
{
    (void)state;
    static const struct {
        breaker *breaker;
        const char *complaint;
    } cases[] = {
        {break_nothing, NULL},
        {break_order, "used before it is made"},
        {break_dominance, "does not dominate this use"},
        {break_operand, "does not exist"},
        {break_phi, "1 operands for 2 predecessors"},
        {break_width, "bits"},
        {break_guard, "guard is no predicate"},
        {break_block, "says it is in B0"},
        {break_range, "is broken"},
        {break_dominator, "bad immediate dominator"},
        {break_access, "its address is not that operand"},
        {break_edge, "without predecessors"},
        {break_uses, "listed as a use"},
        {break_source, "comes from nowhere"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fixture fixture;
        struct buffer out;
        parse(&fixture, loop_text);
        buffer_init(&out, &fixture.arena);
        struct ir_function *function = build(&fixture, "k", (struct ir_options){0});
        cases[i].breaker(function);
        uint32_t complaints = ir_function_verify(function, &out);
        assert_int_equal(complaints != 0, cases[i].complaint != NULL);
        if (cases[i].complaint != NULL && strstr(out.data, cases[i].complaint) == NULL)
            fail_msg("case %zu: %s", i, out.data);
        arena_free(&fixture.arena);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Thousands of loops inside one another: refused with a message, not for ever. */
static void too_large(void **state)
{
    (void)state;
    enum { DEPTH = 20000 };
    struct arena arena;
    struct buffer text;
    struct diagnostic_list diagnostics;
    arena_init(&arena);
    buffer_init(&text, &arena);
    diagnostic_list_init(&diagnostics, &arena);
    buffer_puts(&text, HEAD ".visible .entry k(.param .u32 k_n)\n{\n.reg .pred %p<2>;\n.reg .b32 "
                            "%r<3>;\nld.param.u32 %r1, [k_n];\n"
                            "mov.u32 %r2, 0;\n");
    for (uint32_t i = 0; i < DEPTH; i++)
        buffer_printf(&text, "$L%u:\nadd.s32 %%r2, %%r2, 1;\n", i);
    for (uint32_t i = DEPTH; i-- > 0;)
        buffer_printf(&text, "setp.lt.s32 %%p1, %%r2, %%r1;\n@%%p1 bra $L%u;\n", i);
    buffer_puts(&text, "ret;\n}\n");
    struct ptx_module *module = ptx_parse(&arena, "test.ptx", text.data, text.size, &diagnostics);
    assert_int_equal(diagnostics.errors, 0);
    assert_null(ir_function_build(&arena, module, 0, NULL, &diagnostics));
    assert_int_equal(diagnostics.errors, 1);
    assert_non_null(strstr(diagnostics.items.data[0].message, "too large to analyse"));
    arena_free(&arena);
}

/* Every allocation may fail: the build jumps to the handler and leaves nothing behind. */
static void out_of_memory(void **state)
{
    (void)state;
    jmp_buf handler;
    struct fixture fixture;
    parse(&fixture, call_text);
    struct arena arena;
    volatile unsigned failures = 0;
    for (volatile unsigned nth = 1; nth < 100; nth++) {
        arena_init(&arena);
        arena.handler = &handler;
        if (setjmp(handler) == 0) {
            arena_fail_after(nth);
            ir_function_build(&arena, fixture.module, 2, NULL, &fixture.diagnostics);
            arena_fail_after(0);
            arena_free(&arena);
            break;
        }
        failures++;
        arena_free(&arena);
    }
    assert_true(failures > 0 && failures < 99);
    arena_free(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions),  cmocka_unit_test(inlining),  cmocka_unit_test(overlap),
        cmocka_unit_test(escapes),  cmocka_unit_test(places),    cmocka_unit_test(liveness),
        cmocka_unit_test(verifier), cmocka_unit_test(too_large), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
