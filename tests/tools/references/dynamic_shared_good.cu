// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

/* The same tree: of equal values it keeps the one that the kernel keeps. */
LW_REFERENCE(block_argmax)
void block_argmax_reference(int *out, const float *in, int n)
{
    for (int first = 0; first < n; first += 128) {
        float best[128];
        int where[128];
        for (int t = 0; t < 128; t++) {
            best[t] = first + t < n ? in[first + t] : -__builtin_inff();
            where[t] = first + t;
        }
        for (int h = 64; h > 0; h /= 2)
            for (int t = 0; t < h; t++)
                if (best[t + h] > best[t]) {
                    best[t] = best[t + h];
                    where[t] = where[t + h];
                }
        out[first / 128] = where[0];
    }
}
