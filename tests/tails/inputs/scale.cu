#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void scale(float *y LW_SHAPE(n) LW_WRITES_ALL, const float *x LW_SHAPE(n), float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}
