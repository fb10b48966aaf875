// references of kernels that do not exist
#include <lanewise/contract.h>

LW_BLOCK(32)
__global__ void scale(float *a)
{
    a[threadIdx.x] = 1;
}

LW_REFERENCE(scael)
void scale_reference(float *a);
LW_REFERENCE(scale, twice)
void other_reference(float *a);
