// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: block, tiles, coalesced threads, grid; reduce and scan.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void tiles(int *i, float *f) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    i[0] = tile.shfl_down(i[1], 1);                           // here: shfl.sync.down.b32
    f[0] = tile.shfl_xor(f[1], 1);                            // here: shfl.sync.bfly.b32
    i[1] = tile.ballot(i[2] > 0);                             // here: vote.sync.ballot.b32
    i[2] = tile.any(i[3]);                                    // here: vote.sync.any.pred
    tile.sync();                                              // here: bar.warp.sync
    block.sync();                                             // here: barrier.sync
    i[3] = tile.meta_group_rank() + tile.meta_group_size() + tile.thread_rank();
    i[4] = cg::reduce(tile, i[5], cg::plus<int>());           // here: redux.sync.add.s32
    f[1] = cg::reduce(tile, f[2], cg::greater<float>());      // here: shfl.sync.bfly.b32
    i[5] = cg::inclusive_scan(tile, i[6], cg::plus<int>());   // here: shfl.sync.up.b32
}

__global__ void others(int *i) {
    if (i[threadIdx.x] > 0) {
        auto active = cg::coalesced_threads();                // here: activemask.b32
        i[1] = active.shfl(i[2], 0);                          // here: shfl.sync.idx.b32
        i[2] = active.size() + active.thread_rank();
        active.sync();                                        // here: bar.warp.sync
    }
    cg::grid_group grid = cg::this_grid();
    i[3] = grid.thread_rank();
    grid.sync();                                              // here: atom.add.release.gpu.u32
    cg::thread_group run_time = cg::tiled_partition(cg::this_thread_block(), 8);
    run_time.sync();
}
