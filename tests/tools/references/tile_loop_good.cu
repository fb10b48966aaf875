// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_REFERENCE(neighbour_sum)
void neighbour_sum_reference(float *out, const float *in, int n)
{
    for (int t = 0; t < 64; t++) {
        out[t] = 0.0f;
        for (int i = 63 - t; i < n; i += 64)
            out[t] += in[i];
    }
}
