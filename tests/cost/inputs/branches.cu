// SPDX-License-Identifier: Apache-2.0
// Conditions of every class, and loops.
#include <lanewise/contract.h>

LW_BLOCK(128) LW_DOMAIN(n)
__global__ void classes(float *x LW_SHAPE(n), const int *kind LW_SHAPE(n) LW_VALUES(0, 4), unsigned n, unsigned k)
{
    __shared__ float part[4];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 1.0f;
    for (unsigned t = 0; t < k; t++) // launch
        v = sqrtf(v + t);
    if (threadIdx.x % 32 == 0 && k > 2) // lane pattern
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (i >= n) // tail guard
        return;
    if (kind[i] == 0) // data
        v = logf(v + 1.0f) * sqrtf(v) / (v * v + 3.0f) + part[0];
    else
        v = expf(v) * sqrtf(v + 5.0f) / (v * v + 7.0f) + part[1];
    for (int t = 0; t < kind[i]; t++) // data
        v = v / (v + 2.0f);
    x[i] = v;
}
