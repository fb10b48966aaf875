// SPDX-License-Identifier: Apache-2.0
//
// What one thread does at the tail: the early return, the predicated form, the even/odd remap, places past the edges, rounding up.
#include <lanewise/device.h>

LW_DOMAIN(n) LW_REQUIRES(block.y == 1, block.z == 1)
__global__ void early_return(float *y LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, const float *x LW_SHAPE(n), unsigned n)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 2 * x[i];
}

LW_DOMAIN(n) LW_REQUIRES(block.y == 1, block.z == 1)
__global__ void predicated(float *y LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, const float *x LW_SHAPE(n), unsigned n)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    float value = 2 * lw_load_sum_f32(lw_make_view_f32(x, n), i);
    if (i < n)
        y[i] = value;
}

LW_REFERENCE(early_return)
void early_return_reference(float *y, const float *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

LW_REFERENCE(predicated)
void predicated_reference(float *y, const float *x, unsigned n)
{
    early_return_reference(y, x, n);
}

LW_DOMAIN(n) LW_REQUIRES(block.y == 1, block.z == 1, n <= 4294966272)
__global__ void remapped(int *y LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, const int *x LW_SHAPE(n), unsigned n)
{
    unsigned first = blockIdx.x * blockDim.x, count = n - first < blockDim.x ? n - first : blockDim.x;
    if (threadIdx.x >= count)
        return;
    unsigned i = first + lw_even_odd(threadIdx.x, count);
    y[i] = i % 2 == 0 ? 2 * x[i] : -x[i];
}

LW_REFERENCE(remapped)
void remapped_reference(int *y, const int *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        y[i] = i % 2 == 0 ? 2 * x[i] : -x[i];
}

// Any place at all, far outside as well.
LW_DOMAIN(n) LW_REQUIRES(block.y == 1, block.z == 1)
__global__ void shifted(float *round LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, float *held LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL,
                        const float *x LW_SHAPE(n), unsigned n, int by)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    round[i] = lw_edge_get_f32(lw_make_view_f32(x, n), (int64_t)i + by, lw_periodic_f32());
    held[i] = lw_edge_get_f32(lw_make_view_f32(x, n), (int64_t)i + by, lw_clamped_f32());
}

LW_REFERENCE(shifted)
void shifted_reference(float *round, float *held, const float *x, unsigned n, int by)
{
    for (long long i = 0; i < n; i++) {
        long long at = i + by;
        round[i] = x[(at % (long long)n + n) % n];
        held[i] = x[at < 0 ? 0 : at >= n ? n - 1 : at];
    }
}

LW_DOMAIN(1) LW_BLOCK(32) LW_REQUIRES(block_size >= 1)
__global__ void round_up(unsigned *blocks LW_SHAPE(1) LW_WRITES_ALL, unsigned n, unsigned block_size)
{
    if (threadIdx.x == 0)
        blocks[0] = LW_CEIL_DIV(n, block_size);
}

LW_REFERENCE(round_up)
void round_up_reference(unsigned *blocks, unsigned n, unsigned block_size)
{
    blocks[0] = (unsigned)(((unsigned long long)n + block_size - 1) / block_size);
}

static_assert(LW_CEIL_DIV(0, 256) == 0 && LW_CEIL_DIV(1, 256) == 1 && LW_CEIL_DIV(256, 256) == 1 && LW_CEIL_DIV(257, 256) == 2, "");
static_assert(LW_CEIL_DIV(4294967295u, 256u) == 16777216u && LW_CEIL_DIV(INT32_MAX, INT32_MAX - 1) == 2, "");
static_assert(LW_CEIL_DIV(UINT64_MAX, UINT64_MAX) == 1 && LW_CEIL_DIV(-5, 4) == -1 && LW_CEIL_DIV(-4, 4) == -1, "");
