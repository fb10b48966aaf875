/* SPDX-License-Identifier: Apache-2.0
 *
 * Two small machines for one thread of integer PTX: one runs the instructions as they stand, the
 * other runs the analysis form. Whatever the passes do, both must leave the same bytes in global
 * memory.
 *
 * Known: mov ld st add sub mul.lo mad.lo and or xor shl shr setp selp cvt cvta bra ret call; 1, 8,
 * 16, 32 and 64 bits.
 */
#ifndef LANEWISE_TESTS_IR_MACHINE_H
#define LANEWISE_TESTS_IR_MACHINE_H

#include "ir/ir.h"

enum { MACHINE_BUFFERS = 4096, MACHINE_DEPTH = 40 };

#define MACHINE_LEAVES_REGION "an access leaves its region"

/* Addresses are buffer << 32 | offset; buffer 1 is global memory, 2 the kernel's parameters. */
struct machine {
    struct arena *arena;
    const struct ptx_module *module;
    struct {
        uint8_t *data;
        uint32_t size;
    } buffers[MACHINE_BUFFERS];
    uint32_t buffer_count;
    uint64_t steps, max_steps;
    uint32_t depth;
    const char *fault; /* NULL: none so far */
};

void machine_init(struct machine *machine, struct arena *arena, const struct ptx_module *module,
                  uint32_t global_size, const void *parameters, uint32_t parameters_size);
/* Both return false with `fault` set when something is wrong. */
bool machine_run_ptx(struct machine *machine, uint32_t function);
bool machine_run_form(struct machine *machine, const struct ir_function *function);

#endif
