/* SPDX-License-Identifier: Apache-2.0
 *
 * What each macro of lanewise/contract.h puts into a contract, and the errors of each.
 *
 * Errors of one argument do not keep the others from being read: a file's mistakes are told together.
 */
#include "source/contract_reader.h"

#include <string.h>

enum { ANY_NUMBER = 64 };

struct use {
    struct reader *reader;
    struct contract *contract;
    const struct reader_annotation *annotation;
    struct contract_parameter *parameter; /* NULL: on the function */
};

static void complain(const struct use *use, struct place place, const char *message,
                     const char *help)
{
    if (place.column == 0)
        place = use->annotation->place;
    diagnostic_add(use->reader->diagnostics, SEVERITY_ERROR, place, "%s", message);
    if (help != NULL)
        diagnostic_help(use->reader->diagnostics, "%s", help);
}

static const struct reader_argument *argument(const struct use *use, uint32_t index)
{
    return &use->annotation->arguments.data[index];
}

/* Diagnostics of a text that stands nowhere in the file get the macro's column. */
static void place_new(const struct use *use, uint32_t first)
{
    struct diagnostic_list *list = use->reader->diagnostics;
    for (uint32_t i = first; i < list->items.count; i++)
        if (list->items.data[i].place.column == 0)
            list->items.data[i].place = use->annotation->place;
}

static bool parse(const struct use *use, uint32_t index, struct contract_expression *expression)
{
    const struct reader_argument *text = argument(use, index);
    uint32_t first = use->reader->diagnostics->items.count;
    bool good = contract_parse_expression(use->contract, text->text, text->size, text->place,
                                          expression, use->reader->diagnostics);
    place_new(use, first);
    return good;
}

/* ---- sizes -------------------------------------------------------------------------------------------------- */

/* Refuses a number where a size cannot have it: less than `least`. */
static bool check_size(const struct use *use, struct contract_expression *expression,
                       const char *what, contract_integer least)
{
    contract_integer value;
    if (!contract_constant_value(use->contract, expression, &value) || value >= least)
        return true;
    complain(use, expression->place,
             arena_printf(use->reader->arena, "%s `%s` is less than %d", what, expression->text,
                          (int)least),
             NULL);
    expression->root = CONTRACT_NONE;
    return false;
}

/* Refuses what would make the launch's geometry speak of itself. */
static bool check_operands(const struct use *use, struct contract_expression *expression,
                           bool block_too)
{
    bool of_block = block_too && contract_mentions(use->contract, expression, CONTRACT_BLOCK);
    if (!of_block && !contract_mentions(use->contract, expression, CONTRACT_GRID))
        return true;
    complain(use, expression->place,
             arena_printf(use->reader->arena, "%s cannot depend on the %s", use->annotation->macro,
                          of_block ? "block" : "grid"),
             of_block ? "the block is what it decides" : "the grid follows from it");
    expression->root = CONTRACT_NONE;
    return false;
}

/* Reads all arguments into `items`, each at least `least`. False: nothing is left there. */
static bool parse_sizes(const struct use *use, struct contract_expression *items, const char *what,
                        contract_integer least)
{
    bool good = true;
    uint32_t count = use->annotation->arguments.count;
    for (uint32_t i = 0; i < count; i++)
        good &= parse(use, i, &items[i]) && check_size(use, &items[i], what, least);
    for (uint32_t i = 0; i < count && !good; i++)
        items[i].root = CONTRACT_NONE;
    return good;
}

static bool is_repeated(const struct use *use, bool is_given, const char *of)
{
    if (is_given)
        complain(use, use->annotation->place,
                 arena_printf(use->reader->arena, "a second %s%s", use->annotation->macro, of),
                 NULL);
    return is_given;
}

static const char *of_parameter(const struct use *use)
{
    return arena_printf(use->reader->arena, " on `%s`", use->parameter->name);
}

/* ---- on parameters -------------------------------------------------------------------------------------------- */

static void apply_shape(const struct use *use, enum contract_shape_kind kind)
{
    struct contract_parameter *parameter = use->parameter;
    if (is_repeated(
            use, parameter->shape_kind != CONTRACT_SHAPE_NONE,
            arena_printf(use->reader->arena, ": `%s` has a shape already", parameter->name)))
        return;
    if (parameter->element_size == 0 && strstr(parameter->type, "void") != NULL) {
        complain(use, use->annotation->place,
                 arena_printf(use->reader->arena, "`%s` is of type `%s`: its elements have no size",
                              parameter->name, parameter->type),
                 NULL);
        return;
    }
    if (!parse_sizes(use, parameter->shape, "the size", 0))
        return;
    parameter->shape_kind = (uint8_t)kind;
    parameter->dimensions = (uint8_t)use->annotation->arguments.count;
    parameter->shape_place = use->annotation->place;
    contract_set_extent(use->contract, use->annotation->parameter);
}

