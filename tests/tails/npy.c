/* SPDX-License-Identifier: Apache-2.0
 *
 * NumPy files: headers of every version and shape, and everything that is none; each file also cut at every byte.
 */
#include "launch/launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/lanewise-npy-XXXXXX";

static void write_bytes(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Magic, version, header, then `data` bytes that count up; returns the size. */
static size_t make(unsigned version, const char *header, size_t data, unsigned char out[4096])
{
    size_t length = strlen(header), start = version == 1 ? 10 : 12;
    memset(out, 0, start);
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (unsigned char)version;
    out[8] = (unsigned char)length;
    out[9] = (unsigned char)(length >> 8);
    memcpy(out + start, header, length);
    for (size_t i = 0; i < data; i++)
        out[start + length + i] = (unsigned char)i;
    return start + length + data;
}

struct row {
    unsigned version;
    const char *header;
    size_t data;
    const char *trouble; /* a part of it; NULL: fine */
    unsigned dimensions;
    uint64_t count;
};

static const struct row rows[] = {
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n", 12, NULL, 1, 3},
    {2, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 48, NULL, 2, 6},
    {3, "{\"shape\": (), \"fortran_order\": False, \"descr\": \"|u1\"}", 1, NULL, 0, 1},
    {1, "{'descr': '|b1', 'fortran_order': True, 'shape': (4,)}", 4, NULL, 1, 4},
    {1, "{'descr': '<i8', 'fortran_order': False, 'shape': (0, 5), }", 0, NULL, 2, 0},
    {1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16, "Fortran order", 0, 0},
    {1, "{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", 12, "big-endian", 0, 0},
    {1, "{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", 24, "`<c8`", 0, 0},
    {1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", 12, "structure", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 11, "cut off", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 13, "1 byte behind", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551615, 2), }", 12, "no header", 0, 0},
    {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,), }", 12, "cut off", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", 12, "no header", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 12, "no header", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", 4, "no header", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,", 12, "no header", 0, 0},
    {1, "{'descr': '<f4', 'shape': (3,), }", 12, "no header", 0, 0},
    {1, "{'fortran_order': False, 'shape': (3,), }", 12, "no header", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': None, 'shape': (3,), }", 12, "no header", 0, 0},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'shape': (3,)}", 12, "no header", 0, 0},
    {1, "{'descr: '<f4', 'fortran_order': False, 'shape': (3,), }", 12, "no header", 0, 0},
    {1, "", 0, "no header", 0, 0},
    {4, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 12, "unknown version", 0, 0},
};

static void test_headers(void **state)
{
    unsigned char bytes[4096];
    (void)state;
    for (unsigned r = 0; r < COUNT_OF(rows); r++) {
        struct arena arena;
        struct npy_file file;
        arena_init(&arena);
        write_bytes(bytes, make(rows[r].version, rows[r].header, rows[r].data, bytes));
        const char *trouble = npy_read(&arena, path, &file);
        if (rows[r].trouble == NULL) {
            assert_null(trouble);
            assert_int_equal(file.dimensions, rows[r].dimensions);
            assert_int_equal(file.count, rows[r].count);
            assert_true(rows[r].count == 0 || file.data[0] == 0);
        } else if (trouble == NULL || strstr(trouble, rows[r].trouble) == NULL) {
            fail_msg("row %u: %s instead of %s", r, trouble == NULL ? "fine" : trouble, rows[r].trouble);
        }
        arena_free(&arena);
    }
}

/* Every file that is cut, or has one byte changed, is read or refused, never read past its end. */
static void test_damage(void **state)
{
    unsigned char bytes[4096];
    (void)state;
    for (unsigned r = 0; r < 3; r++) {
        size_t size = make(rows[r].version, rows[r].header, rows[r].data, bytes);
        for (size_t at = 0; at < size; at++) {
            struct arena arena;
            struct npy_file file;
            arena_init(&arena);
            write_bytes(bytes, at);
            assert_non_null(npy_read(&arena, path, &file));
            bytes[at] ^= 0x15;
            write_bytes(bytes, size);
            if (npy_read(&arena, path, &file) == NULL)
                assert_true(file.count <= size);
            bytes[at] ^= 0x15;
            arena_free(&arena);
        }
    }
}

static void test_texts(void **state)
{
    struct npy_file file = {.type = VALUE_U16, .dimensions = 2, .shape = {2, 3}};
    struct arena arena;
    (void)state;
    arena_init(&arena);
    assert_string_equal(npy_shape_text(&arena, &file), "(2, 3)");
    assert_true(npy_has_type(&file, VALUE_BF16));
    assert_false(npy_has_type(&file, VALUE_I16));
    file.dimensions = 1;
    file.type = VALUE_U8;
    assert_string_equal(npy_shape_text(&arena, &file), "(2,)");
    assert_true(npy_has_type(&file, VALUE_I8));
    file.dimensions = 0;
    assert_string_equal(npy_shape_text(&arena, &file), "()");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_texts),
    };
    int handle = mkstemp(path);
    if (handle < 0)
        return 2;
    close(handle);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
