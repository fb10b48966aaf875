/* SPDX-License-Identifier: Apache-2.0
 * file: src/logprob-cuda/main.cu
 * kernels: _Z16log_probs_kernelIfEvPfPKT_PKiS5_iiii accumulate_log_probs
 *
 * A block for each step of each sequence; the vocabulary is padded to a multiple of 32.
 */
LW_FOR("_Z16log_probs_kernelIfEvPfPKT_PKiS5_iiii") LW_BLOCK_MULTIPLE(32)
LW_REQUIRES(block.y == 1, block.z == 1, max_input_length >= 2, batch_size >= 1, vocab_size >= 1, vocab_size <= vocab_size_padded, batch_size * max_input_length * vocab_size_padded <= 1073741824,
            grid.x == max_input_length - 1, grid.y == batch_size)
void log_probs_float(float *log_probs LW_SHAPE(batch_size, max_input_length - 1), const float *logits LW_SHAPE(batch_size, max_input_length, vocab_size_padded),
                     const int *ids LW_SHAPE(batch_size, max_input_length) LW_VALUES(0, vocab_size), const int *lengths LW_SHAPE(batch_size) LW_VALUES(0, max_input_length + 1),
                     int max_input_length, int batch_size, int vocab_size, int vocab_size_padded);

LW_BLOCK_MULTIPLE(32) LW_REQUIRES(block.y == 1, block.z == 1, max_input_length >= 2, batch_size >= 1, batch_size * max_input_length <= 1073741824, grid.x == batch_size)
void accumulate_log_probs(float *cum_log_probs LW_SHAPE(batch_size), const float *log_probs LW_SHAPE(batch_size, max_input_length - 1),
                          const int *lengths LW_SHAPE(batch_size) LW_VALUES(0, max_input_length + 1), int max_input_length, int batch_size);
