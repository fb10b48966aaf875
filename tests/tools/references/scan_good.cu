// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_REFERENCE(block_scan)
void block_scan_reference(int *out, const int *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (i % 128 == 0 ? 0 : out[i - 1]) + in[i];
}
