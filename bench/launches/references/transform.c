/* SPDX-License-Identifier: Apache-2.0
 *
 * Transforms from their definitions: Walsh-Hadamard in natural order (the sign is the parity of the bits that both numbers have),
 * cosine, Fourier, a Fourier sum over scattered samples, and Sobol's sequence.
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

/* Blocks of 8 x 8 of a 64 x 32 image, orthonormal. */
static void write_dct(const char *folder)
{
    enum { W = 64, H = 32, SIDE = 8 };
    static double out[W * H];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int u = x % SIDE, v = y % SIDE;
            double sum = 0;
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++)
                    sum += (((y - v + j) * W + x - u + i) * 7 % 23 - 11) * cos((2 * i + 1) * u * M_PI / 16) *
                           cos((2 * j + 1) * v * M_PI / 16);
            out[y * W + x] = sum / 4 * (u == 0 ? sqrt(0.5) : 1) * (v == 0 ? sqrt(0.5) : 1);
        }
    reference_write_floats(folder, "dst", out, W * H);
}

/* Three transforms of 512 complex numbers, from the definition. */
static void write_fft512(const char *folder)
{
    enum { SIZE = 512, BATCHES = 3 };
    static double out[BATCHES * SIZE * 2];
    for (int batch = 0; batch < BATCHES; batch++)
        for (int k = 0; k < SIZE; k++) {
            double re = 0, im = 0;
            for (int j = 0; j < SIZE; j++) {
                int i = batch * SIZE + j;
                double a = i * 7 % 13 - 6, b = i * 5 % 11 - 5, turn = -2 * M_PI * (j * k % SIZE) / SIZE;
                re += a * cos(turn) - b * sin(turn);
                im += a * sin(turn) + b * cos(turn);
            }
            out[(batch * SIZE + k) * 2] = re;
            out[(batch * SIZE + k) * 2 + 1] = im;
        }
    reference_write(folder, "work", "<f8", out, sizeof out / sizeof *out, sizeof *out);
}

/* Nine samples in the space of frequencies; contents as the launch states them, in floats. */
static void write_mriq(const char *folder)
{
    enum { COUNT = 512, SAMPLES = 9 };
    static double re[COUNT], im[COUNT];
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < SAMPLES; k++) {
            double at[3] = {(float)(i * 0.001), (float)(i % 32 * 0.01), (float)(i % 7 * 0.02)}, turn = 0;
            for (int axis = 0; axis < 3; axis++)
                turn += 2 * M_PI * ((axis + 1) * 0.5 + k * 0.25) * at[axis];
            re[i] += (1 + k % 3) * cos(turn);
            im[i] += (1 + k % 3) * sin(turn);
        }
    reference_write_floats(folder, "Qr", re, COUNT);
    reference_write_floats(folder, "Qi", im, COUNT);
}

/* Directions are single bits: point number n is the Gray code of n with its bits reversed, as a fraction. */
static void write_sobol(const char *folder)
{
    enum { COUNT = 1024, DIMENSIONS = 2 };
    static double out[COUNT * DIMENSIONS];
    for (unsigned i = 0; i < COUNT * DIMENSIONS; i++) {
        unsigned n = i % COUNT, gray = n ^ n >> 1;
        for (unsigned bit = 0; bit < 32; bit++)
            if (gray >> bit & 1)
                out[i] += ldexp(1, -1 - (int)bit);
    }
    reference_write_floats(folder, "output", out, COUNT * DIMENSIONS);
}

static const struct reference_case cases[] = {
    {"walsh", write_walsh}, {"dct", write_dct}, {"fft512", write_fft512}, {"mriq", write_mriq}, {"sobol", write_sobol},
};
REFERENCE_MAIN(cases)
