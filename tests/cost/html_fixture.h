/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs filled by hand, for tests of the HTML page: what a page shows is then known to the digit and does not depend on the engine.
 */
#ifndef LANEWISE_TESTS_COST_HTML_FIXTURE_H
#define LANEWISE_TESTS_COST_HTML_FIXTURE_H

#include "cost/cost.h"

#include <string.h>

static const char fixture_source[] = "#include <lanewise/contract.h>\n"
                                     "\n"
                                     "LW_DOMAIN(n)\n"
                                     "__global__ void scale(float *x, float a, int n)\n"
                                     "{\n"
                                     "\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                     "\tif (i < n)\n"
                                     "\t\tx[i] = a * x[i]; // < & \" ' </script>\n"
                                     "}\n";

static inline const char *fixture_read(void *context, const char *path)
{
    return strcmp(path, "src/scale.cu") == 0 ? context : NULL;
}

static inline struct cost_count fixture_count(uint64_t issued, uint64_t threads)
{
    return (struct cost_count){.issued = issued, .threads = threads, .on = threads};
}

static inline struct cost_instruction *fixture_add(struct cost_result *result, uint32_t line, enum cost_kind kind, uint64_t issued,
                                                   uint64_t threads, const char *text)
{
    struct cost_instruction *instruction = vec_push(result->arena, &result->instructions);
    *instruction = (struct cost_instruction){.index = result->instructions.count - 1,
                                             .text = text,
                                             .kind = kind,
                                             .line = line,
                                             .branch = COST_NONE,
                                             .loop = COST_NONE,
                                             .count = fixture_count(issued, threads)};
    if (line != COST_NONE)
        instruction->place = result->lines.data[line].place;
    return instruction;
}

static inline void fixture_add_line(struct cost_result *result, uint32_t number, const char *text, uint32_t first, uint32_t count, enum cost_class reach,
                                    uint64_t issued, uint64_t threads)
{
    *vec_push(result->arena, &result->lines) = (struct cost_line){.place = {"src/scale.cu", number, 0},
                                                                  .text = text,
                                                                  .instructions = count,
                                                                  .first = first,
                                                                  .kinds = {[COST_INTEGER] = count},
                                                                  .reach = reach,
                                                                  .branch = COST_NONE,
                                                                  .loop = COST_NONE,
                                                                  .count = fixture_count(issued, threads)};
}

static inline void fixture_add_block(struct cost_result *result, const char *role, uint64_t number, uint32_t threads, uint32_t working)
{
    struct cost_block *block = vec_push(result->arena, &result->launch.blocks_shown);
    *block = (struct cost_block){.role = role, .number = number, .at = {(uint32_t)number, 0, 0}, .threads = threads, .threads_working = working};
    block->warp_count = (threads + 31) / 32;
    block->warps_working = (working + 31) / 32;
    block->warps = ARENA_ARRAY(result->arena, struct cost_warp, block->warp_count);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        uint32_t present = threads - w * 32 < 32 ? threads - w * 32 : 32;
        uint32_t live = working <= w * 32 ? 0 : working - w * 32 < 32 ? working - w * 32 : 32;
        uint64_t issued = live > 0 ? 14 : 8;
        block->warps[w] = (struct cost_warp){.index = w,
                                             .present = present == 32 ? UINT32_MAX : (1u << present) - 1,
                                             .working = live == 32 ? UINT32_MAX : (1u << live) - 1,
                                             .issued = issued,
                                             .threads = issued * present,
                                             .on = issued * present};
        block->issued += issued;
    }
}

/* scale at n = 1,000,000 with 256 threads. */
static inline void fixture_add_launch(struct cost_result *result)
{
    struct cost_launch *launch = &result->launch;
    *launch = (struct cost_launch){.known = true,
                                   .grid = {3907, 1, 1},
                                   .block = {256, 1, 1},
                                   .dimensions = 1,
                                   .blocks = 3907,
                                   .threads = 1000192,
                                   .threads_per_block = 256,
                                   .warps = 31256,
                                   .warps_per_block = 8,
                                   .slots_per_block = 256,
                                   .lanes_last_warp = 32,
                                   .work = COST_WORK_DOMAIN,
                                   .domain_text = "n",
                                   .domain = {1000000, 1, 1},
                                   .useful = 1000000,
                                   .surplus = 192,
                                   .warps_working = 31250,
                                   .warps_idle = 6,
                                   .idle_is_exact = true,
                                   .has_run = true,
                                   .idle_issued = 48,
                                   .blocks_run = 3907};
    *vec_push(result->arena, &launch->scalars) = (struct cost_scalar){"n", "1000000"};
    fixture_add_block(result, "first", 0, 256, 256);
    fixture_add_block(result, "last", 3906, 256, 64);
}

