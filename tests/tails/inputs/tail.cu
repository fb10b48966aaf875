#include <lanewise/contract.h>

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n >= 1)
__global__ void twice(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = 2 * x[i];
}
