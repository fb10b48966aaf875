/* SPDX-License-Identifier: Apache-2.0
 *
 * Causal multi-head attention, step by step and as a whole.  Layouts: packed input (batch, time, q|k|v, head, channel); scores and
 * weights (batch, head, time, time); separate q, k, v (batch, head, time, channel).
 */
#include "reference.h"

enum { BATCH = 2, TIME = 9, HEADS = 3, SIZE = 4, CHANNELS = HEADS * SIZE };
enum { SCORES = BATCH * HEADS * TIME * TIME };

static double packed(int part, int batch, int time, int head, int channel)
{
    int i = ((batch * TIME + time) * 3 + part) * CHANNELS + head * SIZE + channel;
    return (i * 7 % 23 - 11) * 0.125;
}

static double score(int batch, int head, int to, int from)
{
    double sum = 0;
    for (int c = 0; c < SIZE; c++)
        sum += packed(0, batch, to, head, c) * packed(1, batch, from, head, c);
    return sum / sqrt(SIZE);
}

static void write_query_key(const char *folder)
{
    double out[SCORES];
    for (int i = 0; i < SCORES; i++) {
        int from = i % TIME, to = i / TIME % TIME, head = i / (TIME * TIME) % HEADS;
        out[i] = from > to ? -INFINITY : score(i / (TIME * TIME * HEADS), head, to, from);
    }
    reference_write_floats(folder, "preatt", out, SCORES);
}

/* Softmax of the first `live` numbers; the rest becomes 0. */
static void softmax(double *row, int live, int all)
{
    double most = -INFINITY, sum = 0;
    for (int i = 0; i < live; i++)
        most = fmax(most, row[i]);
    for (int i = 0; i < live; i++)
        sum += row[i] = exp(row[i] - most);
    for (int i = 0; i < all; i++)
        row[i] = i < live ? row[i] / sum : 0;
}

static void write_softmax(const char *folder)
{
    double out[SCORES];
    for (int i = 0; i < SCORES; i++)
        out[i] = (i * 5 % 17 - 8) * 0.25;
    for (int row = 0; row < SCORES / TIME; row++)
        softmax(out + row * TIME, row % TIME + 1, TIME);
    reference_write_floats(folder, "att", out, SCORES);
}

static void add_values(double *out, const double *weights)
{
    for (int batch = 0; batch < BATCH; batch++)
        for (int head = 0; head < HEADS; head++)
            for (int to = 0; to < TIME; to++)
                for (int c = 0; c < SIZE; c++) {
                    double sum = 0;
                    for (int from = 0; from <= to; from++)
                        sum += weights[((batch * HEADS + head) * TIME + to) * TIME + from] *
                               packed(2, batch, from, head, c);
                    out[(batch * TIME + to) * CHANNELS + head * SIZE + c] = sum;
                }
}

static void write_value(const char *folder)
{
    double weights[SCORES], out[BATCH * TIME * CHANNELS];
    for (int i = 0; i < SCORES; i++)
        weights[i] = (i * 5 % 17 + 1) * 0.0625;
    add_values(out, weights);
    reference_write_floats(folder, "out", out, BATCH * TIME * CHANNELS);
}

static void write_fused(const char *folder)
{
    double weights[SCORES], out[BATCH * TIME * CHANNELS];
    for (int i = 0; i < SCORES; i++)
        weights[i] = score(i / (TIME * TIME * HEADS), i / (TIME * TIME) % HEADS, i / TIME % TIME, i % TIME);
    for (int row = 0; row < SCORES / TIME; row++)
        softmax(weights + row * TIME, row % TIME + 1, TIME);
    add_values(out, weights);
    reference_write_floats(folder, "out", out, BATCH * TIME * CHANNELS);
}

/* The tiled form on separate arrays: 2 * 3 heads of 64 x 4. */
static void write_flash(const char *folder)
{
    enum { ALL = 2 * 3, ROWS = 64, WIDTH = 4 };
    static double out[ALL * ROWS * WIDTH];
    for (int head = 0; head < ALL; head++)
        for (int to = 0; to < ROWS; to++) {
            double row[ROWS];
            for (int from = 0; from <= to; from++) {
                double sum = 0;
                for (int c = 0; c < WIDTH; c++) {
                    int q = (head * ROWS + to) * WIDTH + c, k = (head * ROWS + from) * WIDTH + c;
                    sum += (q * 7 % 23 - 11) * 0.125 * (k * 5 % 19 - 9) * 0.125;
                }
                row[from] = sum * 0.5;
            }
            softmax(row, to + 1, to + 1);
            for (int c = 0; c < WIDTH; c++) {
                double sum = 0;
                for (int from = 0; from <= to; from++)
                    sum += row[from] * (((head * ROWS + from) * WIDTH + c) * 3 % 29 - 14) * 0.125;
                out[(head * ROWS + to) * WIDTH + c] = sum;
            }
        }
    reference_write_floats(folder, "O", out, ALL * ROWS * WIDTH);
}

/* Scores of one batch, lower triangle alone: what lies above is free. */
static void write_triangle(const char *folder, int heads, int size)
{
    enum { ROWS = 128 };
    static double out[2 * ROWS * ROWS];
    for (int head = 0; head < heads; head++)
        for (int to = 0; to < ROWS; to++)
            for (int from = 0; from < ROWS; from++) {
                double sum = 0;
                for (int c = 0; c < size; c++) {
                    int q = to * 3 * heads * size + head * size + c;
                    int k = from * 3 * heads * size + (heads + head) * size + c;
                    sum += (q * 7 % 13 - 6) * 0.5 * (k * 7 % 13 - 6) * 0.5;
                }
                out[(head * ROWS + to) * ROWS + from] = from > to ? NAN : sum / sqrt(size);
            }
    reference_write_floats(folder, "out", out, (size_t)heads * ROWS * ROWS);
}

static void write_trimat(const char *folder)
{
    write_triangle(folder, 2, 8);
}

static void write_trimat32(const char *folder)
{
    write_triangle(folder, 1, 32);
}

static const struct reference_case cases[] = {
    {"query_key", write_query_key}, {"softmax", write_softmax}, {"value", write_value},
    {"fused", write_fused},         {"flash", write_flash},     {"trimat", write_trimat},
    {"trimat32", write_trimat32},
};
REFERENCE_MAIN(cases)
