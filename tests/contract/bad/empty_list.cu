// nothing between the parentheses, or between commas
#include <lanewise/contract.h>

LW_REQUIRES()
LW_BLOCK()
__global__ void scale(float *a LW_SHAPE(), const int *b LW_SHAPE(n,), int n)
{
    a[threadIdx.x] = b[n];
}
