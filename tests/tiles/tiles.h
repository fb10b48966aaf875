/* SPDX-License-Identifier: Apache-2.0
 *
 * tiles: random kernels of shared tiles, barriers, warp operations and loops, as CUDA C.
 */
#ifndef TILES_H
#define TILES_H

#include "base/base.h"

struct tile_kernel {
    const char *name;
    uint32_t block[3], warps;
};

/* Adds a kernel called `name` to the source; `seed` decides everything. */
void tiles_generate(struct buffer *out, uint64_t seed, struct tile_kernel *kernel);

#endif
