// SPDX-License-Identifier: Apache-2.0
// case: one_buffer
// verdict: violated
// expect: shared-race line=16
// also-accept: shared-race line=18, warp-race line=16, warp-race line=18
// why: the write of a trip comes after the read of the trip before, with nothing in between
#include <lanewise/contract.h>

LW_BLOCK(128) LW_REQUIRES(trips >= 0, trips <= 1000, grid.x <= 1000)
__global__ void turns(float *out LW_SHAPE(128 * grid.x), const float *in LW_SHAPE(128 * trips), int trips)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < trips; k++) {
        s[t] = in[k * 128 + t];
        __syncthreads();
        sum += s[127 - t];
    }
    out[blockIdx.x * 128 + t] = sum;
}
