/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/adamw.cu
 * kernels: adamw_kernel1 adamw_kernel2
 * cflags: -std=c++17
 */
LW_DOMAIN(num_parameters) LW_REQUIRES(num_parameters >= 1, num_parameters <= 2147482624)
void adamw_kernel1(float *params_memory LW_SHAPE(num_parameters), const float *grads_memory LW_SHAPE(num_parameters), float *m_memory LW_SHAPE(num_parameters),
                   float *v_memory LW_SHAPE(num_parameters), long num_parameters, float learning_rate, float beta1, float beta2, float beta1_correction,
                   float beta2_correction, float eps, float weight_decay);
LW_DOMAIN(num_parameters) LW_REQUIRES(num_parameters >= 1, num_parameters <= 2147482624)
void adamw_kernel2(float *params_memory LW_SHAPE(num_parameters), const float *grads_memory LW_SHAPE(num_parameters), float *m_memory LW_SHAPE(num_parameters),
                   float *v_memory LW_SHAPE(num_parameters), long num_parameters, float learning_rate, float beta1, float beta2, float beta1_correction,
                   float beta2_correction, float eps, float weight_decay);
