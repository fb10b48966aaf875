/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of expression programs on columns of elements.
 */
#ifndef LANEWISE_LAUNCH_COLUMN_H
#define LANEWISE_LAUNCH_COLUMN_H

#include "launch/expression.h"

void column_convert(struct expression_column *a, unsigned count, enum expression_type from,
                    enum expression_type to);
void column_narrow(struct expression_column *a, unsigned count, unsigned bits, bool is_signed);
/* a = a op b; faults of `a` and `b` are merged already. */
void column_integer_binary(struct expression_column *a, const struct expression_column *b,
                           unsigned count, const struct expression_step *step, bool may_fault);
void column_real_binary(struct expression_column *a, const struct expression_column *b,
                        unsigned count, const struct expression_step *step);
void column_unary(struct expression_column *a, unsigned count, const struct expression_step *step);

#endif
