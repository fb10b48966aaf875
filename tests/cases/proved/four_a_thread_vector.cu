// SPDX-License-Identifier: Apache-2.0
// case: four_a_thread_vector
// verdict: proved
// why: four elements in one access
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n / 4) LW_REQUIRES(n >= 4, n <= 1000000000, n % 4 == 0)
__global__ void fourv(float4 *y LW_SHAPE(n / 4), const float4 *x LW_SHAPE(n / 4), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        y[i] = x[i];
}
