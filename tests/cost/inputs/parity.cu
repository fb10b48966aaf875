// SPDX-License-Identifier: Apache-2.0
// Even elements are squared and moved, odd ones are divided: before, by the element's number; after, each lane takes one of each.
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n)
__global__ void before(float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    if (i % 2 == 0)
        v = sqrtf(v * v + 1.0f) / (v * v + 2.0f);
    else
        v = v / (sqrtf(v * v + 3.0f) + 4.0f);
    x[i] = v;
}

LW_BLOCK(256) LW_DOMAIN((n + 1) / 2)
__global__ void after(float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        float v = x[i];
        x[i] = sqrtf(v * v + 1.0f) / (v * v + 2.0f);
    }
    if (i + 1 < n) {
        float v = x[i + 1];
        x[i + 1] = v / (sqrtf(v * v + 3.0f) + 4.0f);
    }
}
