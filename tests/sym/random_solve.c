/* SPDX-License-Identifier: Apache-2.0
 *
 * Random questions over few variables with few values.  Every assignment is tried, so the truth is known: what is answered PROVED
 * must hold in all assignments that obey the facts.  Goals are bounds: the exact one (true) and the one past it (false).
 *
 *   test_sym_random [CASES [SEED]]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sym/sym.h"

enum { MAX_VARIABLES = 4, MAX_POOL = 24, MAX_FACTS = 6, MAX_ATOMS = 4096 };

struct world {
    struct arena arena;
    struct sym sym;
    uint64_t random;
    uint32_t variable_count;
    sym_atom variables[MAX_VARIABLES];
    int low[MAX_VARIABLES], high[MAX_VARIABLES];
    sym_cond unknown;
    sym_poly pool[MAX_POOL];
    uint32_t pool_count;
    sym_cond facts[MAX_FACTS];
    uint32_t fact_count;
    /* One assignment: */
    int values[MAX_VARIABLES];
    bool unknown_value;
    uint64_t free_choice; /* decides what a definition leaves open */
    sym_integer known[MAX_ATOMS];
    uint32_t stamps[MAX_ATOMS], stamp;
};

static unsigned below(struct world *w, unsigned n)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (unsigned)((w->random >> 11) % n);
}

/* ---- the truth -------------------------------------------------------------------------------------------- */

static sym_integer evaluate_atom(struct world *w, sym_atom atom);

static sym_integer evaluate(struct world *w, sym_poly poly)
{
    struct sym_poly_data data = w->sym.polys.data[poly];
    sym_integer sum = 0;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = w->sym.monomials.data[data.terms[i].monomial];
        sym_integer product = data.terms[i].coefficient;
        for (uint32_t j = 0; j < monomial.count; j++)
            product *= evaluate_atom(w, monomial.atoms[j]);
        sum += product;
    }
    return sum;
}

static bool is_true(struct world *w, sym_cond cond)
{
    struct sym_cond_data data = w->sym.conds.data[cond];
    switch (data.kind) {
    case SYM_GE:
        return evaluate(w, data.poly) >= 0;
    case SYM_EQ:
        return evaluate(w, data.poly) == 0;
    case SYM_NE:
        return evaluate(w, data.poly) != 0;
    case SYM_AND:
        return is_true(w, data.left) && is_true(w, data.right);
    case SYM_OR:
        return is_true(w, data.left) || is_true(w, data.right);
    case SYM_UNKNOWN:
        return w->unknown_value != data.negated;
    default:
        return cond == SYM_TRUE;
    }
}

static sym_integer floor_divide(sym_integer a, sym_integer b)
{
    return a / b - (a % b < 0);
}

static sym_integer remainder_of(sym_integer a, unsigned bits)
{
    sym_integer width = (sym_integer)1 << bits;
    return a - floor_divide(a, width) * width;
}

static sym_integer anything(struct world *w, sym_atom atom)
{
    uint64_t mixed = (w->free_choice + atom) * 0x9e3779b97f4a7c15u;
    return (sym_integer)(mixed >> 40) % 9 - 4;
}

/* Any edge whose facts hold; which one depends on the block alone. */
static sym_integer evaluate_join(struct world *w, const struct sym_join *join)
{
    uint32_t open[8], count = 0, first = 0;
    for (uint32_t i = 0; i < join->count && count < COUNT_OF(open); i++)
        if (is_true(w, join->facts[i]))
            open[count++] = i;
    while (first + 1 < join->count && join->facts[first] == SYM_FALSE)
        first++;
    return evaluate(w, join->values[count == 0 ? first : open[(w->free_choice >> 8) % count]]);
}

