// a typo in a template is told once
#include <lanewise/contract.h>

template <typename T, int B>
LW_BLOCK(B) LW_DOMAIN(nn)
__global__ void scale(T *a LW_SHAPE(n), int n)
{
    a[threadIdx.x] = n;
}
template __global__ void scale<float, 128>(float *, int);
template __global__ void scale<double, 64>(double *, int);
