// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>
template <typename T>
LW_BLOCK(256) LW_DOMAIN(n)
__global__ void scale(T *x LW_SHAPE(n), T f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}
