// SPDX-License-Identifier: Apache-2.0
LW_REFERENCE(stencil2d)
void stencil2d_reference(float *out, const float *in, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
}
