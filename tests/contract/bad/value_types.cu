// value ranges of floats
#include <lanewise/contract.h>

__global__ void pick(float *y LW_SHAPE(n) LW_VALUES(0, 1), const int *at LW_SHAPE(n) LW_VALUES(0, m), int n)
{
    y[threadIdx.x] = at[n];
}