static void apply_rows(const struct use *use)
{
    apply_shape(use, CONTRACT_SHAPE_ROWS);
}

static void apply_pitched(const struct use *use)
{
    apply_shape(use, CONTRACT_SHAPE_PITCHED);
}

static void apply_values(const struct use *use)
{
    struct contract_parameter *parameter = use->parameter;
    if (parameter->element_kind != CONTRACT_INTEGER) {
        complain(use, use->annotation->place,
                 arena_printf(use->reader->arena,
                              "LW_VALUES bounds integers, and `%s` is of type `%s`",
                              parameter->name, parameter->type),
                 NULL);
        return;
    }
    struct contract_expression low, high;
    if (is_repeated(use, contract_is_given(&parameter->value_low), of_parameter(use)) ||
        !parse(use, 0, &low) || !parse(use, 1, &high))
        return;
    parameter->value_low = low;
    parameter->value_high = high;
}

/* Macros that speak of what the launch writes. */
static bool is_written(const struct use *use)
{
    if (!use->parameter->is_const)
        return true;
    complain(use, use->annotation->place,
             arena_printf(use->reader->arena, "`%s` is of type `%s`: the launch does not write it",
                          use->parameter->name, use->parameter->type),
             NULL);
    return false;
}

static void apply_disjoint(const struct use *use)
{
    use->parameter->disjoint |= is_written(use);
}

static void apply_writes_all(const struct use *use)
{
    use->parameter->writes_all |= is_written(use);
}

static bool parse_array(const struct use *use, uint32_t index, uint32_t *array)
{
    const struct reader_argument *text = argument(use, index);
    uint32_t first = use->reader->diagnostics->items.count;
    bool good = contract_parse_array(use->contract, text->text, text->size, text->place, array,
                                     use->reader->diagnostics);
    place_new(use, first);
    return good;
}

static void apply_reduces(const struct use *use)
{
    struct arena *arena = use->reader->arena;
    const char *name = arena_text(arena, argument(use, 0)->text, argument(use, 0)->size);
    struct text_guess guess = text_guess_begin(name);
    enum contract_reduction reduction = CONTRACT_SUM;
    uint32_t source;
    for (; reduction <= CONTRACT_XOR; reduction++) {
        if (strcmp(contract_reduction_name(reduction), name) == 0)
            break;
        text_guess_try(&guess, contract_reduction_name(reduction));
    }
    if (reduction > CONTRACT_XOR) {
        complain(use, argument(use, 0)->place,
                 arena_printf(arena, "`%s` is no reduction that Lanewise knows", name),
                 arena_printf(arena, "%s%s%ssum, product, min, max, and, or, xor",
                              guess.best != NULL ? "did you mean `" : "",
                              guess.best != NULL ? guess.best : "",
                              guess.best != NULL ? "`? " : ""));
        return;
    }
    if (!is_written(use) ||
        is_repeated(use, use->parameter->reduction != CONTRACT_REDUCES_NOTHING,
                    of_parameter(use)) ||
        !parse_array(use, 1, &source))
        return;
    bool of_bits = reduction >= CONTRACT_AND;
    if (of_bits && use->parameter->element_kind != CONTRACT_INTEGER) {
        complain(use, argument(use, 0)->place,
                 arena_printf(arena, "`%s` reduces integers, and `%s` is of type `%s`", name,
                              use->parameter->name, use->parameter->type),
                 NULL);
        return;
    }
    use->parameter->reduction = (uint8_t)reduction;
    use->parameter->reduces = source;
}

static void apply_may_alias(const struct use *use)
{
    for (uint32_t i = 0; i < use->annotation->arguments.count; i++) {
        uint32_t array;
        if (!parse_array(use, i, &array))
            continue;
        if (&use->contract->parameters.data[array] == use->parameter)
            complain(use, argument(use, i)->place,
                     arena_printf(use->reader->arena, "`%s` is this parameter itself",
                                  use->parameter->name),
                     NULL);
        else
            *vec_push(use->contract->arena, &use->parameter->may_alias) = array;
    }
}

/* ---- on kernels -------------------------------------------------------------------------------------------------- */

