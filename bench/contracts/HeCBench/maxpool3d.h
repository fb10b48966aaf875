/* SPDX-License-Identifier: Apache-2.0
 * file: src/maxpool3d-cuda/main.cu
 * kernels: maxpool3d
 */
LW_BLOCK(8, 8, 4) LW_DOMAIN(o_img_width, o_img_height, i_img_count)
LW_REQUIRES(Hstride >= 1, Vstride >= 1, pool_width == Hstride, pool_height == Vstride, i_img_count >= 1, i_img_width >= Hstride, i_img_height >= Vstride,
            o_img_width == i_img_width / Hstride, o_img_height == i_img_height / Vstride, i_img_width * i_img_height * i_img_count <= 1073741824,
            o_img_width * o_img_height * i_img_count <= 1073741824)
void maxpool3d(const float *i_img LW_SHAPE(i_img_count, i_img_height, i_img_width), float *o_img LW_SHAPE(i_img_count, o_img_height, o_img_width), int Hstride,
               int Vstride, int pool_width, int pool_height, int i_img_count, int i_img_width, int i_img_height, int o_img_width, int o_img_height);
