/* SPDX-License-Identifier: Apache-2.0
 *
 * Demangled names and what a person may write for them.
 */
#include "unit.h"

static const struct {
    const char *mangled, *text;
} names[] = {
    {"plain_c", "plain_c"},
    {"_Z5scalePfi", "scale(float*, int)"},
    {"_Z4copyPKfPfm", "copy(float const*, float*, unsigned long)"},
    {"_Z5emptyv", "empty()"},
    {"_Z5scaleIfEvPT_i", "void scale<float>(float*, int)"},
    {"_Z4gemmILi16ELb1EEvPKfS1_Pf", "void gemm<16, true>(float const*, float const*, float*)"},
    {"_Z1fILj4ELm8ELx2EEvv", "void f<4u, 8ul, 2ll>()"},
    {"_Z1fILin1EEvv", "void f<-1>()"},
    {"_Z1fILc97EEvv", "void f<(char)97>()"},
    {"_ZN2ns5outer5innerEi", "ns::outer::inner(int)"},
    {"_ZN12_GLOBAL__N_16kernelEPi", "(anonymous namespace)::kernel(int*)"},
    {"_ZL6hiddenPi", "hidden(int*)"},
    {"_ZNK3Foo3getEv", "Foo::get() const"},
    {"_ZN3FooC1Ei", "Foo::Foo(int)"},
    {"_ZN3FooD2Ev", "Foo::~Foo()"},
    {"_ZN3FooclEi", "Foo::operator()(int)"},
    {"_ZplRK1AS1_", "operator+(A const&, A const&)"},
    {"_ZN1AcvbEv", "A::operator bool()"},
    {"_Z1fPFviE", "f(void (*)(int))"},
    {"_Z1fPA4_i", "f(int (*) [4])"},
    {"_Z1fRA3_A4_Kf", "f(float const (&) [3][4])"},
    {"_Z1fM1AFviE", "f(void (A::*)(int))"},
    {"_Z1fM1Ai", "f(int A::*)"},
    {"_Z1fPVKi", "f(int const volatile*)"},
    {"_Z1fO1AR1BRKd", "f(A&&, B&, double const&)"},
    {"_Z1fSt6vectorIiSaIiEE", "f(std::vector<int, std::allocator<int> >)"},
    {"_Z1fNSt3arrIfLm4EEE", "f(std::arr<float, 4ul>)"},
    {"_Z1f6__halfPS_", "f(__half, __half*)"},
    {"_Z1fDF16_DF16b", "f(_Float16, std::bfloat16_t)"},
    {"_Z1fIJifEEvDpT_", "void f<int, float>(int, float)"},
    {"_Z1fIJEEvDpT_", "void f<>()"},
    {"_Z3runIZ4mainEUlvE_EvT_", "void run<main::{lambda()#1}>(main::{lambda()#1})"},
    {"_ZZ5scalePfiE4tile", "scale(float*, int)::tile"},
    {"_ZZ1fvE1x_0", "f()::x"},
    {"_Z1fIXadL_Z1gvEEEvv", "void f<&(g())>()"},
    {"_Z1fILi3EEvRAT__KcRAplT_Li1E_c", "void f<3>(char const (&) [3], char (&) [(3)+(1)])"},
    {"_Z1fILN1E4kindE2EEvv", "void f<(E::kind)2>()"},
    {"_ZN1AB5cxx111fEv", "A[abi:cxx11]::f()"},
    {"_Z5scalePfi.part.0", "scale(float*, int) [clone .part.0]"},
    {"_Z1fz", "f(...)"},
    {"_Z1fDn", "f(decltype(nullptr))"},
    /* Not names, or beyond what is understood: as they are. */
    {"", ""},
    {"_Z", "_Z"},
    {"_Z5sca", "_Z5sca"},
    {"_Z1fS_", "_Z1fS_"},
    {"_Z1fT_", "_Z1fT_"},
    {"_Z99999999999f", "_Z99999999999f"},
    {"_ZTV3Foo", "_ZTV3Foo"},
    {"_ZNNNNNNNN", "_ZNNNNNNNN"},
};

static void test_names(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(ptx_demangle(&arena, names[i].mangled), names[i].text);
    arena_free(&arena);
}

static void test_truncated_names_do_no_harm(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t size = 0; size < strlen(names[i].mangled); size++)
            assert_non_null(ptx_demangle(&arena, arena_text(&arena, names[i].mangled, size)));
    arena_free(&arena);
}

/* Substitutions that double, packs in packs, deep nesting: given up, not endless. */
static void test_short_names_of_huge_texts_are_given_up(void **state)
{
    (void)state;
    struct arena arena;
    struct buffer name;
    arena_init(&arena);
    buffer_init(&name, &arena);
    buffer_puts(&name, "_Z1f1AIiiE");
    for (unsigned i = 0; i < 60; i++) {
        char digit = (char)(i < 10 ? '0' + i : 'A' + i - 10);
        if (i < 34)
            buffer_printf(&name, "1AIS%c_S%c_E", digit, digit);
    }
    assert_true(strlen(ptx_demangle(&arena, name.data)) <= 32768);
    buffer_init(&name, &arena);
    buffer_puts(&name, "_Z1f");
    for (unsigned i = 0; i < 20000; i++)
        buffer_putc(&name, 'P');
    buffer_putc(&name, 'i');
    assert_string_equal(ptx_demangle(&arena, name.data), name.data);
    buffer_init(&name, &arena);
    buffer_puts(&name, "_Z1fIJ");
    for (unsigned i = 0; i < 200; i++)
        buffer_putc(&name, 'i');
    buffer_puts(&name, "EEvDp");
    for (unsigned i = 0; i < 8; i++)
        buffer_puts(&name, "FvDp");
    buffer_puts(&name, "T_EEEEEEEE");
    assert_non_null(ptx_demangle(&arena, name.data));
    arena_free(&arena);
}

static void test_what_a_person_may_write(void **state)
{
    (void)state;
    static const struct {
        const char *mangled, *name;
        bool matches;
    } rows[] = {
        {"kernel", "kernel", true},
        {"kernel", "kern", false},
        {"_Z5scalePfi", "_Z5scalePfi", true},
        {"_Z5scalePfi", "scale", true},
        {"_Z5scalePfi", "scale(float*, int)", true},
        {"_Z5scalePfi", "scale(float *,int)", true},
        {"_Z5scalePfi", "scale(float*)", false},
        {"_Z5scalePfi", "Scale", false},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "scale", true},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "scale<float,4>", true},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "b::scale", true},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "a::b::scale<float, 4>", true},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "a::b::scale<float, 4>(float*, int)", true},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "void a::b::scale<float, 4>(float*, int)", true},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "a::scale", false},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "scale<float>", false},
        {"_ZN1a1b5scaleIfLi4EEEvPT_i", "cale", false},
        {"_ZN1AIiE3runEv", "A::run", true},
        {"_ZN1AIiE3runEv", "A<int>::run", true},
        {"_ZN12_GLOBAL__N_16kernelEPi", "kernel", true},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (ptx_name_matches(&arena, rows[i].mangled, rows[i].name) != rows[i].matches)
            fail_msg("%s and %s", rows[i].mangled, rows[i].name);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_truncated_names_do_no_harm),
        cmocka_unit_test(test_short_names_of_huge_texts_are_given_up),
        cmocka_unit_test(test_what_a_person_may_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
