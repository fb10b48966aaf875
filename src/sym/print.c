/* SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials and conditions as people write them.
 */
#include "sym/sym.h"

static void print_integer(sym_integer value, struct buffer *out)
{
    char digits[48];
    unsigned at = sizeof digits;
    sym_integer rest = value < 0 ? -value : value; /* far below 2^127: see poly.c */
    digits[--at] = 0;
    do
        digits[--at] = (char)('0' + (int)(rest % 10));
    while ((rest /= 10) != 0);
    if (value < 0)
        digits[--at] = '-';
    buffer_puts(out, digits + at);
}

/* In parentheses where it is a sum, below the line also where it is a product. */
static void print_side(const struct sym *sym, sym_poly a, bool is_divisor, struct buffer *out)
{
    bool needs = sym->polys.data[a].count > 1 || (is_divisor && sym->polys.data[a].degree > 1);
    buffer_puts(out, needs ? "(" : "");
    sym_print(sym, a, out);
    buffer_puts(out, needs ? ")" : "");
}

static void print_atom(const struct sym *sym, sym_atom atom, struct buffer *out)
{
    static const char *const names[SYM_ATOM_KIND_COUNT] = {
        [SYM_QUOTIENT] = "floor", [SYM_TRUNCATED] = "trunc", [SYM_MINIMUM] = "min", [SYM_MAXIMUM] = "max",
        [SYM_BIT_AND] = "and",    [SYM_BIT_OR] = "or",       [SYM_BIT_XOR] = "xor"};
    const struct sym_atom_data *data = &sym->atoms.data[atom];
    switch (data->kind) {
    case SYM_VARIABLE:
        if (data->name != NULL)
            buffer_puts(out, data->name);
        else
            buffer_printf(out, "v%u", data->index);
        return;
    case SYM_WRAP_UNSIGNED:
    case SYM_WRAP_SIGNED:
        buffer_printf(out, "%c%u(", data->kind == SYM_WRAP_SIGNED ? 's' : 'u', data->bits);
        sym_print(sym, data->a, out);
        break;
    case SYM_SELECT:
        buffer_puts(out, "(");
        sym_print_cond(sym, data->condition, out);
        buffer_puts(out, " ? ");
        sym_print(sym, data->a, out);
        buffer_puts(out, " : ");
        sym_print(sym, data->b, out);
        break;
    case SYM_JOIN: {
        const struct sym_join *join = &sym->joins.data[data->index];
        buffer_puts(out, "one of(");
        for (uint32_t i = 0; i < join->count; i++) {
            buffer_puts(out, i == 0 ? "" : ", ");
            sym_print(sym, join->values[i], out);
        }
        break;
    }
    case SYM_POWER:
        buffer_puts(out, "2^(");
        sym_print(sym, data->a, out);
        break;
    default:
        buffer_printf(out, "%s(", names[data->kind]);
        if (data->kind == SYM_QUOTIENT || data->kind == SYM_TRUNCATED) {
            print_side(sym, data->a, false, out);
            buffer_puts(out, " / ");
            print_side(sym, data->b, true, out);
            break;
        }
        sym_print(sym, data->a, out);
        buffer_puts(out, ", ");
        sym_print(sym, data->b, out);
        break;
    }
    buffer_puts(out, ")");
}

void sym_print(const struct sym *sym, sym_poly a, struct buffer *out)
{
    const struct sym_poly_data *data = &sym->polys.data[a];
    if (data->count == 0)
        buffer_puts(out, "0");
    /* The constant, which is the first term, comes last. */
    for (uint32_t n = 0; n < data->count; n++) {
        bool has_constant = data->terms[0].monomial == 0;
        uint32_t i = has_constant ? (n + 1) % data->count : n;
        sym_integer coefficient = data->terms[i].coefficient;
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        if (n != 0) {
            buffer_puts(out, coefficient < 0 ? " - " : " + ");
            coefficient = coefficient < 0 ? -coefficient : coefficient;
        }
        if (monomial->count == 0 || (coefficient != 1 && coefficient != -1)) {
            print_integer(coefficient, out);
            if (monomial->count != 0)
                buffer_puts(out, "*");
        } else if (coefficient == -1) {
            buffer_puts(out, "-");
        }
        for (uint32_t k = 0; k < monomial->count; k++) {
            buffer_puts(out, k == 0 ? "" : "*");
            print_atom(sym, monomial->atoms[k], out);
        }
    }
}

void sym_print_cond(const struct sym *sym, sym_cond a, struct buffer *out)
{
    const struct sym_cond_data *data = &sym->conds.data[a];
    switch (data->kind) {
    case SYM_CONSTANT_CONDITION:
        buffer_puts(out, a == SYM_TRUE ? "true" : "false");
        return;
    case SYM_GE:
    case SYM_EQ:
    case SYM_NE:
        sym_print(sym, data->poly, out);
        buffer_puts(out, data->kind == SYM_GE ? " >= 0" : data->kind == SYM_EQ ? " == 0" : " != 0");
        return;
    case SYM_AND:
    case SYM_OR:
        buffer_puts(out, "(");
        sym_print_cond(sym, data->left, out);
        buffer_puts(out, data->kind == SYM_AND ? " and " : " or ");
        sym_print_cond(sym, data->right, out);
        buffer_puts(out, ")");
        return;
    default:
        buffer_printf(out, "%scondition %u", data->negated ? "not " : "", data->index);
        return;
    }
}
