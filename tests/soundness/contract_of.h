/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract of a plan. */
#ifndef SOUNDNESS_CONTRACT_OF_H
#define SOUNDNESS_CONTRACT_OF_H

#include "contract/contract.h"
#include "plan.h"

#include <string.h>

/* NULL with diagnostics when the plan's texts are no contract. */
struct contract *contract_of_plan(struct arena *arena, const struct plan *plan,
                                  struct diagnostic_list *diagnostics);

#endif
