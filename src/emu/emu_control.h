/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to emu_control.c, emu_barrier.c and emu_native.c.
 */
#ifndef LANEWISE_EMU_CONTROL_H
#define LANEWISE_EMU_CONTROL_H

#include "emu/emu_core.h"

/* Block barriers: bar.sync, bar.arrive, bar.red; NULL for forms that are not executed. */
emu_fn *emu_barrier_select(const struct ptx_instruction *instruction);
/* Ends lanes of the running group. */
enum emu_next emu_exit_lanes(struct emu_warp *warp, uint32_t mask);
/* Reports what is wrong with a warp-wide operation that `mask` executes, naming `members`, of whom `missing` are alive and elsewhere. */
void emu_gate_check(struct emu_warp *warp, const struct emu_op *gate, uint32_t mask, uint32_t members, uint32_t missing);
/* The same for members that have exited or never existed: an error when one of them is read, otherwise a warning. */
void emu_gate_check_absent(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, uint32_t members, uint32_t absent);
/* A call of a device math function. */
enum emu_next emu_run_math(struct emu_warp *warp, const struct emu_op *op, const struct emu_call *call, uint32_t mask);

#endif
