// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_REFERENCE(warp_reverse)
void warp_reverse_reference(float *out, const float *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (i ^ 31) < n ? in[i ^ 31] : 0.0f;
}
