/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise/lanewise.h: the library for host programs.  It runs checked kernels (`lanewise build`) on a GPU or on the CPU, and evaluates
 * their contracts before it launches anything.
 *
 *     struct lw_device *device;
 *     struct lw_error error;
 *     if (lw_device_open(&(struct lw_device_options){.backend = "cpu"}, &device, &error) != LW_OK)
 *         fprintf(stderr, "%s\n", error.message);
 *
 * Backends: "cuda" (the driver's libcuda.so.1, looked for when a device is opened: the program itself links nothing of CUDA), "cpu" (the
 * emulator runs the same PTX).  Nothing is printed, nothing exits, there is no global state.
 *
 * Errors are values: every call that can fail returns a status and, when it is not LW_OK, fills the caller's struct lw_error (NULL is
 * allowed).  A launch that returns an error has launched nothing.  What goes wrong inside a kernel is reported by the next call that waits
 * (lw_device_wait, lw_stream_wait, lw_buffer_read, lw_buffer_write) at the latest, on "cpu" by the next launch too; the device is lost then: every further call
 * gives the same error, until it is closed and another one is opened.  After a trap NVIDIA's driver opens none in this process.
 *
 * A device and everything made from it is used by one thread at a time.  C99 or later, C++.
 */
#ifndef LANEWISE_LANEWISE_H
#define LANEWISE_LANEWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/slices.h>

#if defined(__GNUC__)
#define LW_API __attribute__((visibility("default")))
#else
#define LW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors -------------------------------------------------------------------------------------------------------- */

enum lw_status {
    LW_OK,
    LW_ERROR_ARGUMENT,      /* a call was given what it cannot take */
    LW_ERROR_MEMORY,        /* out of memory, of the host or of the device */
    LW_ERROR_NO_DRIVER,     /* there is no libcuda.so.1, or it is too old */
    LW_ERROR_NO_DEVICE,     /* there is no such device */
    LW_ERROR_PTX,           /* the PTX is wrong */
    LW_ERROR_PTX_VERSION,   /* the PTX is newer than the driver */
    LW_ERROR_NO_KERNEL,     /* the module has no such kernel */
    LW_ERROR_CONTRACT,      /* the launch breaks the kernel's contract: relations, lengths, values */
    LW_ERROR_ALIGNMENT,     /* an array's start is not aligned as the kernel needs it */
    LW_ERROR_OVERLAP,       /* a written array overlaps another one */
    LW_ERROR_DEVICE_LIMIT,  /* more than this device or this kernel on it can do; what no device can do is LW_ERROR_CONTRACT */
    LW_ERROR_UNSUPPORTED,   /* the cpu backend does not know an instruction that was reached */
    LW_ERROR_KERNEL_FAULT,  /* a kernel did something that it must not do: struct lw_fault says what, where a check stood there */
    LW_ERROR_DRIVER         /* anything else that the driver says */
};

/* "contract", "kernel fault" */
LW_API const char *lw_status_name(enum lw_status status);

/* What a run-time check of a kernel saw. */
struct lw_fault {
    const char *check;      /* "LW101", "LW103" ...; NULL: no check stood there, only the message tells */
    const char *kernel, *file, *array; /* array NULL: it is not known, or a division */
    uint32_t line, column;
    uint32_t block[3], thread[3];
    int64_t index;          /* LW101, LW102: the element (the byte where elements are not known); LW103: the value that does not fit;
                               LW105: the byte in the array */
    uint64_t extent;        /* LW101, LW102: elements that the array has; LW105: the alignment that was needed */
};

struct lw_error {
    enum lw_status status;
    struct lw_fault fault;  /* with LW_ERROR_KERNEL_FAULT; its texts live as long as the module */
    char message[2048];     /* for people; several broken conditions are several lines */
};

/* ---- devices ------------------------------------------------------------------------------------------------------- */

struct lw_device;

struct lw_device_options {
    const char *backend; /* "cuda", "cpu"; NULL: a GPU where there is one, else the CPU */
    unsigned ordinal;    /* which GPU */
    unsigned jobs;       /* cpu: threads; 0: one a core */
    bool checks;         /* cpu: the emulator's own checks too: races, uninitialised memory, wraps */
};

/* `options` NULL: all zero. */
LW_API enum lw_status lw_device_open(const struct lw_device_options *options, struct lw_device **device, struct lw_error *error);
/* Frees its buffers, modules, streams and prepared launches too. */
LW_API void lw_device_close(struct lw_device *device);
LW_API const char *lw_device_backend(const struct lw_device *device); /* "cuda", "cpu" */
LW_API const char *lw_device_name(const struct lw_device *device);    /* "NVIDIA H200" */
/* Waits for everything that was launched. */
LW_API enum lw_status lw_device_wait(struct lw_device *device, struct lw_error *error);

/* ---- streams: launches of one stream run in order.  NULL is the device's own stream ------------------------------------- */

struct lw_stream;

