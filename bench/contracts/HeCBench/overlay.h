/* SPDX-License-Identifier: Apache-2.0
 * file: src/overlay-cuda/main.cu
 * kernels: _Z19DetectionOverlayBoxI6float3EvPKT_PS1_iiiiii6float4
 *
 * A box, cut off at the right and lower edge of the image.
 */
struct float3 {
    float x, y, z;
};
struct __attribute__((aligned(16))) float4 {
    float x, y, z, w;
};

LW_FOR("_Z19DetectionOverlayBoxI6float3EvPKT_PS1_iiiiii6float4") LW_BLOCK(8, 8) LW_DOMAIN(boxWidth, boxHeight)
LW_REQUIRES(imgWidth >= 1, imgHeight >= 1, imgWidth * imgHeight <= 178956970, x0 >= 0, x0 < imgWidth, y0 >= 0, y0 < imgHeight, boxWidth >= 1, boxHeight >= 1,
            boxWidth <= imgWidth, boxHeight <= imgHeight)
void overlay(const struct float3 *input LW_SHAPE(imgHeight, imgWidth), struct float3 *output LW_SHAPE(imgHeight, imgWidth), int imgWidth, int imgHeight, int x0, int y0, int boxWidth,
             int boxHeight, struct float4 color);
