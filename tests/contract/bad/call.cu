// functions other than len
#include <lanewise/contract.h>

LW_REQUIRES(min(n, m) >= 1) LW_DOMAIN(ceil_div(n, 4))
__global__ void scale(float *a LW_SHAPE(n), int n, int m)
{
    a[threadIdx.x] = m;
}
