#include <lanewise/contract.h>

struct numbers {
    const float *x;
    float *y;
};
LW_BLOCK(128)
__global__ void add(struct numbers p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p.y[i] += p.x[i];
}
