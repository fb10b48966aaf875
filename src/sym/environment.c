/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches that a contract admits, as atoms and facts.
 *
 * Gives: a variable for each scalar (in the range of its type), array length, block, grid, thread and block index, fixed numbers where
 * the contract fixes them; the device's limits; the contract's relations.  Sound for every launch that obeys the contract
 * and is accepted by a device.  A relation that cannot be evaluated (a divisor of zero) is broken at launch, so that its parts are defined is
 * a fact too.
 */
#include "sym/sym.h"

enum { X, Y, Z };

static const char *const axis_names[3] = {"x", "y", "z"};

/* ---- expressions ---------------------------------------------------------------------------------------- */

static void add_fact(struct sym_environment *environment, sym_cond fact)
{
    if (fact != SYM_TRUE)
        *vec_push(environment->sym->arena, &environment->facts) = fact;
}

static sym_poly node_value(struct sym_environment *environment, uint32_t index)
{
    struct sym *sym = environment->sym;
    const struct contract_node *node = &environment->contract->nodes.data[index];
    switch (node->kind) {
    case CONTRACT_LITERAL:
        return sym_constant(sym, node->value);
    case CONTRACT_SCALAR:
        return environment->scalars[node->operand];
    case CONTRACT_LENGTH:
        return environment->lengths[node->operand];
    case CONTRACT_BLOCK:
        return environment->block[node->operand];
    case CONTRACT_GRID:
        return environment->grid[node->operand];
    case CONTRACT_NEGATE:
        return sym_scale(sym, node_value(environment, node->left), -1);
    default:
        break;
    }
    sym_poly left = node_value(environment, node->left), right = node_value(environment, node->right);
    switch (node->kind) {
    case CONTRACT_ADD:
        return sym_add(sym, left, right);
    case CONTRACT_SUBTRACT:
        return sym_subtract(sym, left, right);
    case CONTRACT_MULTIPLY:
        return sym_multiply(sym, left, right);
    default: { /* / and % as in C */
        add_fact(environment, sym_ne(sym, right));
        sym_poly quotient = sym_truncated(sym, left, right);
        return node->kind == CONTRACT_DIVIDE ? quotient
                                             : sym_subtract(sym, left, sym_multiply(sym, quotient, right));
    }
    }
}

sym_poly sym_of_expression(struct sym_environment *environment, const struct contract_expression *expression)
{
    return expression->root == CONTRACT_NONE ? SYM_NONE : node_value(environment, expression->root);
}

sym_cond sym_of_relation(struct sym_environment *environment, const struct contract_relation *relation)
{
    struct sym *sym = environment->sym;
    sym_poly left = sym_of_expression(environment, &relation->left);
    sym_poly right = sym_of_expression(environment, &relation->right);
    sym_poly difference = sym_subtract(sym, left, right);
    switch (relation->compare) {
    case CONTRACT_EQUAL:
        return sym_eq(sym, difference);
    case CONTRACT_NOT_EQUAL:
        return sym_ne(sym, difference);
    case CONTRACT_LESS:
        return sym_ge(sym, sym_shift(sym, sym_scale(sym, difference, -1), -1));
    case CONTRACT_LESS_EQUAL:
        return sym_ge(sym, sym_scale(sym, difference, -1));
    case CONTRACT_GREATER:
        return sym_ge(sym, sym_shift(sym, difference, -1));
    default:
        return sym_ge(sym, difference);
    }
}

/* ---- geometry -------------------------------------------------------------------------------------------- */

/* Does the kernel (or what it calls) read this component of the special register? */
static bool reads_axis(const struct sym_environment *environment, enum ptx_special first, enum ptx_special second, int axis)
{
    for (uint32_t f = 0; f < environment->module->functions.count; f++) {
        const struct ptx_function *function = &environment->module->functions.data[f];
        if (function->is_entry && f != environment->function)
            continue;
        for (uint32_t i = 0; i < function->instructions.count; i++) {
            const struct ptx_instruction *instruction = &function->instructions.data[i];
            if (instruction->op == PTX_OP_OPAQUE)
                return true;
            for (uint32_t o = 0; o < instruction->operand_count; o++) {
                const struct ptx_operand *operand = &instruction->operands[o];
                bool whole = operand->component == 0 || operand->kind == PTX_OPERAND_VECTOR;
                if (operand->kind == PTX_OPERAND_SPECIAL &&
                    (operand->special == first || operand->special == second) &&
                    (whole || operand->component == axis + 1))
                    return true;
            }
        }
    }
    return false;
}

