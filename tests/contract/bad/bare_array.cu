// an array where its length is meant
#include <lanewise/contract.h>

LW_REQUIRES(a >= m)
__global__ void scale(float *a LW_SHAPE(m), int m)
{
    a[threadIdx.x] = m;
}
