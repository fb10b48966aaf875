/* SPDX-License-Identifier: Apache-2.0
 *
 * The linear rest of a question, asked from Z3: each monomial is an integer constant, each row a linear comparison, clauses are
 * disjunctions.  One context a struct sym; every question has a limit of resources, which are counted and not timed.
 *
 * Sound: what cannot be encoded is left out, which weakens the system.  An error inside Z3 counts as "not known".
 */
#include "sym/solve.h"
#include "sym/table.h"

#include <stdlib.h>
#include <time.h>

enum { MAX_NESTING = 100, MEMORY_MEGABYTES = 700, LARGE_BITS = 62 };

static void ignore_error(Z3_context context, Z3_error_code code)
{
    (void)context;
    (void)code; /* asked for with Z3_get_error_code where it matters */
}

bool solve_z3_start(struct sym *sym)
{
    struct solve_z3 *z3 = &solve_solver(sym)->z3;
    if (z3->context != NULL || z3->broken)
        return !z3->broken;
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "auto_config", "true");
    z3->context = Z3_mk_context_rc(config);
    Z3_del_config(config);
    if (z3->context == NULL) {
        z3->broken = true;
        return false;
    }
    Z3_set_error_handler(z3->context, ignore_error);
    z3->integer = Z3_mk_int_sort(z3->context);
    Z3_inc_ref(z3->context, Z3_sort_to_ast(z3->context, z3->integer));
    z3->boolean = Z3_mk_bool_sort(z3->context);
    Z3_inc_ref(z3->context, Z3_sort_to_ast(z3->context, z3->boolean));
    return true;
}

void solve_z3_end(struct sym *sym)
{
    struct solve_z3 *z3 = &solve_solver(sym)->z3;
    solve_z3_close(sym); /* memory ran out during a question */
    if (z3->context != NULL)
        Z3_del_context(z3->context);
    z3->context = NULL;
    z3->broken = true;
}

Z3_solver solve_z3_open(struct sym *sym, bool is_linear, bool has_large_numbers, uint32_t resources)
{
    struct solve_z3 *z3 = &solve_solver(sym)->z3;
    if (!solve_z3_start(sym))
        return NULL;
    Z3_solver solver = is_linear ? Z3_mk_simple_solver(z3->context) : Z3_mk_solver(z3->context);
    if (solver == NULL)
        return NULL;
    Z3_solver_inc_ref(z3->context, solver);
    Z3_params params = Z3_mk_params(z3->context);
    Z3_params_inc_ref(z3->context, params);
    Z3_params_set_uint(z3->context, params, Z3_mk_string_symbol(z3->context, "rlimit"), resources);
    Z3_params_set_uint(z3->context, params, Z3_mk_string_symbol(z3->context, "max_memory"), MEMORY_MEGABYTES);
    /* The older arithmetic: as quick on what we ask, and its steps cost about the same each, so that the limit limits time too. */
    Z3_params_set_uint(z3->context, params, Z3_mk_string_symbol(z3->context, "arith.solver"), 2);
    /* Its usual pivoting finds more, but over large numbers it can go on for minutes where no limit is looked at. */
    Z3_params_set_bool(z3->context, params, Z3_mk_string_symbol(z3->context, "arith.greatest_error_pivot"), has_large_numbers);
    Z3_solver_set_params(z3->context, solver, params);
    Z3_params_dec_ref(z3->context, params);
    z3->solver = solver;
    return solver;
}

void solve_z3_close(struct sym *sym)
{
    struct solve_z3 *z3 = &solve_solver(sym)->z3;
    if (z3->context == NULL)
        return;
    solve_z3_drop(z3, 0);
    if (z3->solver != NULL)
        Z3_solver_dec_ref(z3->context, z3->solver);
    z3->solver = NULL;
}

Z3_ast solve_z3_keep(struct solve_z3 *z3, struct arena *arena, Z3_ast ast)
{
    if (ast == NULL)
        return NULL;
    Z3_inc_ref(z3->context, ast);
    *vec_push(arena, &z3->trail) = ast;
    return ast;
}

void solve_z3_drop(struct solve_z3 *z3, uint32_t mark)
{
    while (z3->trail.count > mark)
        Z3_dec_ref(z3->context, z3->trail.data[--z3->trail.count]);
}

