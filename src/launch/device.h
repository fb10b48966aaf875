/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the library for host programs: a device with what was made from it, and the two backends behind one table of functions.
 *
 * Files: device.c (devices, streams), buffer.c, module.c (loading, kernels), request.c (a checked launch), admit.c (a contract, yes or
 * no, without memory), prepared.c, complaint.c (errors), record.c (fault records), backend_cpu.c, backend_cuda.c with driver.c.
 */
#ifndef LANEWISE_LAUNCH_DEVICE_H
#define LANEWISE_LAUNCH_DEVICE_H

#include "contract/contract.h"
#include "launch/fault.h"
#include "ptx/ptx.h"

#include <lanewise/launcher.h>

struct backend;

struct device_limits {
    uint32_t grid[3], block[3], block_threads;
    uint32_t shared_bytes; /* of a block, static and dynamic */
};

struct lw_device {
    const struct backend *backend;
    void *state; /* the backend's */
    char name[128];
    struct device_limits limits;
    bool is_lost;
    struct lw_error lost; /* what a kernel did */
    struct lw_module *modules;
    struct lw_buffer *buffers;
    struct lw_stream *streams;
    struct lw_prepared *prepared;
};

struct lw_stream {
    struct lw_device *device;
    struct lw_stream *next;
    void *handle;
};

struct lw_buffer {
    struct lw_device *device;
    struct lw_buffer *next;
    uint64_t address, bytes;
};

/* A kernel with what its launches need, found when the module is loaded. */
struct lw_kernel {
    struct lw_module *module;
    uint32_t function;            /* in module->ptx */
    const char *shown;
    const struct lw_kernel_text *text; /* NULL: no launcher */
    const struct contract *contract;   /* NULL with `text` */
    uint32_t parameters_size;
    uint32_t parameter_count;     /* of the PTX */
    uint32_t *offsets, *sizes;    /* of each in the parameter block */
    contract_integer *scalars, *lengths; /* by parameter of the contract: values of the launch that is being looked at */
    uint64_t *needed;             /* likewise: elements that the launch may touch */
    uint32_t max_threads;         /* of a block of this kernel */
    uint32_t static_shared;
    uint32_t dynamic_shared;      /* what the driver was told to allow */
    void *handle;                 /* the backend's */
    struct lw_kernel *bulk, *tail; /* its parts; NULL: none */
};

struct lw_module {
    struct lw_device *device;
    struct lw_module *next;
    struct arena arena;
    const struct lw_module_source *source; /* NULL: plain PTX */
    const char *name;
    const struct ptx_module *ptx;
    struct lw_kernel *kernels;    /* of the source in its order; without a source: all entries */
    uint32_t kernel_count;
    bool scans_values;
    void *state;                  /* the backend's */
    struct launch_fault_record *record; /* where failing checks write; NULL: none do */
};

enum { SPLIT_BYTES = 36 }; /* the last parameter of a part: first block, grid and block of the whole launch */

/* A launch whose numbers are settled. */
struct launch_numbers {
    uint32_t grid[3], block[3], shared_bytes;
    bool no_work;
};

struct lw_prepared {
    struct lw_kernel *kernel;
    struct lw_prepared *next;
    struct launch_numbers numbers;
    uint8_t *parameters;
};

/* All of them fill `error` when they fail; `state` of a device and of a module is theirs. */
struct backend {
    const char *name;
    enum lw_status (*open)(struct lw_device *device, const struct lw_device_options *options, struct lw_error *error);
    void (*close)(struct lw_device *device);
    enum lw_status (*allocate)(struct lw_device *device, uint64_t bytes, uint64_t *address, struct lw_error *error);
    void (*release)(struct lw_device *device, uint64_t address);
    enum lw_status (*copy_in)(struct lw_device *device, uint64_t address, const void *data, uint64_t bytes, struct lw_error *error);
    enum lw_status (*copy_out)(struct lw_device *device, void *data, uint64_t address, uint64_t bytes, struct lw_error *error);
    enum lw_status (*open_stream)(struct lw_stream *stream, struct lw_error *error);
    void (*close_stream)(struct lw_stream *stream);
    enum lw_status (*load)(struct lw_module *module, struct lw_error *error);
    void (*unload)(struct lw_module *module);
    enum lw_status (*find)(struct lw_kernel *kernel, struct lw_error *error);
    enum lw_status (*launch)(struct lw_kernel *kernel, const struct launch_numbers *numbers, uint8_t *parameters,
                             struct lw_stream *stream, struct lw_error *error);
    /* `stream` NULL: the whole device. */
    enum lw_status (*wait)(struct lw_device *device, struct lw_stream *stream, struct lw_error *error);
};
extern const struct backend backend_cpu, backend_cuda;

/* ---- complaint.c ------------------------------------------------------------------------------------------------------ */

/* Fills `error` (NULL is allowed) and returns `status`. */
enum lw_status complain(struct lw_error *error, enum lw_status status, const char *format, ...) LW_PRINTF(3, 4);
/* One more line. */
void complain_more(struct lw_error *error, const char *format, ...) LW_PRINTF(2, 3);
/* The first error of a list; `what` stands before it. */
enum lw_status complain_diagnostic(struct lw_error *error, enum lw_status status, const char *what,
                                   const struct diagnostic_list *diagnostics);
/* True, with the error that made it so, if a kernel has ruined the device. */
bool device_is_lost(const struct lw_device *device, struct lw_error *error);

/* ---- record.c ----------------------------------------------------------------------------------------------------------- */

/* Words the record of a module; the device is lost from here on. */
enum lw_status record_report(struct lw_device *device, const struct lw_module *module, const struct launch_fault_record *record,
                             struct lw_error *error);
/* A fault that no check saw. */
enum lw_status record_report_text(struct lw_device *device, struct lw_error *error, const char *format, ...) LW_PRINTF(3, 4);

/* ---- module.c, admit.c, request.c ------------------------------------------------------------------------------------------ */

/* The kernel's contract from the text of its launcher; NULL with an error. */
const struct contract *module_read_contract(struct lw_module *module, const struct lw_kernel_text *text, struct lw_error *error);
/* Exactly what contract_evaluate says, without its messages and without memory. */
bool admit_contract(const struct contract *contract, const struct contract_values *values);
/* Grid, block and shared memory against what the device can do. */
enum lw_status numbers_fit(const struct lw_kernel *kernel, const struct launch_numbers *numbers, struct lw_error *error);
/* The whole launch as one of full blocks and one of each tail that has work. `counts` are the threads of its domain; an axis without one: 0.
 * `parameters` are those of the whole kernel. */
enum lw_status launch_parts(struct lw_kernel *kernel, const struct launch_numbers *numbers, const uint64_t counts[3], const uint8_t *parameters,
                            struct lw_stream *stream, struct lw_error *error);
/* LW_VALUES of every array that has them, by reading it. */
enum lw_status scan_values(struct lw_kernel *kernel, const struct lw_argument *arguments, const struct contract_values *values,
                           struct lw_error *error);

#endif
