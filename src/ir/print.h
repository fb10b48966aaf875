/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ir: pieces of the text of a function, for the verifier.
 */
#ifndef LANEWISE_IR_PRINT_H
#define LANEWISE_IR_PRINT_H

#include "ir/ir.h"

void ir_block_print(const struct ir_function *function, uint32_t block, struct buffer *out);
void ir_instruction_print(const struct ir_function *function, uint32_t instruction,
                          struct buffer *out);

#endif
