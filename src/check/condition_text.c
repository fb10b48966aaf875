/* SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials over what is known at launch, as text that a contract can hold.
 *
 * Gives up on: minima, choices, bits, wraps; texts of more than 200 bytes.
 */
#include "check/condition.h"

#include <string.h>

enum { MOST_TEXT = 200, MOST_COEFFICIENT = 1 << 20 };

static bool add_poly(struct condition_search *search, sym_poly poly, bool in_product, struct buffer *out);

static bool add_atom(struct condition_search *search, sym_atom atom, struct buffer *out)
{
    struct sym_atom_data data = search->prove->sym->atoms.data[atom];
    if (data.kind == SYM_VARIABLE) {
        buffer_puts(out, data.name);
        return data.name != NULL;
    }
    if (data.kind != SYM_QUOTIENT && data.kind != SYM_TRUNCATED)
        return false;
    if (!add_poly(search, data.a, true, out))
        return false;
    buffer_puts(out, " / ");
    struct buffer divisor;
    buffer_init(&divisor, search->prove->arena);
    if (!add_poly(search, data.b, true, &divisor))
        return false;
    bool is_product = strchr(divisor.data, '*') != NULL && divisor.data[0] != '(';
    buffer_printf(out, is_product ? "(%s)" : "%s", divisor.data);
    return true;
}

static bool add_term(struct condition_search *search, struct sym_term term, sym_integer coefficient, struct buffer *out)
{
    struct sym_monomial_data monomial = search->prove->sym->monomials.data[term.monomial];
    char digits[48];
    bool begun = coefficient != 1 || monomial.count == 0;
    if (begun)
        buffer_puts(out, contract_format(coefficient, digits));
    for (uint32_t i = 0; i < monomial.count; i++) {
        /* A quotient that is multiplied stands in parentheses: (a / b) * c. */
        bool is_quotient = search->prove->sym->atoms.data[monomial.atoms[i]].kind != SYM_VARIABLE && (begun || monomial.count > 1);
        buffer_puts(out, begun || i != 0 ? " * " : "");
        buffer_puts(out, is_quotient ? "(" : "");
        if (!add_atom(search, monomial.atoms[i], out))
            return false;
        buffer_puts(out, is_quotient ? ")" : "");
    }
    return true;
}

/* The terms whose coefficients have that sign, made positive; products before sums of numbers. */
static bool add_side(struct condition_search *search, sym_poly poly, int sign, struct buffer *out)
{
    struct sym_poly_data data = search->prove->sym->polys.data[poly];
    sym_integer constant = 0;
    uint32_t begin = (uint32_t)out->size;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_term term = data.terms[i];
        if (term.coefficient * sign <= 0)
            continue;
        if (search->prove->sym->monomials.data[term.monomial].count == 0) {
            constant = term.coefficient * sign;
            continue;
        }
        buffer_puts(out, out->size == begin ? "" : " + ");
        if (!add_term(search, term, term.coefficient * sign, out))
            return false;
    }
    char digits[48];
    if (constant != 0 || out->size == begin)
        buffer_printf(out, "%s%s", out->size == begin ? "" : " + ", contract_format(constant, digits));
    return out->size < MOST_TEXT;
}

static bool add_poly(struct condition_search *search, sym_poly poly, bool in_product, struct buffer *out)
{
    struct sym_poly_data data = search->prove->sym->polys.data[poly];
    bool negative = false, is_sum = data.count > 1;
    for (uint32_t i = 0; i < data.count; i++)
        negative |= data.terms[i].coefficient < 0;
    buffer_puts(out, in_product && is_sum ? "(" : "");
    bool all_negative = negative;
    for (uint32_t i = 0; i < data.count; i++)
        all_negative &= data.terms[i].coefficient < 0;
    if (all_negative)
        return false; /* never meant: sizes are not negative */
    if (!add_side(search, poly, 1, out))
        return false;
    for (uint32_t i = 0; i < data.count && negative; i++) {
        struct sym_term term = data.terms[i];
        if (term.coefficient >= 0)
            continue;
        buffer_puts(out, " - ");
        if (!add_term(search, term, -term.coefficient, out))
            return false;
    }
    buffer_puts(out, in_product && is_sum ? ")" : "");
    return out->size < MOST_TEXT;
}

const char *condition_expression(struct condition_search *search, sym_poly poly)
{
    struct buffer text;
    buffer_init(&text, search->prove->arena);
    return condition_is_of_launch(search, poly) && add_poly(search, poly, false, &text) ? text.data : NULL;
}

const char *condition_quotient(struct condition_search *search, sym_poly poly, sym_integer by)
{
    struct buffer text;
    char digits[48];
    if (by == 1 || (poly != SYM_ZERO && sym_content(search->prove->sym, poly) % by == 0))
        return condition_expression(search, by == 1 ? poly : sym_divide_exact(search->prove->sym, poly, by));
    buffer_init(&text, search->prove->arena);
    if (!condition_is_of_launch(search, poly) || !add_poly(search, poly, true, &text))
        return NULL;
    buffer_printf(&text, " / %s", contract_format(by, digits));
    return text.data;
}