LW_API enum lw_status lw_stream_open(struct lw_device *device, struct lw_stream **stream, struct lw_error *error);
LW_API void lw_stream_close(struct lw_stream *stream);
LW_API enum lw_status lw_stream_wait(struct lw_stream *stream, struct lw_error *error);
/* The driver's CUstream, for programs that use the driver too; NULL on the CPU. */
LW_API void *lw_stream_handle(const struct lw_stream *stream);

/* ---- buffers -------------------------------------------------------------------------------------------------------- */

struct lw_buffer;

/* `bytes` of device memory; 0 is allowed.  The contents are not defined. */
LW_API enum lw_status lw_buffer_create(struct lw_device *device, uint64_t bytes, struct lw_buffer **buffer, struct lw_error *error);
LW_API void lw_buffer_free(struct lw_buffer *buffer);
/* Copies behind everything that was launched before, and waits. */
LW_API enum lw_status lw_buffer_write(struct lw_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes, struct lw_error *error);
LW_API enum lw_status lw_buffer_read(struct lw_buffer *buffer, uint64_t offset, void *data, uint64_t bytes, struct lw_error *error);
LW_API uint64_t lw_buffer_bytes(const struct lw_buffer *buffer);
LW_API void *lw_buffer_address(const struct lw_buffer *buffer); /* of the device: not for the host to follow */

/* ---- slices: an array in device memory, its start and its number of elements, 16 bytes ------------------------------------- */

#define LW_DEFINE_SLICE(name, type)                                                                                                  \
    /* The whole buffer. */                                                                                                          \
    static inline struct lw_slice_##name lw_buffer_##name(const struct lw_buffer *buffer)                                            \
    {                                                                                                                                \
        struct lw_slice_##name slice = {(type *)lw_buffer_address(buffer), lw_buffer_bytes(buffer) / sizeof(type)};                  \
        return slice;                                                                                                                \
    }                                                                                                                                \
    /* `length` elements from `first`; cut where the slice ends. */                                                                  \
    static inline struct lw_slice_##name lw_part_##name(struct lw_slice_##name whole, uint64_t first, uint64_t length)                \
    {                                                                                                                                \
        struct lw_slice_##name slice = whole;                                                                                        \
        first = first < whole.length ? first : whole.length;                                                                         \
        slice.data = whole.data == NULL ? NULL : (type *)((uintptr_t)whole.data + (uintptr_t)first * sizeof(type));                  \
        slice.length = length < whole.length - first ? length : whole.length - first;                                                \
        return slice;                                                                                                                \
    }

LW_ELEMENTS(LW_DEFINE_SLICE)

/* Elements of a type that C does not have here (float4, half, a struct): `length` counts elements of the kernel's size. */
struct lw_slice_any {
    void *data;
    uint64_t length;
};
static inline struct lw_slice_any lw_buffer_any(const struct lw_buffer *buffer, uint64_t element_bytes)
{
    struct lw_slice_any slice = {lw_buffer_address(buffer), element_bytes == 0 ? 0 : lw_buffer_bytes(buffer) / element_bytes};
    return slice;
}

/* ---- modules and launches ---------------------------------------------------------------------------------------------- */

struct lw_module;
struct lw_kernel;
struct lw_prepared;
struct lw_module_source; /* generated: NAME_kernels of NAME_kernels.h */

struct lw_extent3 {
    uint32_t x, y, z;
};

LW_API enum lw_status lw_module_load(struct lw_device *device, const struct lw_module_source *source, struct lw_module **module,
                                     struct lw_error *error);
LW_API void lw_module_unload(struct lw_module *module);
/* Switches the scan of LW_VALUES on or off (off at first): each launch and each prepare then reads the arrays that have them and tests
 * every element, which waits for the device. */
LW_API void lw_module_scan_values(struct lw_module *module, bool scan);

/* A launch that K_prepare has checked.  As long as its arrays live and what they hold keeps LW_VALUES, it may be launched any number
 * of times, with no further check. */
LW_API enum lw_status lw_prepared_launch(const struct lw_prepared *prepared, struct lw_stream *stream, struct lw_error *error);
LW_API void lw_prepared_free(struct lw_prepared *prepared);

/* Without a generated launcher: any PTX, a kernel by its entry name or its source name, and no contract.  `arguments` points to the
 * value of each parameter, in order. */
LW_API enum lw_status lw_module_load_text(struct lw_device *device, const char *name, const char *ptx, struct lw_module **module,
                                          struct lw_error *error);
LW_API enum lw_status lw_module_find(struct lw_module *module, const char *name, struct lw_kernel **kernel, struct lw_error *error);
LW_API enum lw_status lw_kernel_launch(struct lw_kernel *kernel, struct lw_extent3 grid, struct lw_extent3 block, uint32_t shared_bytes,
                                       const void *const *arguments, struct lw_stream *stream, struct lw_error *error);
/* The driver's CUfunction, for programs that use the driver too; NULL on the CPU. */
LW_API void *lw_kernel_handle(const struct lw_kernel *kernel);

#ifdef __cplusplus
}
#endif

#endif