static bool names_axis(const struct contract *contract, enum contract_node_kind kind, int axis)
{
    for (uint32_t i = 0; contract != NULL && i < contract->nodes.count; i++)
        if (contract->nodes.data[i].kind == kind && contract->nodes.data[i].operand == (uint32_t)axis)
            return true;
    return false;
}

static sym_poly named_variable(struct sym *sym, const char *name, sym_integer low, sym_integer high)
{
    return sym_of_atom(sym, sym_variable(sym, name, low, high));
}

static bool is_given(const struct contract_expression *expression)
{
    return expression->root != CONTRACT_NONE;
}

static const struct contract_expression *given(const struct contract *contract, const struct contract_expression *first,
                                               int axis)
{
    return contract != NULL && is_given(&first[axis]) ? &first[axis] : NULL;
}

/* Exact block first: relations may speak of it. */
static void set_block(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    const struct contract *contract = environment->contract;
    const struct ptx_function *function = &environment->module->functions.data[environment->function];
    static const sym_integer largest[3] = {1024, 1024, 64};
    for (int axis = X; axis <= Z; axis++) {
        sym_integer most = largest[axis];
        bool exact = contract != NULL && is_given(&contract->block[0]);
        if (function->required_threads[0] != 0) {
            uint32_t required = function->required_threads[axis];
            environment->block[axis] = sym_constant(sym, required == 0 ? 1 : required);
        } else if (given(contract, contract != NULL ? contract->block : NULL, axis) != NULL) {
            environment->block[axis] = SYM_NONE; /* below, when scalars exist */
        } else if (exact ||
                   (!names_axis(contract, CONTRACT_BLOCK, axis) &&
                    !reads_axis(environment, PTX_SPECIAL_tid, PTX_SPECIAL_ntid, axis) && axis != X)) {
            environment->block[axis] = sym_constant(sym, 1);
        } else {
            environment->block[axis] =
                named_variable(sym, arena_printf(sym->arena, "block.%s", axis_names[axis]), 1, most);
        }
    }
}

static void set_grid(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    const struct contract *contract = environment->contract;
    for (int axis = X; axis <= Z; axis++) {
        sym_integer most = axis == X ? 2147483647 : 65535;
        bool derived = contract != NULL && (is_given(&contract->domain[0]) || is_given(&contract->grid[0]));
        bool one = derived ? !given(contract, contract->domain, axis) && !given(contract, contract->grid, axis)
                           : !names_axis(contract, CONTRACT_GRID, axis) && axis != X &&
                                 !reads_axis(environment, PTX_SPECIAL_ctaid, PTX_SPECIAL_nctaid, axis);
        environment->grid[axis] = one ? sym_constant(sym, 1)
                                      : named_variable(sym, arena_printf(sym->arena, "grid.%s", axis_names[axis]), 1, most);
    }
}

/* block.x = k * (a variable): multiples of k stay visible in polynomials. */
static void set_block_multiple(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    const struct contract *contract = environment->contract;
    sym_integer multiple;
    if (contract == NULL || !is_given(&contract->block_multiple) || environment->block[X] == SYM_NONE)
        return;
    const struct contract_node *root = &contract->nodes.data[contract->block_multiple.root];
    sym_integer low, high;
    sym_interval(sym, environment->block[X], &low, &high);
    if (root->kind != CONTRACT_LITERAL || low == high)
        return; /* a fact, in add_geometry_facts */
    multiple = root->value;
    if (multiple >= 1 && multiple <= 1024) {
        sym_atom factor = sym_variable(sym, arena_printf(sym->arena, "(block.x/%d)", (int)multiple), 1, 1024 / multiple);
        environment->block[X] = sym_scale(sym, sym_of_atom(sym, factor), multiple);
    }
}

