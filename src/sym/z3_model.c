/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates for counterexamples: integers for the variables that obey the facts and break the goal, asked from Z3 with every atom
 * encoded by its definition (products and quotients as they are, wraps as remainders, choices as if-then-else, bit operations over
 * bit vectors).  Small numbers are asked for first.
 *
 * A candidate only: limits are small, what cannot be encoded is left free, and whoever asked confirms it by running it.
 */
#include "sym/solve.h"
#include "sym/table.h"

enum { MAX_NESTING = 100, RESOURCES = 250000, MAX_UNKNOWN = 4, MAX_MODEL_ATOMS = 600 };

struct model {
    struct sym *sym;
    struct solve_z3 *z3;
    struct arena *arena;   /* of the trail */
    struct arena *scratch;
    Z3_solver solver;
    Z3_ast *atoms;         /* by atom; NULL: not made */
    uint32_t atom_count;
    uint32_t made;
    bool failed;
};

static Z3_ast keep(struct model *model, Z3_ast ast)
{
    if (ast == NULL)
        model->failed = true;
    return solve_z3_keep(model->z3, model->arena, ast);
}

static Z3_ast number(struct model *model, sym_integer value)
{
    Z3_ast ast = solve_z3_number(model->z3, model->arena, value);
    if (ast == NULL)
        model->failed = true;
    return ast;
}

static Z3_ast binary(struct model *model, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast), Z3_ast a, Z3_ast b)
{
    return a == NULL || b == NULL ? NULL : keep(model, make(model->z3->context, a, b));
}

static Z3_ast listed(struct model *model, Z3_ast (*make)(Z3_context, unsigned, const Z3_ast *), Z3_ast a, Z3_ast b)
{
    Z3_ast pair[2] = {a, b};
    return a == NULL || b == NULL ? NULL : keep(model, make(model->z3->context, 2, pair));
}

static Z3_ast negation(struct model *model, Z3_ast a)
{
    return a == NULL ? NULL : keep(model, Z3_mk_not(model->z3->context, a));
}

static Z3_ast choice(struct model *model, Z3_ast condition, Z3_ast a, Z3_ast b)
{
    if (condition == NULL || a == NULL || b == NULL)
        return NULL;
    return keep(model, Z3_mk_ite(model->z3->context, condition, a, b));
}

static void demand(struct model *model, Z3_ast ast)
{
    if (ast != NULL)
        Z3_solver_assert(model->z3->context, model->solver, ast);
}

static Z3_ast model_atom(struct model *model, sym_atom atom, unsigned depth);

static Z3_ast model_poly(struct model *model, sym_poly poly, unsigned depth)
{
    struct sym_poly_data data = model->sym->polys.data[poly];
    Z3_ast sum = data.count == 0 ? number(model, 0) : NULL;
    for (uint32_t i = 0; i < data.count && !model->failed; i++) {
        struct sym_monomial_data monomial = model->sym->monomials.data[data.terms[i].monomial];
        Z3_ast product = number(model, data.terms[i].coefficient);
        for (uint32_t j = 0; j < monomial.count; j++)
            product = listed(model, Z3_mk_mul, product, model_atom(model, monomial.atoms[j], depth + 1));
        sum = i == 0 ? product : listed(model, Z3_mk_add, sum, product);
    }
    return sum;
}

static Z3_ast model_cond(struct model *model, sym_cond cond, unsigned depth)
{
    struct sym_cond_data data = model->sym->conds.data[cond];
    Z3_context context = model->z3->context;
    Z3_ast truth;
    if (depth > MAX_NESTING)
        model->failed = true;
    if (model->failed)
        return NULL;
    switch (data.kind) {
    case SYM_CONSTANT_CONDITION:
        return keep(model, cond == SYM_TRUE ? Z3_mk_true(context) : Z3_mk_false(context));
    case SYM_GE:
        return binary(model, Z3_mk_ge, model_poly(model, data.poly, depth + 1), number(model, 0));
    case SYM_EQ:
        return binary(model, Z3_mk_eq, model_poly(model, data.poly, depth + 1), number(model, 0));
    case SYM_NE:
        return negation(model, binary(model, Z3_mk_eq, model_poly(model, data.poly, depth + 1), number(model, 0)));
    case SYM_AND:
    case SYM_OR:
        truth = model_cond(model, data.left, depth + 1);
        return listed(model, data.kind == SYM_AND ? Z3_mk_and : Z3_mk_or, truth, model_cond(model, data.right, depth + 1));
    default:
        truth = keep(model, Z3_mk_const(context, Z3_mk_int_symbol(context, (int)(data.index & 0x3fffffff)), model->z3->boolean));
        return data.negated ? negation(model, truth) : truth;
    }
}

/* a mod 2^bits, in [0, 2^bits): Z3's remainder by a positive number is never negative. */
static Z3_ast remainder_of(struct model *model, Z3_ast a, unsigned bits)
{
    return binary(model, Z3_mk_mod, a, number(model, sym_power_of_two(bits)));
}