static sym_integer compute_atom(struct world *w, sym_atom atom)
{
    struct sym_atom_data data = w->sym.atoms.data[atom];
    if (data.kind == SYM_VARIABLE) {
        for (uint32_t i = 0; i < w->variable_count; i++)
            if (w->variables[i] == atom)
                return w->values[i];
        return anything(w, atom);
    }
    if (data.kind == SYM_JOIN) {
        struct sym_join join = w->sym.joins.data[data.index];
        return evaluate_join(w, &join);
    }
    sym_integer a = evaluate(w, data.a), b = evaluate(w, data.b), x, y;
    switch (data.kind) {
    case SYM_WRAP_UNSIGNED:
        return remainder_of(a, data.bits);
    case SYM_WRAP_SIGNED:
        x = (sym_integer)1 << (data.bits - 1);
        return remainder_of(a + x, data.bits) - x;
    case SYM_QUOTIENT:
        return b >= 1 ? floor_divide(a, b) : anything(w, atom);
    case SYM_TRUNCATED:
        return b != 0 ? a / b : anything(w, atom);
    case SYM_SELECT:
        return is_true(w, data.condition) ? a : b;
    case SYM_MINIMUM:
        return a < b ? a : b;
    case SYM_MAXIMUM:
        return a > b ? a : b;
    case SYM_POWER:
        return a >= 0 && a < data.bits ? (sym_integer)1 << a : 0;
    default:
        x = remainder_of(a, data.bits);
        y = remainder_of(b, data.bits);
        return data.kind == SYM_BIT_AND ? (x & y) : data.kind == SYM_BIT_OR ? (x | y) : (x ^ y);
    }
}

static sym_integer evaluate_atom(struct world *w, sym_atom atom)
{
    if (atom >= MAX_ATOMS)
        return compute_atom(w, atom);
    if (w->stamps[atom] != w->stamp) {
        w->known[atom] = compute_atom(w, atom);
        w->stamps[atom] = w->stamp;
    }
    return w->known[atom];
}

static void first_assignment(struct world *w)
{
    for (uint32_t i = 0; i < w->variable_count; i++)
        w->values[i] = w->low[i];
    w->unknown_value = false;
    w->stamp++;
}

static bool next_assignment(struct world *w)
{
    w->stamp++;
    w->free_choice = w->free_choice * 6364136223846793005u + 1442695040888963407u;
    for (uint32_t i = 0; i < w->variable_count; i++) {
        if (++w->values[i] <= w->high[i])
            return true;
        w->values[i] = w->low[i];
    }
    w->unknown_value = !w->unknown_value;
    return w->unknown_value;
}

/* ---- questions ---------------------------------------------------------------------------------------------- */

static sym_poly pick(struct world *w)
{
    return w->pool[below(w, w->pool_count)];
}

static sym_cond random_cond(struct world *w)
{
    struct sym *sym = &w->sym;
    sym_poly d = sym_subtract(sym, pick(w), below(w, 3) == 0 ? sym_constant(sym, below(w, 9)) : pick(w));
    switch (below(w, 10)) {
    case 0:
        return sym_eq(sym, d);
    case 1:
        return sym_ne(sym, d);
    case 2:
        return sym_or(sym, sym_ge(sym, d), sym_ge(sym, sym_subtract(sym, pick(w), pick(w))));
    case 3:
        return sym_or(sym, w->unknown, sym_ge(sym, d));
    case 4:
        return below(w, 2) ? w->unknown : sym_not(sym, w->unknown);
    default:
        return sym_ge(sym, sym_shift(sym, d, -(int)below(w, 2)));
    }
}

static sym_poly random_join(struct world *w)
{
    struct sym *sym = &w->sym;
    sym_cond c = random_cond(w), d = random_cond(w);
    uint32_t block = below(w, 3);
    if (below(w, 2)) {
        sym_poly values[2] = {pick(w), pick(w)};
        sym_cond facts[2] = {c, below(w, 4) == 0 ? SYM_TRUE : sym_not(sym, c)};
        return sym_of_join(sym, block, values, facts, 2);
    }
    /* The inner one is only reached where c holds. */
    sym_poly inner_values[2] = {pick(w), pick(w)};
    sym_cond inner_facts[2] = {sym_and(sym, c, d), sym_and(sym, c, sym_not(sym, d))};
    sym_poly inner = sym_of_join(sym, 10 + block, inner_values, inner_facts, 2);
    sym_poly values[2] = {inner, pick(w)};
    sym_cond facts[2] = {c, sym_not(sym, c)};
    return sym_of_join(sym, 20 + block, values, facts, 2);
}

