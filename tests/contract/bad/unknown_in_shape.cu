// a typo in a shape, and one in len
#include <lanewise/contract.h>

LW_REQUIRES(len(outt) >= 4)
__global__ void scale(float *out LW_SHAPE(rows, cools), int rows, int cols)
{
    out[threadIdx.x] = cols;
}
