// an instance that no other text can name
#include <lanewise/contract.h>

template <typename F>
LW_BLOCK(32)
__global__ void apply(F function, int *a LW_SHAPE(32))
{
    a[threadIdx.x] = function(3);
}

void launch()
{
    auto function = [] __device__(int i) { return i + 1; };
    apply<<<1, 32>>>(function, nullptr);
}
