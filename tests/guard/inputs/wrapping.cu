// SPDX-License-Identifier: Apache-2.0
// An index that wraps on purpose: unsigned arithmetic, with an array of all 2^32 elements.
#include <lanewise/contract.h>

LW_BLOCK(32) LW_DOMAIN(32) LW_REQUIRES(start == 8)
__global__ void scaled(float *y LW_SHAPE(32), const float *x LW_SHAPE(4294967296), unsigned n, unsigned start, unsigned stride)
{
    float sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < n; i++)
        sum = sum * 0.5f + x[(start + i * stride) ^ 0];
    y[threadIdx.x] = sum;
}
