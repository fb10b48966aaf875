// a mistake inside the user's own macro stands where that is used
#include <lanewise/contract.h>

#define VECTOR LW_SHAPE(count) LW_DISJOINT

LW_BLOCK(32)
__global__ void scale(float *a VECTOR, int n)
{
    a[threadIdx.x] = n;
}