/* The greatest common divisor of all coefficients but the constant's. */
static sym_integer common_factor(const struct sym *sym, sym_poly poly, sym_integer *constant)
{
    struct sym_poly_data data = sym->polys.data[poly];
    sym_integer common = 0;
    *constant = 0;
    for (uint32_t i = 0; i < data.count; i++) {
        if (sym->monomials.data[data.terms[i].monomial].count == 0) {
            *constant = data.terms[i].coefficient;
            continue;
        }
        sym_integer a = common, b = data.terms[i].coefficient < 0 ? -data.terms[i].coefficient : data.terms[i].coefficient;
        while (a != 0) {
            sym_integer rest = b % a;
            b = a;
            a = rest;
        }
        common = b;
    }
    return common;
}

/* Limits that people know: a bound a little above one of them is written as it. */
static sym_integer rounded(sym_integer constant)
{
    static const sym_integer limits[] = {2147483647, 4294967295};
    for (unsigned i = 0; i < COUNT_OF(limits); i++)
        if (constant > limits[i] && constant <= limits[i] + 65536)
            return limits[i];
    return constant;
}

const char *condition_relation(struct condition_search *search, sym_poly poly)
{
    struct sym *sym = search->prove->sym;
    sym_integer constant, common;
    if (!condition_is_of_launch(search, poly))
        return NULL;
    common = common_factor(sym, poly, &constant);
    if (common == 0)
        return NULL; /* says nothing of a launch */
    struct sym_poly_data terms = sym->polys.data[poly];
    for (uint32_t i = 0; i < terms.count; i++)
        if (sym->monomials.data[terms.terms[i].monomial].count != 0 &&
            (terms.terms[i].coefficient / common > MOST_COEFFICIENT || terms.terms[i].coefficient / common < -MOST_COEFFICIENT))
            return NULL; /* products of facts can be made to say anything */
    if (common != 1) {
        sym_integer rest = ((constant % common) + common) % common;
        poly = sym_divide_exact(sym, sym_shift(sym, poly, -rest), common);
        constant = (constant - rest) / common;
    }
    bool has_positive = false, has_negative = false;
    struct sym_poly_data data = sym->polys.data[poly];
    for (uint32_t i = 0; i < data.count; i++)
        if (sym->monomials.data[data.terms[i].monomial].count != 0) {
            has_positive |= data.terms[i].coefficient > 0;
            has_negative |= data.terms[i].coefficient < 0;
        }
    struct buffer left, right;
    buffer_init(&left, search->prove->arena);
    buffer_init(&right, search->prove->arena);
    if (!has_positive)
        poly = sym_shift(sym, poly, rounded(constant) - constant);
    bool is_less = has_positive && has_negative && constant == -1;
    if (is_less)
        poly = sym_shift(sym, poly, 1);
    if (!add_side(search, poly, -1, &left) || !add_side(search, poly, 1, &right))
        return NULL;
    if (!has_negative && constant <= 0) /* n >= 1 */
        return arena_printf(search->prove->arena, "%s >= %s", right.data, left.data);
    if (!has_negative) /* n + 3 >= 0 */
        return arena_printf(search->prove->arena, "%s >= 0", right.data);
    if (!has_positive && constant < 0)
        return NULL; /* a sum below 0 */
    return arena_printf(search->prove->arena, "%s %s %s", left.data, is_less ? "<" : "<=", right.data);
}

/* People write 1, 16, 256 and 31, and nothing like 1048559. */
static bool is_plain(sym_integer coefficient)
{
    sym_integer size = coefficient < 0 ? -coefficient : coefficient;
    return size <= 64 || (size <= 65536 && (size & (size - 1)) == 0);
}

static uint32_t atom_weight(const struct condition_search *search, sym_atom index)
{
    const struct sym_atom_data *atom = &search->prove->sym->atoms.data[index];
    if (atom->kind != SYM_VARIABLE)
        return 40;
    if (text_starts_with(atom->name, "grid.")) /* with a domain the grid is not chosen */
        return search->contract->domain[0].root != CONTRACT_NONE ? 40 : 2;
    return strchr(atom->name, '.') != NULL || atom->name[0] == '(' ? 2 : 0;
}

uint32_t condition_weight(const struct condition_search *search, sym_poly poly)
{
    const struct sym *sym = search->prove->sym;
    struct sym_poly_data data = sym->polys.data[poly];
    uint32_t weight = 0;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        sym_integer coefficient = data.terms[i].coefficient;
        weight += monomial.count == 0 ? 1 : 4 + 2 * (monomial.count - 1);
        if (monomial.count != 0)
            weight += coefficient == 1 || coefficient == -1 ? 0 : is_plain(coefficient) ? 1 : 30;
        for (uint32_t k = 0; k < monomial.count; k++)
            weight += atom_weight(search, monomial.atoms[k]) + (k != 0 && monomial.atoms[k] == monomial.atoms[k - 1] && monomial.count > 2 ? 8 : 0);
    }
    return weight;
}
