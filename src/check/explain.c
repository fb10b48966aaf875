/* SPDX-License-Identifier: Apache-2.0
 *
 * Proofs in words: what was asked and which facts the answer needs.
 */
#include "check/prove.h"

/* Facts without which the goal is not proved any more, found by leaving out one after the other. */
static sym_facts needed_facts(struct prove *prove, const sym_facts *facts, sym_cond goal)
{
    sym_facts kept = {0};
    for (uint32_t i = 0; i < facts->count; i++)
        *vec_push(prove->arena, &kept) = facts->data[i];
    for (uint32_t i = kept.count; i-- > 0;) {
        sym_cond left_out = kept.data[i];
        kept.data[i] = SYM_TRUE;
        if (sym_prove(prove->sym, kept.data, kept.count, goal, &prove->kernel->limits) != SYM_PROVED) {
            kept.data[i] = left_out;
            continue;
        }
        for (uint32_t k = i; k + 1 < kept.count; k++)
            kept.data[k] = kept.data[k + 1];
        kept.count--;
    }
    return kept;
}

void prove_explain(struct prove *prove, const sym_facts *facts, sym_cond goal, struct buffer *out)
{
    if (goal == SYM_TRUE)
        return;
    buffer_puts(out, out->size == 0 ? "" : "\n");
    sym_print_cond(prove->sym, goal, out);
    sym_facts needed = needed_facts(prove, facts, goal);
    for (uint32_t i = 0; i < needed.count; i++) {
        buffer_puts(out, i == 0 ? ", from " : "; ");
        sym_print_cond(prove->sym, needed.data[i], out);
    }
}
