/* SPDX-License-Identifier: Apache-2.0
 *
 * Which launches a plan holds: both sides of every transition that the contract admits, combinations in two and three dimensions, pitches,
 * size 0 both ways, the same for the same seed.
 */
#include "tail/tail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 3 };

struct subject {
    struct arena arena;
    struct ptx_module *module;
    struct contract *contract;
    struct tail_options options;
    struct tail_plan *plan;
};

static struct contract_expression parse(struct contract *contract, const char *text)
{
    struct contract_expression expression;
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, contract->arena);
    if (!contract_parse_expression(contract, text, strlen(text), (struct place){"x.cu", 1, 1}, &expression, &diagnostics))
        fail_msg("%s: %s", text, diagnostics.items.data[0].message);
    return expression;
}

/* void k(float *y LW_SHAPE(shape...), TYPE a, TYPE b, TYPE c), scalars of so many bits. */
static struct subject *make(unsigned bits, bool is_signed)
{
    static const char *const names[SIZES] = {"a", "b", "c"};
    struct subject *subject = calloc(1, sizeof *subject);
    struct diagnostic_list diagnostics;
    char text[512];
    arena_init(&subject->arena);
    diagnostic_list_init(&diagnostics, &subject->arena);
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 y, .param .u%u a, .param .u%u b, .param .u%u c)\n"
             "{\n\t.reg .b32 %%r<4>;\n\tmov.u32 %%r1, %%tid.x;\n\tmov.u32 %%r2, %%tid.y;\n\tmov.u32 %%r3, %%tid.z;\n\tret;\n}\n",
             bits, bits, bits);
    subject->module = ptx_parse(&subject->arena, "k.ptx", text, strlen(text), &diagnostics);
    assert_int_equal(diagnostics.errors, 0);
    subject->contract = contract_new(&subject->arena);
    subject->contract->kernel = subject->contract->kernel_shown = "k";
    subject->contract->has_annotations = true;
    struct contract_parameter *array = contract_add_parameter(subject->contract, "y", CONTRACT_POINTER);
    array->type = "float *";
    array->element_size = 4;
    array->element_kind = CONTRACT_FLOAT;
    array->element_bits = 32;
    for (unsigned s = 0; s < SIZES; s++) {
        struct contract_parameter *scalar = contract_add_parameter(subject->contract, names[s], CONTRACT_INTEGER);
        scalar->position = s + 1;
        scalar->bits = (uint8_t)bits;
        scalar->is_signed = is_signed;
        scalar->type = bits == 64 ? "unsigned long" : is_signed ? "int" : "unsigned int";
    }
    return subject;
}

static void set_shape(struct subject *subject, uint8_t kind, const char *first, const char *second, const char *third)
{
    const char *texts[3] = {first, second, third};
    struct contract_parameter *array = &subject->contract->parameters.data[0];
    for (unsigned d = 0; d < 3 && texts[d] != NULL; d++) {
        struct contract_expression expression = parse(subject->contract, texts[d]);
        array = &subject->contract->parameters.data[0];
        array->shape[d] = expression;
        array->dimensions = (uint8_t)(d + 1);
    }
    array->shape_kind = kind;
    contract_set_extent(subject->contract, 0);
}

static void require(struct subject *subject, const char *text)
{
    struct contract_relation relation;
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, &subject->arena);
    assert_true(contract_parse_relation(subject->contract, text, strlen(text), (struct place){"x.cu", 1, 1}, &relation, &diagnostics));
    *vec_push(&subject->arena, &subject->contract->relations) = relation;
}

static void set_geometry(struct subject *subject, const char *const blocks[3], const char *const domain[3])
{
    for (unsigned axis = 0; axis < 3; axis++) {
        if (blocks[axis] != NULL)
            subject->contract->block[axis] = parse(subject->contract, blocks[axis]);
        if (domain[axis] != NULL)
            subject->contract->domain[axis] = parse(subject->contract, domain[axis]);
    }
}

#define LINE(block) (const char *const[3]){block, "1", "1"}, (const char *const[3]){"a", "1", "1"}

static void plan(struct subject *subject)
{
    subject->plan = tail_plan_make(&subject->arena, subject->module, 0, subject->contract, &subject->options);
    assert_non_null(subject->plan);
}

