// too many, too few
#include <lanewise/contract.h>

LW_BLOCK(1, 2, 3, 4) LW_BLOCK_MAX(1, 2) LW_DOMAIN(1, 1, 1, 1)
__global__ void scale(float *a LW_SHAPE(n, n, n, n), const int *b LW_PITCHED(n, n) LW_VALUES(n), int n)
{
    a[threadIdx.x] = b[n];
}
