// SPDX-License-Identifier: Apache-2.0
// Barriers for a part of the block: the first two and the last are right.
#include <lanewise/contract.h>
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void halves(int *out LW_SHAPE(128 * grid.x))
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 64) {
        s[t - 64] = t - 64;
        asm volatile("bar.arrive 1, 128;" ::: "memory");
        out[blockIdx.x * 128 + t] = t;
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        int v = s[63 - t];
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[blockIdx.x * 128 + t] = v;
    }
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void group(int *out LW_SHAPE(256 * grid.x), int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 128) {
        for (int i = 0; i < n; i++) {
            int v = s[127 - t];
            asm volatile("bar.sync 1, 128;" ::: "memory");
            s[t] = v + 1;
            asm volatile("bar.sync 1, 128;" ::: "memory");
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[t];
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void wrong_count(int *out LW_SHAPE(256 * grid.x))
{
    int t = threadIdx.x;
    if (t < 96)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    out[blockIdx.x * 256 + t] = 1;
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void part_warp(int *out LW_SHAPE(256 * grid.x))
{
    int t = threadIdx.x;
    if (t < 48)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    out[blockIdx.x * 256 + t] = 1;
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void one_leaves(int *out LW_SHAPE(256 * grid.x), int n)
{
    int t = threadIdx.x;
    if (t < 128) {
        if (t >= n) return;
        asm volatile("bar.sync 1, 128;" ::: "memory");
    }
    out[blockIdx.x * 256 + t] = 1;
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void same_number(int *out LW_SHAPE(256 * grid.x))
{
    int t = threadIdx.x;
    if (t < 128)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    else
        asm volatile("bar.sync 1, 256;" ::: "memory");
    out[blockIdx.x * 256 + t] = 1;
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void race_outside(int *out LW_SHAPE(256 * grid.x))
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 128)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    out[blockIdx.x * 256 + t] = s[255 - t];
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void two_groups(int *out LW_SHAPE(256 * grid.x))
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 128) {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[blockIdx.x * 256 + t] = s[127 - t];
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        out[blockIdx.x * 256 + t] = s[383 - t];
    }
}
LW_BLOCK(64, 4) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void rows(int *out LW_SHAPE(256 * grid.x))
{
    __shared__ int s[4][64];
    s[threadIdx.y][threadIdx.x] = threadIdx.x;
    asm volatile("bar.sync %0, 64;" ::"r"(1) : "memory"); /* all four rows at one number */
    out[blockIdx.x * 256 + threadIdx.y * 64 + threadIdx.x] = s[threadIdx.y][63 - threadIdx.x];
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void never_arrives(int *out LW_SHAPE(128 * grid.x), int n)
{
    int t = threadIdx.x;
    if (t >= 64) {
        if (n > 5)
            asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
    }
    out[blockIdx.x * 128 + t] = t;
}
LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void writes_late(int *out LW_SHAPE(128 * grid.x))
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 64) {
        asm volatile("bar.arrive 1, 128;" ::: "memory");
        s[t - 64] = t; /* behind the arrival */
        out[blockIdx.x * 128 + t] = t;
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[blockIdx.x * 128 + t] = s[63 - t];
    }
}
LW_BLOCK_MULTIPLE(64) LW_REQUIRES(grid.x <= 1000, block.x >= 128)
extern "C" __global__ void any_block(int *out LW_SHAPE(block.x * grid.x))
{
    int t = threadIdx.x;
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    out[blockIdx.x * blockDim.x + t] = t;
}
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void by_warps(int *out LW_SHAPE(256 * grid.x), int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, half = t / 128;
    for (int i = 0; i < n; i++) {
        s[t] = t + i;
        if (half == 0)
            asm volatile("bar.sync 1, 128;" ::: "memory");
        else
            asm volatile("bar.sync 2, 128;" ::: "memory");
        out[blockIdx.x * 256 + t] = i;
        __syncthreads();
    }
}
