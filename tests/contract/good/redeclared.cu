// declarations of one kernel: each part is said once, or the same way again
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(count)
__global__ void scale(float *, int count);

LW_REQUIRES(n >= 1, n <= 1000)
__global__ void scale(float *y LW_SHAPE(n), int n);

LW_BLOCK(256) LW_REQUIRES(size <= 1000, size >= 1)
__global__ void scale(float *out LW_DISJOINT, int size)
{
    out[threadIdx.x] = size;
}
