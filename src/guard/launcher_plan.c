/* SPDX-License-Identifier: Apache-2.0
 *
 * What the launchers of a module look like: names that are words of C and differ, and a way to pass each parameter.  A struct parameter
 * is passed field by field when its fields cover it, else as bytes.  A kernel of which only the PTX is known gets a contract that says
 * nothing but how wide its parameters are.
 */
#include "guard/launcher.h"

#include <ctype.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------------------------------------- */

static bool is_taken_word(const char *word)
{
    static const char *const words[] = {
        "auto", "bool", "break", "case", "char", "class", "const", "continue", "default", "delete", "do", "double", "else", "enum", "error",
        "extern", "float", "for", "goto", "if", "inline", "int", "long", "module", "namespace", "new", "operator", "prepared", "private",
        "public", "register", "request", "arguments", "restrict", "return", "short", "signed", "sizeof", "static", "stream", "struct", "switch",
        "template", "this", "throw", "try", "typedef", "union", "unsigned", "using", "virtual", "void", "volatile", "while", "grid", "block",
        "shared_bytes", "true", "false", "NULL",
    };
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

static const char *word_of(struct arena *arena, const char *text, const char *otherwise)
{
    char *word = arena_string(arena, text != NULL && *text != '\0' ? text : otherwise);
    for (char *at = word; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    size_t size = strlen(word);
    while (size > 1 && word[size - 1] == '_')
        word[--size] = '\0';
    return isdigit((unsigned char)word[0]) ? arena_printf(arena, "_%s", word) : word;
}

static const char *argument_word(struct arena *arena, const struct launcher_kernel *kernel, uint32_t index, const char *text)
{
    const char *plain = word_of(arena, text, "parameter"), *word = plain;
    if (is_taken_word(word))
        word = arena_printf(arena, "%s_", plain);
    for (uint32_t number = 2, i = 0; i < index; i++)
        if (kernel->arguments[i].name != NULL && strcmp(kernel->arguments[i].name, word) == 0) {
            word = arena_printf(arena, "%s_%u", plain, number++);
            i = UINT32_MAX; /* once more from the start */
        }
    return word;
}

static const char *kernel_word(const struct launcher *launcher, uint32_t index)
{
    const char *shown = launcher->module->kernels.data[index].shown, *plain = word_of(launcher->arena, shown, "kernel"), *word = plain;
    for (uint32_t number = 2, i = 0; i < index; i++)
        if (strcmp(launcher->kernels[i].word, word) == 0) {
            word = arena_printf(launcher->arena, "%s_%u", plain, number++);
            i = UINT32_MAX;
        }
    return word;
}

/* ---- types ------------------------------------------------------------------------------------------------------------------- */

static const char *slice_type(const struct contract_parameter *parameter)
{
    static const struct {
        uint8_t kind, bits;
        bool is_signed;
        const char *type;
    } types[] = {
        {CONTRACT_INTEGER, 8, true, "struct lw_slice_i8"},   {CONTRACT_INTEGER, 16, true, "struct lw_slice_i16"},
        {CONTRACT_INTEGER, 32, true, "struct lw_slice_i32"}, {CONTRACT_INTEGER, 64, true, "struct lw_slice_i64"},
        {CONTRACT_INTEGER, 8, false, "struct lw_slice_u8"},  {CONTRACT_INTEGER, 16, false, "struct lw_slice_u16"},
        {CONTRACT_INTEGER, 32, false, "struct lw_slice_u32"}, {CONTRACT_INTEGER, 64, false, "struct lw_slice_u64"},
        {CONTRACT_FLOAT, 32, true, "struct lw_slice_f32"},   {CONTRACT_FLOAT, 64, true, "struct lw_slice_f64"},
    };
    for (unsigned i = 0; i < COUNT_OF(types); i++)
        if (types[i].kind == parameter->element_kind && types[i].bits == parameter->element_bits &&
            parameter->element_size * 8 == parameter->element_bits &&
            (types[i].kind == CONTRACT_FLOAT || types[i].is_signed == parameter->element_is_signed))
            return types[i].type;
    return "struct lw_slice_any";
}

static const char *scalar_type(const struct contract_parameter *parameter)
{
    static const char *const types[2][4] = {{"uint8_t", "uint16_t", "uint32_t", "uint64_t"}, {"int8_t", "int16_t", "int32_t", "int64_t"}};
    unsigned width = parameter->size == 1 ? 0 : parameter->size == 2 ? 1 : parameter->size == 4 ? 2 : 3;
    if (parameter->kind == CONTRACT_FLOAT && parameter->size >= 4)
        return parameter->size == 4 ? "float" : "double";
    return types[parameter->kind == CONTRACT_INTEGER && parameter->is_signed][width];
}

/* ---- structs ------------------------------------------------------------------------------------------------------------------- */

static bool is_inside(const struct contract *contract, uint32_t index, uint32_t field)
{
    const struct contract_parameter *whole = &contract->parameters.data[index], *inner = &contract->parameters.data[field];
    return inner->position == whole->position && inner->offset >= whole->offset && inner->offset + inner->size <= whole->offset + whole->size;
}

/* True if nothing of a struct parameter is left out: fields follow each other with no more between than alignment explains. */
static bool is_covered(const struct contract *contract, uint32_t index)
{
    const struct contract_parameter *whole = &contract->parameters.data[index];
    uint32_t end = whole->offset, widest = 1, fields = 0;
    for (uint32_t i = index + 1; i < contract->parameters.count && is_inside(contract, index, i); i++) {
        const struct contract_parameter *field = &contract->parameters.data[i];
        uint32_t align = field->size == 0 ? 1 : field->size;
        bool has_fields = i + 1 < contract->parameters.count && field->kind == CONTRACT_OTHER && is_inside(contract, i, i + 1);
        if (has_fields)
            continue; /* a struct inside: its fields come next */
        if (field->kind == CONTRACT_OTHER || field->offset != (end + align - 1) / align * align)
            return false;
        end = field->offset + field->size;
        widest = align > widest ? align : widest;
        fields++;
    }
    return fields != 0 && (end + widest - 1) / widest * widest == whole->offset + whole->size;
}

/* A slice or view of lanewise/slices.h: a pointer, and behind it 64 bits that are its shape.  It is passed whole. */
static bool is_slice(const struct contract *contract, uint32_t index)
{
    const struct contract_parameter *whole = &contract->parameters.data[index], *pointer = whole + 1, *length = whole + 2;
    if (whole->kind != CONTRACT_OTHER || whole->size != 16 || index + 2 >= contract->parameters.count || !is_inside(contract, index, index + 2) ||
        (index + 3 < contract->parameters.count && is_inside(contract, index, index + 3)))
        return false;
    if (pointer->kind != CONTRACT_POINTER || pointer->offset != 0 || pointer->shape_kind != CONTRACT_SHAPE_ROWS || pointer->dimensions != 1 ||
        !contract_is_given(&pointer->shape[0]) ||
        length->kind != CONTRACT_INTEGER || length->offset != 8 || length->size != 8)
        return false;
    const struct contract_node *shape = &contract->nodes.data[pointer->shape[0].root];
    return shape->kind == CONTRACT_SCALAR && shape->operand == index + 2;
}

static void plan_slice(struct launcher *launcher, struct launcher_kernel *kernel, uint32_t index)
{
    const struct contract_parameter *parameters = kernel->contract->parameters.data;
    struct launcher_argument *arguments = kernel->arguments;
    const char *name = argument_word(launcher->arena, kernel, index, parameters[index].name);
    arguments[index] = (struct launcher_argument){.passing = PASSED_NOT, .whole = CONTRACT_NONE};
    arguments[index + 1] =
        (struct launcher_argument){.passing = PASSED_SLICE, .name = name, .type = slice_type(&parameters[index + 1]), .whole = CONTRACT_NONE};
    arguments[index + 2] = (struct launcher_argument){.passing = PASSED_BESIDE, .name = name, .whole = CONTRACT_NONE};
}

static void plan_argument(struct launcher *launcher, struct launcher_kernel *kernel, uint32_t index, uint32_t whole)
{
    const struct contract_parameter *parameter = &kernel->contract->parameters.data[index];
    struct launcher_argument *argument = &kernel->arguments[index];
    struct arena *arena = launcher->arena;
    argument->whole = whole;
    argument->passing = PASSED_NOT;
    if (whole != CONTRACT_NONE) {
        if (parameter->kind != CONTRACT_POINTER)
            return;
        argument->passing = PASSED_LENGTH;
        argument->type = "uint64_t";
        argument->name = argument_word(arena, kernel, index, arena_printf(arena, "%s_length", parameter->name));
        return;
    }
    if (parameter->kind == CONTRACT_OTHER || ((parameter->kind == CONTRACT_FLOAT || parameter->kind == CONTRACT_INTEGER) && parameter->size > 8)) {
        if (parameter->kind == CONTRACT_OTHER && is_covered(kernel->contract, index))
            return;
        argument->passing = PASSED_BYTES;
        argument->type = "const void *";
    } else if (parameter->kind == CONTRACT_POINTER) {
        argument->passing = PASSED_SLICE;
        argument->type = slice_type(parameter);
    } else {
        argument->passing = PASSED_SCALAR;
        argument->type = scalar_type(parameter);
    }
    argument->name = argument_word(arena, kernel, index, parameter->name);
}

static void plan_arguments(struct launcher *launcher, struct launcher_kernel *kernel)
{
    uint32_t count = kernel->contract->parameters.count, bytes = CONTRACT_NONE;
    kernel->arguments = ARENA_ARRAY(launcher->arena, struct launcher_argument, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (bytes != CONTRACT_NONE && !is_inside(kernel->contract, bytes, i))
            bytes = CONTRACT_NONE;
        if (bytes == CONTRACT_NONE && is_slice(kernel->contract, i)) {
            plan_slice(launcher, kernel, i);
            i += 2;
            continue;
        }
        plan_argument(launcher, kernel, i, bytes);
        if (kernel->arguments[i].passing == PASSED_BYTES)
            bytes = i;
    }
}

/* ---- kernels -------------------------------------------------------------------------------------------------------------------- */

/* Nothing is known but the PTX: 8 bytes of an integer may be a pointer, which the caller knows. */
static const struct contract *plain_contract(struct launcher *launcher, const struct guard_kernel *kernel)
{
    const struct ptx_module *ptx = launcher->module->original;
    const struct ptx_function *function = &ptx->functions.data[kernel->function];
    struct contract *contract = contract_new(launcher->arena);
    contract->kernel = kernel->name;
    contract->kernel_shown = kernel->shown;
    for (uint32_t p = 0; p < function->parameters.count; p++) {
        const struct ptx_variable *variable = &ptx->variables.data[function->parameters.data[p]];
        bool is_float = variable->type == PTX_F32 || variable->type == PTX_F64, is_plain = !variable->is_array && variable->vector <= 1;
        struct contract_parameter *parameter =
            contract_add_parameter(contract, arena_printf(launcher->arena, "parameter_%u", p + 1),
                                   !is_plain || variable->size > 8 ? CONTRACT_OTHER : is_float ? CONTRACT_FLOAT : CONTRACT_INTEGER);
        parameter->position = p;
        parameter->size = (uint32_t)variable->size;
        parameter->bits = (uint8_t)(variable->size <= 8 ? 8 * variable->size : 0);
        parameter->is_signed = ptx_type_is_signed((enum ptx_type)variable->type);
    }
    return contract;
}

static bool is_word(char c)
{
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool names(const struct ptx_module *ptx, const struct ptx_function *function, const char *name)
{
    const char *text = ptx->text + function->text_offset, *end = text + function->text_size;
    size_t size = strlen(name);
    for (const char *at = text; (size_t)(end - at) >= size; at++)
        if (memcmp(at, name, size) == 0 && (at == text || !is_word(at[-1])) && (at + size == end || !is_word(at[size])))
            return true;
    return false;
}

/* Whether the kernel, or a function that it may call, names shared memory without a size. */
static bool has_dynamic_shared(const struct ptx_module *ptx, uint32_t kernel)
{
    for (uint32_t v = 0; v < ptx->variables.count; v++) {
        const struct ptx_variable *variable = &ptx->variables.data[v];
        if (variable->space != PTX_SPACE_SHARED || variable->size != 0)
            continue;
        for (uint32_t f = 0; f < ptx->functions.count; f++)
            if ((f == kernel || !ptx->functions.data[f].is_entry) && names(ptx, &ptx->functions.data[f], variable->name))
                return true;
    }
    return false;
}

void launcher_plan(struct launcher *launcher, struct arena *arena, const struct guard_module *module)
{
    *launcher = (struct launcher){.arena = arena, .module = module, .word = word_of(arena, module->name, "module")};
    launcher->kernels = ARENA_ARRAY(arena, struct launcher_kernel, module->kernels.count + 1);
    for (uint32_t k = 0; k < module->kernels.count; k++) {
        struct launcher_kernel *kernel = &launcher->kernels[k];
        kernel->kernel = &module->kernels.data[k];
        kernel->word = kernel_word(launcher, k);
        kernel->contract = kernel->kernel->contract != NULL ? kernel->kernel->contract : plain_contract(launcher, kernel->kernel);
        kernel->takes_block = !contract_is_given(&kernel->contract->block[0]);
        kernel->takes_grid = !contract_is_given(&kernel->contract->domain[0]);
        kernel->takes_shared = !contract_is_given(&kernel->contract->shared_bytes) &&
                               has_dynamic_shared(module->original, kernel->kernel->function);
        plan_arguments(launcher, kernel);
    }
}
