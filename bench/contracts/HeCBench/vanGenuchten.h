/* SPDX-License-Identifier: Apache-2.0
 * file: src/vanGenuchten-cuda/main.cu
 * kernels: vanGenuchten
 */
LW_BLOCK(256) LW_DOMAIN(size) LW_REQUIRES(size >= 1, size <= 1073741824)
void vanGenuchten(const double *Ksat LW_SHAPE(size), const double *psi LW_SHAPE(size), double *C LW_SHAPE(size), double *theta LW_SHAPE(size), double *K LW_SHAPE(size), int size);
