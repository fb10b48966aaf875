/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two .npy files element by element: `compare ACTUAL EXPECTED [TOLERANCE]`.  Integers must be equal; numbers with a point may
 * differ by TOLERANCE (default 1e-5) relative to the larger of the two, or of 1 when TOLERANCE has an `a` behind it.  A NaN in
 * EXPECTED means that any value will do.  Exit 0 equal, 1 different, 2 unreadable.
 * Limits: little-endian files of one array in C order, types f2 f4 f8, i1..i8, u1..u8 and b1; shapes are not compared, lengths are.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array {
    char kind;      /* 'f', 'i', 'u' or 'b' */
    size_t size;    /* bytes of an element */
    size_t count;
    unsigned char *data;
};

static int fail(const char *path, const char *why)
{
    fprintf(stderr, "compare: %s: %s\n", path, why);
    return 0;
}

static int read_array(const char *path, struct array *array)
{
    unsigned char magic[10];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(path, "cannot be opened");
    if (fread(magic, 1, sizeof magic, file) != sizeof magic || memcmp(magic, "\x93NUMPY\x01", 7) != 0)
        return fclose(file), fail(path, "is not a version 1 .npy file");
    size_t header_size = magic[8] | (size_t)magic[9] << 8;
    char *header = calloc(1, header_size + 1);
    if (header == NULL || fread(header, 1, header_size, file) != header_size)
        return fclose(file), free(header), fail(path, "ends in its header");
    const char *type = strstr(header, "'descr':");
    type = type != NULL ? strchr(type + 8, '\'') : NULL;
    if (type == NULL || strlen(type) < 4 || strchr("fiub", type[2]) == NULL || type[1] == '>')
        return fclose(file), free(header), fail(path, "has a type that is not known here");
    array->kind = type[2];
    array->size = (size_t)(type[3] - '0');
    free(header);
    long start = (long)(sizeof magic + header_size);
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)(ftell(file) - start);
    fseek(file, start, SEEK_SET);
    array->count = array->size > 0 ? bytes / array->size : 0;
    array->data = malloc(bytes + 1);
    int ok = array->data != NULL && fread(array->data, 1, bytes, file) == bytes;
    fclose(file);
    return ok || fail(path, "cannot be read");
}

static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double value = exponent == 0    ? ldexp(mantissa, -24)
                   : exponent == 31 ? (mantissa != 0 ? (double)NAN : (double)INFINITY)
                                    : ldexp(mantissa + 1024, exponent - 25);
    return bits >> 15 ? -value : value;
}

static double real_at(const struct array *array, size_t index)
{
    const unsigned char *at = array->data + index * array->size;
    if (array->size == 8) {
        double value;
        memcpy(&value, at, 8);
        return value;
    }
    if (array->size == 4) {
        float value;
        memcpy(&value, at, 4);
        return value;
    }
    return half_value((uint16_t)(at[0] | at[1] << 8));
}

/* Sign extended where the type is signed. */
static int64_t integer_at(const struct array *array, size_t index)
{
    uint64_t value = 0;
    memcpy(&value, array->data + index * array->size, array->size);
    unsigned unused = 64 - 8 * (unsigned)array->size;
    return array->kind == 'i' ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

static int reals_match(double got, double wanted, double tolerance, int absolute)
{
    if (isnan(wanted) || got == wanted)
        return 1;
    double scale = fmax(fabs(got), fabs(wanted));
    if (absolute && scale < 1)
        scale = 1;
    return fabs(got - wanted) <= tolerance * scale;
}

int main(int argc, char **argv)
{
    struct array actual, expected;
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: compare ACTUAL.npy EXPECTED.npy [TOLERANCE]\n");
        return 2;
    }
    char *rest = NULL;
    double tolerance = argc == 4 ? strtod(argv[3], &rest) : 1e-5;
    int absolute = rest != NULL && *rest == 'a';
    if (!read_array(argv[1], &actual) || !read_array(argv[2], &expected))
        return 2;
    if (actual.kind != expected.kind || actual.size != expected.size || actual.count != expected.count) {
        printf("%zu elements of type %c%zu, wanted %zu of %c%zu\n", actual.count, actual.kind, actual.size,
               expected.count, expected.kind, expected.size);
        return 1;
    }
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < actual.count; i++) {
        int same = actual.kind == 'f'
                       ? reals_match(real_at(&actual, i), real_at(&expected, i), tolerance, absolute)
                       : integer_at(&actual, i) == integer_at(&expected, i);
        if (!same && wrong++ == 0)
            first = i;
    }
    if (wrong > 0 && actual.kind == 'f')
        printf("%zu of %zu differ, first element %zu: %.9g, wanted %.9g\n", wrong, actual.count, first,
               real_at(&actual, first), real_at(&expected, first));
    else if (wrong > 0)
        printf("%zu of %zu differ, first element %zu: %lld, wanted %lld\n", wrong, actual.count, first,
               (long long)integer_at(&actual, first), (long long)integer_at(&expected, first));
    free(actual.data);
    free(expected.data);
    return wrong > 0;
}
