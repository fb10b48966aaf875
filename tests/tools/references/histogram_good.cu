// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_REFERENCE(histogram)
void histogram_reference(unsigned *count, const unsigned *value, int n)
{
    for (int i = 0; i < n; i++)
        if (value[i] < 64)
            count[value[i]]++;
}