static void bound(struct sym_environment *environment, sym_poly value, sym_integer low, sym_integer high)
{
    struct sym *sym = environment->sym;
    add_fact(environment, sym_ge(sym, sym_shift(sym, value, -low)));
    add_fact(environment, sym_ge(sym, sym_shift(sym, sym_scale(sym, value, -1), high)));
}

/* grid = ceil(domain / block); a domain of 0 is no launch. */
static void add_domain_facts(struct sym_environment *environment, int axis, sym_poly domain)
{
    struct sym *sym = environment->sym;
    sym_poly grid = environment->grid[axis], block = environment->block[axis];
    sym_integer n, b;
    add_fact(environment, sym_ge(sym, sym_shift(sym, domain, -1)));
    if (sym_is_constant(sym, domain, &n) && sym_is_constant(sym, block, &b) && n >= 1 && b >= 1) {
        environment->grid[axis] = sym_constant(sym, (n + b - 1) / b);
        return;
    }
    sym_poly covered = sym_multiply(sym, grid, block);
    add_fact(environment, sym_ge(sym, sym_subtract(sym, covered, domain)));
    sym_poly before_last = sym_subtract(sym, covered, block);
    add_fact(environment, sym_ge(sym, sym_shift(sym, sym_subtract(sym, domain, before_last), -1)));
}

static void add_geometry_facts(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    const struct contract *contract = environment->contract;
    const struct ptx_function *function = &environment->module->functions.data[environment->function];
    static const sym_integer largest[3] = {1024, 1024, 64};
    for (int axis = X; axis <= Z && contract != NULL; axis++) {
        const struct contract_expression *exact = given(contract, contract->block, axis);
        if (exact != NULL) {
            sym_poly value = sym_of_expression(environment, exact);
            if (environment->block[axis] == SYM_NONE)
                environment->block[axis] = value;
            else /* .reqntid says it too */
                add_fact(environment, sym_eq(sym, sym_subtract(sym, environment->block[axis], value)));
        }
    }
    sym_poly threads = sym_constant(sym, 1);
    for (int axis = X; axis <= Z; axis++) {
        bound(environment, environment->block[axis], 1, largest[axis]);
        threads = sym_multiply(sym, threads, environment->block[axis]);
    }
    /* .maxntid bounds the product, not each axis (PTX ISA, "Performance-Tuning Directives"). */
    sym_integer most = 1024, declared = 1;
    for (int axis = X; axis <= Z; axis++)
        declared *= function->max_threads[axis] == 0 ? 1 : function->max_threads[axis];
    if (function->max_threads[0] != 0 && declared < most)
        most = declared;
    bound(environment, threads, 1, most);
    if (contract == NULL)
        return;
    if (is_given(&contract->block_max))
        add_fact(environment, sym_ge(sym, sym_subtract(sym, sym_of_expression(environment, &contract->block_max), threads)));
    if (is_given(&contract->block_multiple)) {
        sym_poly multiple = sym_of_expression(environment, &contract->block_multiple);
        add_fact(environment, sym_ge(sym, sym_shift(sym, multiple, -1)));
        sym_poly times = sym_quotient(sym, environment->block[X], multiple);
        add_fact(environment, sym_eq(sym, sym_subtract(sym, environment->block[X], sym_multiply(sym, times, multiple))));
    }
    for (int axis = X; axis <= Z; axis++) {
        const struct contract_expression *domain = given(contract, contract->domain, axis);
        const struct contract_expression *grid = given(contract, contract->grid, axis);
        if (domain != NULL)
            add_domain_facts(environment, axis, sym_of_expression(environment, domain));
        if (grid != NULL)
            environment->grid[axis] = sym_of_expression(environment, grid);
        bound(environment, environment->grid[axis], 1, axis == X ? 2147483647 : 65535);
    }
}

