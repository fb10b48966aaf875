// 64-bit numbers as 32-bit indices.
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(first <= 4294967295 - 64 * grid.x)
__global__ void mark(float *out LW_SHAPE(n), unsigned n, long long first)
{
    unsigned i = (unsigned)first + blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 1.0f;
}

LW_BLOCK(64) LW_REQUIRES(d >= 1)
__global__ void share(float *out LW_SHAPE(n), unsigned n, long long x, long long d)
{
    unsigned i = (unsigned)(x / d) + threadIdx.x;
    if (i < n)
        out[i] = 1.0f;
}
