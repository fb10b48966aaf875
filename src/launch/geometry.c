/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device would refuse before a single thread runs: a grid or block of zero (LW502), sizes past the limits (LW503), more shared
 * memory than a block can have; and what it would run with idle lanes (LW501).  All of it stands at the kernel's declaration.
 */
#include "launch/run.h"

#include <string.h>

static const char axis_names[] = "xyz";

struct finding *run_add_finding(struct launch_run *run, enum finding_kind kind)
{
    struct finding *finding = vec_push(run->arena, &run->kernel->findings);
    memset(finding, 0, sizeof *finding);
    finding->kind = kind;
    finding->severity = finding_info(kind)->severity;
    finding->status = STATUS_SEEN;
    finding->place = run->options->kernel_place;
    finding->kernel = run->kernel->name;
    finding->kernel_shown = run->kernel->shown;
    finding->count = 1;
    return finding;
}

/* A size as the device sees it: 32 bits, unsigned. */
static uint64_t as_device_size(int64_t size)
{
    return size < 0 ? (uint64_t)(uint32_t)size : (uint64_t)size;
}

static void find_zero(struct launch_run *run, const char *what, const uint64_t size[3])
{
    struct finding *finding = run_add_finding(run, FINDING_ZERO_LAUNCH);
    finding->message = arena_printf(run->arena, "is launched with a %s of (%llu,%llu,%llu): no thread runs",
                                    what, (unsigned long long)size[0], (unsigned long long)size[1],
                                    (unsigned long long)size[2]);
    finding->label = "the launch fails with an invalid configuration";
    finding->help = "when there is nothing to do, skip the launch or start one block that finds nothing";
}

/* The help for a grid that is a negative number in disguise. */
static const char *wrapped_help(struct launch_run *run, uint64_t size)
{
    if (size <= INT32_MAX || size > UINT32_MAX)
        return NULL;
    return arena_printf(run->arena,
                        "as a 32-bit int this is %d: if `(n + block - 1) / block` wrapped, write "
                        "`n / block + (n %% block != 0)`",
                        (int32_t)(uint32_t)size);
}

static void find_overflow(struct launch_run *run, const char *message, const char *label,
                          const char *help)
{
    struct finding *finding = run_add_finding(run, FINDING_GRID_OVERFLOW);
    finding->message = message;
    finding->label = label;
    finding->help = help;
}

static void check_grid(struct launch_run *run, const uint64_t grid[3])
{
    static const uint64_t limits[] = {CONTRACT_LIMIT_GRID_X, CONTRACT_LIMIT_GRID_YZ, CONTRACT_LIMIT_GRID_YZ};
    char given[28], limit[28];
    for (unsigned axis = 0; axis < 3; axis++)
        if (grid[axis] > limits[axis])
            find_overflow(run,
                          arena_printf(run->arena, "is launched with %s blocks on %c, beyond the device limit",
                                       text_group_digits(grid[axis], given), axis_names[axis]),
                          arena_printf(run->arena, "at most %s",
                                       text_group_digits(limits[axis], limit)),
                          wrapped_help(run, grid[axis]));
}

static void check_block(struct launch_run *run, const uint64_t block[3])
{
    static const uint64_t limits[] = {CONTRACT_LIMIT_BLOCK_X, CONTRACT_LIMIT_BLOCK_Y, CONTRACT_LIMIT_BLOCK_Z};
    const struct ptx_function *function = run_function(run);
    uint64_t threads = 1;
    char given[28];
    for (unsigned axis = 0; axis < 3; axis++) {
        if (block[axis] > limits[axis]) {
            find_overflow(run,
                          arena_printf(run->arena,
                                       "is launched with blocks of %s threads on %c, beyond the device limit",
                                       text_group_digits(block[axis], given), axis_names[axis]),
                          arena_printf(run->arena, "at most %llu",
                                       (unsigned long long)limits[axis]),
                          NULL);
            return;
        }
        threads *= block[axis];
    }
    if (threads > CONTRACT_LIMIT_BLOCK_THREADS) {
        find_overflow(run,
                      arena_printf(run->arena,
                                   "is launched with blocks of %llu threads, beyond the device limit",
                                   (unsigned long long)threads),
                      "at most 1024", NULL);
        return;
    }
    uint64_t bound = 1, required = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        bound *= function->max_threads[axis] == 0 ? 1 : function->max_threads[axis];
        required *= function->required_threads[axis] == 0 ? 1 : function->required_threads[axis];
    }
    if (function->max_threads[0] != 0 && threads > bound)
        find_overflow(run,
                      arena_printf(run->arena,
                                   "is launched with blocks of %llu threads, more than its launch bounds allow",
                                   (unsigned long long)threads),
                      arena_printf(run->arena, "compiled for at most %llu",
                                   (unsigned long long)bound),
                      NULL);
    if (function->required_threads[0] != 0 && threads != required)
        find_overflow(run,
                      arena_printf(run->arena,
                                   "is launched with blocks of %llu threads, but requires another size",
                                   (unsigned long long)threads),
                      arena_printf(run->arena, "compiled for blocks of %llu threads",
                                   (unsigned long long)required),
                      NULL);
}

