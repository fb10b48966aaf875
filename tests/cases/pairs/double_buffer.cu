// SPDX-License-Identifier: Apache-2.0
// case: double_buffer
// verdict: proved
// why: two buffers in turn need one barrier a trip: a read of one trip and a write of the next are of different buffers
#include <lanewise/contract.h>

LW_BLOCK(128) LW_REQUIRES(trips >= 0, trips <= 1000, grid.x <= 1000)
__global__ void turns(float *out LW_SHAPE(128 * grid.x) LW_DISJOINT, const float *in LW_SHAPE(128 * trips), int trips)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < trips; k++) {
        s[(k & 1) * 128 + t] = in[k * 128 + t];
        __syncthreads();
        sum += s[(k & 1) * 128 + 127 - t];
    }
    out[blockIdx.x * 128 + t] = sum;
}
