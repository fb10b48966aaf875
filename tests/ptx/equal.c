/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparison of modules field by field.
 */
#include "equal.h"

#include <string.h>

struct compare {
    struct arena *arena;
    const struct ptx_module *a, *b;
    const char *where; /* for messages */
    const char *difference;
};

static bool differ(struct compare *compare, const char *what)
{
    if (compare->difference == NULL)
        compare->difference = arena_printf(compare->arena, "%s: %s", compare->where, what);
    return false;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

#define SAME(member)                                                                               \
    if (a->member != b->member)                                                                    \
    return differ(compare, #member)
#define SAME_TEXT(member)                                                                          \
    if (!same_text(a->member, b->member))                                                          \
    return differ(compare, #member)

static bool same_operand(struct compare *compare, const struct ptx_operand *a,
                         const struct ptx_operand *b)
{
    SAME(kind);
    SAME(component);
    SAME(negated);
    SAME(is_double);
    SAME(special);
    SAME(bracketed);
    SAME(id);
    SAME(variable);
    SAME(callee);
    SAME(count);
    SAME(pair);
    SAME(value);
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_operand(compare, &a->elements[i], &b->elements[i]))
            return false;
    return true;
}

static bool same_location(struct compare *compare, uint32_t first, uint32_t second)
{
    const struct ptx_location *a = &compare->a->locations.data[first];
    const struct ptx_location *b = &compare->b->locations.data[second];
    SAME(file);
    SAME(line);
    SAME(column);
    SAME_TEXT(function);
    if ((a->inlined_at == 0) != (b->inlined_at == 0))
        return differ(compare, "inlined_at");
    return a->inlined_at == 0 || same_location(compare, a->inlined_at, b->inlined_at);
}

static bool same_instruction(struct compare *compare, const struct ptx_instruction *a,
                             const struct ptx_instruction *b)
{
    SAME(op);
    SAME(mod_count);
    SAME(operand_count);
    if (memcmp(a->mods, b->mods, sizeof a->mods) != 0)
        return differ(compare, "mods");
    size_t from = offsetof(struct ptx_instruction, type),
           to = offsetof(struct ptx_instruction, location);
    if (memcmp((const char *)a + from, (const char *)b + from, to - from) != 0)
        return differ(compare, "a sorted modifier, or the guard");
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!same_operand(compare, &a->operands[i], &b->operands[i]))
            return false;
    return same_location(compare, a->location, b->location);
}

static bool same_function(struct compare *compare, const struct ptx_function *a,
                          const struct ptx_function *b)
{
    compare->where = a->name;
    SAME_TEXT(name);
    SAME(is_entry);
    SAME(linkage);
    SAME(has_body);
    SAME(no_return);
    SAME(min_blocks);
    SAME(alias_of);
    SAME(parameters.count);
    SAME(returns.count);
    SAME(variables.count);
    SAME(registers.count);
    SAME(labels.count);
    SAME(instructions.count);
    SAME(prototypes.count);
    for (int i = 0; i < 3; i++) {
        SAME(max_threads[i]);
        SAME(required_threads[i]);
    }
    for (uint32_t i = 0; i < a->registers.count; i++) {
        SAME_TEXT(registers.data[i].name);
        SAME(registers.data[i].type);
    }
    for (uint32_t i = 0; i < a->labels.count; i++) {
        SAME_TEXT(labels.data[i].name);
        SAME(labels.data[i].target);
    }
    for (uint32_t i = 0; i < a->parameters.count; i++)
        SAME(parameters.data[i]);
    for (uint32_t i = 0; i < a->returns.count; i++)
        SAME(returns.data[i]);
    for (uint32_t i = 0; i < a->variables.count; i++)
        SAME(variables.data[i]);
    for (uint32_t i = 0; i < a->instructions.count; i++) {
        const struct ptx_instruction *left = &a->instructions.data[i];
        compare->where = arena_printf(compare->arena, "%s, line %u", a->name, left->line);
        if (!same_instruction(compare, left, &b->instructions.data[i]))
            return false;
    }
    return same_location(compare, a->location, b->location);
}

static bool same_variable(struct compare *compare, const struct ptx_variable *a,
                          const struct ptx_variable *b)
{
    compare->where = a->name;
    SAME_TEXT(name);
    SAME(space);
    SAME(type);
    SAME(linkage);
    SAME(is_array);
    SAME(vector);
    SAME(unsized);
    SAME(is_parameter);
    SAME(is_return);
    SAME(is_managed);
    SAME_TEXT(attributes);
    SAME(register_id);
    SAME(align);
    SAME(function);
    SAME(size);
    SAME(pointer_space);
    SAME(is_pointer);
    SAME(pointer_align);
    SAME(relocations.count);
    if ((a->data == NULL) != (b->data == NULL) ||
        (a->data != NULL && memcmp(a->data, b->data, a->size) != 0))
        return differ(compare, "data");
    for (uint32_t i = 0; i < a->relocations.count; i++) {
        SAME(relocations.data[i].offset);
        SAME(relocations.data[i].size);
        SAME(relocations.data[i].addend);
        SAME(relocations.data[i].generic);
        SAME(relocations.data[i].shift);
        SAME_TEXT(relocations.data[i].symbol);
    }
    return true;
}

static bool same_module(struct compare *compare, const struct ptx_module *a,
                        const struct ptx_module *b)
{
    SAME(version_major);
    SAME(version_minor);
    SAME_TEXT(target);
    SAME_TEXT(target_options);
    SAME(target_sm);
    SAME(address_size);
    SAME(functions.count);
    SAME(variables.count);
    SAME(files.count);
    SAME(opaque_count);
    SAME(instruction_count);
    for (uint32_t i = 0; i < a->files.count; i++) {
        SAME(files.data[i].number);
        SAME_TEXT(files.data[i].path);
    }
    for (uint32_t i = 0; i < a->variables.count; i++)
        if (!same_variable(compare, &a->variables.data[i], &b->variables.data[i]))
            return false;
    for (uint32_t i = 0; i < a->functions.count; i++)
        if (!same_function(compare, &a->functions.data[i], &b->functions.data[i]))
            return false;
    return true;
}

const char *modules_differ(struct arena *arena, const struct ptx_module *a,
                           const struct ptx_module *b)
{
    struct compare compare = {.arena = arena, .a = a, .b = b, .where = "module"};
    same_module(&compare, a, b);
    return compare.difference;
}

const char *roundtrip_fails(struct arena *arena, const struct ptx_module *module)
{
    struct buffer first, second;
    struct diagnostic_list diagnostics;
    buffer_init(&first, arena);
    buffer_init(&second, arena);
    diagnostic_list_init(&diagnostics, arena);
    ptx_print_module(module, &first);
    struct ptx_module *again = ptx_parse(arena, "printed", first.data, first.size, &diagnostics);
    if (diagnostics.items.count != 0) {
        const struct diagnostic *diagnostic = &diagnostics.items.data[0];
        return arena_printf(arena, "printed text does not parse: line %u: %s",
                            diagnostic->place.line, diagnostic->message);
    }
    const char *difference = modules_differ(arena, module, again);
    if (difference != NULL)
        return difference;
    ptx_print_module(again, &second);
    if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0)
        return "the second print differs from the first";
    return NULL;
}
