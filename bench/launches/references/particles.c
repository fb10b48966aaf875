/* SPDX-License-Identifier: Apache-2.0
 *
 * Softened gravity between all pairs of particles: records of position, velocity, acceleration (three numbers each) and mass.
 */
#include "reference.h"

static void write_accelerate(const char *folder)
{
    enum { COUNT = 45, RECORD = 10 };
    static double p[COUNT * RECORD], out[COUNT * RECORD];
    for (int i = 0; i < COUNT * RECORD; i++)
        p[i] = i % RECORD < 3 ? i * 7 % 23 * 0.25 : i % RECORD == 9 ? 1 + i / RECORD % 3 : 0;
    memcpy(out, p, sizeof out);
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++) {
            double square = 0.125, way[3];
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = p[b * RECORD + axis] - p[a * RECORD + axis];
                square += way[axis] * way[axis];
            }
            for (int axis = 0; axis < 3; axis++)
                out[a * RECORD + 6 + axis] += way[axis] * 0.5 * p[b * RECORD + 9] / (square * sqrt(square));
        }
    reference_write_floats(folder, "p", out, COUNT * RECORD);
}

static const struct reference_case cases[] = {{"accelerate", write_accelerate}};
REFERENCE_MAIN(cases)
