// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>
LW_BLOCK(256) LW_DOMAIN(n)
__global__ void scale(float *x LW_SHPE(n), float f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}
