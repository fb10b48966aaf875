/* SPDX-License-Identifier: Apache-2.0
 *
 * Every allocation of a whole run fails once: parsing, preparing, running.  Nothing may crash, leak (the sanitizer build looks) or report
 * success with a wrong result.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emu/emu.h"

#include <string.h>

/* out[i] = sum over the block of in, through shared memory, a call, a local array and an atomic: a bit of everything. */
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .global .align 4 .u32 total = 0;\n"
    ".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<4>;\nld.param.b32 %r1, [a];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [r], %r2;\nret;\n}\n"
    ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
    ".reg .pred %p<3>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<12>;\n.shared .align 4 .b8 s[256];\n.local .align 4 .b8 l[8];\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\nmov.u32 %r1, %tid.x;\nmov.u32 %r9, %ctaid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
    "add.s64 %rd4, %rd2, %rd3;\nld.global.u32 %r2, [%rd4];\nmov.u64 %rd5, s;\nadd.s64 %rd6, %rd5, %rd3;\nst.shared.u32 [%rd6], %r2;\n"
    "st.local.u32 [l+4], %r2;\nbar.sync 0;\nxor.b32 %r3, %r1, 1;\nmul.wide.u32 %rd7, %r3, 4;\nadd.s64 %rd8, %rd5, %rd7;\nld.shared.u32 %r4, [%rd8];\n"
    "ld.local.u32 %r5, [l+4];\nadd.s32 %r6, %r4, %r5;\n{\n.param .b32 p0;\nst.param.b32 [p0], %r6;\n.param .b32 p1;\ncall (p1), twice, (p0);\nld.param.b32 %r7, [p1];\n}\n"
    "setp.ne.u32 %p1, %r9, 0;\n@%p1 bra done;\nadd.s64 %rd9, %rd1, %rd3;\nst.global.u32 [%rd9], %r7;\natom.global.add.u32 %r8, [total], %r1;\ndone:\nret;\n}\n";

static void fill(void *context, uint64_t offset, void *data, uint64_t size)
{
    (void)context;
    for (uint64_t i = 0; i < size / 4; i++)
        ((uint32_t *)data)[i] = (uint32_t)(offset / 4 + i);
}

static bool right_result(struct emu_machine *machine, uint64_t out)
{
    uint32_t values[64];
    if (!emu_memory_read(machine, out, values, sizeof values))
        return false;
    for (uint32_t i = 0; i < 64; i++)
        if (values[i] != 2 * (i + (i ^ 1)))
            return false;
    return true;
}

/* True if the run ended well. */
static bool run_machine(struct emu_machine *machine, const struct ptx_module *module, struct arena *arena, struct diagnostic_list *diagnostics)
{
    bool good = false;
    struct emu_program *program = emu_program_create(machine, module, diagnostics);
    struct emu_buffer in = {.name = "in", .size = 256, .element_size = 4, .initialised = true, .fill = fill};
    struct emu_buffer out = {.name = "out", .size = 256, .element_size = 4, .is_output = true};
    uint64_t parameters[2] = {emu_memory_allocate(machine, &out), emu_memory_allocate(machine, &in)};
    if (program != NULL && parameters[0] != 0 && parameters[1] != 0) {
        struct emu_launch launch = {.function = ptx_find_function(module, "k"), .grid = {3, 1, 1}, .block = {64, 1, 1}};
        launch.parameters = (const uint8_t *)parameters;
        launch.parameters_size = sizeof parameters;
        struct emu_result result;
        emu_launch_run(machine, program, &launch, arena, &result);
        if (result.status == EMU_OK) {
            assert_int_equal(result.findings.count, 0);
            assert_true(right_result(machine, parameters[0]));
            good = true;
        } else {
            assert_non_null(result.stopped);
        }
    }
    emu_program_free(program);
    return good;
}

static bool run_once(void)
{
    struct arena arena;
    jmp_buf out_of_memory;
    volatile bool good = false;
    arena_init(&arena);
    arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) == 0) {
        struct diagnostic_list diagnostics;
        diagnostic_list_init(&diagnostics, &arena);
        struct ptx_module *module = ptx_parse(&arena, "test.ptx", text, sizeof text - 1, &diagnostics);
        assert_int_equal(diagnostics.errors, 0);
        struct emu_options options = {.jobs = 1};
        struct emu_machine *machine = emu_machine_create(&options);
        if (machine != NULL) {
            good = run_machine(machine, module, &arena, &diagnostics);
            emu_machine_free(machine);
        }
    }
    arena_free(&arena);
    return good;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    enum { ENOUGH = 2000 };
    arena_fail_after(0);
    assert_true(run_once());
    unsigned failed = 0, allocation = 1;
    for (; allocation < ENOUGH; allocation++) {
        arena_fail_after(allocation);
        bool good = run_once();
        bool reached = !arena_failure_pending();
        arena_fail_after(0);
        if (!reached) {
            assert_true(good);
            break;
        }
        failed += !good;
    }
    assert_true(allocation < ENOUGH);
    /* A few failures are harmless: a race shadow that cannot be had is done without. */
    assert_true(failed >= 15);
    print_message("%u of %u allocations end the run when they fail\n", failed, allocation - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