static void apply_requires(const struct use *use)
{
    for (uint32_t i = 0; i < use->annotation->arguments.count; i++) {
        const struct reader_argument *text = argument(use, i);
        struct contract_relation relation;
        uint32_t first = use->reader->diagnostics->items.count;
        if (contract_parse_relation(use->contract, text->text, text->size, text->place, &relation,
                                    use->reader->diagnostics))
            *vec_push(use->contract->arena, &use->contract->relations) = relation;
        place_new(use, first);
    }
}

static void apply_block(const struct use *use)
{
    struct contract_expression *block = use->contract->block;
    contract_integer value, threads = 1;
    if (is_repeated(use, contract_is_given(&block[0]), "") ||
        !parse_sizes(use, block, "the block's size", 1))
        return;
    for (uint32_t i = 0; i < use->annotation->arguments.count; i++) {
        if (!check_operands(use, &block[i], true))
            return;
        if (!contract_constant_value(use->contract, &block[i], &value))
            continue;
        /* Saturated: the product must not overflow. */
        if (threads <= CONTRACT_LIMIT_BLOCK_THREADS)
            threads *=
                value <= CONTRACT_LIMIT_BLOCK_THREADS ? value : CONTRACT_LIMIT_BLOCK_THREADS + 1;
        if (i == 2 && value > CONTRACT_LIMIT_BLOCK_Z)
            complain(use, block[i].place,
                     arena_printf(use->reader->arena,
                                  "block.z `%s` is more than the %d a device allows", block[i].text,
                                  CONTRACT_LIMIT_BLOCK_Z),
                     NULL);
    }
    if (threads > CONTRACT_LIMIT_BLOCK_THREADS)
        complain(use, block[0].place,
                 arena_printf(use->reader->arena,
                              "the block has more than the %d threads a device allows",
                              CONTRACT_LIMIT_BLOCK_THREADS),
                 NULL);
}

static void apply_one(const struct use *use, struct contract_expression *target, const char *what,
                      contract_integer least, bool block_too)
{
    if (!is_repeated(use, contract_is_given(target), "") && parse_sizes(use, target, what, least))
        check_operands(use, target, block_too);
}

static void apply_block_multiple(const struct use *use)
{
    apply_one(use, &use->contract->block_multiple, "the multiple", 1, true);
}

static void apply_block_max(const struct use *use)
{
    apply_one(use, &use->contract->block_max, "the number of threads", 1, true);
}

static void apply_shared_bytes(const struct use *use)
{
    struct contract_expression *bytes = &use->contract->shared_bytes;
    if (!is_repeated(use, contract_is_given(bytes), ""))
        parse_sizes(use, bytes, "the size", 0);
}

static void apply_domain(const struct use *use)
{
    struct contract_expression *domain = use->contract->domain;
    if (is_repeated(use, contract_is_given(&domain[0]), "") ||
        !parse_sizes(use, domain, "the size", 0))
        return;
    for (uint32_t i = 0; i < use->annotation->arguments.count; i++)
        if (!check_operands(use, &domain[i], false))
            return;
}

const char *reader_string(struct arena *arena, const struct reader_argument *text)
{
    const char *at = text->text, *end = text->text + text->size;
    struct buffer out;
    buffer_init(&out, arena);
    buffer_puts(&out, "");
    if (text->size < 2 || *at != '"')
        return NULL;
    for (at++; at < end && *at != '"'; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
        buffer_putc(&out, *at);
    }
    return at + 1 == end ? out.data : NULL;
}

static void apply_unchecked(const struct use *use)
{
    const char *reason = reader_string(use->reader->arena, argument(use, 0));
    if (reason == NULL || *reason == '\0')
        complain(use, argument(use, 0)->place, "LW_UNCHECKED_INDEXING takes its reason, in quotes",
                 "reports print it");
    else if (!is_repeated(use, use->contract->unchecked_reason != NULL, ""))
        use->contract->unchecked_reason = reason;
}

static void apply_for(const struct use *use)
{
    const char *name = reader_string(use->reader->arena, argument(use, 0));
    if (!use->reader->is_header)
        complain(use, use->annotation->place,
                 "LW_FOR stands on the prototypes of a contract header",
                 "this kernel's own name is known");
    else if (name == NULL || *name == '\0')
        complain(use, argument(use, 0)->place, "LW_FOR takes the PTX name of a kernel, in quotes",
                 NULL);
    else if (!is_repeated(use, use->contract->kernel != NULL, ""))
        use->contract->kernel = name;
}

