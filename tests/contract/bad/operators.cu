// C's operators that contracts do not have
#include <lanewise/contract.h>

LW_REQUIRES(n > 1 && n < 5, n = 4, (n & 31) == 0, n << 2 > 4, !n, n > 1.5, n / 0 == 1, n > 99999999999999999999)
__global__ void scale(float *a LW_SHAPE(n > 2), int n)
{
    a[threadIdx.x] = n;
}
