// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_REFERENCE(three_sum)
void three_sum_reference(float *out, const float *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (i > 0 ? in[i - 1] : 0.0f) + in[i] + (i + 1 < n ? in[i + 1] : 0.0f);
}
