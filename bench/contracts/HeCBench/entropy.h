/* SPDX-License-Identifier: Apache-2.0
 * file: src/entropy-cuda/main.cu
 * kernels: entropy _Z11entropy_optILi16ELi16EEvPfPKcPKfii
 *
 * Pixels have 16 levels; the table holds the terms of 0 to 25 of a window's 25 pixels.
 */
LW_BLOCK(16, 16) LW_DOMAIN(width, height) LW_REQUIRES(width >= 1, height >= 1, width * height <= 1073741824)
void entropy(float *d_entropy LW_SHAPE(height, width), const char *d_val LW_SHAPE(height, width) LW_VALUES(0, 16), int height, int width);
LW_FOR("_Z11entropy_optILi16ELi16EEvPfPKcPKfii") LW_BLOCK(16, 16) LW_DOMAIN(width, height) LW_REQUIRES(width >= 1, height >= 1, width * height <= 1073741824)
void with_table(float *d_entropy LW_SHAPE(height, width), const char *d_val LW_SHAPE(height, width) LW_VALUES(0, 16), const float *d_logTable LW_SHAPE(26), int height, int width);
