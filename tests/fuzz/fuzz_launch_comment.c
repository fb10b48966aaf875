/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes launch comments: any text is read as a head comment and as the text of --launch, and what comes of it is prepared for a small
 * kernel, with scalars, buffers, shapes and expressions evaluated.  Nothing runs.
 */
#include "launch/expression.h"

#include <stdlib.h>
#include <string.h>

static const char ptx[] = ".version 8.3\n.target sm_80\n.address_size 64\n"
                          ".visible .const .align 4 .b8 table[16];\n"
                          ".visible .entry k(.param .u64 a, .param .u32 b, .param .f32 c,\n"
                          "                  .param .align 8 .b8 d[16], .param .u64 e)\n"
                          "{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [a];\n"
                          "cvta.to.global.u64 %rd2, %rd1;\nret;\n}\n";

static void evaluate(struct arena *arena, struct launch_text text)
{
    struct expression_name names[] = {
        {.name = "n", .type = VALUE_I32, .value.as.integer = 300},
        {.name = "x", .type = VALUE_F32, .is_buffer = true, .length = 300},
    };
    struct expression_scope scope = {names, COUNT_OF(names)};
    struct expression_error error = {0};
    unsigned char out[3 * 8];
    uint64_t at;
    if (text.text == NULL)
        return;
    struct expression *expression =
        expression_compile(arena, text.text, text.size, &scope, &error);
    if (expression == NULL) {
        if (error.message == NULL || error.offset > text.size)
            abort();
        return;
    }
    for (unsigned type = 0; type < VALUE_TYPE_COUNT; type += 3)
        expression_store(expression, (enum value_type)type, 298, 3, out, &at);
}

static void prepare(struct arena *arena, const struct ptx_module *module, const struct launch *launch,
                    struct diagnostic_list *diagnostics)
{
    struct launch_run_options options = {.emu = {.jobs = 1, .max_memory = 1 << 20}};
    struct report_kernel kernel = {0};
    uint32_t function = launch_find_kernel(arena, module, launch, "k", diagnostics);
    if (function == PTX_NONE)
        abort();
    struct launch_run *run =
        launch_run_begin(arena, module, function, launch, &options, &kernel, diagnostics);
    if (run == NULL) {
        if (diagnostics->errors == 0)
            abort();
        return;
    }
    launch_run_end(run);
}

static void read_launches(struct arena *arena, const char *text, size_t size, bool is_option)
{
    struct diagnostic_list diagnostics;
    struct launch_comment comment;
    diagnostic_list_init(&diagnostics, arena);
    launch_comment_parse(arena, "fuzz.cu", text, is_option ? 0 : size, &comment, &diagnostics);
    if (is_option)
        launch_text_apply(arena, text, &comment, &diagnostics);
    for (uint32_t i = 0; i < diagnostics.items.count; i++)
        if (diagnostics.items.data[i].message == NULL)
            abort();
    for (uint32_t i = 0; i < comment.launches.count; i++) {
        const struct launch *launch = &comment.launches.data[i];
        for (uint32_t a = 0; a < launch->arguments.count && a < 8; a++) {
            evaluate(arena, launch->arguments.data[a].init);
            evaluate(arena, launch->arguments.data[a].value);
        }
    }
    const struct ptx_module *module =
        ptx_parse(arena, "fuzz.ptx", ptx, sizeof ptx - 1, &diagnostics);
    if (diagnostics.errors == 0)
        for (uint32_t i = 0; i < comment.launches.count && i < 4; i++)
            prepare(arena, module, &comment.launches.data[i], &diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    arena_init(&arena);
    char *text = arena_text(&arena, (const char *)data, size);
    read_launches(&arena, text, size, false);
    read_launches(&arena, text, size, true);
    arena_free(&arena);
    return 0;
}
