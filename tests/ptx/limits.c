/* SPDX-License-Identifier: Apache-2.0
 *
 * Hostile texts: each ends soon, with a diagnostic, in little memory; and memory that runs out anywhere in a parse.
 */
#include "unit.h"

#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Text made of a piece again and again. */
struct repeated {
    const char *name, *before, *piece, *after;
    unsigned count;
    bool errors; /* is it wrong? */
};

#define BODY ".entry k () { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"

static const struct repeated texts[] = {
    {"nested blocks", BODY, "{", "", 200000, true},
    {"nested and closed blocks", BODY, "{}", " ret; }", 200000, false},
    {"labels used but never defined", BODY, "bra L;", "}", 100000, true},
    {"labels used in a deep block",
     BODY "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{", "bra L;",
     "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}} L: ret; }", 100000, false},
    {"parentheses", BODY "mov.u32 %r1, ", "(", ";}", 200000, true},
    {"minus signs", BODY "mov.u32 %r1, ", "-", "1;}", 200000, true},
    {"questions", BODY "mov.u32 %r1, ", "1?1:", "1;}", 200000, true},
    {"sums", BODY "mov.u32 %r1, 0", "+1", ";}", 200000, false},
    {"operands", BODY "add.u32 %r1", ", %r1", ";}", 100000, true},
    {"elements", BODY "mov.b64 {%r1", ", %r1", "}, %rd1;}", 100000, true},
    {"arguments", BODY "call (", "%r1, ", "%r1), f;}", 100000, true},
    {"modifiers", BODY "add", ".u32", " %r1, %r1, 1; }", 100000, false},
    {"unknown modifiers", BODY "add", ".odd", " %r1, %r1, 1; }", 100000, false},
    {"an opaque instruction", BODY "odd", " %r1,", " %r1; }", 100000, false},
    {"lists of targets", BODY "L:", "l: .branchtargets L, L; @%p1 brx.idx %r1, l;", "ret; }", 20000,
     false},
    {"a list of targets", BODY "l: .branchtargets L", ", L", "; L: ret; }", 100000, false},
    {"prototypes", BODY, "p: .callprototype _ (); call %rd1, (), p;", "ret; }", 20000, false},
    {"registers", BODY, ".reg .b32 x; .reg .b32 %q<1000000>;", "ret; }", 20000, true},
    {"ranges in blocks", BODY, "{ .reg .b32 %q<1000000>; mov.u32 %q99999, 1; }", "ret; }", 20000,
     false},
    {"registers of ranges", ".entry k () {", ".reg .b32 x<1000000>; mov.u32 x1, x2; ", "}", 20000,
     true},
    {"errors on one line", "", "& ", "", 200000, true},
    {"wrong bytes", "", "\x80", "", 200000, true},
    {"open comments", "", "/* ", "", 200000, true},
    {"open strings", "", "\"", "", 200000, true},
    {"dimensions", ".global .b8 a", "[1]", ";", 100000, true},
    {"braces of initialisers", ".global .b8 a[1][1][1] = ", "{", ";", 100000, true},
    {"large arrays", "", ".global .b8 a[200000000] = {1};", "", 5000, true},
    {"functions", "", ".func f (); ", "", 100000, false},
    {"entries", "", ".entry f () { ret; } ", "", 50000, true},
    {"aliases", ".func a (); .func b (); ", ".alias a, b; .alias b, a; ",
     " .func k () { call a; ret; }", 20000, false},
    {"locations", BODY, ".loc 1 5 7, function_name f, inlined_at 1 5 7\n", "ret; }", 100000, false},
    {"files", "", ".file 1 \"a\" ", "", 100000, false},
    {"sections", "", ".section .debug_str { a: .b8 1 } ", "", 50000, false},
    {"statements after an error", BODY, "add.u32; ", "ret; }", 100000, true},
    {"semicolons", BODY, ";", "ret; }", 500000, false},
    {"guards", BODY, "@%p1 ", "ret; }", 100000, true},
    {"names", BODY "mov.u32 %r1, ", "a", "; ret; }", 500000, true},
};