static Z3_ast model_wrap(struct model *model, const struct sym_atom_data *data, unsigned depth)
{
    Z3_ast a = model_poly(model, data->a, depth + 1);
    if (data->kind == SYM_WRAP_UNSIGNED)
        return remainder_of(model, a, data->bits);
    Z3_ast half = number(model, sym_power_of_two(data->bits - 1u));
    return listed(model, Z3_mk_sub, remainder_of(model, listed(model, Z3_mk_add, a, half), data->bits), half);
}

/* Z3's division by a positive number rounds down. */
static Z3_ast model_division(struct model *model, const struct sym_atom_data *data, unsigned depth)
{
    Z3_ast a = model_poly(model, data->a, depth + 1), b = model_poly(model, data->b, depth + 1), zero = number(model, 0);
    if (data->kind == SYM_QUOTIENT)
        return binary(model, Z3_mk_div, a, b);
    Z3_ast down = binary(model, Z3_mk_div, a, b);
    Z3_ast up = listed(model, Z3_mk_sub, zero, binary(model, Z3_mk_div, listed(model, Z3_mk_sub, zero, a), b));
    return choice(model, binary(model, Z3_mk_ge, a, zero), down, up);
}

static Z3_ast model_bits(struct model *model, const struct sym_atom_data *data, unsigned depth)
{
    Z3_context context = model->z3->context;
    Z3_ast a = model_poly(model, data->a, depth + 1), b = model_poly(model, data->b, depth + 1);
    if (a == NULL || b == NULL)
        return NULL;
    Z3_ast x = keep(model, Z3_mk_int2bv(context, data->bits, a)), y = keep(model, Z3_mk_int2bv(context, data->bits, b));
    Z3_ast result = binary(model,
                           data->kind == SYM_BIT_AND  ? Z3_mk_bvand
                           : data->kind == SYM_BIT_OR ? Z3_mk_bvor
                                                      : Z3_mk_bvxor,
                           x, y);
    return result == NULL ? NULL : keep(model, Z3_mk_bv2int(context, result, false));
}

static Z3_ast model_power(struct model *model, const struct sym_atom_data *data, unsigned depth)
{
    Z3_ast a = model_poly(model, data->a, depth + 1), value = number(model, 0);
    for (unsigned i = 0; i < data->bits && value != NULL; i++)
        value = choice(model, binary(model, Z3_mk_eq, a, number(model, i)), number(model, sym_power_of_two(i)), value);
    return value;
}

/* The first edge whose facts hold. */
static Z3_ast model_join(struct model *model, const struct sym_join *join, unsigned depth)
{
    Z3_ast value = model_poly(model, join->values[solve_default_edge(join)], depth + 1);
    for (uint32_t i = join->count; i-- > 0 && !model->failed;) {
        Z3_ast taken = model_cond(model, join->facts[i], depth + 1);
        value = choice(model, taken, model_poly(model, join->values[i], depth + 1), value);
    }
    return value;
}

static Z3_ast define_atom(struct model *model, sym_atom atom, unsigned depth)
{
    struct sym_atom_data data = model->sym->atoms.data[atom];
    Z3_context context = model->z3->context;
    Z3_ast a, b;
    switch (data.kind) {
    case SYM_WRAP_UNSIGNED:
    case SYM_WRAP_SIGNED:
        return model_wrap(model, &data, depth);
    case SYM_QUOTIENT:
    case SYM_TRUNCATED:
        return model_division(model, &data, depth);
    case SYM_SELECT:
        a = model_cond(model, data.condition, depth + 1);
        b = model_poly(model, data.a, depth + 1);
        return choice(model, a, b, model_poly(model, data.b, depth + 1));
    case SYM_MINIMUM:
    case SYM_MAXIMUM:
        a = model_poly(model, data.a, depth + 1);
        b = model_poly(model, data.b, depth + 1);
        return choice(model, binary(model, data.kind == SYM_MINIMUM ? Z3_mk_le : Z3_mk_ge, a, b), a, b);
    case SYM_BIT_AND:
    case SYM_BIT_OR:
    case SYM_BIT_XOR:
        return model_bits(model, &data, depth);
    case SYM_POWER:
        return model_power(model, &data, depth);
    case SYM_JOIN: {
        struct sym_join join = model->sym->joins.data[data.index];
        return model_join(model, &join, depth);
    }
    default:
        return keep(model, Z3_mk_const(context, Z3_mk_int_symbol(context, (int)(atom & 0x3fffffff)), model->z3->integer));
    }
}

