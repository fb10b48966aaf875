/* SPDX-License-Identifier: Apache-2.0
 *
 * Demangling: operators, names, and the expressions that template arguments may hold.
 */
#include "ptx/demangle.h"

#include <string.h>

/* ---- operators and expressions --------------------------------------------------------------- */

static const struct {
    const char *code, *text;
    uint8_t operands;
} operator_names[] = {
    {"nw", " new", 0}, {"na", " new[]", 0}, {"dl", " delete", 0}, {"da", " delete[]", 0},
    {"ps", "+", 1},    {"ng", "-", 1},      {"ad", "&", 1},       {"de", "*", 1},
    {"co", "~", 1},    {"pl", "+", 2},      {"mi", "-", 2},       {"ml", "*", 2},
    {"dv", "/", 2},    {"rm", "%", 2},      {"an", "&", 2},       {"or", "|", 2},
    {"eo", "^", 2},    {"aS", "=", 2},      {"pL", "+=", 2},      {"mI", "-=", 2},
    {"mL", "*=", 2},   {"dV", "/=", 2},     {"rM", "%=", 2},      {"aN", "&=", 2},
    {"oR", "|=", 2},   {"eO", "^=", 2},     {"ls", "<<", 2},      {"rs", ">>", 2},
    {"lS", "<<=", 2},  {"rS", ">>=", 2},    {"eq", "==", 2},      {"ne", "!=", 2},
    {"lt", "<", 2},    {"gt", ">", 2},      {"le", "<=", 2},      {"ge", ">=", 2},
    {"ss", "<=>", 2},  {"nt", "!", 1},      {"aa", "&&", 2},      {"oo", "||", 2},
    {"pp", "++", 1},   {"mm", "--", 1},     {"cm", ",", 2},       {"pm", "->*", 2},
    {"pt", "->", 2},   {"cl", "()", 0},     {"ix", "[]", 2},      {"qu", "?", 3},
};

static int find_operator(const struct demangler *d)
{
    if (d->end - d->at < 2)
        return -1;
    for (size_t i = 0; i < COUNT_OF(operator_names); i++)
        if (memcmp(operator_names[i].code, d->at, 2) == 0)
            return (int)i;
    return -1;
}

static const char *parse_operation(struct demangler *d, int index)
{
    const char *text = operator_names[index].text;
    d->at += 2;
    if (operator_names[index].operands == 1)
        return demangle_join(d, text, demangle_join3(d, "(", demangle_expression(d), ")"));
    if (operator_names[index].operands == 3) {
        const char *condition = demangle_expression(d), *yes = demangle_expression(d),
                   *no = demangle_expression(d);
        return demangle_join(
            d, demangle_join3(d, demangle_join3(d, "(", condition, ")?("), yes, ") : ("),
            demangle_join(d, no, ")"));
    }
    const char *left = demangle_expression(d), *right = demangle_expression(d);
    return demangle_join(d, demangle_join3(d, "(", left, ")"),
                         demangle_join(d, text, demangle_join3(d, "(", right, ")")));
}

