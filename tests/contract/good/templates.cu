// kernel templates: a contract an instance
#include <lanewise/contract.h>

namespace math {
constexpr int lanes = 32;

template <typename T, int WARPS = 4, bool CHECK = true>
LW_BLOCK(WARPS *lanes) LW_DOMAIN(n) LW_SHARED_BYTES(block.x * 8) LW_REQUIRES(n >= CHECK)
__global__ void scale(T *y LW_SHAPE(n) LW_DISJOINT, T factor, unsigned n)
{
    if (threadIdx.x < n)
        y[threadIdx.x] *= factor;
}

template __global__ void scale<float>(float *, float, unsigned);
template __global__ void scale<double, 8, false>(double *, double, unsigned);
} // namespace math

template <typename T>
LW_BLOCK(1)
__global__ void unused(T *y LW_SHAPE(nowhere))
{
    y[0] = 0;
}

struct pair {
    int first, second;
};

void launch()
{
    math::scale<int, 2><<<1, 64>>>(nullptr, 3, 1);
}

template <typename T>
__global__ void plain(T *y, int count)
{
    y[count] = T();
}
template __global__ void plain<pair>(pair *, int);
