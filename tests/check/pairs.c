/* SPDX-License-Identifier: Apache-2.0
 *
 * Two threads: a budget that ends leaves pairs unproved, and says how many.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check/check.h"

#include <string.h>

/* Each thread stores to five places of its own, the number of the block apart from each other. */
static const char ptx[] = ".version 8.3\n.target sm_80\n.address_size 64\n"
                          ".visible .entry five(.param .u64 y)\n{\n"
                          "    .reg .b32 %r<9>;\n    .reg .b64 %rd<9>;\n"
                          "    ld.param.u64 %rd1, [y];\n    cvta.to.global.u64 %rd2, %rd1;\n"
                          "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    shl.b32 %r3, %r2, 6;\n    add.s32 %r4, %r3, %r1;\n"
                          "    mul.wide.u32 %rd3, %r4, 20;\n    add.s64 %rd4, %rd2, %rd3;\n"
                          "    st.global.u32 [%rd4], %r1;\n    st.global.u32 [%rd4+4], %r1;\n    st.global.u32 [%rd4+8], %r1;\n"
                          "    st.global.u32 [%rd4+12], %r1;\n    st.global.u32 [%rd4+16], %r1;\n    ret;\n}\n";

/* Threads store to sixteen places, then read through a pointer from memory: it may go there, or to shared memory. */
static const char either[] = ".version 8.3\n.target sm_80\n.address_size 64\n"
                             ".const .align 8 .b8 where[8];\n.shared .align 4 .b8 s[64];\n"
                             ".visible .entry either(.param .u64 y)\n{\n"
                             "    .reg .b32 %r<9>;\n    .reg .b64 %rd<9>;\n"
                             "    ld.param.u64 %rd1, [y];\n    cvta.to.global.u64 %rd2, %rd1;\n    mov.u32 %r1, %tid.x;\n    and.b32 %r2, %r1, 15;\n"
                             "    mul.wide.u32 %rd3, %r2, 4;\n    add.s64 %rd4, %rd2, %rd3;\n    st.global.u32 [%rd4], %r1;\n"
                             "    mov.u64 %rd5, s;\n    add.s64 %rd6, %rd5, %rd3;\n    st.shared.u32 [%rd6], %r1;\n"
                             "    ld.const.u64 %rd7, [where];\n    ld.u32 %r3, [%rd7];\n"
                             "    mul.wide.u32 %rd8, %r1, 4;\n    add.s64 %rd8, %rd2, %rd8;\n    st.global.u32 [%rd8+64], %r3;\n    ret;\n}\n";

static const struct check_result *prove_text(struct arena *arena, const char *text, uint32_t pairs)
{
    struct diagnostic_list diagnostics;
    struct contract_relation relation;
    struct contract *contract = contract_new(arena);
    struct check_options options = {.pairs = pairs};
    diagnostic_list_init(&diagnostics, arena);
    const struct ptx_module *module = ptx_parse(arena, "test.ptx", text, strlen(text), &diagnostics);
    contract_add_parameter(contract, "y", CONTRACT_POINTER)->element_size = 4;
    assert_true(contract_parse_expression(contract, "64", 2, (struct place){0}, &contract->block[0], &diagnostics));
    const char *limit = "grid.x <= 1000";
    assert_true(contract_parse_relation(contract, limit, strlen(limit), (struct place){0}, &relation, &diagnostics));
    *vec_push(arena, &contract->relations) = relation;
    return check_kernel(arena, module, 0, contract, &options, &diagnostics);
}

static const struct check_result *prove(struct arena *arena, uint32_t pairs)
{
    return prove_text(arena, ptx, pairs);
}

static uint32_t races(const struct check_result *result, uint8_t verdict, const char *words)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < result->sites.count; s++) {
        const struct check_site *site = &result->sites.data[s];
        count += site->kind == FINDING_GLOBAL_RACE && site->verdict == verdict &&
                 (words == NULL || (site->reason != NULL && strstr(site->reason, words) != NULL));
    }
    return count;
}

static void test_enough(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena);
    assert_int_equal(races(prove(&arena, 0), CHECK_PROVED, NULL), 5);
    arena_free(&arena);
}

/* Fifteen pairs; one question is asked before the budget is seen to be spent. */
static void test_spent(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena);
    const struct check_result *result = prove(&arena, 1);
    assert_int_equal(races(result, CHECK_PROVED, NULL), 0);
    assert_int_equal(races(result, CHECK_UNPROVED, "the budget of questions about two threads is spent: 14 pairs of accesses are left"), 5);
    arena_free(&arena);
}

/* The read may race with another lane's store as well as with another warp's, and in shared memory as well as in global memory. */
static void test_either(void **state)
{
    struct arena arena;
    uint32_t open[3] = {0};
    static const enum finding_kind kinds[] = {FINDING_WARP_RACE, FINDING_SHARED_RACE, FINDING_GLOBAL_RACE};
    (void)state;
    arena_init(&arena);
    const struct check_result *result = prove_text(&arena, either, 0);
    for (uint32_t s = 0; s < result->sites.count; s++)
        for (unsigned k = 0; k < COUNT_OF(kinds); k++)
            if (result->sites.data[s].kind == kinds[k]) {
                assert_int_not_equal(result->sites.data[s].verdict, CHECK_PROVED);
                open[k]++;
            }
    assert_int_not_equal(open[0], 0);
    assert_int_not_equal(open[1], 0);
    assert_int_not_equal(open[2], 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_enough), cmocka_unit_test(test_spent), cmocka_unit_test(test_either)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
