// mathematics' way to write a range
#include <lanewise/contract.h>

LW_REQUIRES(0 <= n < 1024)
__global__ void scale(float *a LW_SHAPE(n), int n)
{
    a[threadIdx.x] = n;
}