static void set_threads(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    static const char *const thread_names[3] = {"tid.x", "tid.y", "tid.z"};
    static const char *const block_names[3] = {"ctaid.x", "ctaid.y", "ctaid.z"};
    for (int axis = X; axis <= Z; axis++) {
        sym_poly limits[2] = {environment->block[axis], environment->grid[axis]};
        for (int which = 0; which < 2; which++) {
            sym_integer low, high;
            sym_interval(sym, limits[which], &low, &high);
            sym_integer most = which == 0 ? 1024 : axis == X ? 2147483647 : 65535;
            high = high < 1 ? 1 : high > most ? most : high;
            sym_poly index = high == 1 ? SYM_ZERO
                                       : named_variable(sym, which == 0 ? thread_names[axis] : block_names[axis], 0, high - 1);
            sym_cond fact = sym_ge(sym, sym_shift(sym, sym_subtract(sym, limits[which], index), -1));
            if (fact != SYM_TRUE)
                *vec_push(sym->arena, &environment->thread_facts) = fact;
            *(which == 0 ? &environment->thread[axis] : &environment->block_index[axis]) = index;
        }
    }
}

/* ---- parameters ------------------------------------------------------------------------------------------- */

static sym_poly scalar_variable(struct sym *sym, const struct contract_parameter *parameter)
{
    unsigned bits = parameter->bits == 0 || parameter->bits > 64 ? 64 : parameter->bits;
    sym_integer half = (sym_integer)1 << (bits - 1);
    return named_variable(sym, parameter->name, parameter->is_signed ? -half : 0,
                          parameter->is_signed ? half - 1 : 2 * half - 1);
}

/* A scalar that a relation `n == 5` fixes becomes that number. */
static bool fixed_scalar(const struct contract *contract, uint32_t parameter, sym_integer *value)
{
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        const struct contract_relation *relation = &contract->relations.data[r];
        const struct contract_node *left = &contract->nodes.data[relation->left.root];
        const struct contract_node *right = &contract->nodes.data[relation->right.root];
        bool negative = right->kind == CONTRACT_NEGATE;
        if (negative)
            right = &contract->nodes.data[right->left];
        if (relation->compare == CONTRACT_EQUAL && left->kind == CONTRACT_SCALAR && left->operand == parameter &&
            right->kind == CONTRACT_LITERAL) {
            *value = negative ? -right->value : right->value;
            return true;
        }
    }
    return false;
}

/* A relation `n % 4 == 0` makes n four times a variable: multiples stay visible in polynomials.  0: there is none. */
static sym_integer known_multiple(const struct contract *contract, uint32_t parameter)
{
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        const struct contract_relation *relation = &contract->relations.data[r];
        const struct contract_node *left = &contract->nodes.data[relation->left.root];
        const struct contract_node *right = &contract->nodes.data[relation->right.root];
        if (relation->compare != CONTRACT_EQUAL || left->kind != CONTRACT_REMAINDER || right->kind != CONTRACT_LITERAL ||
            right->value != 0)
            continue;
        const struct contract_node *number = &contract->nodes.data[left->left], *divisor = &contract->nodes.data[left->right];
        if (number->kind == CONTRACT_SCALAR && number->operand == parameter && divisor->kind == CONTRACT_LITERAL &&
            divisor->value > 1 && divisor->value < (sym_integer)1 << 31)
            return divisor->value;
    }
    return 0;
}

/* The scalar as a multiple of `factor`, in the range of its type. */
static sym_poly multiple_variable(struct sym *sym, const char *name, sym_poly plain, sym_integer factor)
{
    sym_integer low, high;
    sym_interval(sym, plain, &low, &high);
    name = arena_printf(sym->arena, "(%s/%lld)", name, (long long)factor);
    return sym_scale(sym, named_variable(sym, name, -(-low / factor), high / factor), factor);
}

