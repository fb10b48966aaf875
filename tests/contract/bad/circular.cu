// a geometry that depends on itself
#include <lanewise/contract.h>

LW_BLOCK(grid.x) LW_DOMAIN(grid.x * block.x) LW_BLOCK_MAX(block.x)
__global__ void scale(float *a, int n)
{
    a[threadIdx.x] = n;
}