static void test_hostile_texts_end_soon(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct parsed parsed;
        struct arena arena;
        struct buffer text;
        arena_init(&arena);
        buffer_init(&text, &arena);
        buffer_puts(&text, HEADER);
        buffer_puts(&text, texts[i].before);
        for (unsigned k = 0; k < texts[i].count; k++)
            buffer_puts(&text, texts[i].piece);
        buffer_puts(&text, texts[i].after);
        double start = seconds();
        parse_text(&parsed, text.data);
        double took = seconds() - start;
        /* Far above what they take, far below what a quadratic parser would. */
        if (took > 10 || parsed.arena.total > ((size_t)1 << 30))
            fail_msg("%s: %.1f s, %zu MiB", texts[i].name, took, parsed.arena.total >> 20);
        if ((parsed.diagnostics.errors != 0) != texts[i].errors)
            fail_msg("%s: %u errors: %s", texts[i].name, parsed.diagnostics.errors,
                     parsed.diagnostics.errors != 0 ? parsed.diagnostics.items.data[0].message
                                                    : "");
        arena_free(&parsed.arena);
        arena_free(&arena);
    }
}

static const char sample[] =
    HEADER ".file 1 \"a.cu\"\n.global .align 4 .b8 text[3] = {1, 2, 3};\n.global .u64 at[2] = "
           "{text, generic(text)+1};\n"
           ".extern .func (.param .b32 r) f (.param .b64 a);\n"
           ".visible .entry k (.param .u64 p, .param .align 8 .b8 s[16]) .maxntid 32, 1, 1\n{\n"
           ".reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .v2 .f32 %v<2>;\n"
           ".shared .align 4 .b8 tile[64];\n.loc 1 3 1, function_name n, inlined_at 1 9 9\n"
           "ld.param.u64 %rd1, [p+8];\n@!%p1 bra L;\n{ .reg .b64 t; mov.b64 {%r1, _}, t; }\n"
           "l: .branchtargets L, M;\nbrx.idx %r1, l;\nL: setp.eq.s32 %p1|%p2, %r1, -0x10;\n"
           "{ .param .b64 a; .param .b32 r; call (r), f, (a); q: .callprototype (.param .b32 _) _ "
           "(); call (r), %rd2, (), q; }\n"
           "M: fma.rn.f32 %v1.x, %v0.y, 1.5, 0f3F800000;\nodd.one %r1, [tile];\nret;\n}\n"
           ".section .debug_str { n: .b8 102, 0 }\n";

static void test_every_prefix_of_a_module_parses_to_something(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof sample; size++) {
        struct parsed parsed;
        char *part = strndup(sample, size);
        parse_text(&parsed, part);
        assert_non_null(parsed.module);
        if (size == sizeof sample - 1)
            assert_int_equal(parsed.diagnostics.errors, 0);
        arena_free(&parsed.arena);
        free(part);
    }
}

static void test_a_module_without_one_byte_parses_to_something(void **state)
{
    (void)state;
    for (size_t gone = 0; gone < sizeof sample - 1; gone++) {
        struct parsed parsed;
        char text[sizeof sample];
        memcpy(text, sample, sizeof sample);
        memmove(text + gone, text + gone + 1, sizeof sample - gone - 1);
        parse_text(&parsed, text);
        assert_non_null(parsed.module);
        arena_free(&parsed.arena);
    }
}

static void test_zero_bytes_are_errors(void **state)
{
    (void)state;
    struct parsed parsed;
    arena_init(&parsed.arena);
    diagnostic_list_init(&parsed.diagnostics, &parsed.arena);
    static const char text[] = HEADER "\0.global .u32 x;";
    parsed.module = ptx_parse(&parsed.arena, "zero", text, sizeof text - 1, &parsed.diagnostics);
    assert_int_equal(parsed.diagnostics.errors, 1);
    assert_string_equal(parsed.diagnostics.items.data[0].message,
                        "byte 0x00 does not belong in PTX");
    arena_free(&parsed.arena);
}

/* Whichever allocation fails, the arena's owner gets control and nothing is lost. */
static void test_memory_that_runs_out(void **state)
{
    (void)state;
    volatile unsigned failures = 0;
    for (volatile unsigned nth = 1; nth < 10000; nth++) {
        struct arena arena;
        jmp_buf handler;
        volatile bool done = false;
        arena_init(&arena);
        if (setjmp(handler) == 0) {
            arena.handler = &handler;
            struct diagnostic_list diagnostics;
            diagnostic_list_init(&diagnostics, &arena);
            arena_fail_after(nth);
            struct ptx_module *module =
                ptx_parse(&arena, "test", sample, sizeof sample - 1, &diagnostics);
            struct buffer out;
            buffer_init(&out, &arena);
            ptx_print_module(module, &out);
            done = true;
        } else {
            failures++;
        }
        arena_fail_after(0);
        arena_free(&arena);
        if (done)
            break;
    }
    assert_true(failures > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_texts_end_soon),
        cmocka_unit_test(test_every_prefix_of_a_module_parses_to_something),
        cmocka_unit_test(test_a_module_without_one_byte_parses_to_something),
        cmocka_unit_test(test_zero_bytes_are_errors),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
