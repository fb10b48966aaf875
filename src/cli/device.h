/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a test on a backend of the library, in child processes: a fault there ends a child, not the test.
 */
#ifndef LANEWISE_CLI_DEVICE_H
#define LANEWISE_CLI_DEVICE_H

#include "cli/cli.h"
#include "tail/tail.h"

#include <lanewise/launcher.h>
#include <pthread.h>

/* A module as it runs there; sides of a twin are two. */
struct device_module {
    const struct lw_module_source *source; /* entries of all kernels that may be launched, in any order */
    const struct ptx_module *ptx;          /* numbers of functions in a launch are its own; where parameters lie */
};

struct device_worker;
struct device {
    const char *backend;                   /* "cuda" */
    const struct device_module *modules;
    uint32_t module_count;
    struct device_worker *shared;          /* memory that all processes see */
    int socket;                            /* to the keeper */
    pid_t keeper;
    pthread_mutex_t lock;
    uint32_t module;                       /* that device_call launches from */
    uint64_t launches, left_out;
    const char *why_left_out;              /* the last */
};

/* Starts a child that has the modules, and opens the backend.  False with a message: there is no such device. */
bool device_begin(struct cli *cli, const char *backend, const struct device_module *modules, uint32_t count, struct device *device);
void device_end(struct device *device);
uint64_t device_bytes(void); /* of memory for one launch */
/* A tail_device, context: the device. */
bool device_call(void *context, struct arena *arena, struct tail_device_call *call);
void device_left_out(void *context, const char *why);
/* "of `scale`, 3 launches on cuda: its arrays are too large"; NULL: there were none.  Begins to count anew. */
const char *device_missed(struct cli *cli, struct device *device);

/* What runs there of a compiled file: its PTX, or with checks (a proof of each kernel).  NULL with diagnostics. */
const struct device_module *device_module_raw(struct cli *cli, const struct job *job);
const struct device_module *device_module_checked(struct cli *cli, struct job *job, struct diagnostic_list *diagnostics);

#endif