static void set_parameters(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    const struct contract *contract = environment->contract;
    uint32_t count = contract->parameters.count;
    sym_poly **arrays[] = {&environment->scalars, &environment->lengths, &environment->extents, &environment->value_low,
                           &environment->value_high};
    for (unsigned i = 0; i < COUNT_OF(arrays); i++) {
        *arrays[i] = ARENA_ARRAY(sym->arena, sym_poly, count + 1);
        for (uint32_t p = 0; p < count; p++)
            (*arrays[i])[p] = SYM_NONE;
    }
    for (uint32_t p = 0; p < count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        sym_integer value;
        if (parameter->kind == CONTRACT_INTEGER) {
            environment->scalars[p] = scalar_variable(sym, parameter);
            sym_integer low, high;
            sym_interval(sym, environment->scalars[p], &low, &high);
            bool is_fixed = fixed_scalar(contract, p, &value) && value >= low && value <= high;
            if (is_fixed)
                environment->scalars[p] = sym_constant(sym, value);
            else if (known_multiple(contract, p) != 0)
                environment->scalars[p] =
                    multiple_variable(sym, parameter->name, environment->scalars[p], known_multiple(contract, p));
        } else if (parameter->kind == CONTRACT_POINTER) {
            environment->lengths[p] = named_variable(sym, arena_printf(sym->arena, "len(%s)", parameter->name), 0,
                                                     (sym_integer)1 << 47);
        }
    }
}

static void set_extents(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    const struct contract *contract = environment->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->kind != CONTRACT_POINTER)
            continue;
        for (unsigned d = 0; d < parameter->dimensions; d++) { /* a dimension below 0 is a violation at launch */
            sym_poly dimension = sym_of_expression(environment, &parameter->shape[d]);
            add_fact(environment, sym_ge(sym, dimension));
        }
        if (is_given(&parameter->extent)) {
            sym_poly extent = sym_of_expression(environment, &parameter->extent);
            environment->extents[p] = extent;
            if (parameter->shape_kind == CONTRACT_SHAPE_PITCHED) {
                /* No rows or no columns: nothing.  Then no element is promised, and the formula could say more. */
                sym_poly rows = sym_of_expression(environment, &parameter->shape[0]);
                sym_poly columns = sym_of_expression(environment, &parameter->shape[1]);
                sym_cond no_rows = sym_eq(sym, rows);
                sym_cond empty = sym_or(sym, no_rows, sym_eq(sym, columns));
                environment->extents[p] = sym_select(sym, empty, SYM_ZERO, extent);
            }
            /* The array is at least that long, and at most 2^47 bytes. */
            add_fact(environment, sym_ge(sym, sym_subtract(sym, environment->lengths[p], environment->extents[p])));
        } else {
            /* Without a shape `len` counts only where a relation speaks of it. */
            for (uint32_t n = 0; n < contract->nodes.count; n++)
                if (contract->nodes.data[n].kind == CONTRACT_LENGTH && contract->nodes.data[n].operand == p)
                    environment->extents[p] = environment->lengths[p];
        }
        uint32_t size = parameter->element_size == 0 ? 1 : parameter->element_size;
        sym_poly bytes = sym_scale(sym, environment->lengths[p], size);
        add_fact(environment, sym_ge(sym, sym_shift(sym, sym_scale(sym, bytes, -1), (sym_integer)1 << 47)));
        environment->value_low[p] = sym_of_expression(environment, &parameter->value_low);
        environment->value_high[p] = sym_of_expression(environment, &parameter->value_high);
    }
}

/* ---- equalities ------------------------------------------------------------------------------------------------ */

