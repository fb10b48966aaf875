#include <lanewise/contract.h>
LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000)
__global__ void shift(int *x LW_SHAPE(64 * grid.x))
{
    int i = blockIdx.x * 64 + threadIdx.x;
    x[i] = i;
    __syncthreads();
    int v = __ldg(&x[i ^ 1]);
    __syncthreads();
    x[i] = v + 1;
}
