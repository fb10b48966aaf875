/* SPDX-License-Identifier: Apache-2.0
 *
 * Human forms of mangled C++ names (Itanium ABI), as far as kernels and device functions need them: namespaces, templates with
 * types, values and packs, substitutions, pointers, references, arrays, functions, operators, lambdas, local names, simple
 * expressions.  Whatever is not understood leaves the name as it is.
 *
 * A type is two texts, before and behind where a name would stand: `int (*` and `)(float)`.  Output and nesting are limited, so
 * that substitutions cannot make a short name into a huge text.
 */
#include "ptx/demangle.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 96, TEXT_LIMIT = 16384, WORK_LIMIT = 1 << 20 };

struct type {
    const char *left, *right;
    bool is_pack;                /* template arguments J...E: left is the list */
    const struct type *elements; /* of a pack */
    uint32_t count;
    bool is_function; /* a pointer to it needs parentheses */
    bool is_array;
};

struct demangler {
    struct arena *arena;
    const char *at, *end;
    unsigned depth;
    size_t work; /* bytes of text made so far */
    bool failed;
    VEC(struct type) substitutions;
    VEC(struct type) arguments; /* T_, T0_, ... */
    unsigned inner; /* inside types or template arguments, whose lists are not what T_ means */
    bool in_lambda; /* T_ is a parameter of a generic lambda */
    /* While a pack is expanded (Dp): which element T_ means, and how many the pack turned out to have. */
    bool expands;
    uint32_t element, elements;
};

/* What a name was, besides its text. */
struct name_info {
    bool is_template;       /* ends with template arguments: a return type follows */
    bool has_no_return;     /* constructor, destructor, conversion */
    const char *qualifiers; /* of a member function: " const" */
};

static const char *const empty = "";

static struct type parse_type(struct demangler *d);
static const char *parse_encoding(struct demangler *d, struct demangled *parts);
static const char *parse_name(struct demangler *d, struct name_info *info);
static const char *parse_expression(struct demangler *d);

/* ---- small steps ----------------------------------------------------------------------------- */

static const char *fail(struct demangler *d)
{
    d->failed = true;
    return empty;
}

static char peek(const struct demangler *d)
{
    return d->at < d->end ? *d->at : '\0';
}

static bool take(struct demangler *d, char c)
{
    if (peek(d) != c || c == '\0')
        return false;
    d->at++;
    return true;
}

static bool take_text(struct demangler *d, const char *text)
{
    size_t size = strlen(text);
    if ((size_t)(d->end - d->at) < size || memcmp(d->at, text, size) != 0)
        return false;
    d->at += size;
    return true;
}

static const char *join(struct demangler *d, const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b);
    d->work += size;
    if (size > TEXT_LIMIT || d->work > WORK_LIMIT)
        return fail(d);
    return arena_printf(d->arena, "%s%s", a, b);
}

static const char *join3(struct demangler *d, const char *a, const char *b, const char *c)
{
    return join(d, join(d, a, b), c);
}

static bool enter(struct demangler *d)
{
    d->work += 4; /* parsing again and again, of packs in packs, counts too */
    if (++d->depth > DEPTH_LIMIT || d->work > WORK_LIMIT)
        d->failed = true;
    return !d->failed;
}

static struct type plain(const char *text)
{
    return (struct type){.left = text, .right = empty};
}

static const char *type_text(struct demangler *d, struct type type)
{
    return join(d, type.left, type.right);
}

static void remember(struct demangler *d, struct type type)
{
    if (!d->failed)
        *vec_push(d->arena, &d->substitutions) = type;
}

static bool parse_number(struct demangler *d, unsigned long *value)
{
    if (peek(d) < '0' || peek(d) > '9')
        return false;
    *value = 0;
    while (peek(d) >= '0' && peek(d) <= '9') {
        if (*value > 1000000)
            return false;
        *value = *value * 10 + (unsigned long)(*d->at++ - '0');
    }
    return true;
}

