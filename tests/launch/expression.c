/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions: values as C computes them, types, faults, errors with their places, limits.
 * What C defines is computed here by the C compiler itself: the table holds each expression twice, as text and as code.
 */
#include "unit.h"

#include <math.h>

static struct expression *compile(struct arena *arena, const char *text,
                                  struct expression_error *error)
{
    struct expression_scope nothing = {NULL, 0};
    return expression_compile(arena, text, strlen(text), &nothing, error);
}

/* Elements 0 to 15 and some far ones, as doubles. */
static void check(struct arena *arena, const char *text, double (*right)(long long i))
{
    struct expression_error error = {0};
    struct expression *expression = compile(arena, text, &error);
    if (expression == NULL)
        fail_msg("%s: %s", text, error.message);
    for (unsigned n = 0; n < 20; n++) {
        long long i = n < 16 ? (long long)n : 1LL << (n + 4);
        double got;
        uint64_t at;
        assert_int_equal(expression_store(expression, VALUE_F64, (uint64_t)i, 1, &got, &at),
                         FAULT_NONE);
        double wanted = right(i);
        if (got != wanted && !(isnan(got) && isnan(wanted)))
            fail_msg("%s at %lld: %.17g, C says %.17g", text, i, got, wanted);
    }
}

#define EXPRESSIONS(X)                                                                             \
    X(0, i) X(1, -i) X(2, i*i) X(3, i%50) X(4, (i==7)?-1:(i==9)?50:i%50) X(5, 0.5f*(i+1))          \
    X(6, i<52?2:1) X(7, i%10<9?2*i+1:0) X(8, (i+1)%64<22?3*((i+1)%64)+192:2*((i+1)%64)+64)         \
    X(9, 0.5f*(i+(i%64>0?i-1:i))) X(10, (i>0?i-1:0)+i+(i+1<100?i+1:0)) X(11, i==2?0:8)             \
    X(12, (unsigned)i*2654435761u) X(13, ~i) X(14, !i) X(15, !(i-3)) X(16, i<<3|1)                 \
    X(17, i>>1^5) X(18, (i&12)==8) X(19, i>3&&i<9) X(20, i<3||i>9) X(21, 10-3-2) X(22, 100/7/2)    \
    X(23, 7%4*3) X(24, -7/2) X(25, -7%3) X(26, 1.5f+i) X(27, 1.0/3*i) X(28, (float)i/3)            \
    X(29, (char)(i*40)) X(30, (unsigned char)(i*40)) X(31, (short)(i*5000)) X(32, (int)2.9+i)      \
    X(33, (unsigned)-1) X(34, (unsigned long long)-1) X(35, 0x7f+010+i) X(36, 4294967295u+1u)      \
    X(37, i>2!=i<5) X(38, 1<2==1) X(39, i-(i-1)) X(40, +i) X(41, - -i) X(42, (i,0)==0 || 1)        \
    X(43, i?i?1:2:3) X(44, 1?2:3?4:5) X(45, 1.f) X(46, .5) X(47, 1e3) X(48, 0x1p4) X(49, 12ul)     \
    X(50, 5u-6u) X(51, 5u>-1) X(52, i*1u) X(53, (long)i*3) X(54, ((((i))))) X(55, 16777217.0f)     \
    X(56, (float)16777217) X(57, 2000000000LL*i) X(58, (bool)i) X(59, -1>>1) X(60, (size_t)i*2)    \
    X(61, 3.7f>3.7) X(62, i>=5) X(63, i<=5) X(64, 9223372036854775807) X(65, (unsigned short)70000)

#define bool _Bool
#define FUNCTION(number, code)                                                                     \
    static double right_##number(long long i)                                                      \
    {                                                                                              \
        (void)i;                                                                                   \
        return (double)(code);                                                                     \
    }
#define TEXT(number, code) {#code, right_##number},
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wsign-compare"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wall"
#else
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif
EXPRESSIONS(FUNCTION)
#pragma GCC diagnostic pop

static void test_values_are_those_of_c(void **state)
{
    static const struct {
        const char *text;
        double (*right)(long long i);
    } cases[] = {EXPRESSIONS(TEXT)};
    for (unsigned n = 0; n < COUNT_OF(cases); n++)
        if (strchr(cases[n].text, ',') == NULL) /* no comma operator */
            check(*state, cases[n].text, cases[n].right);
}

static double evaluate_at(struct arena *arena, const char *text, uint64_t element)
{
    struct expression_error error = {0};
    struct expression *expression = compile(arena, text, &error);
    double got = 0;
    uint64_t at;
    if (expression == NULL)
        fail_msg("%s: %s", text, error.message);
    assert_int_equal(expression_store(expression, VALUE_F64, element, 1, &got, &at), FAULT_NONE);
    return got;
}

