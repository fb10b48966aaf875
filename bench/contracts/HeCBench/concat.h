/* SPDX-License-Identifier: Apache-2.0
 * file: src/concat-cuda/main.cu
 * kernels: _Z6concatIfEvPKT_S2_PS0_iiii
 */
LW_FOR("_Z6concatIfEvPKT_S2_PS0_iiii")
LW_DOMAIN(sz0 * sz2 * (sz1_1 + sz1_2)) LW_REQUIRES(sz0 >= 1, sz2 >= 1, sz1_1 >= 1, sz1_2 >= 1, sz0 * sz2 * (sz1_1 + sz1_2) <= 1073741824)
void concat_float(const float *inp1 LW_SHAPE(sz0, sz1_1, sz2), const float *inp2 LW_SHAPE(sz0, sz1_2, sz2), float *output LW_SHAPE(sz0, sz1_1 + sz1_2, sz2), int sz0,
                  int sz2, int sz1_1, int sz1_2);
