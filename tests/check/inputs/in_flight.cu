// SPDX-License-Identifier: Apache-2.0
// a copy that is still under way when the threads meet
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000)
__global__ void reverse(int *out LW_SHAPE(64 * grid.x), const int *in LW_SHAPE(64 * grid.x))
{
    __shared__ int s[64];
    int t = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(&in[blockIdx.x * 64 + t]) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
}
