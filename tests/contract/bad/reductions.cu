// unknown reductions, wrong operands
#include <lanewise/contract.h>

__global__ void total(float *sum LW_REDUCES(sun, in), float *bits LW_REDUCES(xor, in), float *all LW_REDUCES(max, n),
                      const float *in LW_SHAPE(n) LW_REDUCES(sum, in), int *at LW_MAY_ALIAS(at, n, inn), int n)
{
    sum[0] = in[n] + bits[0] + all[0] + at[0];
}
