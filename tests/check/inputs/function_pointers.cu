// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>
__device__ int square(int v) { return v * v; }
__device__ int twice(int v) { return 2 * v; }
typedef int (*op)(int);
__device__ op table[2] = {square, twice};
LW_BLOCK(64) LW_REQUIRES(grid.x == 64)
__global__ void funptr(int *x LW_SHAPE(4096), int which) { op f = which ? square : twice; int i = blockIdx.x * 64 + threadIdx.x; x[i] = f(x[i]); }
LW_BLOCK(64) LW_REQUIRES(grid.x == 64, which >= 0, which < 2)
__global__ void tabled(int *x LW_SHAPE(4096), int which) { int i = blockIdx.x * 64 + threadIdx.x; x[i] = table[which](x[i]); }
