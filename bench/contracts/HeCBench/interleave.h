/* SPDX-License-Identifier: Apache-2.0
 * file: src/interleave-cuda/main.cu
 * kernels: add_kernel_interleaved add_kernel_non_interleaved
 *
 * 4096 structs of 16 numbers, or one struct of 16 arrays of 4096.
 */
struct interleaved {
    unsigned s[16];
};
struct apart {
    unsigned s[16][4096];
};

LW_DOMAIN(num_elements) LW_REQUIRES(num_elements >= 1, num_elements <= 4096)
void add_kernel_interleaved(struct interleaved *dest_ptr LW_SHAPE(num_elements), const struct interleaved *src_ptr LW_SHAPE(num_elements), unsigned num_elements);
LW_DOMAIN(num_elements) LW_REQUIRES(num_elements >= 1, num_elements <= 4096)
void add_kernel_non_interleaved(struct apart *dest_ptr LW_SHAPE(1), const struct apart *src_ptr LW_SHAPE(1), unsigned num_elements);
