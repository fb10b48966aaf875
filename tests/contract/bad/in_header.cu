// a mistake in a header of the source
#include "in_header.h"

__global__ void scale(float *a, int n)
{
    a[threadIdx.x] = n;
}
