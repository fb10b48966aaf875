/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: what the files that look for witnesses share.
 */
#ifndef LANEWISE_CHECK_CONFIRM_H
#define LANEWISE_CHECK_CONFIRM_H

#include "check/check.h"

/* A copy of the launch, with some of its blocks picked where it has too many threads for all of them. */
struct launch *confirm_focus(struct arena *arena, const struct launch *launch);

/* Fields of structs by their names; `values`: of the launch, or NULL. */
void confirm_name_fields(struct arena *arena, const struct contract *contract, const struct contract_values *values,
                         struct finding *finding);

#endif
