/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables: every row can be found, every operand list can be read, every text has the group its row says.
 */
#include "unit.h"

static void test_every_opcode_is_found_by_its_name(void **state)
{
    (void)state;
    for (unsigned op = 0; op < PTX_OP_OPAQUE; op++) {
        const struct ptx_op_info *info = ptx_op_info(op);
        assert_int_equal(ptx_op_find(info->name, strlen(info->name)), op);
        assert_true(info->doc[0] != '\0');
        assert_true(info->isa_major >= 1 && info->isa_major <= 9);
        assert_true(info->sm >= 10);
    }
    assert_int_equal(ptx_op_find("adder", 5), PTX_OP_OPAQUE);
    assert_int_equal(ptx_op_find("add", 2), PTX_OP_OPAQUE);
    assert_int_equal(ptx_op_find("", 0), PTX_OP_OPAQUE);
}

/* What real programs use: the base opcodes of the corpora, most frequent first. */
static void test_the_opcodes_of_real_programs_are_there(void **state)
{
    (void)state;
    static const char *const names[] = {
        "mov",       "add",   "fma",       "ld",    "setp",       "mul",     "bra",    "cvt",
        "selp",      "st",    "sub",       "shl",   "and",        "shfl",    "shr",    "neg",
        "cos",       "sin",   "not",       "cvta",  "or",         "max",     "cp",     "div",
        "min",       "bar",   "ex2",       "mad",   "xor",        "barrier", "vote",   "call",
        "shf",       "atom",  "ret",       "abs",   "lop3",       "rcp",     "clz",    "rem",
        "bfi",       "sqrt",  "popc",      "prmt",  "bmsk",       "set",     "membar", "nanosleep",
        "brev",      "lg2",   "copysign",  "rsqrt", "madc",       "addc",    "wmma",   "subc",
        "prefetch",  "tex",   "exit",      "redux", "activemask", "dp4a",    "bfind",  "trap",
        "vabsdiff4", "match", "vabsdiff2", "tanh"};
    assert_int_equal(COUNT_OF(names), 68);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_not_equal(ptx_op_find(names[i], strlen(names[i])), PTX_OP_OPAQUE);
}

static void test_operand_lists_are_well_formed(void **state)
{
    (void)state;
    for (unsigned op = 0; op < PTX_OP_OPAQUE; op++) {
        /* Lists behind modifiers come first, and their modifiers exist; words begin with a known role. */
        const char *at = ptx_op_info(op)->operands;
        bool more = true;
        while (more) {
            bool conditional = *at == '.';
            if (conditional) {
                const char *colon = strchr(at, ':');
                assert_non_null(colon);
                assert_int_not_equal(ptx_mod_find(at + 1, (size_t)(colon - at) - 1),
                                     PTX_MOD_UNKNOWN);
                at = colon + 1;
            }
            while (*at != ';' && *at != '\0') {
                at += strspn(at, " ");
                assert_non_null(strchr("dsbumtlc-", *at));
                at += strcspn(at, " ;");
            }
            more = *at == ';';
            assert_true(more == conditional); /* only the last list holds without a modifier */
            at += strspn(at, "; ");
        }
    }
}

static void test_every_modifier_is_found_by_its_text(void **state)
{
    (void)state;
    for (unsigned mod = PTX_MOD_NONE + 1; mod < PTX_MOD_UNKNOWN; mod++) {
        const char *text = ptx_mod_text(mod);
        enum ptx_mod found = ptx_mod_find(text, strlen(text));
        assert_string_equal(ptx_mod_text(found), text);
        assert_true(found <= mod); /* the first row of the text */
        assert_true(ptx_mod_group(mod) < PTX_GROUP_COUNT);
    }
    assert_int_equal(ptx_mod_find("u33", 3), PTX_MOD_UNKNOWN);
}

static void test_one_text_has_one_row_in_a_group(void **state)
{
    (void)state;
    for (unsigned a = PTX_MOD_NONE + 1; a < PTX_MOD_UNKNOWN; a++)
        for (unsigned b = a + 1; b < PTX_MOD_UNKNOWN; b++)
            if (ptx_mod_group(a) == ptx_mod_group(b))
                assert_string_not_equal(ptx_mod_text(a), ptx_mod_text(b));
}

static void test_types_have_names_and_sizes(void **state)
{
    (void)state;
    for (unsigned type = PTX_TYPE_NONE + 1; type < PTX_TYPE_COUNT; type++) {
        const char *name = ptx_type_name(type);
        enum ptx_mod mod = ptx_mod_find(name, strlen(name));
        assert_int_not_equal(mod, PTX_MOD_UNKNOWN);
        assert_int_equal(ptx_mod_group(mod), PTX_GROUP_TYPE);
        assert_int_equal(ptx_mod_value(mod), type);
        assert_true(ptx_type_size(type) >= 1 && ptx_type_size(type) <= 16);
        if (strchr("us", name[0]) != NULL && name[1] >= '0' && name[1] <= '9')
            assert_true(ptx_type_is_signed(type) == (name[0] == 's'));
    }
    assert_int_equal(ptx_type_size(PTX_F16X2), 4);
    assert_int_equal(ptx_type_size(PTX_F64), 8);
    assert_true(ptx_type_is_float(PTX_BF16));
    assert_false(ptx_type_is_float(PTX_B32));
}

static void test_special_registers_have_names_and_shapes(void **state)
{
    (void)state;
    for (unsigned special = PTX_SPECIAL_NONE + 1; special < PTX_SPECIAL_UNKNOWN; special++) {
        assert_int_equal(ptx_special_name(special)[0], '%');
        assert_int_not_equal(ptx_special_type(special), PTX_TYPE_NONE);
    }
    assert_int_equal(ptx_special_components(PTX_SPECIAL_tid), 4);
    assert_int_equal(ptx_special_components(PTX_SPECIAL_laneid), 0);
    assert_int_equal(ptx_special_type(PTX_SPECIAL_clock64), PTX_U64);
}

static void test_the_page_has_a_row_for_each_opcode(void **state)
{
    (void)state;
    struct arena arena;
    struct buffer page;
    arena_init(&arena);
    buffer_init(&page, &arena);
    ptx_print_opcode_page(&page);
    for (unsigned op = 0; op < PTX_OP_OPAQUE; op++)
        assert_non_null(
            strstr(page.data, arena_printf(&arena, "\n| `%s` | ", ptx_op_info(op)->name)));
    /* Six cells a row: seven bars that are not escaped. */
    for (const char *row = strstr(page.data, "\n| `"); row != NULL;
         row = strstr(row + 1, "\n| `")) {
        unsigned bars = 0;
        for (const char *at = row + 1; *at != '\n'; at++)
            bars += *at == '|' && at[-1] != '\\';
        assert_int_equal(bars, 7);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_opcode_is_found_by_its_name),
        cmocka_unit_test(test_the_opcodes_of_real_programs_are_there),
        cmocka_unit_test(test_operand_lists_are_well_formed),
        cmocka_unit_test(test_every_modifier_is_found_by_its_text),
        cmocka_unit_test(test_one_text_has_one_row_in_a_group),
        cmocka_unit_test(test_types_have_names_and_sizes),
        cmocka_unit_test(test_special_registers_have_names_and_shapes),
        cmocka_unit_test(test_the_page_has_a_row_for_each_opcode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