static sym_poly random_poly(struct world *w)
{
    struct sym *sym = &w->sym;
    sym_poly a = pick(w), b = pick(w);
    unsigned bits = 3 + below(w, 2);
    switch (below(w, 16)) {
    case 0:
    case 1:
        return sym_add(sym, a, b);
    case 2:
        return sym_subtract(sym, a, b);
    case 3:
        return sym_scale(sym, a, (int)below(w, 9) - 3);
    case 4:
        return sym_shift(sym, a, (int)below(w, 9) - 4);
    case 5:
    case 6:
        return sym_multiply(sym, a, b);
    case 7:
        return sym_wrap(sym, a, bits, false);
    case 8:
        return sym_wrap(sym, a, bits, true);
    case 9:
        return sym_quotient(sym, a, below(w, 2) ? b : sym_constant(sym, 1 + (int)below(w, 5)));
    case 10:
        return sym_truncated(sym, a, below(w, 3) == 0 ? b : sym_constant(sym, (int)below(w, 9) - 4));
    case 11:
        return sym_select(sym, random_cond(w), a, b);
    case 12:
        return below(w, 2) ? sym_minimum(sym, a, b) : sym_maximum(sym, a, b);
    case 13:
        b = below(w, 2) ? b : sym_constant(sym, 1 << below(w, 3));
        return sym_wrap(sym, sym_bitwise(sym, SYM_BIT_AND + below(w, 3), a, b, bits), bits, false);
    case 14:
        return below(w, 3) == 0 ? sym_power(sym, a, bits) : sym_multiply(sym, a, b);
    default:
        return random_join(w);
    }
}

static void make_world(struct world *w)
{
    struct sym *sym = &w->sym;
    static const char *const names[] = {"x", "y", "z", "t"};
    w->variable_count = 2 + below(w, 3);
    w->pool_count = w->fact_count = w->stamp = 0;
    for (uint32_t i = 0; i < MAX_ATOMS; i++)
        w->stamps[i] = 0;
    w->unknown = sym_unknown(sym);
    for (uint32_t i = 0; i < w->variable_count; i++) {
        w->low[i] = (int)below(w, 4) - (below(w, 3) == 0 ? 4 : 0);
        w->high[i] = w->low[i] + 1 + (int)below(w, w->variable_count == 2 ? 18 : 6);
        w->variables[i] = sym_variable(sym, names[i], w->low[i], w->high[i]);
        w->pool[w->pool_count++] = sym_of_atom(sym, w->variables[i]);
    }
    for (uint32_t i = 0, count = 2 + below(w, 8); i < count; i++) {
        sym_poly poly = random_poly(w);
        if (sym->polys.data[poly].count <= 12 && sym->polys.data[poly].degree <= 4)
            w->pool[w->pool_count++] = poly;
    }
    for (uint32_t i = 0, count = below(w, MAX_FACTS); i < count; i++)
        w->facts[w->fact_count++] = random_cond(w);
}

struct tally {
    uint64_t questions, wrong, held, proved, candidates, bad_candidates;
};

static bool facts_hold(struct world *w)
{
    for (uint32_t i = 0; i < w->fact_count; i++)
        if (!is_true(w, w->facts[i]))
            return false;
    return true;
}

/* The least value of the polynomial where the facts hold; false: they never hold. */
static bool find_least(struct world *w, sym_poly poly, sym_integer *least)
{
    bool any = false;
    first_assignment(w);
    do {
        if (!facts_hold(w))
            continue;
        sym_integer value = evaluate(w, poly);
        if (!any || value < *least)
            *least = value;
        any = true;
    } while (next_assignment(w));
    return any;
}

