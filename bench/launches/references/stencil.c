/* SPDX-License-Identifier: Apache-2.0
 *
 * Filters on grids: seven points in three dimensions with clamped edges, a separable filter with 0 outside, and the Sobel operator on
 * images of four bytes a pixel.
 */
#include "reference.h"

static int clamp(int x, int most)
{
    return x < 0 ? 0 : x > most ? most : x;
}

static void write_hotspot3d(const char *folder)
{
    enum { W = 64, H = 28, D = 5 };
    static double out[W * H * D];
#define AT(x, y, z) ((clamp(x, W - 1) + W * (clamp(y, H - 1) + H * clamp(z, D - 1))) * 7 % 23 * 0.5)
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int i = x + W * (y + H * z);
                out[i] = 0.5 * AT(x, y, z) + 0.0625 * AT(x - 1, y, z) + 0.125 * AT(x + 1, y, z) +
                         0.03125 * AT(x, y + 1, z) + 0.25 * AT(x, y - 1, z) +
                         0.0078125 * AT(x, y, z - 1) + 0.015625 * AT(x, y, z + 1) +
                         0.125 * (i % 5 * 0.25) + 0.015625 * 80;
            }
#undef AT
    reference_write_floats(folder, "tOut", out, W * H * D);
}

enum { RADIUS = 8 };

static double pixel(int x, int y, int w, int h)
{
    return x < 0 || x >= w || y < 0 || y >= h ? 0 : (y * w + x) * 7 % 23 * 0.25;
}

/* The kernel's last weight belongs to the neighbour furthest left or up: a convolution. */
static void write_convolution(const char *folder, int w, int h, int dx, int dy)
{
    double *out = malloc((size_t)(w * h) * sizeof *out);
    if (out == NULL)
        exit(2);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double sum = 0;
            for (int j = -RADIUS; j <= RADIUS; j++)
                sum += ((RADIUS - j) % 5 - 2) * 0.125 * pixel(x + j * dx, y + j * dy, w, h);
            out[y * w + x] = sum;
        }
    reference_write_floats(folder, "dst", out, (size_t)(w * h));
    free(out);
}

static void write_conv_rows(const char *folder)
{
    write_convolution(folder, 256, 20, 1, 0);
}

static void write_conv_cols(const char *folder)
{
    write_convolution(folder, 48, 128, 0, 1);
}

static void write_sobel(const char *folder)
{
    enum { W = 50, H = 37 };
    static uint8_t out[W * H * 4];
#define AT(dx, dy) ((float)((((y + (dy)) * W + x + (dx)) * 4 + c) * 13 % 101))
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            for (int c = 0; c < 4; c++) {
                float across = AT(-1, -1) + 2 * AT(-1, 0) + AT(-1, 1) - AT(1, -1) - 2 * AT(1, 0) - AT(1, 1);
                float down = AT(-1, -1) + 2 * AT(0, -1) + AT(1, -1) - AT(-1, 1) - 2 * AT(0, 1) - AT(1, 1);
                float size = sqrtf(across * across + down * down) / 2;
                out[(y * W + x) * 4 + c] = (uint8_t)(size > 255 ? 255 : size);
            }
#undef AT
    reference_write(folder, "out", "|u1", out, sizeof out, 1);
}

static const struct reference_case cases[] = {
    {"hotspot3d", write_hotspot3d},
    {"conv_rows", write_conv_rows},
    {"conv_cols", write_conv_cols},
    {"sobel", write_sobel},
};
REFERENCE_MAIN(cases)