Z3_ast solve_z3_number(struct solve_z3 *z3, struct arena *arena, sym_integer value)
{
    if (value >= INT64_MIN && value <= INT64_MAX)
        return solve_z3_keep(z3, arena, Z3_mk_int64(z3->context, (int64_t)value, z3->integer));
    char text[48], *at = text + sizeof text;
    bool negative = value < 0;
    *--at = 0;
    for (; value != 0; value /= 10) {
        int digit = (int)(value % 10);
        *--at = (char)('0' + (digit < 0 ? -digit : digit));
    }
    if (negative)
        *--at = '-';
    return solve_z3_keep(z3, arena, Z3_mk_numeral(z3->context, at, z3->integer));
}

/* ---- encoding -------------------------------------------------------------------------------------------- */

/* Everything kept goes to the trail, in the arena of struct sym: it outlives the question. */
struct encoder {
    struct sym *sym;
    struct solve_z3 *z3;
    struct arena *arena; /* of the trail */
    struct arena *scratch;
};

static Z3_ast encode_monomial(struct encoder *encoder, sym_monomial monomial)
{
    struct solve_z3 *z3 = encoder->z3;
    while (z3->monomials.count <= monomial)
        *vec_push(encoder->arena, &z3->monomials) = NULL;
    if (z3->monomials.data[monomial] == NULL) {
        Z3_ast constant = Z3_mk_const(z3->context, Z3_mk_int_symbol(z3->context, (int)(monomial & 0x3fffffff)), z3->integer);
        if (constant != NULL)
            Z3_inc_ref(z3->context, constant); /* as long as the context */
        z3->monomials.data[monomial] = constant;
    }
    return z3->monomials.data[monomial];
}

static Z3_ast encode_terms(struct encoder *encoder, const struct sym_term *terms, uint32_t count)
{
    struct solve_z3 *z3 = encoder->z3;
    if (count == 0)
        return solve_z3_number(z3, encoder->arena, 0);
    Z3_ast *parts = ARENA_ARRAY(encoder->scratch, Z3_ast, count);
    for (uint32_t i = 0; i < count; i++) {
        Z3_ast factor = solve_z3_number(z3, encoder->arena, terms[i].coefficient);
        if (terms[i].monomial == 0) {
            parts[i] = factor;
        } else if (terms[i].coefficient == 1) {
            parts[i] = encode_monomial(encoder, terms[i].monomial);
        } else {
            Z3_ast pair[2] = {factor, encode_monomial(encoder, terms[i].monomial)};
            if (pair[0] == NULL || pair[1] == NULL)
                return NULL;
            parts[i] = solve_z3_keep(z3, encoder->arena, Z3_mk_mul(z3->context, 2, pair));
        }
        if (parts[i] == NULL)
            return NULL;
    }
    return count == 1 ? parts[0] : solve_z3_keep(z3, encoder->arena, Z3_mk_add(z3->context, count, parts));
}

static Z3_ast compare_zero(struct encoder *encoder, Z3_ast sum, enum sym_cond_kind kind)
{
    struct solve_z3 *z3 = encoder->z3;
    Z3_ast zero = solve_z3_number(z3, encoder->arena, 0);
    if (sum == NULL || zero == NULL)
        return NULL;
    if (kind == SYM_GE)
        return solve_z3_keep(z3, encoder->arena, Z3_mk_ge(z3->context, sum, zero));
    Z3_ast equal = solve_z3_keep(z3, encoder->arena, Z3_mk_eq(z3->context, sum, zero));
    if (kind == SYM_EQ || equal == NULL)
        return equal;
    return solve_z3_keep(z3, encoder->arena, Z3_mk_not(z3->context, equal));
}

/* NULL when some part cannot be encoded. */
static Z3_ast encode_cond(struct encoder *encoder, sym_cond cond, unsigned depth)
{
    struct solve_z3 *z3 = encoder->z3;
    struct sym_cond_data data = encoder->sym->conds.data[cond];
    struct sym_poly_data poly;
    Z3_ast pair[2], truth;
    if (depth > MAX_NESTING)
        return NULL;
    switch (data.kind) {
    case SYM_CONSTANT_CONDITION:
        return solve_z3_keep(z3, encoder->arena, cond == SYM_TRUE ? Z3_mk_true(z3->context) : Z3_mk_false(z3->context));
    case SYM_GE:
    case SYM_EQ:
    case SYM_NE:
        poly = encoder->sym->polys.data[data.poly];
        return compare_zero(encoder, encode_terms(encoder, poly.terms, poly.count), data.kind);
    case SYM_AND:
    case SYM_OR:
        pair[0] = encode_cond(encoder, data.left, depth + 1);
        pair[1] = encode_cond(encoder, data.right, depth + 1);
        if (pair[0] == NULL || pair[1] == NULL)
            return NULL;
        return solve_z3_keep(z3, encoder->arena,
                             data.kind == SYM_AND ? Z3_mk_and(z3->context, 2, pair) : Z3_mk_or(z3->context, 2, pair));
    case SYM_UNKNOWN:
        /* Numbers past those of monomials, and of another sort. */
        truth = solve_z3_keep(z3, encoder->arena,
                              Z3_mk_const(z3->context, Z3_mk_int_symbol(z3->context, (int)(data.index & 0x3fffffff)), z3->boolean));
        if (truth == NULL || !data.negated)
            return truth;
        return solve_z3_keep(z3, encoder->arena, Z3_mk_not(z3->context, truth));
    default:
        return NULL;
    }
}