static void test_functions_loops_and_constants(void **state)
{
    static const struct {
        const char *text;
        double value; /* at element 5 */
    } cases[] = {
        {"sqrt(i+4)", 3},          {"sqrtf(2)", 1.41421354f},   {"fabs(-2.5)", 2.5},
        {"abs(3-i)", 2},           {"abs(-2.5f)", 2.5},         {"min(i,3)", 3},
        {"max(2.5,i)", 5},         {"fminf(1,2)", 1},           {"fmax(1,2)", 2},
        {"pow(2,i)", 32},          {"floor(-0.5)", -1},         {"exp(0)", 1},
        {"popc(7)", 3},            {"__popc(-1)", 32},          {"INT_MAX", 2147483647.0},
        {"__float_as_int(1.0f)", 0x3f800000},                   {"-INFINITY", -(double)INFINITY},
        {"__int_as_float(0xff800000)", -(double)INFINITY},      {"float(i)/2", 2.5},
        {"(float(i)/2)", 2.5},     {"int(2.9)+1", 3},           {"clamp(i,0,3)", 3},
        {"sum(k,0,i,k)", 10},      {"sum(k,i,0,k)", 0},         {"sum(a,0,3,sum(b,0,a,b*10))", 10},
        {"product(k,1,i,k)", 24},  {"least(k,0,i,(k-2)*(k-2))", 0}, {"greatest(k,0,i,k%3)", 2},
        {"sum(k,0,4,0.5f)", 2},    {"sum(i,0,3,i)", 3},         {"1<<40", 1099511627776.0},
        {"0b101", 5},              {"true+true", 2},            {"rsqrt(4.0)", 0.5},
    };
    for (unsigned n = 0; n < COUNT_OF(cases); n++)
        if (evaluate_at(*state, cases[n].text, 5) != cases[n].value)
            fail_msg("%s: %.17g", cases[n].text, evaluate_at(*state, cases[n].text, 5));
}

static void test_errors_say_where_and_what(void **state)
{
    static const struct {
        const char *text;
        unsigned offset;
        const char *message, *help;
    } cases[] = {
        {"", 0, "the expression ends here, where a value should stand", NULL},
        {"1+", 2, "the expression ends here, where a value should stand", NULL},
        {"(1", 2, "expected `)` here", NULL},
        {"1 2", 2, "expected an operator or the end here", NULL},
        {"i+foo", 2, "unknown name `foo`", NULL},
        {"sqr(i)", 0, "unknown name `sqr`", "did you mean `sqrt`?"},
        {"1.5%2", 3, "`%` needs integers on both sides", NULL},
        {"~1.5", 0, "`~` needs an integer", NULL},
        {"1<<2.0", 1, "`<<` needs integers on both sides", NULL},
        {"12abc", 0, "this is not a number", NULL},
        {"1.2.3", 0, "this is not a number", NULL},
        {"99999999999999999999", 0, "the number does not fit into 64 bits", NULL},
        {"i?1", 3, "expected `:` here", NULL},
        {"sqrt(1,2)", 6, "expected `)` here", NULL},
        {"pow(1)", 5, "expected `,` here", NULL},
        {"sum(k,0,1.5,k)", 8, "a loop bound is an integer", NULL},
        {"*3", 0, "expected a value here", NULL},
        {"i=3", 1, "expected an operator or the end here", NULL},
    };
    for (unsigned n = 0; n < COUNT_OF(cases); n++) {
        struct expression_error error = {0};
        assert_null(compile(*state, cases[n].text, &error));
        assert_string_equal(error.message, cases[n].message);
        assert_int_equal(error.offset, cases[n].offset);
        if (cases[n].help != NULL)
            assert_string_equal(error.help, cases[n].help);
    }
}

static enum expression_fault fault_among(struct arena *arena, const char *text, uint64_t count,
                                         uint64_t *at)
{
    struct expression_error error = {0};
    struct expression *expression = compile(arena, text, &error);
    double values[300];
    assert_non_null(expression);
    return expression_store(expression, VALUE_F64, 0, count, values, at);
}

static enum expression_fault fault_of(struct arena *arena, const char *text, uint64_t *at)
{
    return fault_among(arena, text, 300, at);
}

