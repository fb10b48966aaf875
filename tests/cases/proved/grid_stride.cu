// SPDX-License-Identifier: Apache-2.0
// case: grid_stride
// verdict: proved
// why: the grid strides over the array: the step is a product of launch numbers
#include <lanewise/contract.h>

LW_BLOCK(256) LW_REQUIRES(n >= 0, n <= 1000000000, grid.x <= 65536)
__global__ void stride(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = 2 * x[i];
}