static void done(struct subject *subject)
{
    arena_free(&subject->arena);
    free(subject);
}

/* The value of a scalar in a case; a scalar that is no axis counts as 0. */
static contract_integer value_of(const struct subject *subject, const struct tail_case *what, uint32_t parameter)
{
    for (uint32_t a = 0; a < subject->plan->space.axes.count; a++)
        if (subject->plan->space.axes.data[a].kind == WITNESS_SCALAR && subject->plan->space.axes.data[a].index == parameter)
            return what->point[a];
    return 0;
}

static unsigned count_cases(const struct subject *subject, contract_integer size)
{
    unsigned count = 0;
    for (uint32_t c = 0; c < subject->plan->cases.count; c++)
        count += value_of(subject, &subject->plan->cases.data[c], 1) == size;
    return count;
}

static void expect_sizes(const struct subject *subject, const contract_integer *sizes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char text[48];
        if (count_cases(subject, sizes[i]) == 0)
            fail_msg("no launch of size %s", contract_format(sizes[i], text));
    }
}

#define EXPECT_SIZES(subject, ...)                                                                                                           \
    expect_sizes(subject, (const contract_integer[]){__VA_ARGS__}, sizeof((contract_integer[]){__VA_ARGS__}) / sizeof(contract_integer))

static const contract_integer two_31 = (contract_integer)1 << 31, two_32 = (contract_integer)1 << 32;

static void test_transitions(void **state)
{
    struct subject *subject = make(32, false);
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_ROWS, "a", NULL, NULL);
    set_geometry(subject, LINE("1024"));
    plan(subject);
    EXPECT_SIZES(subject, 0, 1, 512, 1023, 1024, 1025, 7 * 1024 - 1, 7 * 1024 + 1, 31, 32, 33, two_31 - 1, two_31, two_31 + 1, two_32 - 1,
                 two_32 - 1024, two_32 - 1023);
    assert_int_equal(count_cases(subject, two_32), 0); /* no number of 32 bits */
    done(subject);
}

static void test_transitions_of_64_bits(void **state)
{
    struct subject *subject = make(64, false);
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_ROWS, "a", NULL, NULL);
    set_geometry(subject, LINE("256"));
    plan(subject);
    EXPECT_SIZES(subject, 0, 1, 128, 255, 256, 257, 7 * 256 - 1, 7 * 256 + 1, two_31 - 1, two_31, two_31 + 1, two_32 - 1, two_32, two_32 + 1);
    done(subject);
}

static void test_limits(void **state)
{
    struct subject *subject = make(32, true);
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_ROWS, "a", NULL, NULL);
    set_geometry(subject, LINE("64"));
    require(subject, "a >= 5");
    require(subject, "a <= 1000");
    plan(subject);
    EXPECT_SIZES(subject, 5, 6, 999, 1000, 63, 64, 65);
    assert_int_equal(count_cases(subject, 4) + count_cases(subject, 1001) + count_cases(subject, 0), 0);
    done(subject);
}

/* The launcher, which starts nothing, and one block of threads without work. */
static void test_zero(void **state)
{
    struct subject *subject = make(32, true);
    bool idle = false, empty = false;
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_ROWS, "a", NULL, NULL);
    set_geometry(subject, LINE("64"));
    plan(subject);
    for (uint32_t c = 0; c < subject->plan->cases.count; c++) {
        const struct tail_case *what = &subject->plan->cases.data[c];
        if (value_of(subject, what, 1) == 0) {
            idle |= what->is_idle;
            empty |= what->is_empty;
        }
    }
    assert_true(idle);
    assert_true(empty);
    done(subject);
}

/* Each axis fits exactly, or leaves a rest, in every combination. */
static void test_combinations(void **state)
{
    struct subject *subject = make(32, true);
    unsigned seen = 0;
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_ROWS, "c", "b", "a");
    set_geometry(subject, (const char *const[3]){"8", "4", "2"}, (const char *const[3]){"a", "b", "c"});
    plan(subject);
    for (uint32_t c = 0; c < subject->plan->cases.count; c++) {
        const struct tail_case *what = &subject->plan->cases.data[c];
        contract_integer a = value_of(subject, what, 1), b = value_of(subject, what, 2), z = value_of(subject, what, 3);
        if (a > 0 && b > 0 && z > 0)
            seen |= 1u << ((a % 8 != 0) + 2 * (b % 4 != 0) + 4 * (z % 2 != 0));
    }
    assert_int_equal(seen, 0xff);
    done(subject);
}

