// SPDX-License-Identifier: Apache-2.0
// case: grid_stride_64
// verdict: proved
// why: the same with 64-bit indices: nothing can wrap
#include <lanewise/contract.h>

LW_BLOCK_MULTIPLE(32) LW_REQUIRES(n >= 0)
__global__ void stride64(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), unsigned long long n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
        y[i] = 2 * x[i];
}