/* Bytes of the shared arrays that the kernel itself names; those of functions that it calls are not counted. */
static uint64_t declared_shared(struct launch_run *run)
{
    const struct ptx_function *function = run_function(run);
    struct bitset named;
    uint64_t declared = 0;
    bitset_init(&named, run->arena, run->module->variables.count + 1);
    for (uint32_t n = 0; n < function->instructions.count; n++) {
        const struct ptx_instruction *instruction = &function->instructions.data[n];
        for (uint32_t o = 0; o < instruction->operand_count; o++) {
            const struct ptx_operand *operand = &instruction->operands[o];
            bool is_name = operand->kind == PTX_OPERAND_SYMBOL || operand->kind == PTX_OPERAND_ADDRESS;
            if (!is_name || operand->variable == PTX_NONE || bitset_has(&named, operand->variable))
                continue;
            const struct ptx_variable *variable = &run->module->variables.data[operand->variable];
            bitset_add(&named, operand->variable);
            if (variable->space == PTX_SPACE_SHARED)
                declared += variable->size < UINT32_MAX ? variable->size : UINT32_MAX;
        }
    }
    return declared;
}

static void check_shared(struct launch_run *run)
{
    uint64_t declared = declared_shared(run);
    char given[28];
    uint64_t total = declared + run->launch->dynamic_shared;
    if (total < declared || total > CONTRACT_LIMIT_SHARED_BYTES)
        find_overflow(run,
                      arena_printf(run->arena,
                                   "is launched with %s bytes of shared memory a block, beyond the device limit",
                                   text_group_digits(total, given)),
                      "at most 232,448 (227 KiB)", NULL);
}

static void note_idle_lanes(struct launch_run *run, uint64_t threads)
{
    uint64_t idle = (32 - threads % 32) % 32;
    if (idle == 0)
        return;
    struct finding *finding = run_add_finding(run, FINDING_BLOCK_NOT_MULTIPLE);
    finding->message =
        arena_printf(run->arena, "is launched with blocks of %llu thread%s: %llu lane%s of each stay%s idle",
                     (unsigned long long)threads, threads == 1 ? "" : "s", (unsigned long long)idle, idle == 1 ? "" : "s",
                     idle == 1 ? "s" : "");
    finding->label = threads < 32
                         ? "one warp of 32 lanes"
                         : arena_printf(run->arena, "%llu warps of 32 lanes, the last with %llu threads",
                                        (unsigned long long)(threads / 32 + 1),
                                        (unsigned long long)(threads % 32));
}

static bool check_focus(struct launch_run *run, const uint64_t grid[3])
{
    const struct launch *launch = run->launch;
    run->focus_count = launch->focus.count / 3;
    run->focus = ARENA_ARRAY(run->arena, uint64_t, run->focus_count);
    for (uint32_t i = 0; i < run->focus_count; i++) {
        const int64_t *block = &launch->focus.data[3 * i];
        for (unsigned axis = 0; axis < 3; axis++)
            if (block[axis] < 0 || (uint64_t)block[axis] >= grid[axis]) {
                run_complain(run, launch->focus_place, "the grid has no block %lld on %c",
                             (long long)block[axis], axis_names[axis]);
                return false;
            }
        run->focus[i] = ((uint64_t)block[2] * grid[1] + (uint64_t)block[1]) * grid[0] +
                        (uint64_t)block[0];
    }
    return true;
}

bool run_check_geometry(struct launch_run *run)
{
    const struct launch *launch = run->launch;
    struct report_kernel *kernel = run->kernel;
    uint64_t *grid = kernel->launch.grid, *block = kernel->launch.block;
    if (!launch->has_grid || !launch->has_block) {
        run_complain(run, launch->kernel.place, "the launch of `%s` has no %s", kernel->shown,
                     launch->has_grid ? "block" : "grid");
        diagnostic_help(run->diagnostics, "add a line `%s: X Y Z`",
                        launch->has_grid ? "block" : "grid");
        return false;
    }
    bool is_zero = false;
    for (unsigned axis = 0; axis < 3; axis++) {
        grid[axis] = as_device_size(launch->grid[axis]);
        block[axis] = as_device_size(launch->block[axis]);
    }
    kernel->launch.known = true;
    kernel->launch.dynamic_shared = launch->dynamic_shared;
    for (int which = 0; which < 2; which++) {
        const uint64_t *size = which == 0 ? grid : block;
        if (size[0] == 0 || size[1] == 0 || size[2] == 0) {
            find_zero(run, which == 0 ? "grid" : "block", size);
            is_zero = true;
        }
    }
    check_grid(run, grid);
    if (!is_zero)
        check_block(run, block);
    check_shared(run);
    run->refused = kernel->findings.count != 0;
    if (run->refused)
        return true;
    kernel->threads_per_block = block[0] * block[1] * block[2];
    /* At most 2^31 * 2^16 * 2^16. */
    kernel->blocks = grid[0] * grid[1] * grid[2];
    note_idle_lanes(run, kernel->threads_per_block);
    return check_focus(run, grid);
}
