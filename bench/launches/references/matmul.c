/* SPDX-License-Identifier: Apache-2.0
 *
 * A linear layer: every output is the bias plus the product of an input row and a weight row.  Steps of an LU decomposition.
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

/* ---- LU decomposition of a 48 x 48 matrix in blocks of 16 ------------------------------------------------- */

enum { DIM = 48, BLOCK = 16 };

static void begin(double *m)
{
    for (int i = 0; i < DIM * DIM; i++)
        m[i] = i / DIM == i % DIM ? 50 : i * 7 % 11;
}

/* The block at (16, 16) becomes L below the diagonal and U on and above it. */
static void write_lud_diagonal(const char *folder)
{
    static double m[DIM * DIM];
    begin(m);
#define AT(row, column) m[((row) + BLOCK) * DIM + (column) + BLOCK]
    for (int k = 0; k < BLOCK; k++)
        for (int row = k + 1; row < BLOCK; row++) {
            AT(row, k) /= AT(k, k);
            for (int column = k + 1; column < BLOCK; column++)
                AT(row, column) -= AT(row, k) * AT(k, column);
        }
#undef AT
    reference_write_floats(folder, "m", m, DIM * DIM);
}

/* What lies right of and below the first block row and column loses their product. */
static void write_lud_internal(const char *folder)
{
    static double m[DIM * DIM];
    begin(m);
    for (int row = BLOCK; row < DIM; row++)
        for (int column = BLOCK; column < DIM; column++)
            for (int i = 0; i < BLOCK; i++)
                m[row * DIM + column] -= m[row * DIM + i] * m[i * DIM + column];
    reference_write_floats(folder, "m", m, DIM * DIM);
}

static const struct reference_case cases[] = {
    {"forward", write_forward},
    {"lud_diagonal", write_lud_diagonal},
    {"lud_internal", write_lud_internal},
};
REFERENCE_MAIN(cases)
