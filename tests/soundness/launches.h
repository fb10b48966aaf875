/* SPDX-License-Identifier: Apache-2.0
 *
 * Small launches that a contract admits, and what the emulator says about them. */
#ifndef SOUNDNESS_LAUNCHES_H
#define SOUNDNESS_LAUNCHES_H

#include "contract/contract.h"
#include "emu/emu.h"
#include "plan.h"

#include <stdlib.h>
#include <string.h>

struct launch_numbers {
    struct contract_values values;
    uint64_t focus[8];
    uint32_t focus_count; /* 0: all blocks */
    uint64_t dynamic_shared;
};

/* A fault of one launch. */
typedef void launch_fault(void *context, const struct launch_numbers *launch,
                          const struct emu_result *result);

struct launches {
    uint32_t run, step_limit, unsupported;
    const char *trouble; /* why the emulator could not run it; NULL */
};

/* Runs up to `budget` launches, chosen from the plan's seed, and calls `fault` after each that has findings. */
void launches_run(struct arena *arena, const struct plan *plan, const struct ptx_module *module,
                  uint32_t function, const struct contract *contract, uint32_t budget,
                  launch_fault *fault, void *context, struct launches *launches);
/* "n=5 block=(4,1,1) grid=(2,1,1)" */
void launch_print(const struct contract *contract, const struct launch_numbers *launch,
                  struct buffer *out);

#endif