static Z3_ast model_atom(struct model *model, sym_atom atom, unsigned depth)
{
    if (depth > MAX_NESTING || atom >= model->atom_count || model->made > MAX_MODEL_ATOMS)
        model->failed = true;
    if (model->failed)
        return NULL;
    if (model->atoms[atom] != NULL)
        return model->atoms[atom];
    model->made++;
    Z3_ast ast = define_atom(model, atom, depth);
    const struct sym_atom_data *data = &model->sym->atoms.data[atom];
    if (ast != NULL && data->kind == SYM_VARIABLE) {
        if (data->low > SYM_MIN)
            demand(model, binary(model, Z3_mk_ge, ast, number(model, data->low)));
        if (data->high < SYM_MAX)
            demand(model, binary(model, Z3_mk_le, ast, number(model, data->high)));
    }
    model->atoms[atom] = ast;
    return ast;
}

/* ---- asking ---------------------------------------------------------------------------------------------- */

static bool read_integer(const char *text, sym_integer *value)
{
    bool negative = *text == '-';
    sym_integer result = 0;
    unsigned digits = 0;
    for (text += negative; *text >= '0' && *text <= '9'; text++) {
        if (++digits > 36)
            return false;
        result = result * 10 + (*text - '0');
    }
    *value = negative ? -result : result;
    return *text == 0 && digits != 0;
}

static bool read_values(struct model *model, const sym_atom *variables, uint32_t count, sym_integer *values)
{
    Z3_context context = model->z3->context;
    Z3_model found = Z3_solver_get_model(context, model->solver);
    if (found == NULL)
        return false;
    Z3_model_inc_ref(context, found);
    bool fine = true;
    for (uint32_t i = 0; i < count && fine; i++) {
        Z3_ast value = NULL;
        fine = Z3_model_eval(context, found, model_atom(model, variables[i], 0), true, &value) && value != NULL;
        if (!fine)
            break;
        keep(model, value);
        fine = Z3_is_numeral_ast(context, value) && read_integer(Z3_get_numeral_string(context, value), &values[i]);
    }
    Z3_model_dec_ref(context, found);
    return fine;
}

/* -bound <= variable <= bound for each, where its own bounds leave room. */
static void demand_small(struct model *model, const sym_atom *variables, uint32_t count, sym_integer bound)
{
    for (uint32_t i = 0; i < count && !model->failed; i++) {
        const struct sym_atom_data *data = &model->sym->atoms.data[variables[i]];
        sym_integer low = data->low > 0 ? data->low : 0, high = data->high < 0 ? -data->high : 0;
        Z3_ast variable = model_atom(model, variables[i], 0);
        demand(model, binary(model, Z3_mk_le, variable, number(model, low + bound)));
        demand(model, binary(model, Z3_mk_ge, variable, number(model, -high - bound)));
    }
}

static bool start_model(struct model *model, struct sym *sym, struct arena *scratch, uint32_t resources)
{
    *model = (struct model){.sym = sym, .z3 = &solve_solver(sym)->z3, .arena = sym->arena, .scratch = scratch};
    model->solver = solve_z3_open(sym, false, false, resources);
    if (model->solver == NULL)
        return false;
    model->atom_count = sym->atoms.count;
    model->atoms = ARENA_ARRAY(scratch, Z3_ast, model->atom_count + 1);
    return true;
}

bool sym_find_model(struct sym *sym, const sym_cond *facts, uint32_t fact_count, sym_cond goal, const sym_atom *variables,
                    uint32_t variable_count, sym_integer *values, const struct sym_limits *limits)
{
    static const unsigned sizes[] = {2, 5, 8, 12, 17, 31, 47, 64};
    struct arena *scratch = solve_scratch_begin(sym);
    struct model model;
    sym_cond broken = sym_not(sym, goal);
    bool found = false;
    if (!start_model(&model, sym, scratch, limits != NULL && limits->z3_resources != 0 ? limits->z3_resources : RESOURCES)) {
        solve_scratch_end(sym);
        return false;
    }
    Z3_context context = model.z3->context;
    demand(&model, model_cond(&model, broken, 0));
    for (uint32_t i = 0; i < fact_count && !model.failed; i++)
        demand(&model, model_cond(&model, facts[i], 0));
    for (uint32_t i = 0; i < variable_count && !model.failed; i++)
        model_atom(&model, variables[i], 0);
    unsigned unknown = 0;
    for (size_t i = 0; i < COUNT_OF(sizes) && !model.failed && !found && unknown < MAX_UNKNOWN; i++) {
        Z3_solver_push(context, model.solver);
        demand_small(&model, variables, variable_count, sym_power_of_two(sizes[i]));
        sym->stats.z3_calls++;
        Z3_lbool answer = Z3_solver_check(context, model.solver);
        if (Z3_get_error_code(context) == Z3_OK && answer == Z3_L_TRUE)
            found = read_values(&model, variables, variable_count, values);
        unknown += answer == Z3_L_UNDEF;
        Z3_solver_pop(context, model.solver, 1);
    }
    solve_z3_close(sym);
    solve_scratch_end(sym);
    return found;
}
