// a typo beside a field
#include <lanewise/contract.h>

struct view {
    float *data LW_SHAPE(rows, columns);
    int rows, cols;
};

LW_REQUIRES(v >= 1, v.row >= 1)
__global__ void scale(view v)
{
    v.data[threadIdx.x] = v.cols;
}
