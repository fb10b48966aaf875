// with: --compiler nvcc
// clang has no CUB: what does not need it is read, the rest is told
#include <cub/block/block_reduce.cuh>
#include <lanewise/contract.h>

LW_BLOCK(32)
__global__ void fine(float *y LW_SHAPE(n), int n)
{
    typedef cub::BlockReduce<float, 32> reduce;
    y[n] = 1;
}

LW_BLOCK(32)
__global__ void lost(cub::KeyValuePair<int, int> *p LW_SHAPE(1))
{
    p[0].key = 1;
}
