// a requirement that compares nothing
#include <lanewise/contract.h>

LW_REQUIRES(n, n % 256)
__global__ void scale(float *a LW_SHAPE(n), int n)
{
    a[threadIdx.x] = n;
}
