/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps with work by formula against counting every thread, for random launches of one to three axes; and the numbers that everybody can
 * check on paper.
 */
#include "cost/build.h"

#include <stdlib.h>

static uint64_t count_one_by_one(const uint64_t grid[3], const uint64_t block[3], const uint64_t domain[3])
{
    uint64_t warps = 0, threads = block[0] * block[1] * block[2];
    for (uint64_t b = 0; b < grid[0] * grid[1] * grid[2]; b++)
        for (uint64_t first = 0; first < threads; first += 32) {
            bool works = false;
            for (uint64_t t = first; t < first + 32 && t < threads; t++)
                works |= b % grid[0] * block[0] + t % block[0] < domain[0] &&
                         b / grid[0] % grid[1] * block[1] + t / block[0] % block[1] < domain[1] &&
                         b / grid[0] / grid[1] * block[2] + t / block[0] / block[1] < domain[2];
            warps += works;
        }
    return warps;
}

static bool check(uint64_t got, uint64_t wanted, const char *what)
{
    if (got != wanted)
        printf("%s: %llu, not %llu\n", what, (unsigned long long)got, (unsigned long long)wanted);
    return got == wanted;
}

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 16;
}

int main(void)
{
    static const struct {
        uint64_t grid[3], block[3], domain[3], warps;
        const char *what;
    } known[] = {
        {{3907, 1, 1}, {256, 1, 1}, {1000000, 1, 1}, 31250, "a million in blocks of 256"},
        {{10000, 1, 1}, {100, 1, 1}, {1000000, 1, 1}, 40000, "a million in blocks of 100"},
        {{5000, 1, 1}, {200, 1, 1}, {1000000, 1, 1}, 35000, "a million in blocks of 200"},
        {{1, 1, 1}, {32, 1, 1}, {0, 1, 1}, 0, "an empty domain"},
        {{2147483647, 1, 1}, {1024, 1, 1}, {2199023254528, 1, 1}, 68719476704, "the largest grid"},
    };
    uint32_t state = 1;
    bool good = true;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        good &= check(cost_warps_working(known[i].grid, known[i].block, known[i].domain), known[i].warps, known[i].what);
    for (int round = 0; round < 3000 && good; round++) {
        uint64_t grid[3], block[3], domain[3];
        for (int axis = 0; axis < 3; axis++) {
            grid[axis] = 1 + next(&state) % (axis == 0 ? 6 : 3);
            block[axis] = 1 + next(&state) % (axis == 0 ? 70 : 4);
            domain[axis] = next(&state) % (grid[axis] * block[axis] + 3);
        }
        good &= check(cost_warps_working(grid, block, domain), count_one_by_one(grid, block, domain), "a random launch");
    }
    return good ? 0 : 1;
}
