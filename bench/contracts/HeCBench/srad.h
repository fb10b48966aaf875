/* SPDX-License-Identifier: Apache-2.0
 * file: src/srad-cuda/main.cu
 * kernels: extract prepare reduce srad srad2 compress
 *
 * An image by columns; a neighbour's row or column is looked up. The reduction works on every d_mul-th element, with one thread for each of d_no.
 */
LW_BLOCK(256) LW_DOMAIN(d_Ne) LW_REQUIRES(d_Ne >= 1, d_Ne <= 1073741824)
void extract(long d_Ne, float *d_I LW_SHAPE(d_Ne));
LW_BLOCK(256) LW_DOMAIN(d_Ne) LW_REQUIRES(d_Ne >= 1, d_Ne <= 1073741824)
void compress(long d_Ne, float *d_I LW_SHAPE(d_Ne));
LW_BLOCK(256) LW_DOMAIN(d_Ne) LW_REQUIRES(d_Ne >= 1, d_Ne <= 1073741824)
void prepare(long d_Ne, const float *d_I LW_SHAPE(d_Ne), float *d_sums LW_SHAPE(d_Ne), float *d_sums2 LW_SHAPE(d_Ne));

LW_BLOCK(256) LW_DOMAIN(d_no) LW_REQUIRES(d_Ne >= 1, d_Ne <= 1073741824, d_no >= 1, d_mul >= 1, d_no == (d_Ne + d_mul - 1) / d_mul)
void reduce(long d_Ne, int d_no, int d_mul, float *d_sums LW_SHAPE(d_Ne), float *d_sums2 LW_SHAPE(d_Ne));

LW_BLOCK(256) LW_DOMAIN(d_Ne) LW_REQUIRES(d_Nr >= 1, d_Nc >= 1, d_Ne == d_Nr * d_Nc, d_Ne <= 1073741824)
void srad(float d_lambda, int d_Nr, int d_Nc, long d_Ne, const int *d_iN LW_SHAPE(d_Nr) LW_VALUES(0, d_Nr), const int *d_iS LW_SHAPE(d_Nr) LW_VALUES(0, d_Nr),
          const int *d_jE LW_SHAPE(d_Nc) LW_VALUES(0, d_Nc), const int *d_jW LW_SHAPE(d_Nc) LW_VALUES(0, d_Nc), float *d_dN LW_SHAPE(d_Ne),
          float *d_dS LW_SHAPE(d_Ne), float *d_dE LW_SHAPE(d_Ne), float *d_dW LW_SHAPE(d_Ne), float d_q0sqr, float *d_c LW_SHAPE(d_Ne),
          const float *d_I LW_SHAPE(d_Ne));

LW_BLOCK(256) LW_DOMAIN(d_Ne) LW_REQUIRES(d_Nr >= 1, d_Nc >= 1, d_Ne == d_Nr * d_Nc, d_Ne <= 1073741824)
void srad2(float d_lambda, int d_Nr, int d_Nc, long d_Ne, const int *d_iN LW_SHAPE(d_Nr) LW_VALUES(0, d_Nr), const int *d_iS LW_SHAPE(d_Nr) LW_VALUES(0, d_Nr),
           const int *d_jE LW_SHAPE(d_Nc) LW_VALUES(0, d_Nc), const int *d_jW LW_SHAPE(d_Nc) LW_VALUES(0, d_Nc), const float *d_dN LW_SHAPE(d_Ne),
           const float *d_dS LW_SHAPE(d_Ne), const float *d_dE LW_SHAPE(d_Ne), const float *d_dW LW_SHAPE(d_Ne), const float *d_c LW_SHAPE(d_Ne),
           float *d_I LW_SHAPE(d_Ne));
