/* SPDX-License-Identifier: Apache-2.0
 * file: src/laplace3d-cuda/main.cu
 * kernels: laplace3d
 */
LW_BLOCK(32, 8) LW_DOMAIN(NX, NY)
LW_REQUIRES(NX >= 1, NY >= 1, NZ >= 1, pitch == NX, NX * NY * NZ <= 1073741824)
void laplace3d(int NX, int NY, int NZ, int pitch, const float *d_u1 LW_SHAPE(NZ, NY, NX), float *d_u2 LW_SHAPE(NZ, NY, NX));