static void replace_everywhere(struct sym_environment *environment, sym_atom atom, sym_poly value)
{
    struct sym *sym = environment->sym;
    sym_poly *lists[] = {environment->scalars, environment->lengths, environment->extents, environment->value_low,
                         environment->value_high};
    uint32_t count = environment->contract->parameters.count;
    for (unsigned l = 0; l < COUNT_OF(lists); l++)
        for (uint32_t p = 0; p < count; p++)
            if (lists[l][p] != SYM_NONE)
                lists[l][p] = sym_substitute(sym, lists[l][p], &atom, &value, 1);
    sym_poly *triples[] = {environment->block, environment->grid, environment->thread, environment->block_index};
    for (unsigned t = 0; t < COUNT_OF(triples); t++)
        for (int axis = X; axis <= Z; axis++)
            triples[t][axis] = sym_substitute(sym, triples[t][axis], &atom, &value, 1);
    if (environment->shared_bytes != SYM_NONE)
        environment->shared_bytes = sym_substitute(sym, environment->shared_bytes, &atom, &value, 1);
    for (uint32_t i = 0; i < environment->facts.count; i++)
        environment->facts.data[i] = sym_substitute_cond(sym, environment->facts.data[i], &atom, &value, 1);
    for (uint32_t i = 0; i < environment->thread_facts.count; i++)
        environment->thread_facts.data[i] = sym_substitute_cond(sym, environment->thread_facts.data[i], &atom, &value, 1);
}

/* A number of the launch, not of one thread of it. */
static bool is_launch_number(const struct sym_environment *environment, sym_atom atom)
{
    for (int axis = X; axis <= Z; axis++)
        if (sym_mentions(environment->sym, environment->thread[axis], atom) ||
            sym_mentions(environment->sym, environment->block_index[axis], atom))
            return false;
    return environment->sym->atoms.data[atom].kind == SYM_VARIABLE;
}

/* The youngest number of the launch that the equation gives by the others: `pitch == w`, `grid.x == w / 64`. */
static bool solve_equation(struct sym_environment *environment, sym_poly equation, sym_atom *atom, sym_poly *value)
{
    struct sym *sym = environment->sym;
    struct sym_poly_data data = sym->polys.data[equation];
    bool found = false;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        sym_integer coefficient = data.terms[i].coefficient;
        if (monomial.count != 1 || (coefficient != 1 && coefficient != -1) ||
            !is_launch_number(environment, monomial.atoms[0]) || (found && monomial.atoms[0] < *atom))
            continue;
        sym_poly rest = sym_subtract(sym, sym_of_atom(sym, monomial.atoms[0]), sym_scale(sym, equation, coefficient));
        if (sym_mentions(sym, rest, monomial.atoms[0]))
            continue;
        *atom = monomial.atoms[0];
        *value = rest;
        found = true;
    }
    return found;
}

/* What a requirement says to be equal becomes one thing, before products are made of it. */
static void use_equalities(struct sym_environment *environment)
{
    struct sym *sym = environment->sym;
    for (uint32_t i = 0; i < environment->facts.count; i++) {
        struct sym_cond_data data = sym->conds.data[environment->facts.data[i]];
        sym_atom atom = SYM_NONE;
        sym_poly value = SYM_ZERO;
        if (data.kind != SYM_EQ || !solve_equation(environment, data.poly, &atom, &value))
            continue;
        sym_integer low = sym->atoms.data[atom].low, high = sym->atoms.data[atom].high;
        replace_everywhere(environment, atom, value);
        bound(environment, value, low, high);
    }
}

struct sym_environment *sym_environment_build(struct sym *sym, const struct ptx_module *module, uint32_t function,
                                              const struct contract *contract)
{
    struct sym_environment *environment = ARENA_NEW(sym->arena, struct sym_environment);
    environment->sym = sym;
    environment->module = module;
    environment->function = function;
    environment->contract = contract;
    environment->shared_bytes = SYM_NONE;
    if (contract != NULL)
        set_parameters(environment);
    set_block(environment);
    set_grid(environment);
    set_block_multiple(environment);
    add_geometry_facts(environment);
    if (contract != NULL) {
        for (uint32_t r = 0; r < contract->relations.count; r++)
            add_fact(environment, sym_of_relation(environment, &contract->relations.data[r]));
        set_extents(environment);
        environment->shared_bytes = sym_of_expression(environment, &contract->shared_bytes);
        if (environment->shared_bytes != SYM_NONE)
            bound(environment, environment->shared_bytes, 0, 232448); /* what an sm_90 block can have */
    }
    set_threads(environment);
    if (contract != NULL)
        use_equalities(environment);
    return environment;
}
