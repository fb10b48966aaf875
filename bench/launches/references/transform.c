/* SPDX-License-Identifier: Apache-2.0
 *
 * The Walsh-Hadamard transform in natural order, from its definition: the sign is the parity of the bits that both numbers have.
 */
#include "reference.h"

static void write_walsh(const char *folder)
{
    enum { SIZE = 512, BATCHES = 3 };
    static double out[BATCHES * SIZE];
    for (int batch = 0; batch < BATCHES; batch++)
        for (int k = 0; k < SIZE; k++) {
            double sum = 0;
            for (int j = 0; j < SIZE; j++) {
                double value = (batch * SIZE + j) * 7 % 13 - 6;
                sum += __builtin_parity((unsigned)(j & k)) ? -value : value;
            }
            out[batch * SIZE + k] = sum;
        }
    reference_write_floats(folder, "out", out, BATCHES * SIZE);
}

static const struct reference_case cases[] = {{"walsh", write_walsh}};
REFERENCE_MAIN(cases)
