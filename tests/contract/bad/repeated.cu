// said twice
#include <lanewise/contract.h>

LW_BLOCK(256) LW_BLOCK(256) LW_DOMAIN(n) LW_DOMAIN(n)
__global__ void scale(float *a LW_SHAPE(n) LW_SHAPE(n + 1), int *b LW_VALUES(0, 1) LW_VALUES(0, 2), int n)
{
    a[threadIdx.x] = b[n];
}
