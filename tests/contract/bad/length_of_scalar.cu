// the length of a number
#include <lanewise/contract.h>

LW_REQUIRES(len(m) >= 4, len(a) > 3)
__global__ void scale(float *a LW_SHAPE(m), int m)
{
    a[threadIdx.x] = m;
}
