// case: cut_number
// verdict: proved
// why: the number fits 32 bits, so that cutting it loses nothing
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(first >= 0, first <= 4294967295 - 64 * grid.x)
__global__ void mark(float *out LW_SHAPE(n), unsigned n, long long first)
{
    unsigned i = (unsigned)first + blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 1.0f;
}
