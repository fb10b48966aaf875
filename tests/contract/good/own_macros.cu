// contracts through the user's own macros, in unusual places, over several lines
#include <lanewise/contract.h>

#define VECTOR(n) LW_SHAPE(n) LW_DISJOINT
#define KERNEL(threads) LW_BLOCK(threads) __global__
#define NOTHING

KERNEL(64) void first(float *y VECTOR(n + 1), int n)
{
    y[n] = 1;
}

__global__ LW_BLOCK(32) void second(LW_SHAPE(n) float *y, int n NOTHING)
{
    y[n] = 1;
}

extern "C" LW_DOMAIN(n /* one thread
                         an element */)
LW_REQUIRES(n // the size
                >= 1,
            (n + 31) / \
32 <= 65535)
__global__ void third(float *y LW_SHAPE ( n , 2 ), int n)
{
    y[n] = 1;
}