const char *demangle_expression(struct demangler *d)
{
    if (!demangle_enter(d))
        return demangle_fail(d);
    const char *text = NULL;
    unsigned long number;
    int index = find_operator(d);
    if (demangle_take(d, 'L')) {
        text = demangle_literal(d);
    } else if (demangle_take(d, 'T')) {
        text = demangle_type_text(d, demangle_parameter(d));
    } else if (demangle_take_text(d, "st")) {
        text = demangle_join3(d, "sizeof (", demangle_type_text(d, demangle_type(d)), ")");
    } else if (demangle_take_text(d, "sz")) {
        text = demangle_join3(d, "sizeof (", demangle_expression(d), ")");
    } else if (demangle_take_text(d, "sZ")) {
        text =
            demangle_take(d, 'T')
                ? demangle_join3(d, "sizeof...(", demangle_type_text(d, demangle_parameter(d)), ")")
                : demangle_fail(d);
    } else if (demangle_take_text(d, "fp")) {
        text = demangle_sequence(d, 10, &number) ? arena_printf(d->arena, "{parm#%lu}", number + 1)
                                                 : demangle_fail(d);
    } else if (demangle_take_text(d, "sp")) {
        text = demangle_join(d, demangle_expression(d), "...");
    } else if (demangle_take_text(d, "cv")) {
        const char *type = demangle_type_text(d, demangle_type(d));
        text = demangle_join(d, demangle_join3(d, "(", type, ")("),
                             demangle_join(d, demangle_expression(d), ")"));
    } else if (demangle_take_text(d, "sr")) {
        const char *scope = demangle_type_text(d, demangle_type(d));
        struct demangled_name info = {0};
        text = demangle_join3(d, scope, "::", demangle_name(d, &info));
    } else if (index >= 0 && operator_names[index].operands != 0) {
        text = parse_operation(d, index);
    } else {
        text = demangle_fail(d);
    }
    d->depth--;
    return text;
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *demangle_source_name(struct demangler *d)
{
    unsigned long size;
    if (!demangle_number(d, &size) || size == 0 || size > (unsigned long)(d->end - d->at))
        return demangle_fail(d);
    const char *text = arena_text(d->arena, d->at, size);
    d->at += size;
    return text_starts_with(text, "_GLOBAL__N") ? "(anonymous namespace)" : text;
}

const char *demangle_types(struct demangler *d)
{
    VEC(struct demangled_type) list = {0};
    while (!d->failed && demangle_peek(d) != 'E' && demangle_peek(d) != '\0' &&
           demangle_peek(d) != '.') {
        if (demangle_peek(d) == 'v' && list.count == 0) { /* (void) */
            d->at++;
            break;
        }
        *vec_push(d->arena, &list) = demangle_type(d);
    }
    return demangle_join_types(d, list.data, list.count);
}

/* {lambda(int)#1} or {unnamed type#1}; behind U. */
static const char *parse_unnamed(struct demangler *d)
{
    unsigned long number;
    const char *text = "{unnamed type";
    if (demangle_take(d, 'l')) {
        bool outer = d->in_lambda;
        d->in_lambda = true;
        text = demangle_join3(d, "{lambda(", demangle_types(d), ")");
        d->in_lambda = outer;
        if (!demangle_take(d, 'E'))
            return demangle_fail(d);
    } else if (!demangle_take(d, 't')) {
        return demangle_fail(d);
    }
    if (!demangle_sequence(d, 10, &number))
        return demangle_fail(d);
    return demangle_join(d, text, arena_printf(d->arena, "#%lu}", number + 1));
}

static const char *last_component(struct demangler *d, const char *scope)
{
    int angles = 0;
    const char *start = scope;
    for (const char *at = scope; *at != '\0'; at++) {
        angles += *at == '<' || *at == '(';
        angles -= *at == '>' || *at == ')';
        if (angles == 0 && at[0] == ':' && at[1] == ':')
            start = at + 2;
    }
    return arena_text(d->arena, start, strcspn(start, "<"));
}

static const char *parse_operator_name(struct demangler *d, struct demangled_name *info)
{
    int index = find_operator(d);
    if (index >= 0) {
        d->at += 2;
        return demangle_join(d, "operator", operator_names[index].text);
    }
    if (demangle_take_text(d, "cv")) {
        info->has_no_return = true;
        return demangle_join(d, "operator ", demangle_type_text(d, demangle_type(d)));
    }
    if (demangle_take_text(d, "li"))
        return demangle_join(d, "operator\"\" ", demangle_source_name(d));
    return demangle_fail(d);
}

static const char *parse_unqualified(struct demangler *d, const char *scope,
                                     struct demangled_name *info)
{
    const char *text;
    demangle_take(d, 'L'); /* internal linkage */
    char c = demangle_peek(d);
    char next = d->end - d->at > 1 ? d->at[1] : '\0';
    if (c >= '0' && c <= '9') {
        text = demangle_source_name(d);
    } else if (c == 'U') {
        d->at++;
        text = parse_unnamed(d);
    } else if ((c == 'C' || c == 'D') && next >= '0' && next <= '5') {
        d->at += 2;
        info->has_no_return = true;
        text = demangle_join(d, c == 'D' ? "~" : "", last_component(d, scope));
    } else {
        text = parse_operator_name(d, info);
    }
    while (demangle_take(d, 'B'))
        text = demangle_join(d, demangle_join3(d, text, "[abi:", demangle_source_name(d)), "]");
    return text;
}

/* N qualifiers prefix... E */
static const char *parse_nested(struct demangler *d, struct demangled_name *info)
{
    const char *text = "", *qualifiers = "";
    if (!demangle_enter(d))
        return demangle_fail(d);
    for (bool more = true; more;) {
        more = false;
        if (demangle_take(d, 'r') || demangle_take(d, 'V'))
            more = true;
        else if (demangle_take(d, 'K')) {
            qualifiers = " const";
            more = true;
        }
    }
    if (demangle_take(d, 'R'))
        qualifiers = demangle_join(d, qualifiers, " &");
    else if (demangle_take(d, 'O'))
        qualifiers = demangle_join(d, qualifiers, " &&");
    while (!demangle_take(d, 'E')) {
        if (d->failed || demangle_peek(d) == '\0')
            return demangle_fail(d);
        bool from_table = false;
        info->is_template = false;
        if (demangle_take(d, 'I')) {
            text = demangle_join(d, text, demangle_arguments(d));
            info->is_template = true;
        } else if (demangle_take_text(d, "St")) {
            text = "std";
            from_table = true;
        } else if (demangle_take(d, 'S')) {
            text = demangle_type_text(d, demangle_substitution(d));
            from_table = true;
        } else if (demangle_take(d, 'T')) {
            text = demangle_type_text(d, demangle_parameter(d));
        } else {
            const char *part = parse_unqualified(d, text, info);
            text = text[0] == '\0' ? part : demangle_join3(d, text, "::", part);
        }
        if (!from_table && demangle_peek(d) != 'E')
            demangle_remember(d, demangle_plain(text));
    }
    d->depth--;
    info->qualifiers = qualifiers;
    return text;
}

/* Z function E entity, where the entity may be a string literal or have a discriminator. */
static const char *parse_local(struct demangler *d, struct demangled_name *info)
{
    unsigned long number;
    struct demangled parts = {0};
    demangle_encoding(d, &parts);
    if (!demangle_take(d, 'E') || d->failed)
        return demangle_fail(d);
    const char *function = parts.without_result, *entity;
    if (demangle_take(d, 's')) {
        entity = "string literal";
    } else {
        if (demangle_take(d, 'd') && !demangle_sequence(d, 10, &number))
            return demangle_fail(d);
        entity = demangle_name(d, info);
    }
    if (demangle_take_text(d, "__")) {
        if (!demangle_number(d, &number) || !demangle_take(d, '_'))
            return demangle_fail(d);
    } else if (demangle_peek(d) == '_') {
        d->at++;
        while (demangle_peek(d) >= '0' && demangle_peek(d) <= '9')
            d->at++;
    }
    return demangle_join3(d, function, "::", entity);
}

const char *demangle_name(struct demangler *d, struct demangled_name *info)
{
    if (!demangle_enter(d))
        return demangle_fail(d);
    const char *text;
    bool known = false;
    info->qualifiers = "";
    if (demangle_take(d, 'N')) {
        text = parse_nested(d, info);
        d->depth--;
        return text;
    }
    if (demangle_take(d, 'Z')) {
        text = parse_local(d, info);
        d->depth--;
        return text;
    }
    if (demangle_take_text(d, "St")) {
        text = demangle_join(d, "std::", parse_unqualified(d, "", info));
    } else if (demangle_take(d, 'S')) {
        text = demangle_type_text(d, demangle_substitution(d));
        known = true;
    } else {
        text = parse_unqualified(d, "", info);
    }
    if (demangle_take(d, 'I')) {
        if (!known)
            demangle_remember(d, demangle_plain(text));
        text = demangle_join(d, text, demangle_arguments(d));
        info->is_template = true;
    }
    d->depth--;
    return text;
}