static void assert_ast(struct encoder *encoder, Z3_solver solver, Z3_ast ast)
{
    if (ast != NULL)
        Z3_solver_assert(encoder->z3->context, solver, ast);
}

static void assert_bound(struct encoder *encoder, Z3_solver solver, sym_monomial monomial, sym_integer bound, bool low)
{
    struct solve_z3 *z3 = encoder->z3;
    Z3_ast column = encode_monomial(encoder, monomial), number = solve_z3_number(z3, encoder->arena, bound);
    if (column == NULL || number == NULL)
        return;
    assert_ast(encoder, solver,
               solve_z3_keep(z3, encoder->arena,
                             low ? Z3_mk_ge(z3->context, column, number) : Z3_mk_le(z3->context, column, number)));
}

static void assert_system(struct encoder *encoder, Z3_solver solver, const struct solve_system *system)
{
    for (uint32_t i = 0; i < system->columns.count; i++) {
        struct solve_column column = system->columns.data[i];
        if (column.range.low > SYM_MIN)
            assert_bound(encoder, solver, column.monomial, column.range.low, true);
        if (column.range.high < SYM_MAX)
            assert_bound(encoder, solver, column.monomial, column.range.high, false);
    }
    for (uint32_t i = 0; i < system->rows.count; i++) {
        struct solve_row row = system->rows.data[i];
        Z3_ast sum = encode_terms(encoder, row.terms, row.count);
        assert_ast(encoder, solver, compare_zero(encoder, sum, row.equality ? SYM_EQ : SYM_GE));
    }
    for (uint32_t i = 0; i < system->clauses.count; i++)
        assert_ast(encoder, solver, encode_cond(encoder, system->clauses.data[i], 0));
    for (uint32_t i = 0; i < system->truths.count; i++)
        assert_ast(encoder, solver, encode_cond(encoder, system->truths.data[i], 0));
}

/* Large: two of them do not fit a machine word any more. */
static bool has_large_numbers(const struct solve_system *system)
{
    const sym_integer large = (sym_integer)1 << LARGE_BITS;
    for (uint32_t i = 0; i < system->rows.count; i++)
        for (uint32_t k = 0; k < system->rows.data[i].count; k++)
            if (system->rows.data[i].terms[k].coefficient > large || system->rows.data[i].terms[k].coefficient < -large)
                return true;
    return false;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A kernel whose questions are beyond Z3 should not cost the full price of each: what it gives up on makes it give up sooner. */
static uint32_t what_is_left(const struct sym *sym, uint32_t resources)
{
    enum { PATIENCE = 32, LEAST_SHARE = 16 };
    uint64_t share = 1 + sym->stats.z3_unknown / PATIENCE;
    return resources / (uint32_t)(share < LEAST_SHARE ? share : LEAST_SHARE);
}

bool solve_z3_contradicts(struct solve_system *system, uint32_t resources)
{
    struct sym *sym = system->sym;
    struct solve_z3 *z3 = &solve_solver(sym)->z3;
    if (!solve_z3_start(sym))
        return false;
    double begin = seconds_now();
    struct encoder encoder = {.sym = sym, .z3 = z3, .arena = sym->arena, .scratch = system->arena};
    Z3_lbool answer = Z3_L_UNDEF;
    Z3_solver solver = solve_z3_open(sym, true, has_large_numbers(system), what_is_left(sym, resources));
    if (solver != NULL) {
        assert_system(&encoder, solver, system);
        answer = Z3_solver_check(z3->context, solver);
        if (Z3_get_error_code(z3->context) != Z3_OK)
            answer = Z3_L_UNDEF;
    }
    solve_z3_close(sym);
    sym->stats.z3_calls++;
    sym->stats.z3_unknown += answer == Z3_L_UNDEF;
    sym->stats.z3_seconds += seconds_now() - begin;
    return answer == Z3_L_FALSE;
}