static void ask(struct world *w, sym_cond goal, struct tally *tally, uint64_t seed)
{
    bool proved = sym_prove(&w->sym, w->facts, w->fact_count, goal, NULL) == SYM_PROVED, holds = true;
    for (unsigned round = 0; round < 2 && holds; round++) {
        first_assignment(w);
        do {
            holds = !facts_hold(w) || is_true(w, goal);
        } while (holds && next_assignment(w));
    }
    tally->questions++;
    tally->held += holds;
    tally->proved += proved && holds;
    if (proved && !holds) {
        tally->wrong++;
        struct buffer text;
        buffer_init(&text, &w->arena);
        for (uint32_t i = 0; i < w->fact_count; i++) {
            sym_print_cond(&w->sym, w->facts[i], &text);
            buffer_puts(&text, "\n  ");
        }
        buffer_puts(&text, "|- ");
        sym_print_cond(&w->sym, goal, &text);
        print_error("seed %llu: proved, but false at", (unsigned long long)seed);
        for (uint32_t i = 0; i < w->variable_count; i++)
            print_error(" %d", w->values[i]);
        print_error("\n  %s\n", text.data);
    }
    if (!holds && tally->questions % 8 == 0) {
        sym_integer values[MAX_VARIABLES];
        if (sym_find_model(&w->sym, w->facts, w->fact_count, goal, w->variables, w->variable_count, values, NULL)) {
            tally->candidates++;
            bool good = false;
            for (unsigned known = 0; known < 2 && !good; known++) {
                for (uint32_t i = 0; i < w->variable_count; i++)
                    w->values[i] = (int)values[i];
                w->unknown_value = known;
                w->stamp++;
                good = facts_hold(w) && !is_true(w, goal);
            }
            tally->bad_candidates += !good;
        }
    }
}

static void run_case(struct world *w, uint64_t seed, struct tally *tally)
{
    w->random = seed * 0x9e3779b97f4a7c15u + 88172645463325252u;
    for (int i = 0; i < 5; i++)
        below(w, 2);
    make_world(w);
    for (unsigned i = 0; i < 3; i++) {
        sym_poly poly = sym_subtract(&w->sym, pick(w), pick(w));
        sym_integer least = 0;
        if (!find_least(w, poly, &least)) {
            ask(w, SYM_FALSE, tally, seed);
            continue;
        }
        ask(w, sym_ge(&w->sym, sym_shift(&w->sym, poly, -least)), tally, seed);
        ask(w, sym_ge(&w->sym, sym_shift(&w->sym, poly, -least - 1)), tally, seed);
        ask(w, random_cond(w), tally, seed);
    }
}

static uint64_t case_count = 250, first_seed = 1;

static void test_nothing_false_is_proved(void **state)
{
    (void)state;
    struct world *w = calloc(1, sizeof *w);
    struct tally tally = {0};
    struct sym_stats sum = {0};
    assert_non_null(w);
    clock_t begin = clock();
    for (uint64_t seed = first_seed; seed < first_seed + case_count; seed++) {
        jmp_buf handler;
        arena_init(&w->arena);
        w->arena.handler = &handler;
        if (setjmp(handler) != 0)
            fail_msg("out of memory");
        sym_init(&w->sym, &w->arena);
        run_case(w, seed, &tally);
        sum.z3_calls += w->sym.stats.z3_calls;
        sum.z3_unknown += w->sym.stats.z3_unknown;
        sum.z3_seconds += w->sym.stats.z3_seconds;
        sum.splits += w->sym.stats.splits;
        sym_end(&w->sym);
        arena_free(&w->arena);
    }
    free(w);
    print_message("%llu questions, %llu hold, %llu of them proved, %llu wrong; %llu candidates, %llu bad; z3 %llu calls, %llu unknown, "
                  "%.2f s; %llu splits; %.2f s\n",
                  (unsigned long long)tally.questions, (unsigned long long)tally.held, (unsigned long long)tally.proved,
                  (unsigned long long)tally.wrong, (unsigned long long)tally.candidates, (unsigned long long)tally.bad_candidates,
                  (unsigned long long)sum.z3_calls, (unsigned long long)sum.z3_unknown, sum.z3_seconds,
                  (unsigned long long)sum.splits, (double)(clock() - begin) / CLOCKS_PER_SEC);
    assert_int_equal(tally.wrong, 0);
    assert_true(tally.proved * 100 >= tally.held * 60);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        case_count = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_false_is_proved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
