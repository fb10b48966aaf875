// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_DOMAIN(n)
__global__ void scale(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), float a, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}
