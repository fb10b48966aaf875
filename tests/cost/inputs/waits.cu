// SPDX-License-Identifier: Apache-2.0
// Requests whose cost no other layout changes: one value for all lanes, atomics at few words; and one that padding cures.
#include <lanewise/contract.h>

LW_BLOCK(32) LW_DOMAIN(32)
__global__ void broadcast(float *out LW_SHAPE(32), const float *x LW_SHAPE(1))
{
    out[threadIdx.x] = x[0];
}

LW_BLOCK(32) LW_DOMAIN(32)
__global__ void counters(int *out LW_SHAPE(4))
{
    __shared__ int s[4];
    unsigned t = threadIdx.x;
    if (t < 4)
        s[t] = 0;
    __syncthreads();
    atomicAdd(&s[t % 4], 1);
    __syncthreads();
    if (t < 4)
        out[t] = s[t];
}

LW_BLOCK(32) LW_DOMAIN(32)
__global__ void column(int *out LW_SHAPE(32))
{
    __shared__ int s[32 * 32];
    unsigned t = threadIdx.x;
    s[t * 32] = 0;
    atomicAdd(&s[t * 32], (int)t);
    out[t] = s[t * 32];
}
