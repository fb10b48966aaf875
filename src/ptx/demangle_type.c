/* SPDX-License-Identifier: Apache-2.0
 *
 * Demangling: substitutions, template parameters and arguments, types.
 */
#include "ptx/demangle.h"

#include <string.h>

/* ---- substitutions and template parameters --------------------------------------------------- */

static const struct {
    char code;
    const char *text;
} standard_names[] = {
    {'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"},
    {'i', "std::istream"},   {'o', "std::ostream"},      {'d', "std::iostream"},
};

/* Behind S, not St. */
struct demangled_type demangle_substitution(struct demangler *d)
{
    for (size_t i = 0; i < COUNT_OF(standard_names); i++)
        if (demangle_take(d, standard_names[i].code))
            return demangle_plain(standard_names[i].text);
    unsigned long index;
    if (!demangle_sequence(d, 36, &index) || index >= d->substitutions.count)
        return demangle_plain(demangle_fail(d));
    return d->substitutions.data[index];
}

/* Behind T. */
struct demangled_type demangle_parameter(struct demangler *d)
{
    unsigned long index;
    if (!demangle_sequence(d, 10, &index))
        return demangle_plain(demangle_fail(d));
    if (index < d->arguments.count) {
        struct demangled_type argument = d->arguments.data[index];
        if (!d->expands || !argument.is_pack)
            return argument;
        d->elements = argument.count;
        return d->element < argument.count ? argument.elements[d->element] : demangle_plain("");
    }
    return d->in_lambda ? demangle_plain("auto") : demangle_plain(demangle_fail(d));
}

/* ---- template arguments ---------------------------------------------------------------------- */

/* Lvalue E: the value of a template argument. */
const char *demangle_literal(struct demangler *d)
{
    static const struct {
        char type;
        const char *suffix;
    } suffixes[] = {{'i', ""}, {'j', "u"}, {'l', "l"}, {'m', "ul"}, {'x', "ll"}, {'y', "ull"}};
    if (demangle_take_text(d, "_Z")) {
        const char *name = demangle_encoding(d, NULL);
        return demangle_take(d, 'E') ? name : demangle_fail(d);
    }
    char code = demangle_peek(d);
    struct demangled_type type = demangle_type(d);
    const char *start = d->at;
    while (demangle_peek(d) != 'E' && demangle_peek(d) != '\0')
        d->at++;
    const char *digits = arena_text(d->arena, start, (size_t)(d->at - start));
    if (!demangle_take(d, 'E'))
        return demangle_fail(d);
    if (digits[0] == 'n')
        digits = demangle_join(d, "-", digits + 1);
    if (code == 'b' && (strcmp(digits, "0") == 0 || strcmp(digits, "1") == 0))
        return digits[0] == '1' ? "true" : "false";
    for (size_t i = 0; i < COUNT_OF(suffixes); i++)
        if (suffixes[i].type == code)
            return demangle_join(d, digits, suffixes[i].suffix);
    return demangle_join(d, demangle_join3(d, "(", demangle_type_text(d, type), ")"), digits);
}

static struct demangled_type parse_argument(struct demangler *d)
{
    if (demangle_take(d, 'L'))
        return demangle_plain(demangle_literal(d));
    if (demangle_take(d, 'X')) {
        const char *text = demangle_expression(d);
        return demangle_take(d, 'E') ? demangle_plain(text) : demangle_plain(demangle_fail(d));
    }
    if (demangle_take(d, 'J')) {
        VEC(struct demangled_type) list = {0};
        while (!demangle_take(d, 'E')) {
            if (d->failed || demangle_peek(d) == '\0')
                return demangle_plain(demangle_fail(d));
            *vec_push(d->arena, &list) = parse_argument(d);
        }
        struct demangled_type pack = demangle_plain(demangle_join_types(d, list.data, list.count));
        pack.is_pack = true;
        pack.elements = list.data;
        pack.count = list.count;
        return pack;
    }
    return demangle_type(d);
}

/* I arguments E as "<a, b>"; those of the encoding's own name become what T_ means. */
const char *demangle_arguments(struct demangler *d)
{
    VEC(struct demangled_type) list = {0};
    if (!demangle_enter(d))
        return demangle_fail(d);
    d->inner++;
    while (!demangle_take(d, 'E')) {
        if (d->failed || demangle_peek(d) == '\0')
            return demangle_fail(d);
        *vec_push(d->arena, &list) = parse_argument(d);
    }
    d->inner--;
    d->depth--;
    const char *text = demangle_join_types(d, list.data, list.count);
    if (d->inner == 0) {
        d->arguments.data = list.data;
        d->arguments.count = list.count;
        d->arguments.capacity = list.capacity;
    }
    size_t size = strlen(text);
    return demangle_join3(d, "<", text, size != 0 && text[size - 1] == '>' ? " >" : ">");
}

/* ---- types ----------------------------------------------------------------------------------- */

static const struct {
    const char *code, *text;
} builtin_types[] = {
    {"v", "void"},         {"w", "wchar_t"},
    {"b", "bool"},         {"c", "char"},
    {"a", "signed char"},  {"h", "unsigned char"},
    {"s", "short"},        {"t", "unsigned short"},
    {"i", "int"},          {"j", "unsigned int"},
    {"l", "long"},         {"m", "unsigned long"},
    {"x", "long long"},    {"y", "unsigned long long"},
    {"n", "__int128"},     {"o", "unsigned __int128"},
    {"f", "float"},        {"d", "double"},
    {"e", "long double"},  {"g", "__float128"},
    {"z", "..."},          {"Dn", "decltype(nullptr)"},
    {"Di", "char32_t"},    {"Ds", "char16_t"},
    {"Du", "char8_t"},     {"Dh", "half"},
    {"Da", "auto"},        {"Dc", "decltype(auto)"},
    {"DF16_", "_Float16"}, {"DF16b", "std::bfloat16_t"},
    {"DF32_", "_Float32"}, {"DF64_", "_Float64"},
};

/* Pointer or reference: `int*`, `int (*)(float)`, `int (&) [4]`. */
static struct demangled_type point(struct demangler *d, struct demangled_type to, const char *mark)
{
    struct demangled_type type = to;
    type.is_function = type.is_array = false;
    if (to.is_function || to.is_array) {
        type.left = demangle_join3(d, to.left, " (", mark);
        type.right = demangle_join(d, ")", to.right);
    } else {
        /* A reference to a reference is the weaker one of them. */
        size_t size = strlen(to.left);
        bool was_reference = size > 0 && to.left[size - 1] == '&' && to.right[0] == '\0';
        if (mark[0] == '&' && was_reference && mark[1] == '&')
            return type;
        if (mark[0] == '&' && was_reference && size > 1 && to.left[size - 2] == '&')
            type.left = arena_text(d->arena, to.left, size - 1);
        else if (mark[0] != '&' || !was_reference)
            type.left = demangle_join(d, to.left, mark);
    }
    return type;
}

/* F return parameters E */
static struct demangled_type parse_function_type(struct demangler *d)
{
    demangle_take(d, 'Y');
    const char *result = demangle_type_text(d, demangle_type(d));
    const char *parameters = demangle_types(d);
    const char *reference = demangle_take(d, 'R') ? " &" : demangle_take(d, 'O') ? " &&" : "";
    if (!demangle_take(d, 'E'))
        return demangle_plain(demangle_fail(d));
    struct demangled_type type = demangle_plain(result);
    type.right = demangle_join(d, demangle_join3(d, "(", parameters, ")"), reference);
    type.is_function = true;
    return type;
}

/* A number _ type */
static struct demangled_type parse_array(struct demangler *d)
{
    const char *extent = "";
    unsigned long number;
    if (demangle_number(d, &number))
        extent = arena_printf(d->arena, "%lu", number);
    else if (demangle_peek(d) != '_')
        extent = demangle_expression(d);
    if (!demangle_take(d, '_'))
        return demangle_plain(demangle_fail(d));
    struct demangled_type type = demangle_type(d);
    const char *mark = demangle_join3(d, "[", extent, "]");
    type.right = type.is_array ? demangle_join(d, mark, type.right)
                               : demangle_join3(d, " ", mark, type.right);
    if (type.is_array) /* one blank before all brackets */
        type.right = demangle_join(
            d, " ",
            demangle_join(d, mark,
                          type.right[0] == ' ' ? type.right + 1 : type.right + strlen(mark) + 1));
    type.is_array = true;
    return type;
}

/* Qualifiers r V K as written behind the type. */
static struct demangled_type parse_qualified(struct demangler *d)
{
    const char *text = "";
    for (;;) {
        if (demangle_take(d, 'K'))
            text = demangle_join(d, " const", text);
        else if (demangle_take(d, 'V'))
            text = demangle_join(d, " volatile", text);
        else if (demangle_take(d, 'r'))
            text = demangle_join(d, " restrict", text);
        else
            break;
    }
    struct demangled_type type = demangle_type(d);
    if (type.is_function)
        type.right = demangle_join(d, type.right, text);
    else
        type.left = demangle_join(d, type.left, text);
    return type;
}

static struct demangled_type parse_member_pointer(struct demangler *d)
{
    const char *class = demangle_type_text(d, demangle_type(d));
    struct demangled_type member = demangle_type(d);
    if (member.is_function)
        return point(d, member, demangle_join(d, class, "::*"));
    return demangle_plain(
        demangle_join(d, demangle_type_text(d, member), demangle_join3(d, " ", class, "::*")));
}

static struct demangled_type parse_builtin(struct demangler *d)
{
    unsigned long number;
    for (size_t i = 0; i < COUNT_OF(builtin_types); i++)
        if (demangle_take_text(d, builtin_types[i].code))
            return demangle_plain(builtin_types[i].text);
    if (demangle_take_text(d, "Dv")) {
        if (!demangle_number(d, &number) || !demangle_take(d, '_'))
            return demangle_plain(demangle_fail(d));
        const char *element = demangle_type_text(d, demangle_type(d));
        return demangle_plain(arena_printf(d->arena, "%s __vector(%lu)", element, number));
    }
    if (demangle_take_text(d, "DT") || demangle_take_text(d, "Dt")) {
        const char *text = demangle_join3(d, "decltype (", demangle_expression(d), ")");
        return demangle_take(d, 'E') ? demangle_plain(text) : demangle_plain(demangle_fail(d));
    }
    return demangle_plain(demangle_fail(d));
}

static struct demangled_type parse_named_type(struct demangler *d)
{
    struct demangled_name info = {0};
    return demangle_plain(demangle_name(d, &info));
}

/* S: a substitution, by itself, with template arguments, or std::. */
static struct demangled_type parse_substituted(struct demangler *d, bool *is_new)
{
    if (d->end - d->at > 1 && d->at[1] == 't')
        return parse_named_type(d);
    d->at++;
    struct demangled_type type = demangle_substitution(d);
    *is_new = demangle_take(d, 'I');
    return *is_new ? demangle_plain(
                         demangle_join(d, demangle_type_text(d, type), demangle_arguments(d)))
                   : type;
}

static struct demangled_type parse_parameter_type(struct demangler *d)
{
    d->at++;
    struct demangled_type type = demangle_parameter(d);
    if (demangle_peek(d) == 'I') { /* a template template parameter */
        demangle_remember(d, type);
        d->at++;
        type = demangle_plain(demangle_join(d, demangle_type_text(d, type), demangle_arguments(d)));
    }
    return type;
}

/* Behind Dp: the type once for each element of the pack in it. */
static struct demangled_type parse_expansion(struct demangler *d)
{
    const struct demangler start = *d;
    VEC(struct demangled_type) list = {0};
    d->expands = true;
    d->element = 0;
    do {
        d->at = start.at;
        d->elements = 0;
        d->substitutions.count = start.substitutions.count;
        struct demangled_type type = demangle_type(d);
        if (d->elements != 0 || start.at == d->at)
            *vec_push(d->arena, &list) = type;
    } while (!d->failed && ++d->element < d->elements);
    d->expands = start.expands;
    d->element = start.element;
    d->elements = start.elements;
    struct demangled_type all = demangle_plain(demangle_join_types(d, list.data, list.count));
    all.is_pack = true;
    return all;
}

struct demangled_type demangle_type(struct demangler *d)
{
    struct demangled_type type;
    bool is_new = true; /* can be referred to later */
    if (!demangle_enter(d))
        return demangle_plain(demangle_fail(d));
    char c = demangle_peek(d);
    d->inner++;
    if (c == 'r' || c == 'V' || c == 'K')
        type = parse_qualified(d);
    else if (demangle_take(d, 'P'))
        type = point(d, demangle_type(d), "*");
    else if (demangle_take(d, 'R'))
        type = point(d, demangle_type(d), "&");
    else if (demangle_take(d, 'O'))
        type = point(d, demangle_type(d), "&&");
    else if (demangle_take(d, 'F'))
        type = parse_function_type(d);
    else if (demangle_take(d, 'A'))
        type = parse_array(d);
    else if (demangle_take(d, 'M'))
        type = parse_member_pointer(d);
    else if (c == 'T')
        type = parse_parameter_type(d);
    else if (demangle_take_text(d, "Dp"))
        type = parse_expansion(d);
    else if (demangle_take(d, 'u'))
        type = demangle_plain(demangle_source_name(d));
    else if (c == 'S')
        type = parse_substituted(d, &is_new);
    else if (c == 'N' || c == 'Z' || (c >= '0' && c <= '9'))
        type = parse_named_type(d);
    else {
        type = parse_builtin(d);
        is_new = false;
    }
    if (is_new)
        demangle_remember(d, type);
    d->inner--;
    d->depth--;
    return type;
}
