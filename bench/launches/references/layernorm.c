/* SPDX-License-Identifier: Apache-2.0
 *
 * Gradients of layer normalisation, from given means and reciprocal deviations.
 */
#include "reference.h"

static void write_backward(const char *folder)
{
    enum { ROWS = 19, WIDTH = 45 };
    static double dinp[ROWS * WIDTH], dweight[WIDTH], dbias[WIDTH];
    for (int row = 0; row < ROWS; row++) {
        double mean = (row % 5 - 2) * 0.125, scale = 0.5 + row % 3 * 0.25;
        double norm[WIDTH], gradient[WIDTH], all = 0, along = 0;
        for (int c = 0; c < WIDTH; c++) {
            int i = row * WIDTH + c;
            double dout = (i * 7 % 23 - 11) * 0.125;
            norm[c] = ((i * 5 % 31 - 15) * 0.25 - mean) * scale;
            gradient[c] = (0.5 + c % 3) * dout;
            all += gradient[c] / WIDTH;
            along += gradient[c] * norm[c] / WIDTH;
            dbias[c] += dout;
            dweight[c] += norm[c] * dout;
        }
        for (int c = 0; c < WIDTH; c++)
            dinp[row * WIDTH + c] = 1 + (gradient[c] - all - norm[c] * along) * scale;
    }
    reference_write_floats(folder, "dinp", dinp, ROWS * WIDTH);
    reference_write_floats(folder, "dweight", dweight, WIDTH);
    reference_write_floats(folder, "dbias", dbias, WIDTH);
}

static const struct reference_case cases[] = {{"backward", write_backward}};
REFERENCE_MAIN(cases)
