// SPDX-License-Identifier: Apache-2.0
// case: ticket_own_good
// verdict: proved
// why: one thread a block writes, takes a ticket that goes round to 0, and reads when it is the last
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000)
__global__ void total(float *part LW_SHAPE(grid.x) LW_DISJOINT, unsigned *ticket LW_SHAPE(1), float *out LW_SHAPE(1) LW_DISJOINT)
{
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x * 0.5f;
        __threadfence();
        unsigned mine = atomicInc(ticket, gridDim.x - 1);
        __threadfence();
        if (mine == gridDim.x - 1) {
            float sum = 0;
            for (unsigned k = 0; k < gridDim.x; k++)
                sum += part[k];
            out[0] = sum;
        }
    }
}