/* _ is 0, 0_ is 1, and so on, in the given base. */
static bool parse_sequence(struct demangler *d, unsigned base, unsigned long *value)
{
    unsigned long number = 0;
    bool any = false;
    while (!take(d, '_')) {
        char c = peek(d);
        unsigned digit = c >= '0' && c <= '9'                 ? (unsigned)(c - '0')
                         : c >= 'A' && c <= 'Z' && base == 36 ? (unsigned)(c - 'A') + 10
                                                              : 99;
        if (digit >= base || number > 1000000)
            return false;
        number = number * base + digit;
        any = true;
        d->at++;
    }
    *value = any ? number + 1 : 0;
    return true;
}

/* ---- substitutions and template parameters --------------------------------------------------- */

static const struct {
    char code;
    const char *text;
} standard_names[] = {
    {'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"},
    {'i', "std::istream"},   {'o', "std::ostream"},      {'d', "std::iostream"},
};

/* Behind S, not St. */
static struct type parse_substitution(struct demangler *d)
{
    for (size_t i = 0; i < COUNT_OF(standard_names); i++)
        if (take(d, standard_names[i].code))
            return plain(standard_names[i].text);
    unsigned long index;
    if (!parse_sequence(d, 36, &index) || index >= d->substitutions.count)
        return plain(fail(d));
    return d->substitutions.data[index];
}

/* Behind T. */
static struct type parse_parameter(struct demangler *d)
{
    unsigned long index;
    if (!parse_sequence(d, 10, &index))
        return plain(fail(d));
    if (index < d->arguments.count) {
        struct type argument = d->arguments.data[index];
        if (!d->expands || !argument.is_pack)
            return argument;
        d->elements = argument.count;
        return d->element < argument.count ? argument.elements[d->element] : plain(empty);
    }
    return d->in_lambda ? plain("auto") : plain(fail(d));
}

static const char *join_arguments(struct demangler *d, const struct type *types, uint32_t count)
{
    struct buffer text;
    buffer_init(&text, d->arena);
    buffer_add(&text, "", 0);
    for (uint32_t i = 0; i < count && !d->failed; i++) {
        const char *argument = type_text(d, types[i]);
        if (argument[0] == '\0' && types[i].is_pack)
            continue;
        if (text.size != 0)
            buffer_puts(&text, ", ");
        buffer_puts(&text, argument);
        d->work += strlen(argument);
        if (text.size > TEXT_LIMIT || d->work > WORK_LIMIT)
            return fail(d);
    }
    return text.data;
}

/* ---- template arguments ---------------------------------------------------------------------- */

/* Lvalue E: the value of a template argument. */
static const char *parse_literal(struct demangler *d)
{
    static const struct {
        char type;
        const char *suffix;
    } suffixes[] = {{'i', ""}, {'j', "u"}, {'l', "l"}, {'m', "ul"}, {'x', "ll"}, {'y', "ull"}};
    if (take_text(d, "_Z")) {
        const char *name = parse_encoding(d, NULL);
        return take(d, 'E') ? name : fail(d);
    }
    char code = peek(d);
    struct type type = parse_type(d);
    const char *start = d->at;
    while (peek(d) != 'E' && peek(d) != '\0')
        d->at++;
    const char *digits = arena_text(d->arena, start, (size_t)(d->at - start));
    if (!take(d, 'E'))
        return fail(d);
    if (digits[0] == 'n')
        digits = join(d, "-", digits + 1);
    if (code == 'b' && (strcmp(digits, "0") == 0 || strcmp(digits, "1") == 0))
        return digits[0] == '1' ? "true" : "false";
    for (size_t i = 0; i < COUNT_OF(suffixes); i++)
        if (suffixes[i].type == code)
            return join(d, digits, suffixes[i].suffix);
    return join(d, join3(d, "(", type_text(d, type), ")"), digits);
}

static struct type parse_argument(struct demangler *d)
{
    if (take(d, 'L'))
        return plain(parse_literal(d));
    if (take(d, 'X')) {
        const char *text = parse_expression(d);
        return take(d, 'E') ? plain(text) : plain(fail(d));
    }
    if (take(d, 'J')) {
        VEC(struct type) list = {0};
        while (!take(d, 'E')) {
            if (d->failed || peek(d) == '\0')
                return plain(fail(d));
            *vec_push(d->arena, &list) = parse_argument(d);
        }
        struct type pack = plain(join_arguments(d, list.data, list.count));
        pack.is_pack = true;
        pack.elements = list.data;
        pack.count = list.count;
        return pack;
    }
    return parse_type(d);
}

/* I arguments E as "<a, b>"; those of the encoding's own name become what T_ means. */
static const char *parse_arguments(struct demangler *d)
{
    VEC(struct type) list = {0};
    if (!enter(d))
        return fail(d);
    d->inner++;
    while (!take(d, 'E')) {
        if (d->failed || peek(d) == '\0')
            return fail(d);
        *vec_push(d->arena, &list) = parse_argument(d);
    }
    d->inner--;
    d->depth--;
    const char *text = join_arguments(d, list.data, list.count);
    if (d->inner == 0) {
        d->arguments.data = list.data;
        d->arguments.count = list.count;
        d->arguments.capacity = list.capacity;
    }
    size_t size = strlen(text);
    return join3(d, "<", text, size != 0 && text[size - 1] == '>' ? " >" : ">");
}

/* ---- operators and expressions --------------------------------------------------------------- */

static const struct {
    char code[3];
    const char *text;
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
        return join(d, text, join3(d, "(", parse_expression(d), ")"));
    if (operator_names[index].operands == 3) {
        const char *condition = parse_expression(d), *yes = parse_expression(d),
                   *no = parse_expression(d);
        return join(d, join3(d, join3(d, "(", condition, ")?("), yes, ") : ("), join(d, no, ")"));
    }
    const char *left = parse_expression(d), *right = parse_expression(d);
    return join(d, join3(d, "(", left, ")"), join(d, text, join3(d, "(", right, ")")));
}

static const char *parse_expression(struct demangler *d)
{
    if (!enter(d))
        return fail(d);
    const char *text = NULL;
    unsigned long number;
    int index = find_operator(d);
    if (take(d, 'L')) {
        text = parse_literal(d);
    } else if (take(d, 'T')) {
        text = type_text(d, parse_parameter(d));
    } else if (take_text(d, "st")) {
        text = join3(d, "sizeof (", type_text(d, parse_type(d)), ")");
    } else if (take_text(d, "sz")) {
        text = join3(d, "sizeof (", parse_expression(d), ")");
    } else if (take_text(d, "sZ")) {
        text =
            take(d, 'T') ? join3(d, "sizeof...(", type_text(d, parse_parameter(d)), ")") : fail(d);
    } else if (take_text(d, "fp")) {
        text = parse_sequence(d, 10, &number) ? arena_printf(d->arena, "{parm#%lu}", number + 1)
                                              : fail(d);
    } else if (take_text(d, "sp")) {
        text = join(d, parse_expression(d), "...");
    } else if (take_text(d, "cv")) {
        const char *type = type_text(d, parse_type(d));
        text = join(d, join3(d, "(", type, ")("), join(d, parse_expression(d), ")"));
    } else if (take_text(d, "sr")) {
        const char *scope = type_text(d, parse_type(d));
        struct name_info info = {0};
        text = join3(d, scope, "::", parse_name(d, &info));
    } else if (index >= 0 && operator_names[index].operands != 0) {
        text = parse_operation(d, index);
    } else {
        text = fail(d);
    }
    d->depth--;
    return text;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *parse_source_name(struct demangler *d)
{
    unsigned long size;
    if (!parse_number(d, &size) || size == 0 || size > (unsigned long)(d->end - d->at))
        return fail(d);
    const char *text = arena_text(d->arena, d->at, size);
    d->at += size;
    d->work += size;
    if (d->work > WORK_LIMIT)
        return fail(d);
    return text_starts_with(text, "_GLOBAL__N") ? "(anonymous namespace)" : text;
}

static const char *parse_types(struct demangler *d)
{
    VEC(struct type) list = {0};
    while (!d->failed && peek(d) != 'E' && peek(d) != '\0' && peek(d) != '.') {
        if (peek(d) == 'v' && list.count == 0) { /* (void) */
            d->at++;
            break;
        }
        *vec_push(d->arena, &list) = parse_type(d);
    }
    return join_arguments(d, list.data, list.count);
}

/* {lambda(int)#1} or {unnamed type#1}; behind U. */
static const char *parse_unnamed(struct demangler *d)
{
    unsigned long number;
    const char *text = "{unnamed type";
    if (take(d, 'l')) {
        bool outer = d->in_lambda;
        d->in_lambda = true;
        text = join3(d, "{lambda(", parse_types(d), ")");
        d->in_lambda = outer;
        if (!take(d, 'E'))
            return fail(d);
    } else if (!take(d, 't')) {
        return fail(d);
    }
    if (!parse_sequence(d, 10, &number))
        return fail(d);
    return join(d, text, arena_printf(d->arena, "#%lu}", number + 1));
}

static const char *last_component(struct demangler *d, const char *scope)
{
    int angles = 0;
    const char *start = scope;
    size_t size = strlen(scope);
    for (const char *at = scope; *at != '\0'; at++) {
        angles += *at == '<' || *at == '(';
        angles -= *at == '>' || *at == ')';
        if (angles == 0 && at[0] == ':' && at[1] == ':')
            start = at + 2;
    }
    for (const char *at = start; *at != '\0'; at++)
        if (*at == '<') {
            size = (size_t)(at - start);
            return arena_text(d->arena, start, size);
        }
    return start;
}

static const char *parse_operator_name(struct demangler *d, struct name_info *info)
{
    int index = find_operator(d);
    if (index >= 0) {
        d->at += 2;
        return join(d, "operator", operator_names[index].text);
    }
    if (take_text(d, "cv")) {
        info->has_no_return = true;
        return join(d, "operator ", type_text(d, parse_type(d)));
    }
    if (take_text(d, "li"))
        return join(d, "operator\"\" ", parse_source_name(d));
    return fail(d);
}

static const char *parse_unqualified(struct demangler *d, const char *scope, struct name_info *info)
{
    const char *text;
    take(d, 'L'); /* internal linkage */
    char c = peek(d);
    char next = d->end - d->at > 1 ? d->at[1] : '\0';
    if (c >= '0' && c <= '9') {
        text = parse_source_name(d);
    } else if (c == 'U') {
        d->at++;
        text = parse_unnamed(d);
    } else if ((c == 'C' || c == 'D') && next >= '0' && next <= '5') {
        d->at += 2;
        info->has_no_return = true;
        text = join(d, c == 'D' ? "~" : "", last_component(d, scope));
    } else {
        text = parse_operator_name(d, info);
    }
    while (take(d, 'B'))
        text = join(d, join3(d, text, "[abi:", parse_source_name(d)), "]");
    return text;
}

/* N qualifiers prefix... E */
static const char *parse_nested(struct demangler *d, struct name_info *info)
{
    const char *text = empty, *qualifiers = empty;
    if (!enter(d))
        return fail(d);
    for (bool more = true; more;) {
        more = false;
        if (take(d, 'r') || take(d, 'V'))
            more = true;
        else if (take(d, 'K')) {
            qualifiers = " const";
            more = true;
        }
    }
    if (take(d, 'R'))
        qualifiers = join(d, qualifiers, " &");
    else if (take(d, 'O'))
        qualifiers = join(d, qualifiers, " &&");
    while (!take(d, 'E')) {
        if (d->failed || peek(d) == '\0')
            return fail(d);
        bool from_table = false;
        info->is_template = false;
        if (take(d, 'I')) {
            text = join(d, text, parse_arguments(d));
            info->is_template = true;
        } else if (take_text(d, "St")) {
            text = "std";
            from_table = true;
        } else if (take(d, 'S')) {
            text = type_text(d, parse_substitution(d));
            from_table = true;
        } else if (take(d, 'T')) {
            text = type_text(d, parse_parameter(d));
        } else {
            const char *part = parse_unqualified(d, text, info);
            text = text[0] == '\0' ? part : join3(d, text, "::", part);
        }
        if (!from_table && peek(d) != 'E')
            remember(d, plain(text));
    }
    d->depth--;
    info->qualifiers = qualifiers;
    return text;
}

/* Z function E entity, where the entity may be a string literal or have a discriminator. */
static const char *parse_local(struct demangler *d, struct name_info *info)
{
    unsigned long number;
    struct demangled parts = {0};
    parse_encoding(d, &parts);
    if (!take(d, 'E') || d->failed)
        return fail(d);
    const char *function = parts.without_result, *entity;
    if (take(d, 's')) {
        entity = "string literal";
    } else {
        if (take(d, 'd') && !parse_sequence(d, 10, &number))
            return fail(d);
        entity = parse_name(d, info);
    }
    if (take_text(d, "__")) {
        if (!parse_number(d, &number) || !take(d, '_'))
            return fail(d);
    } else if (peek(d) == '_') {
        d->at++;
        while (peek(d) >= '0' && peek(d) <= '9')
            d->at++;
    }
    return join3(d, function, "::", entity);
}

static const char *parse_name(struct demangler *d, struct name_info *info)
{
    if (!enter(d))
        return fail(d);
    const char *text;
    bool known = false;
    info->qualifiers = empty;
    if (take(d, 'N')) {
        text = parse_nested(d, info);
        d->depth--;
        return text;
    }
    if (take(d, 'Z')) {
        text = parse_local(d, info);
        d->depth--;
        return text;
    }
    if (take_text(d, "St")) {
        text = join(d, "std::", parse_unqualified(d, empty, info));
    } else if (take(d, 'S')) {
        text = type_text(d, parse_substitution(d));
        known = true;
    } else {
        text = parse_unqualified(d, empty, info);
    }
    if (take(d, 'I')) {
        if (!known)
            remember(d, plain(text));
        text = join(d, text, parse_arguments(d));
        info->is_template = true;
    }
    d->depth--;
    return text;
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
static struct type point(struct demangler *d, struct type to, const char *mark)
{
    struct type type = to;
    type.is_function = type.is_array = false;
    if (to.is_function || to.is_array) {
        type.left = join3(d, to.left, " (", mark);
        type.right = join(d, ")", to.right);
    } else {
        /* A reference to a reference is the weaker one of them. */
        size_t size = strlen(to.left);
        bool was_reference = size > 0 && to.left[size - 1] == '&' && to.right[0] == '\0';
        if (mark[0] == '&' && was_reference && mark[1] == '&')
            return type;
        if (mark[0] == '&' && was_reference && size > 1 && to.left[size - 2] == '&')
            type.left = arena_text(d->arena, to.left, size - 1);
        else if (mark[0] != '&' || !was_reference)
            type.left = join(d, to.left, mark);
    }
    return type;
}

/* F return parameters E */
static struct type parse_function_type(struct demangler *d)
{
    take(d, 'Y');
    const char *result = type_text(d, parse_type(d));
    const char *parameters = parse_types(d);
    const char *reference = take(d, 'R') ? " &" : take(d, 'O') ? " &&" : "";
    if (!take(d, 'E'))
        return plain(fail(d));
    struct type type = plain(result);
    type.right = join(d, join3(d, "(", parameters, ")"), reference);
    type.is_function = true;
    return type;
}

/* A number _ type */
static struct type parse_array(struct demangler *d)
{
    const char *extent = empty;
    unsigned long number;
    if (parse_number(d, &number))
        extent = arena_printf(d->arena, "%lu", number);
    else if (peek(d) != '_')
        extent = parse_expression(d);
    if (!take(d, '_'))
        return plain(fail(d));
    struct type type = parse_type(d);
    const char *mark = join3(d, "[", extent, "]");
    type.right = type.is_array ? join(d, mark, type.right) : join3(d, " ", mark, type.right);
    if (type.is_array) /* one blank before all brackets */
        type.right = join(
            d, " ",
            join(d, mark, type.right[0] == ' ' ? type.right + 1 : type.right + strlen(mark) + 1));
    type.is_array = true;
    return type;
}

/* Qualifiers r V K as written behind the type. */
static struct type parse_qualified(struct demangler *d)
{
    const char *text = empty;
    for (;;) {
        if (take(d, 'K'))
            text = join(d, " const", text);
        else if (take(d, 'V'))
            text = join(d, " volatile", text);
        else if (take(d, 'r'))
            text = join(d, " restrict", text);
        else
            break;
    }
    struct type type = parse_type(d);
    if (type.is_function)
        type.right = join(d, type.right, text);
    else
        type.left = join(d, type.left, text);
    return type;
}

static struct type parse_member_pointer(struct demangler *d)
{
    const char *class = type_text(d, parse_type(d));
    struct type member = parse_type(d);
    if (member.is_function)
        return point(d, member, join(d, class, "::*"));
    return plain(join(d, type_text(d, member), join3(d, " ", class, "::*")));
}

static struct type parse_builtin(struct demangler *d)
{
    unsigned long number;
    for (size_t i = 0; i < COUNT_OF(builtin_types); i++)
        if (take_text(d, builtin_types[i].code))
            return plain(builtin_types[i].text);
    if (take_text(d, "Dv")) {
        if (!parse_number(d, &number) || !take(d, '_'))
            return plain(fail(d));
        const char *element = type_text(d, parse_type(d));
        return plain(arena_printf(d->arena, "%s __vector(%lu)", element, number));
    }
    if (take_text(d, "DT") || take_text(d, "Dt")) {
        const char *text = join3(d, "decltype (", parse_expression(d), ")");
        return take(d, 'E') ? plain(text) : plain(fail(d));
    }
    return plain(fail(d));
}

static struct type parse_named_type(struct demangler *d)
{
    struct name_info info = {0};
    return plain(parse_name(d, &info));
}

/* S: a substitution, by itself, with template arguments, or std::. */
static struct type parse_substituted(struct demangler *d, bool *is_new)
{
    if (d->end - d->at > 1 && d->at[1] == 't')
        return parse_named_type(d);
    d->at++;
    struct type type = parse_substitution(d);
    *is_new = take(d, 'I');
    return *is_new ? plain(join(d, type_text(d, type), parse_arguments(d))) : type;
}

static struct type parse_parameter_type(struct demangler *d)
{
    d->at++;
    struct type type = parse_parameter(d);
    if (peek(d) == 'I') { /* a template template parameter */
        remember(d, type);
        d->at++;
        type = plain(join(d, type_text(d, type), parse_arguments(d)));
    }
    return type;
}

/* Behind Dp: the type once for each element of the pack in it. */
static struct type parse_expansion(struct demangler *d)
{
    const struct demangler start = *d;
    VEC(struct type) list = {0};
    d->expands = true;
    d->element = 0;
    do {
        d->at = start.at;
        d->elements = 0;
        d->substitutions.count = start.substitutions.count;
        struct type type = parse_type(d);
        if (d->elements != 0 || start.at == d->at)
            *vec_push(d->arena, &list) = type;
    } while (!d->failed && ++d->element < d->elements);
    d->expands = start.expands;
    d->element = start.element;
    d->elements = start.elements;
    struct type all = plain(join_arguments(d, list.data, list.count));
    all.is_pack = true;
    return all;
}

static struct type parse_type(struct demangler *d)
{
    struct type type;
    bool is_new = true; /* can be referred to later */
    if (!enter(d))
        return plain(fail(d));
    char c = peek(d);
    d->inner++;
    if (c == 'r' || c == 'V' || c == 'K')
        type = parse_qualified(d);
    else if (take(d, 'P'))
        type = point(d, parse_type(d), "*");
    else if (take(d, 'R'))
        type = point(d, parse_type(d), "&");
    else if (take(d, 'O'))
        type = point(d, parse_type(d), "&&");
    else if (take(d, 'F'))
        type = parse_function_type(d);
    else if (take(d, 'A'))
        type = parse_array(d);
    else if (take(d, 'M'))
        type = parse_member_pointer(d);
    else if (c == 'T')
        type = parse_parameter_type(d);
    else if (take_text(d, "Dp"))
        type = parse_expansion(d);
    else if (take(d, 'u'))
        type = plain(parse_source_name(d));
    else if (c == 'S')
        type = parse_substituted(d, &is_new);
    else if (c == 'N' || c == 'Z' || (c >= '0' && c <= '9'))
        type = parse_named_type(d);
    else {
        type = parse_builtin(d);
        is_new = false;
    }
    if (is_new)
        remember(d, type);
    d->inner--;
    d->depth--;
    return type;
}

/* ---- encodings ------------------------------------------------------------------------------- */

static const char *parse_encoding(struct demangler *d, struct demangled *parts)
{
    struct name_info info = {0};
    if (!enter(d))
        return fail(d);
    /* A function named inside a type has template arguments of its own. */
    const struct demangler outer = *d;
    d->inner = 0;
    const char *name = parse_name(d, &info);
    const char *text = name, *result = empty;
    bool has_parameters = peek(d) != '\0' && peek(d) != 'E' && peek(d) != '.';
    struct type type = plain(empty);
    if (!d->failed && has_parameters) {
        if (info.is_template && !info.has_no_return) {
            type = parse_type(d);
            result = join(d, type.left, type.right[0] == '\0' && !type.is_function ? " " : "");
        }
        const char *parameters = parse_types(d);
        text = join3(d, name, "(",
                     join3(d, parameters, ")", info.qualifiers == NULL ? empty : info.qualifiers));
        text = join(d, text, type.right);
    }
    if (parts != NULL) {
        parts->name = name;
        parts->without_result = text;
    }
    if (outer.inner != 0)
        d->arguments.data = outer.arguments.data, d->arguments.count = outer.arguments.count,
        d->arguments.capacity = outer.arguments.capacity;
    d->inner = outer.inner;
    d->depth--;
    return join(d, result, text);
}

bool demangle_parts(struct arena *arena, const char *name, struct demangled *parts)
{
    struct demangler d = {.arena = arena, .at = name, .end = name + strlen(name)};
    if (!take_text(&d, "_Z") || (peek(&d) == 'T' || peek(&d) == 'G'))
        return false;
    parts->text = parse_encoding(&d, parts);
    if (d.failed)
        return false;
    if (peek(&d) == '.' || peek(&d) == '$') /* a copy that the compiler made */
        parts->text = join3(&d, parts->text, " [clone ", join(&d, d.at, "]"));
    else if (d.at != d.end)
        return false;
    return !d.failed;
}

const char *ptx_demangle(struct arena *arena, const char *name)
{
    struct demangled parts;
    return demangle_parts(arena, name, &parts) ? parts.text : name;
}
