/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sym: what uniform.c and uniform_control.c share.
 */
#ifndef LANEWISE_SYM_UNIFORM_H
#define LANEWISE_SYM_UNIFORM_H

#include "sym/translate.h"

/* uniform_control.c */
bool sym_is_branch(const struct ir_cfg *cfg, uint32_t block);
void sym_control_build(struct sym_uniform *uniform);
bool sym_loop_differs(struct sym_uniform *uniform, uint32_t loop);

#endif
