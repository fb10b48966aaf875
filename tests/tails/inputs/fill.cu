#include <lanewise/contract.h>

LW_BLOCK(128) LW_REQUIRES(n >= 1, n <= 128, grid.x == 1)
__global__ void peak(float *out LW_SHAPE(1) LW_REDUCES(max, in), const float *in LW_SHAPE(n), int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t < n ? in[t] : 0.0f;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (t < h)
            s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 1)
__global__ void total(int *out LW_SHAPE(grid.x) LW_REDUCES(sum, in), const int *in LW_SHAPE(n), int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 1;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

// Nothing is declared: the operator is inferred.
LW_BLOCK(32) LW_REQUIRES(n >= 1, n <= 32, grid.x == 1)
__global__ void least(float *out LW_SHAPE(1), const float *in LW_SHAPE(n), int n)
{
    float v = threadIdx.x < n ? in[threadIdx.x] : 0.0f;
    for (int o = 16; o > 0; o >>= 1)
        v = fminf(v, __shfl_xor_sync(0xffffffffu, v, o));
    if (threadIdx.x == 0)
        out[0] = v;
}
