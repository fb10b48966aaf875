// SPDX-License-Identifier: Apache-2.0
// case: launch_overflow_bad
// verdict: proved
// expect: grid-overflow line=25
// expect: grid-overflow line=26
// expect: grid-overflow line=27
// why: the ceiling leaves int; a grid of one block a row has too many rows; more threads than a block can have
#include <lanewise/contract.h>

LW_BLOCK(1024) LW_DOMAIN(n) LW_REQUIRES(n >= 1) __global__ void flip(signed char *v LW_SHAPE(n) LW_DISJOINT, int n)
{
    long long i = blockIdx.x * 1024ll + threadIdx.x;
    if (i < n)
        v[i] = -v[i];
}

LW_REQUIRES(grid.x <= 4) __global__ void mark(int *v LW_SHAPE(grid.x * grid.y) LW_DISJOINT)
{
    if (threadIdx.x + threadIdx.y == 0)
        v[blockIdx.y * gridDim.x + blockIdx.x] = blockDim.x;
}

void run(signed char *v, int n, int *marks)
{
    flip<<<(n + 1023) / 1024, 1024>>>(v, n);
    mark<<<dim3(1, 1 << 16), 32>>>(marks);
    mark<<<2, dim3(32, 33)>>>(marks);
}
