/* SPDX-License-Identifier: Apache-2.0
 *
 * The fault record: what a failing check of a checked kernel writes before it stops the launch.
 *
 * A module with run-time checks has a variable `lanewise_fault` (.visible .global .align 8 .u64).  It holds the device address of one
 * struct launch_fault_record in memory that the host can still read after the launch has died: pinned and mapped on a GPU.  0, its
 * value in the file, is "no record": the check then calls __assertfail with a readable message.
 *
 * The first thread whose check fails wins by compare-and-swap of `state` from 0 to 1, writes the rest, fences for the whole system, sets
 * `state` to 2 and traps; the others wait for 2 and trap.  So a record with state 2 is whole, and the host clears it before a launch.
 */
#ifndef LANEWISE_LAUNCH_FAULT_H
#define LANEWISE_LAUNCH_FAULT_H

#include <stdint.h>

#define LAUNCH_FAULT_VARIABLE "lanewise_fault"

enum launch_fault_state { LAUNCH_FAULT_NONE, LAUNCH_FAULT_WRITING, LAUNCH_FAULT_COMPLETE };

struct launch_fault_record {
    uint32_t state;     /* enum launch_fault_state */
    uint32_t site;      /* index into the module's table of sites */
    uint32_t block[3];  /* ctaid */
    uint32_t thread[3]; /* tid */
    int64_t index;      /* see `kind` */
    uint64_t extent;
    uint32_t kind;      /* 101, 102: index and extent are in elements of the site's size, bytes where that is 1
                           103: index is the exact value of what left its 32 bits, extent is 0
                           105: index is the byte in the array (the address where the array is not known), extent the alignment that the access needs
                           106: both 0
                           404: as the check in the source says: what was asked for, and the first number that is too large
                           1: the contract itself, by --entry-check: site names the condition, both 0 */
    uint32_t padding[3];
};

_Static_assert(sizeof(struct launch_fault_record) == 64, "written by PTX, read by the host");

#endif
