/* SPDX-License-Identifier: Apache-2.0
 *
 * Back propagation with one hidden layer of 16: weights are rows of 17 with the bias in row and column 0.
 */
#include "reference.h"

enum { INPUTS = 48, HIDDEN = 16, WIDTH = HIDDEN + 1, CELLS = (INPUTS + 1) * WIDTH };

static void write_adjust(const char *folder)
{
    static double w[CELLS], old[CELLS];
    for (int i = 0; i < CELLS; i++) {
        int row = i / WIDTH, column = i % WIDTH;
        double input = row == 0 ? 1 : 1 + row % 3; /* the bias row has no input */
        w[i] = column;
        old[i] = i % 5 * 0.25;
        if (column == 0)
            continue;
        double step = 0.3f * (column * 0.5) * input + 0.3f * old[i];
        w[i] += step;
        old[i] = step;
    }
    reference_write_floats(folder, "w", w, CELLS);
    reference_write_floats(folder, "oldw", old, CELLS);
}

/* Blocks of 16 x 16 weights times inputs, summed down the columns by a tree.  The tree's first trip adds each number to itself, and the
 * weights are left as the tree leaves them: that is what the kernel computes. */
static void write_forward(const char *folder)
{
    enum { BLOCK = 16 };
    static double weights[CELLS], partial[INPUTS];
    for (int i = 0; i < CELLS; i++)
        weights[i] = i * 7 % 23 * 0.25;
    for (int block = 0; block < INPUTS / BLOCK; block++)
        for (int column = 0; column < HIDDEN; column++) {
            double tree[BLOCK];
            for (int row = 0; row < BLOCK; row++) {
                int input = block * BLOCK + row + 1;
                tree[row] = 2 * weights[input * WIDTH + column + 1] * (1 + input % 3);
            }
            for (int step = 2; step <= BLOCK; step *= 2)
                for (int row = 0; row < BLOCK; row += step)
                    tree[row] += tree[row + step / 2];
            for (int row = 0; row < BLOCK; row++)
                weights[(block * BLOCK + row + 1) * WIDTH + column + 1] = tree[row];
            partial[block * HIDDEN + column] = tree[0];
        }
    reference_write_floats(folder, "weights", weights, CELLS);
    reference_write_floats(folder, "partial", partial, INPUTS);
}

static const struct reference_case cases[] = {{"adjust", write_adjust}, {"forward", write_forward}};
REFERENCE_MAIN(cases)
