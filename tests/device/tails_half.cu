// SPDX-License-Identifier: Apache-2.0
//
// Half precision: reductions of a block, tiles, wide accesses.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <lanewise/device.h>

LW_HALO_1D(line16, f16, 64, 1)

LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647, block.y == 1, block.z == 1)
__global__ void halves(__half *least LW_SHAPE(grid.x) LW_REDUCES(min, x) LW_DISJOINT,
                       __half *greatest LW_SHAPE(grid.x) LW_REDUCES(max, x) LW_DISJOINT, const __half *x LW_SHAPE(n), unsigned n)
{
    struct lw_view_f16 view = lw_make_view_f16(x, n);
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    __half low = lw_block_min_f16(lw_load_min_f16(view, i)), high = lw_block_max_f16(lw_load_max_f16(view, i));
    if (threadIdx.x == 0) {
        least[blockIdx.x] = low;
        greatest[blockIdx.x] = high;
    }
}

LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647, block.y == 1, block.z == 1)
__global__ void brains(__nv_bfloat16 *least LW_SHAPE(grid.x) LW_REDUCES(min, x) LW_DISJOINT,
                       __nv_bfloat16 *greatest LW_SHAPE(grid.x) LW_REDUCES(max, x) LW_DISJOINT,
                       const __nv_bfloat16 *x LW_SHAPE(n), unsigned n)
{
    struct lw_view_bf16 view = lw_make_view_bf16(x, n);
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat16 low = lw_block_min_bf16(lw_load_min_bf16(view, i)), high = lw_block_max_bf16(lw_load_max_bf16(view, i));
    if (threadIdx.x == 0) {
        least[blockIdx.x] = low;
        greatest[blockIdx.x] = high;
    }
}

// The numbers come back as they were, through a wide access and through a tile.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void copies(uint16_t *wide LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, uint16_t *shifted LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL,
                       const uint16_t *x LW_SHAPE(n), unsigned n)
{
    struct lw_view_f16 view = lw_make_view_f16((const __half *)x, n);
    __shared__ struct line16 tile;
    uint64_t first = (uint64_t)blockIdx.x * 64, i = first + threadIdx.x;
    line16_load(&tile, view, (int64_t)first, lw_clamped_f16());
    lw_store_vector_f16(lw_make_slice_f16((__half *)wide, n), i, lw_load_vector_f16(view, i, __ushort_as_half(0)));
    if (i < n)
        shifted[i] = __half_as_ushort(line16_at(&tile, (int)threadIdx.x + 1));
}

LW_REFERENCE(copies)
void copies_reference(uint16_t *wide, uint16_t *shifted, const uint16_t *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        wide[i] = x[i];
        shifted[i] = x[i + 1 < n ? i + 1 : n - 1];
    }
}
