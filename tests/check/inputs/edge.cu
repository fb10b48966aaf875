// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1000000)
__global__ void difference(float *out LW_SHAPE(n), const float *in LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + 1] - in[i];
}
