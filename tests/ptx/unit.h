/* SPDX-License-Identifier: Apache-2.0
 *
 * What the unit tests of ptx share: cmocka, and modules made of a few lines.
 */
#ifndef LANEWISE_TESTS_PTX_UNIT_H
#define LANEWISE_TESTS_PTX_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "ptx/ptx.h"

#define HEADER ".version 8.3\n.target sm_80\n.address_size 64\n"

struct parsed {
    struct arena arena;
    struct diagnostic_list diagnostics;
    struct ptx_module *module;
};

static inline void parse_text(struct parsed *parsed, const char *text)
{
    arena_init(&parsed->arena);
    diagnostic_list_init(&parsed->diagnostics, &parsed->arena);
    parsed->module =
        ptx_parse(&parsed->arena, "test.ptx", text, strlen(text), &parsed->diagnostics);
}

/* The module of some top-level text behind the header; it must be free of errors. */
static inline void parse_module(struct parsed *parsed, const char *text)
{
    arena_init(&parsed->arena);
    diagnostic_list_init(&parsed->diagnostics, &parsed->arena);
    char *whole = arena_printf(&parsed->arena, "%s%s", HEADER, text);
    parsed->module =
        ptx_parse(&parsed->arena, "test.ptx", whole, strlen(whole), &parsed->diagnostics);
    if (parsed->diagnostics.errors != 0)
        fail_msg("line %u: %s", parsed->diagnostics.items.data[0].place.line,
                 parsed->diagnostics.items.data[0].message);
}

/* The one kernel that holds these statements, with some registers declared. */
static inline const struct ptx_function *parse_body(struct parsed *parsed, const char *body)
{
    static const char before[] =
        ".global .align 8 .b8 array[64];\n.visible .entry kernel (.param .u64 p)\n{\n"
        ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n";
    char text[4096];
    snprintf(text, sizeof text, "%s%s\n}\n", before, body);
    parse_module(parsed, text);
    assert_int_equal(parsed->module->functions.count, 1);
    return &parsed->module->functions.data[0];
}

#endif