static void test_pitches(void **state)
{
    struct subject *subject = make(32, true);
    bool exact = false, odd = false, aligned = false;
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_PITCHED, "b", "a", "c");
    set_geometry(subject, (const char *const[3]){"16", "16", "1"}, (const char *const[3]){"a", "b", "1"});
    require(subject, "c >= a");
    plan(subject);
    for (uint32_t c = 0; c < subject->plan->cases.count; c++) {
        const struct tail_case *what = &subject->plan->cases.data[c];
        contract_integer columns = value_of(subject, what, 1), rows = value_of(subject, what, 2), pitch = value_of(subject, what, 3);
        if (columns == 0 || rows < 2)
            continue;
        exact |= pitch == columns;
        odd |= pitch > columns && pitch % 2 != 0;
        aligned |= pitch > columns && pitch % 16 == 0;
    }
    assert_true(exact);
    assert_true(odd);
    assert_true(aligned);
    done(subject);
}

/* The value of an axis of that kind in a case. */
static contract_integer axis_of(const struct subject *subject, const struct tail_case *what, enum witness_axis_kind kind)
{
    for (uint32_t a = 0; a < subject->plan->space.axes.count; a++)
        if (subject->plan->space.axes.data[a].kind == kind && subject->plan->space.axes.data[a].index == 0)
            return what->point[a];
    return 0;
}

/* An open block takes whole warps and one that is none, also where there is no size at all. */
static void test_blocks(void **state)
{
    struct subject *subject = make(32, true);
    bool whole = false, partial = false;
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_ROWS, "block.x", NULL, NULL);
    require(subject, "grid.x == 1");
    plan(subject);
    for (uint32_t c = 0; c < subject->plan->cases.count; c++) {
        contract_integer block = axis_of(subject, &subject->plan->cases.data[c], WITNESS_BLOCK);
        whole |= block % 32 == 0;
        partial |= block % 32 != 0;
    }
    assert_true(whole);
    assert_true(partial);
    done(subject);
}

/* A grid that is the caller's, and a block a row: the largest row is some block's. */
static void test_free_grid(void **state)
{
    struct subject *subject = make(32, true);
    bool covers = false;
    (void)state;
    set_shape(subject, CONTRACT_SHAPE_ROWS, "a", "b", NULL);
    subject->contract->block[0] = parse(subject->contract, "128");
    require(subject, "a >= 1");
    require(subject, "a <= 65536");
    require(subject, "b >= 1");
    require(subject, "b <= 65536");
    plan(subject);
    for (uint32_t c = 0; c < subject->plan->cases.count; c++) {
        const struct tail_case *what = &subject->plan->cases.data[c];
        covers |= value_of(subject, what, 1) >= 65535 && axis_of(subject, what, WITNESS_GRID) >= 65535;
    }
    assert_true(covers);
    done(subject);
}

static bool same_plans(const struct subject *a, const struct subject *b)
{
    if (a->plan->cases.count != b->plan->cases.count)
        return false;
    for (uint32_t c = 0; c < a->plan->cases.count; c++)
        if (value_of(a, &a->plan->cases.data[c], 1) != value_of(b, &b->plan->cases.data[c], 1))
            return false;
    return true;
}

static void test_seeds(void **state)
{
    static const uint64_t seeds[3] = {4, 4, 5};
    struct subject *subjects[3];
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        subjects[i] = make(32, false);
        subjects[i]->options.seed = seeds[i];
        set_shape(subjects[i], CONTRACT_SHAPE_ROWS, "a", NULL, NULL);
        set_geometry(subjects[i], LINE("256"));
        plan(subjects[i]);
    }
    assert_true(same_plans(subjects[0], subjects[1]));
    assert_false(same_plans(subjects[0], subjects[2]));
    for (unsigned i = 0; i < 3; i++)
        done(subjects[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transitions), cmocka_unit_test(test_transitions_of_64_bits),
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_zero),
        cmocka_unit_test(test_combinations), cmocka_unit_test(test_pitches),
        cmocka_unit_test(test_blocks),      cmocka_unit_test(test_free_grid),
        cmocka_unit_test(test_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
