// a typo in a requirement
#include <lanewise/contract.h>

LW_BLOCK(256) LW_REQUIRES(m >= 1,
                          m * kk <= 5)
__global__ void scale(float *y LW_SHAPE(m), int m, int k)
{
    y[threadIdx.x] = k;
}
