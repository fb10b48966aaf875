/* SPDX-License-Identifier: Apache-2.0
 * file: src/adam-cuda/main.cu
 * kernels: _Z4adamIffEvPT_S1_S1_PKT0_fffffim10adamMode_tf
 */
LW_FOR("_Z4adamIffEvPT_S1_S1_PKT0_fffffim10adamMode_tf") LW_BLOCK(256) LW_DOMAIN(vector_size) LW_REQUIRES(vector_size >= 1, vector_size <= 2147483647)
void adam_float(float *p LW_SHAPE(vector_size), float *m LW_SHAPE(vector_size), float *v LW_SHAPE(vector_size), const float *g LW_SHAPE(vector_size), float b1, float b2, float eps,
                float grad_scale, float step_size, int time_step, size_t vector_size, int mode, float decay);
