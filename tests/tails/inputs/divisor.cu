#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n)
__global__ void share(int n, int k, int *y LW_SHAPE(n))
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = i / k;
}
