/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reference programs share.  Each is called as `PROGRAM CASE FOLDER` and writes FOLDER/<argument>.npy for every argument
 * that a launch's result is compared with.  They compute from the meaning of the kernel, in double precision where the kernel works
 * in floats, and from the same initial contents that the launch file states.  NaN in a result means: any value will do.
 */
#ifndef LANEWISE_BENCH_REFERENCE_H
#define LANEWISE_BENCH_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a one-dimensional .npy file; `type` is NumPy's name ("<f4", "<i4", "<u8", "|u1"). */
static inline void reference_write(const char *folder, const char *argument, const char *type,
                                   const void *data, size_t count, size_t element_size)
{
    char path[4096], header[128];
    snprintf(path, sizeof path, "%s/%s.npy", folder, argument);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    int used = snprintf(header, sizeof header,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }", type, count);
    memset(header + used, ' ', sizeof header - 10 - (size_t)used);
    header[sizeof header - 11] = '\n';
    const unsigned char magic[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, sizeof header - 10, 0};
    if (fwrite(magic, 1, sizeof magic, file) != sizeof magic ||
        fwrite(header, 1, sizeof header - 10, file) != sizeof header - 10 ||
        fwrite(data, element_size, count, file) != count || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

/* Rounds doubles to floats and writes them. */
static inline void reference_write_floats(const char *folder, const char *argument,
                                          const double *data, size_t count)
{
    float *floats = malloc(count * sizeof *floats);
    if (floats == NULL)
        exit(2);
    for (size_t i = 0; i < count; i++)
        floats[i] = (float)data[i];
    reference_write(folder, argument, "<f4", floats, count, sizeof *floats);
    free(floats);
}

struct reference_case {
    const char *name;
    void (*write)(const char *folder);
};

static inline int reference_main(int argc, char **argv, const struct reference_case *cases, size_t count)
{
    for (size_t i = 0; argc == 3 && i < count; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].write(argv[2]);
            return 0;
        }
    fprintf(stderr, "usage: %s CASE FOLDER\ncases:", argv[0]);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", cases[i].name);
    fprintf(stderr, "\n");
    return 2;
}

#define REFERENCE_MAIN(cases)                                              \
    int main(int argc, char **argv)                                        \
    {                                                                      \
        return reference_main(argc, argv, cases, sizeof cases / sizeof *cases); \
    }

#endif
