// SPDX-License-Identifier: Apache-2.0
// case: ticket_good
// verdict: proved
// why: everything written, barrier, fence, ticket, fence, barrier: the last block may read what the others wrote
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000)
__global__ void total(float *part LW_SHAPE(64 * grid.x) LW_DISJOINT, unsigned *ticket LW_SHAPE(1), float *out LW_SHAPE(1) LW_DISJOINT,
                      const float *in LW_SHAPE(64 * grid.x))
{
    __shared__ int last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    part[i] = in[i] * in[i];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (unsigned k = 0; k < 64 * gridDim.x; ++k)
            sum += part[k];
        out[0] = sum;
    }
}
