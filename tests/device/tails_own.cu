// SPDX-License-Identifier: Apache-2.0
//
// An operator of one's own, the number of largest magnitude; a type of one's own, pairs of floats under the product of complex numbers.
#include <lanewise/device.h>

LW_DEVICE_OPERATOR(farther, f32, float, fabsf(a) >= fabsf(b) ? a : b, 0.0f)
LW_DEVICE_REDUCE(farther, f32, float)

LW_REQUIRES(grid.x == 1, block.y == 1, block.z == 1, n <= block.x)
__global__ void farthest(float *out LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, const float *x LW_SHAPE(n), unsigned n)
{
    float far = lw_block_scan_farther_f32(lw_load_farther_f32(lw_make_view_f32(x, n), threadIdx.x));
    if (threadIdx.x < n)
        out[threadIdx.x] = far;
}

LW_REFERENCE(farthest)
void farthest_reference(float *out, const float *x, unsigned n)
{
    float far = 0;
    for (unsigned i = 0; i < n; i++) {
        far = fabsf(far) >= fabsf(x[i]) ? far : x[i];
        out[i] = far;
    }
}

LW_DEVICE_ELEMENT(pair, float2)

LW_DEVICE_FUNCTION float2 lw_warp_get_pair(float2 pair, unsigned from)
{
    return make_float2(lw_warp_get_f32(pair.x, from), lw_warp_get_f32(pair.y, from));
}

LW_DEVICE_OPERATOR(product, pair, float2, make_float2(a.x *b.x - a.y * b.y, a.x *b.y + a.y * b.x), make_float2(1, 0))
LW_DEVICE_REDUCE(product, pair, float2)

LW_REQUIRES(grid.x == 1, block.y == 1, block.z == 1, n <= 8)
__global__ void turned(float2 *out LW_SHAPE(1) LW_DISJOINT LW_WRITES_ALL, const float2 *x LW_SHAPE(n), unsigned n)
{
    float2 all = lw_identity_product_pair();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        all = lw_product_pair(all, x[i]);
    all = lw_block_product_pair(all);
    if (threadIdx.x == 0)
        *out = all;
}

LW_REFERENCE(turned)
void turned_reference(float2 *out, const float2 *x, unsigned n)
{
    float re = 1, im = 0;
    for (unsigned i = 0; i < n; i++) {
        float next = re * x[i].x - im * x[i].y;
        im = re * x[i].y + im * x[i].x;
        re = next;
    }
    out->x = re;
    out->y = im;
}
