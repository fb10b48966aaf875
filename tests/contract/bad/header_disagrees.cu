// with: --contract header_disagrees.h
#include <lanewise/contract.h>

LW_BLOCK(256)
__global__ void scale(float *a LW_SHAPE(n), int n)
{
    a[n] = 1;
}