static inline void fixture_add_branch(struct cost_result *result)
{
    *vec_push(result->arena, &result->branches) = (struct cost_branch){.instruction = 7,
                                                                       .place = {"src/scale.cu", 7, 2},
                                                                       .class = COST_CLASS_TAIL,
                                                                       .is_exit = true,
                                                                       .join = COST_NONE,
                                                                       .taken = {.least = 1, .most = 1, .instructions = 1},
                                                                       .not_taken = {.least = 7, .most = 7, .instructions = 7, .average = 6},
                                                                       .longest = 7,
                                                                       .sum = 8,
                                                                       .executed = 31256,
                                                                       .all_taken = 6,
                                                                       .none_taken = 31250,
                                                                       .paid = 187500,
                                                                       .advice = 0};
    result->lines.data[2].branch = 0;
    *vec_push(result->arena, &result->advice) = (struct cost_advice){.rule = COST_RULE_SPLIT_LAUNCH,
                                                                     .place = {"src/scale.cu", 7, 2},
                                                                     .branch = 0,
                                                                     .message = "launch the 3,906 full blocks without `if (i < n)`, and the last one apart",
                                                                     .why = "each of 31,250 warps issues 2 instructions for the guard",
                                                                     .has_price = true,
                                                                     .before = 437548,
                                                                     .after = 375048,
                                                                     .unit = "warp instructions",
                                                                     .not_binding = "the launch moves 17.9 bytes a warp instruction: memory is the limit"};
    *vec_push(result->arena, &result->findings) = (struct finding){.kind = FINDING_DIVERGENT_BRANCH,
                                                                   .severity = SEVERITY_NOTE,
                                                                   .place = {"src/scale.cu", 7, 2},
                                                                   .kernel = "scale",
                                                                   .kernel_shown = "scale",
                                                                   .message = "splits no warp at `if (i < n)`",
                                                                   .count = 1};
}

static inline void fixture_add_code(struct cost_result *result)
{
    static const struct {
        uint32_t line;
        enum cost_kind kind;
        bool past_guard;
        const char *text;
    } rows[] = {
        {0, COST_PARAMETER, false, "ld.param.u64 %rd1, [scale_param_0];"},
        {0, COST_PARAMETER, false, "ld.param.u32 %r2, [scale_param_2];"},
        {1, COST_MOVE, false, "mov.u32 %r3, %ctaid.x;"},
        {1, COST_MOVE, false, "mov.u32 %r4, %ntid.x;"},
        {1, COST_MOVE, false, "mov.u32 %r5, %tid.x;"},
        {1, COST_INTEGER, false, "mad.lo.s32 %r1, %r3, %r4, %r5;"},
        {2, COST_COMPARE, false, "setp.ge.s32 %p1, %r1, %r2;"},
        {2, COST_BRANCH, false, "@%p1 bra $L__BB0_2;"},
        {3, COST_PARAMETER, true, "ld.param.f32 %f1, [scale_param_1];"},
        {3, COST_INTEGER, true, "mul.wide.s32 %rd3, %r1, 4;"},
        {3, COST_GLOBAL_LOAD, true, "ld.global.f32 %f2, [%rd4];"},
        {3, COST_FLOAT, true, "mul.f32 %f3, %f2, %f1;"},
        {3, COST_GLOBAL_STORE, true, "st.global.f32 [%rd4], %f3;"},
        {4, COST_BRANCH, false, "ret;"},
    };
    fixture_add_line(result, 4, "__global__ void scale(float *x, float a, int n)", 0, 2, COST_CLASS_LAUNCH, 62512, 2000384);
    fixture_add_line(result, 6, "\tint i = blockIdx.x * blockDim.x + threadIdx.x;", 2, 4, COST_CLASS_LAUNCH, 125024, 4000768);
    fixture_add_line(result, 7, "\tif (i < n)", 6, 2, COST_CLASS_LAUNCH, 62512, 2000384);
    fixture_add_line(result, 8, "\t\tx[i] = a * x[i]; // < & \" ' </script>", 8, 5, COST_CLASS_TAIL, 156250, 5000000);
    fixture_add_line(result, 9, "}", 13, 1, COST_CLASS_LAUNCH, 31256, 1000192);
    for (unsigned i = 0; i < COUNT_OF(rows); i++)
        fixture_add(result, rows[i].line, rows[i].kind, rows[i].past_guard ? 31250 : 31256, rows[i].past_guard ? 1000000 : 1000192, rows[i].text);
    struct cost_count *memory = &result->lines.data[3].count;
    memory->requests = memory->moving = 62500;
    memory->bytes = 8000000;
    memory->sectors = memory->sectors_least = 250000;
    result->memory = (struct cost_memory){.global = *memory, .bytes_per_issue = 18.28, .device_ratio = 4.9, .is_memory_bound = true};
    result->total = fixture_count(437554, 14001920);
    result->least = 9;
    result->most = 14;
}

static inline struct cost_result *fixture_scale(struct arena *arena, bool with_launch)
{
    struct cost_result *result = ARENA_NEW(arena, struct cost_result);
    result->arena = arena;
    result->name = result->shown = "scale";
    result->place = (struct place){"src/scale.cu", 4, 17};
    result->compiler = "clang -O2";
    result->read_source = fixture_read;
    result->source_context = (void *)(uintptr_t)fixture_source;
    static const struct cost_question questions[COST_QUESTIONS] = {
        {"block size", COST_GOOD, "256 threads: 8 whole warps, no idle lane slot."},
        {"conditions", COST_LOOK, "The tail guard of line 7 divides at most one warp; all others agree."},
        {"barriers", COST_GOOD, "There is none."},
        {"memory", COST_BAD, "18.28 bytes move for each warp instruction: memory is the limit."},
    };
    memcpy(result->questions, questions, sizeof questions);
    fixture_add_code(result);
    if (with_launch) {
        fixture_add_launch(result);
        fixture_add_branch(result);
    } else {
        for (uint32_t i = 0; i < result->lines.count; i++)
            result->lines.data[i].count = (struct cost_count){0};
        for (uint32_t i = 0; i < result->instructions.count; i++)
            result->instructions.data[i].count = (struct cost_count){0};
        result->total = (struct cost_count){0};
        result->memory = (struct cost_memory){0};
        result->launch.trouble = "`n` has no value: give it with --launch 'n=...'";
    }
    return result;
}

#endif
