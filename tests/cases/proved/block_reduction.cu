// SPDX-License-Identifier: Apache-2.0
// case: block_reduction
// verdict: proved
// why: a halving loop over shared memory
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1000000000)
__global__ void reduce(float *out LW_SHAPE((n + 255) / 256) LW_REDUCES(sum, in) LW_WRITES_ALL, const float *in LW_SHAPE(n), int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o >>= 1) {
        if (t < o)
            s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
