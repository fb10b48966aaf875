/* SPDX-License-Identifier: Apache-2.0
 *
 * Recurrences: the cheapest path through the rows of a grid, the alignment matrix of Needleman and Wunsch, a lagged Fibonacci sequence.
 */
#include "reference.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Five rows of a path that may go down, left or right by one column a row. */
static void write_pathfinder(const char *folder)
{
    enum { COLUMNS = 1001, FIRST = 2, ROWS = 5 };
    static int32_t cost[COLUMNS], next[COLUMNS];
    for (int x = 0; x < COLUMNS; x++)
        cost[x] = x * 3 % 10;
    for (int row = 0; row < ROWS; row++) {
        for (int x = 0; x < COLUMNS; x++)
            next[x] = least(cost[x], least(cost[most(x - 1, 0)], cost[least(x + 1, COLUMNS - 1)])) +
                      (COLUMNS * (FIRST + row) + x) * 7 % 10;
        memcpy(cost, next, sizeof cost);
    }
    reference_write(folder, "result", "<i4", cost, COLUMNS, sizeof *cost);
}

/* The first 16 x 16 block of a 33 x 33 matrix; the rest stays as it began. */
static void write_needleman(const char *folder)
{
    enum { WIDTH = 33, BLOCK = 16, PENALTY = 10 };
    static int32_t score[WIDTH * WIDTH];
    for (int i = 0; i < WIDTH; i++)
        score[i] = score[i * WIDTH] = -PENALTY * i;
    for (int y = 1; y <= BLOCK; y++)
        for (int x = 1; x <= BLOCK; x++) {
            int i = y * WIDTH + x;
            score[i] = most(score[i - WIDTH - 1] + i * 7 % 13 - 6,
                            most(score[i - 1] - PENALTY, score[i - WIDTH] - PENALTY));
        }
    reference_write(folder, "items", "<i4", score, WIDTH * WIDTH, sizeof *score);
}

/* Each number is the sum of those 55, 119, 179 and 256 places before. */
static void write_lfib4(const char *folder)
{
    enum { COUNT = 1024, SEEDS = 256 };
    static uint32_t x[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        x[i] = i < SEEDS ? i * 2654435761u + 12345u : x[i - 55] + x[i - 119] + x[i - 179] + x[i - 256];
    reference_write(folder, "x", "<u4", x, COUNT, sizeof *x);
}

static const struct reference_case cases[] = {
    {"pathfinder", write_pathfinder},
    {"needleman", write_needleman},
    {"lfib4", write_lfib4},
};
REFERENCE_MAIN(cases)
