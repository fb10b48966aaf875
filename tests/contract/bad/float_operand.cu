// a requirement about a float
#include <lanewise/contract.h>

LW_REQUIRES(n > 0, alpha > 0)
__global__ void scale(float *a LW_SHAPE(n), int n, float alpha)
{
    a[threadIdx.x] = alpha;
}
