// every macro
#include <lanewise/contract.h>

LW_BLOCK_MULTIPLE(32)
LW_BLOCK_MAX(256) LW_DOMAIN(n, m) LW_REQUIRES(n >= 1, m * n <= 4294967295, len(in) >= n)
LW_SHARED_BYTES(block.x * 4) LW_UNCHECKED_INDEXING("hot, and \"tested\"")
__global__ void kernel(int m, int n, float *sum LW_SHAPE(grid.x * grid.y) LW_REDUCES(sum, in) LW_WRITES_ALL,
                       const float *in LW_PITCHED(m, n, n + 1), const int *at LW_SHAPE(n) LW_VALUES(-m, m),
                       float *out LW_MAY_ALIAS(in, sum) LW_DISJOINT)
{
    sum[0] = in[at[n]] + m;
    out[0] = 1;
}

LW_REFERENCE(kernel)
void kernel_reference(int m, int n, float *sum, const float *in, const int *at, float *out);