static void apply_reference(const struct use *use)
{
    complain(use, use->annotation->place, "LW_REFERENCE stands on host functions",
             "its argument is the kernel");
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *macro;
    bool on_parameter;
    uint8_t least, most; /* arguments */
    void (*apply)(const struct use *use);
} macros[] = {
    {"LW_SHAPE", true, 1, 3, apply_rows},
    {"LW_PITCHED", true, 3, 3, apply_pitched},
    {"LW_VALUES", true, 2, 2, apply_values},
    {"LW_DISJOINT", true, 0, 0, apply_disjoint},
    {"LW_WRITES_ALL", true, 0, 0, apply_writes_all},
    {"LW_REDUCES", true, 2, 2, apply_reduces},
    {"LW_MAY_ALIAS", true, 1, ANY_NUMBER, apply_may_alias},
    {"LW_REQUIRES", false, 1, ANY_NUMBER, apply_requires},
    {"LW_BLOCK", false, 1, 3, apply_block},
    {"LW_BLOCK_MULTIPLE", false, 1, 1, apply_block_multiple},
    {"LW_BLOCK_MAX", false, 1, 1, apply_block_max},
    {"LW_DOMAIN", false, 1, 3, apply_domain},
    {"LW_SHARED_BYTES", false, 1, 1, apply_shared_bytes},
    {"LW_UNCHECKED_INDEXING", false, 1, 1, apply_unchecked},
    {"LW_FOR", false, 1, 1, apply_for},
    {"LW_REFERENCE", false, 1, 1, apply_reference},
};

static bool is_well_placed(const struct use *use, bool on_parameter)
{
    const char *macro = use->annotation->macro;
    struct arena *arena = use->reader->arena;
    if (on_parameter && use->parameter == NULL)
        complain(use, use->annotation->place,
                 arena_printf(arena,
                              "%s stands behind the name of a pointer parameter, not on the kernel",
                              macro),
                 NULL);
    else if (!on_parameter && use->parameter != NULL)
        complain(use, use->annotation->place,
                 arena_printf(arena, "%s stands before the kernel, not behind a parameter", macro),
                 NULL);
    else if (on_parameter && use->parameter->kind != CONTRACT_POINTER &&
             strcmp(use->annotation->spelling, READER_BOUNDS) == 0)
        return false; /* clang has said what is wrong with the bounds */
    else if (on_parameter && use->parameter->kind != CONTRACT_POINTER)
        complain(use, use->annotation->place,
                 arena_printf(arena, "%s is for pointers, and `%s` is of type `%s`", macro,
                              use->parameter->name, use->parameter->type),
                 NULL);
    else
        return true;
    return false;
}

static bool has_right_count(const struct use *use, unsigned least, unsigned most)
{
    const char *macro = use->annotation->macro;
    struct arena *arena = use->reader->arena;
    uint32_t count = use->annotation->is_list_empty ? 0 : use->annotation->arguments.count;
    if (count >= least && count <= most)
        return true;
    const char *wanted = least == most        ? arena_printf(arena, "%u", least)
                         : most == ANY_NUMBER ? arena_printf(arena, "at least %u", least)
                                              : arena_printf(arena, "%u to %u", least, most);
    complain(use, use->annotation->place,
             count == 0
                 ? arena_printf(arena, "%s has an empty list", macro)
                 : arena_printf(arena, "%s has %u argument%s", macro, count, count == 1 ? "" : "s"),
             arena_printf(arena, "it takes %s", wanted));
    return false;
}

void reader_apply(struct reader *reader, struct contract *contract,
                  const reader_annotations *annotations)
{
    for (uint32_t i = 0; i < annotations->count; i++) {
        const struct reader_annotation *annotation = &annotations->data[i];
        struct use use = {reader, contract, annotation, NULL};
        if (annotation->parameter != CONTRACT_NONE)
            use.parameter = &contract->parameters.data[annotation->parameter];
        contract->has_annotations = true;
        const char *point = use.parameter != NULL ? strrchr(use.parameter->name, '.') : NULL;
        contract->scope = point == NULL ? NULL
                                        : arena_text(reader->arena, use.parameter->name,
                                                     (size_t)(point + 1 - use.parameter->name));
        if (use.parameter != NULL && use.parameter->kind != CONTRACT_POINTER && use.parameter->name != NULL) {
            uint32_t field = contract_only_array(contract, use.parameter->name);
            if (field != CONTRACT_NONE)
                use.parameter = &contract->parameters.data[field];
        }
        for (unsigned m = 0; m < COUNT_OF(macros); m++)
            if (strcmp(macros[m].macro, annotation->macro) == 0 &&
                is_well_placed(&use, macros[m].on_parameter) &&
                has_right_count(&use, macros[m].least, macros[m].most))
                macros[m].apply(&use);
    }
    contract->scope = NULL;
}
