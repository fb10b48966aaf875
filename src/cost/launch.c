/* SPDX-License-Identifier: Apache-2.0
 *
 * The accounting of a launch: blocks, threads, warps, and how many of each have work, by formula.
 *
 * A domain of one to three axes cuts each axis of the grid into blocks that are full, one that is partly inside, and blocks outside.  So a
 * block looks one of at most 27 ways, and counting the warps of each is exact for any size of grid.
 */
#include "cost/build.h"

#include <string.h>

enum { LANES = 32 };

/* ---- warps with work ------------------------------------------------------------------------------------------------ */

/* Blocks along one axis that have `inside` threads of the domain on it. */
struct stretch {
    uint64_t blocks, inside;
};

static unsigned cut_axis(uint64_t grid, uint64_t block, uint64_t domain, struct stretch *stretches)
{
    uint64_t full = domain / block < grid ? domain / block : grid, rest = full < grid ? domain - full * block : 0;
    unsigned count = 0;
    if (full != 0)
        stretches[count++] = (struct stretch){full, block};
    if (rest != 0)
        stretches[count++] = (struct stretch){1, rest};
    if (full + (rest != 0) < grid)
        stretches[count++] = (struct stretch){grid - full - (rest != 0), 0};
    return count;
}

/* Lanes of warp `warp` whose thread is inside. */
static uint32_t lanes_inside(const uint64_t block[3], uint32_t warp, const uint64_t inside[3])
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint64_t thread = (uint64_t)warp * LANES + lane;
        if (thread >= block[0] * block[1] * block[2])
            break;
        if (thread % block[0] < inside[0] && thread / block[0] % block[1] < inside[1] && thread / block[0] / block[1] < inside[2])
            lanes |= 1u << lane;
    }
    return lanes;
}

static uint32_t warps_inside(const uint64_t block[3], const uint64_t inside[3])
{
    uint32_t warps = 0;
    uint64_t all = (block[0] * block[1] * block[2] + LANES - 1) / LANES;
    for (uint32_t w = 0; w < all; w++)
        warps += lanes_inside(block, w, inside) != 0;
    return warps;
}

/* Warps with work of a whole launch. */
uint64_t cost_warps_working(const uint64_t grid[3], const uint64_t block[3], const uint64_t domain[3])
{
    struct stretch axes[3][3];
    unsigned counts[3];
    uint64_t warps = 0;
    for (int axis = 0; axis < 3; axis++)
        counts[axis] = cut_axis(grid[axis], block[axis], domain[axis], axes[axis]);
    for (unsigned z = 0; z < counts[2]; z++)
        for (unsigned y = 0; y < counts[1]; y++)
            for (unsigned x = 0; x < counts[0]; x++) {
                uint64_t inside[3] = {axes[0][x].inside, axes[1][y].inside, axes[2][z].inside};
                uint64_t blocks = axes[0][x].blocks * axes[1][y].blocks * axes[2][z].blocks;
                if (inside[0] != 0 && inside[1] != 0 && inside[2] != 0)
                    warps += blocks * warps_inside(block, inside);
            }
    return warps;
}

/* ---- a launch ------------------------------------------------------------------------------------------------------------ */

static bool read_domain(struct cost_launch *launch, const struct contract *contract, const struct contract_values *values)
{
    if (contract == NULL || values == NULL || !contract_is_given(&contract->domain[0]))
        return false;
    struct buffer text;
    buffer_init(&text, contract->arena);
    for (int axis = 0; axis < 3; axis++) {
        contract_integer size = 1;
        launch->domain[axis] = 1;
        if (!contract_is_given(&contract->domain[axis]))
            continue;
        if (contract_evaluate_expression(contract, &contract->domain[axis], values, &size) != CONTRACT_FINE || size < 0)
            return false;
        launch->domain[axis] = (uint64_t)size;
        buffer_printf(&text, "%s%s", axis == 0 ? "" : " x ", contract_render(contract, contract->domain[axis].root));
    }
    launch->domain_text = text.data;
    return true;
}

void cost_set_launch(struct cost_result *result, const struct report_launch *source, const struct contract *contract,
                     const struct contract_values *values)
{
    struct cost_launch *launch = &result->launch;
    *launch = (struct cost_launch){.known = true, .dynamic_shared = source->dynamic_shared, .dimensions = 1};
    launch->blocks = launch->threads_per_block = launch->useful = 1;
    for (int axis = 0; axis < 3; axis++) {
        launch->grid[axis] = source->grid[axis];
        launch->block[axis] = source->block[axis];
        launch->blocks *= source->grid[axis];
        launch->threads_per_block *= source->block[axis];
        if (source->grid[axis] * source->block[axis] > 1)
            launch->dimensions = (uint32_t)axis + 1;
    }
    for (uint32_t i = 0; i < source->scalars.count; i++)
        *vec_push(result->arena, &launch->scalars) =
            (struct cost_scalar){source->scalars.data[i].name, source->scalars.data[i].value};
    launch->threads = launch->blocks * launch->threads_per_block;
    launch->warps_per_block = (launch->threads_per_block + LANES - 1) / LANES;
    launch->warps = launch->blocks * launch->warps_per_block;
    launch->slots_per_block = (uint32_t)launch->warps_per_block * LANES;
    launch->idle_slots_per_block = launch->slots_per_block - (uint32_t)launch->threads_per_block;
    launch->lanes_last_warp = LANES - launch->idle_slots_per_block;
    if (values != NULL)
        cost_evaluate_trips(result->builder, values);
    if (!read_domain(launch, contract, values)) {
        launch->useful = 0;
        return;
    }
    launch->work = COST_WORK_DOMAIN;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t threads = launch->grid[axis] * launch->block[axis];
        launch->useful *= launch->domain[axis] < threads ? launch->domain[axis] : threads;
    }
    launch->surplus = launch->threads - launch->useful;
    launch->warps_working = cost_warps_working(launch->grid, launch->block, launch->domain);
    launch->warps_idle = launch->warps - launch->warps_working;
    launch->idle_is_exact = true;
}

struct emu_counting *cost_counting(struct cost_result *result)
{
    const struct cost_launch *launch = &result->launch;
    struct emu_counting *counting = ARENA_NEW(result->arena, struct emu_counting);
    uint64_t *blocks = ARENA_ARRAY(result->arena, uint64_t, 2);
    blocks[0] = 0;
    blocks[1] = launch->blocks - 1;
    counting->blocks = blocks;
    counting->block_count = launch->blocks > 1 ? 2 : 1;
    counting->has_domain = launch->work == COST_WORK_DOMAIN;
    memcpy(counting->domain, launch->domain, sizeof counting->domain);
    return counting;
}
