/* SPDX-License-Identifier: Apache-2.0
 * file: src/bsearch-cuda/main.cu
 * kernels: _Z9kernel_BSIfEvPKT_S2_Pmmm _Z10kernel_BS2IfEvPKT_S2_Pmmm _Z10kernel_BS3IfEvPKT_S2_Pmmm _Z10kernel_BS4IfEvPKT_S2_Pmmm
 *
 * `n` is the last element's index: the sorted array has one more. It is at least 2, as the program searches below a largest element.
 */
#define SEARCH LW_BLOCK(256) LW_DOMAIN(zSize) LW_REQUIRES(zSize >= 1, zSize <= 4294967295, n >= 2, n <= 1099511627776)

LW_FOR("_Z9kernel_BSIfEvPKT_S2_Pmmm") SEARCH
void search1(const float *acc_a LW_SHAPE(n + 1), const float *acc_z LW_SHAPE(zSize), size_t *acc_r LW_SHAPE(zSize), size_t zSize, size_t n);
LW_FOR("_Z10kernel_BS2IfEvPKT_S2_Pmmm") SEARCH
void search2(const float *acc_a LW_SHAPE(n + 1), const float *acc_z LW_SHAPE(zSize), size_t *acc_r LW_SHAPE(zSize), size_t zSize, size_t n);
LW_FOR("_Z10kernel_BS3IfEvPKT_S2_Pmmm") SEARCH
void search3(const float *acc_a LW_SHAPE(n + 1), const float *acc_z LW_SHAPE(zSize), size_t *acc_r LW_SHAPE(zSize), size_t zSize, size_t n);
LW_FOR("_Z10kernel_BS4IfEvPKT_S2_Pmmm") SEARCH
void search4(const float *acc_a LW_SHAPE(n + 1), const float *acc_z LW_SHAPE(zSize), size_t *acc_r LW_SHAPE(zSize), size_t zSize, size_t n);
