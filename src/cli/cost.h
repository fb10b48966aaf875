/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside `lanewise cost`: what is launched.
 */
#ifndef LANEWISE_CLI_COST_H
#define LANEWISE_CLI_COST_H

#include "cli/cli.h"

struct cost_plan {
    const struct launch *launch; /* NULL: none */
    const char *trouble;         /* no launch: why */
    const struct contract_values *values; /* of a launch that the contract made; NULL */
    bool is_other;               /* --launch is about another kernel */
};

/* The launch of a kernel: that of --launch as it stands; else what the contract makes of the scalars that --launch and the file's launch
 * comment give; else the launch comment with the changes of --launch.  False with diagnostics: something is missing, by name. */
bool cost_plan_launch(struct cli *cli, const struct job *job, uint32_t function, const struct contract *contract, struct cost_plan *plan,
                      struct diagnostic_list *diagnostics);

#endif
