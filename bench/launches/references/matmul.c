/* SPDX-License-Identifier: Apache-2.0
 *
 * A linear layer: every output is the bias plus the product of an input row and a weight row.
 */
#include "reference.h"

static void write_forward(const char *folder)
{
    enum { ROWS = 128, INPUTS = 64, OUTPUTS = 128 };
    static double out[ROWS * OUTPUTS];
    for (int row = 0; row < ROWS; row++)
        for (int o = 0; o < OUTPUTS; o++) {
            double sum = o * 0.25;
            for (int i = 0; i < INPUTS; i++)
                sum += ((row * INPUTS + i) * 7 % 13 - 6) * 0.5 * ((o * INPUTS + i) * 5 % 11 - 5) * 0.5;
            out[row * OUTPUTS + o] = sum;
        }
    reference_write_floats(folder, "out", out, ROWS * OUTPUTS);
}

static const struct reference_case cases[] = {{"forward", write_forward}};
REFERENCE_MAIN(cases)
