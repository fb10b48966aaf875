/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ptx: human forms of mangled C++ names (Itanium ABI), as far as kernels and device functions need them: namespaces,
 * templates with types, values and packs, substitutions, pointers, references, arrays, functions, operators, lambdas, local
 * names, simple expressions.  Whatever is not understood leaves the name as it is.
 *
 *   demangle.c       encodings (a name with its parameters), shared steps
 *   demangle_type.c  types and template arguments
 *   demangle_name.c  names and expressions
 *
 * Each function reads from `at` on; after a failure all of them return at once.  Output, nesting and work are limited, so that
 * substitutions and packs cannot make a short name into a huge text.
 */
#ifndef LANEWISE_PTX_DEMANGLE_H
#define LANEWISE_PTX_DEMANGLE_H

#include "ptx/ptx.h"

struct demangled {
    const char *text;           /* void a::scale<float>(float*, int) */
    const char *without_result; /* a::scale<float>(float*, int) */
    const char *name;           /* a::scale<float> */
};

/* False if `name` is not a mangled function or variable that is understood. */
bool demangle_parts(struct arena *arena, const char *name, struct demangled *parts);

/* A type is two texts, before and behind where a name would stand: `int (*` and `)(float)`. */
struct demangled_type {
    const char *left, *right;
    bool is_function; /* a pointer to it needs parentheses */
    bool is_array;
    bool is_pack;                          /* template arguments J...E: left is the list */
    const struct demangled_type *elements; /* of a pack */
    uint32_t count;
};

/* What a name was, besides its text. */
struct demangled_name {
    bool is_template;       /* ends with template arguments: a return type follows */
    bool has_no_return;     /* constructor, destructor, conversion */
    const char *qualifiers; /* of a member function: " const" */
};

struct demangler {
    struct arena *arena;
    const char *at, *end;
    unsigned depth;
    size_t work; /* bytes of text made, and steps taken, so far */
    bool failed;
    VEC(struct demangled_type) substitutions;
    VEC(struct demangled_type) arguments; /* T_, T0_, ... */
    unsigned inner; /* inside types or template arguments, whose lists are not what T_ means */
    bool in_lambda; /* T_ is a parameter of a generic lambda */
    /* While a pack is expanded (Dp): which element T_ means, and how many the pack turned out to have. */
    bool expands;
    uint32_t element, elements;
};

static inline char demangle_peek(const struct demangler *d)
{
    return d->at < d->end ? *d->at : '\0';
}

static inline bool demangle_take(struct demangler *d, char c)
{
    if (demangle_peek(d) != c || c == '\0')
        return false;
    d->at++;
    return true;
}

static inline struct demangled_type demangle_plain(const char *text)
{
    return (struct demangled_type){.left = text, .right = ""};
}

/* demangle.c */
const char *demangle_fail(struct demangler *d); /* "" */
bool demangle_enter(
    struct demangler *d); /* one level deeper; the caller counts `depth` down again */
bool demangle_take_text(struct demangler *d, const char *text);
bool demangle_number(struct demangler *d, unsigned long *value);
bool demangle_sequence(struct demangler *d, unsigned base,
                       unsigned long *value); /* _ 0_ 1_ ...: 0, 1, 2 */
const char *demangle_join(struct demangler *d, const char *a, const char *b);
const char *demangle_join3(struct demangler *d, const char *a, const char *b, const char *c);
const char *demangle_type_text(struct demangler *d, struct demangled_type type);
const char *demangle_join_types(struct demangler *d, const struct demangled_type *types,
                                uint32_t count);
void demangle_remember(struct demangler *d, struct demangled_type type);
const char *demangle_encoding(struct demangler *d, struct demangled *parts);

/* demangle_type.c */
struct demangled_type demangle_type(struct demangler *d);
struct demangled_type demangle_substitution(struct demangler *d); /* behind S, not St */
struct demangled_type demangle_parameter(struct demangler *d);    /* behind T */
const char *demangle_arguments(struct demangler *d);              /* behind I: "<int, 4>" */
const char *demangle_literal(struct demangler *d);                /* behind L */

/* demangle_name.c */
const char *demangle_name(struct demangler *d, struct demangled_name *info);
const char *demangle_source_name(struct demangler *d);
const char *demangle_types(struct demangler *d); /* of parameters: "int, float" */
const char *demangle_expression(struct demangler *d);

#endif
