// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_REFERENCE(reverse_tile)
void reverse_tile_reference(float *out, const float *in, int n)
{
    for (int i = 0; i < n; i++) {
        int from = i / 256 * 256 + 255 - i % 256;
        out[i] = from < n ? in[from] : 0.0f;
    }
}
