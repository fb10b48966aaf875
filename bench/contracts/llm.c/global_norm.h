/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/global_norm.cu
 * kernels: _Z12norm_kernel1I13__nv_bfloat16EvPfPKT_m _Z12norm_kernel2I13__nv_bfloat16EvPfPKT_m _Z12norm_kernel3I13__nv_bfloat16EvPfPKT_m _Z12norm_kernel4I13__nv_bfloat16EvPfPKT_m global_norm_aggregate_kernel
 * cflags: -std=c++17
 *
 * As many blocks as fill the device: few enough for the 1024 partial sums.
 */
#define NORM LW_BLOCK_MULTIPLE(32) LW_REQUIRES(count >= 1, count <= 1099511627776, grid.x <= 1024)

LW_FOR("_Z12norm_kernel1I13__nv_bfloat16EvPfPKT_m") NORM
void norm1(float *out LW_SHAPE(1024), const unsigned short *data LW_SHAPE(count), size_t count);
LW_FOR("_Z12norm_kernel2I13__nv_bfloat16EvPfPKT_m") NORM
void norm2(float *out LW_SHAPE(1024), const unsigned short *data LW_SHAPE(count), size_t count);
LW_FOR("_Z12norm_kernel3I13__nv_bfloat16EvPfPKT_m") NORM
void norm3(float *out LW_SHAPE(1024), const unsigned short *data LW_SHAPE(count), size_t count);
LW_FOR("_Z12norm_kernel4I13__nv_bfloat16EvPfPKT_m") NORM
void norm4(float *out LW_SHAPE(1024), const unsigned short *data LW_SHAPE(count), size_t count);
LW_BLOCK(1024) LW_REQUIRES(grid.x == 1, count <= 1024)
void global_norm_aggregate_kernel(float *out LW_SHAPE(1024), size_t count);
