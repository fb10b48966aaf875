/* SPDX-License-Identifier: Apache-2.0
 * file: src/bincount-cuda/main.cu
 * kernels: _Z8bincountIifiL16DeviceMemoryType0EEvPT_PKT0_T1_S3_S3_S6_S6_ _Z8bincountIifiL16DeviceMemoryType1EEvPT_PKT0_T1_S3_S3_S6_S6_
 *
 * A bin comes from the value of a float, so its access cannot be proved.
 */
LW_FOR("_Z8bincountIifiL16DeviceMemoryType0EEvPT_PKT0_T1_S3_S3_S6_S6_") LW_BLOCK(256) LW_DOMAIN(input_size) LW_SHARED_BYTES(nbins * 4)
LW_REQUIRES(input_size >= 1, input_size <= 1073741824, nbins >= 1, nbins <= 58000, output_size == nbins)
void in_shared(int *output LW_SHAPE(output_size), const float *input LW_SHAPE(input_size), int nbins, float minvalue, float maxvalue, int input_size, int output_size);
LW_FOR("_Z8bincountIifiL16DeviceMemoryType1EEvPT_PKT0_T1_S3_S3_S6_S6_") LW_BLOCK(256) LW_DOMAIN(input_size)
LW_REQUIRES(input_size >= 1, input_size <= 1073741824, nbins >= 1, output_size == nbins)
void in_global(int *output LW_SHAPE(output_size), const float *input LW_SHAPE(input_size), int nbins, float minvalue, float maxvalue, int input_size, int output_size);