static void test_a_fault_counts_only_where_c_would_evaluate(void **state)
{
    uint64_t at = 0;
    assert_int_equal(fault_of(*state, "10/(i-200)", &at), FAULT_DIVISION);
    assert_int_equal(at, 200);
    assert_int_equal(fault_of(*state, "i%(i/7)", &at), FAULT_DIVISION);
    assert_int_equal(at, 0);
    assert_int_equal(fault_of(*state, "i?10/i:0", &at), FAULT_NONE);
    assert_int_equal(fault_of(*state, "i>0&&10/i>2", &at), FAULT_NONE);
    assert_int_equal(fault_of(*state, "i==0||10/i>2", &at), FAULT_NONE);
    assert_int_equal(fault_of(*state, "i>=0||10/i>2", &at), FAULT_NONE);
    assert_int_equal(fault_of(*state, "i<0&&10/i>2", &at), FAULT_NONE);
    assert_int_equal(fault_of(*state, "10/i>2&&i>0", &at), FAULT_DIVISION);
    assert_int_equal(fault_of(*state, "1.0/i", &at), FAULT_NONE);
    assert_int_equal(fault_of(*state, "(-9223372036854775807-1)/(i-1-i)", &at), FAULT_NONE);
    assert_int_equal(fault_of(*state, "sum(k,0,i,1/(k-100))", &at), FAULT_DIVISION);
    assert_int_equal(at, 101);
    assert_int_equal(fault_of(*state, "sum(k,0,1000000000000,k)", &at), FAULT_LENGTH);
    assert_int_equal(fault_among(*state, "sum(a,0,100000,sum(b,0,100000,1))", 1, &at), FAULT_LENGTH);
}

static void test_names_are_scalars_and_buffers(void **state)
{
    struct expression_error error = {0};
    struct expression_name names[3] = {
        {.name = "n", .type = VALUE_I32, .value.as.integer = 7},
        {.name = "x", .type = VALUE_U8, .is_buffer = true, .length = 100},
        {.name = "y", .type = VALUE_F32, .is_buffer = true, .length = 50},
    };
    struct expression_scope one = {names, 1}, two = {names, 2}, three = {names, 3};
    const char *text = "i*n";
    names[1].init = expression_compile(*state, text, strlen(text), &one, &error);
    text = "x[i+1]*0.1f";
    names[2].init = expression_compile(*state, text, strlen(text), &two, &error);
    text = "y[2*i]+n";
    struct expression *expression =
        expression_compile(*state, text, strlen(text), &three, &error);
    float values[30];
    uint64_t at;
    assert_non_null(expression);
    assert_int_equal(expression_store(expression, VALUE_F32, 0, 25, values, &at), FAULT_NONE);
    for (int i = 0; i < 25; i++) {
        unsigned char x = (unsigned char)((2 * i + 1) * 7); /* 8 bits: it wraps */
        assert_true(values[i] == (float)x * 0.1f + 7);
    }
    assert_int_equal(expression_store(expression, VALUE_F32, 0, 30, values, &at), FAULT_INDEX);
    assert_int_equal(at, 25);
    text = "x+1";
    assert_null(expression_compile(*state, text, strlen(text), &two, &error));
    assert_string_equal(error.message, "`x` is a buffer");
}

static void test_constants_are_known(void **state)
{
    struct expression_error error = {0};
    struct value value;
    assert_true(expression_constant(compile(*state, "3*4+sum(k,0,3,k)", &error), &value));
    assert_int_equal(value.as.integer, 15);
    assert_true(expression_constant(compile(*state, "1.5f", &error), &value));
    assert_true(value.is_float);
    assert_false(expression_constant(compile(*state, "i", &error), &value));
    assert_false(expression_constant(compile(*state, "1/0", &error), &value));
}

/* Long and deep texts end in an error, not in a crash. */
static void test_limits_hold(void **state)
{
    struct arena *arena = *state;
    static const char *const units[] = {"(", "-", "1+", "1?", "i?1:", "sqrt(", "sum(k,0,", "(int)", "1+(", "x["};
    for (unsigned u = 0; u < COUNT_OF(units); u++) {
        struct buffer text;
        struct expression_error error = {0};
        buffer_init(&text, arena);
        for (unsigned n = 0; n < 50000; n++)
            buffer_puts(&text, units[u]);
        buffer_puts(&text, "1");
        assert_null(expression_compile(arena, text.data, text.size,
                                       &(struct expression_scope){NULL, 0}, &error));
        assert_non_null(error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values_are_those_of_c, setup, teardown),
        cmocka_unit_test_setup_teardown(test_functions_loops_and_constants, setup, teardown),
        cmocka_unit_test_setup_teardown(test_errors_say_where_and_what, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_fault_counts_only_where_c_would_evaluate, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_names_are_scalars_and_buffers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_constants_are_known, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits_hold, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
