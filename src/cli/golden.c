/* SPDX-License-Identifier: Apache-2.0
 *
 * --input and --golden of `lanewise test`: what arrays hold before a launch and must hold after it, as .npy files.
 *
 * Sizes follow from the shapes of the files where a shape of the contract is the name of a scalar; the others are fixed by
 * --launch 'NAME=VALUE'.  Everything is checked before anything runs.
 */
#include "cli/test.h"

#include <stdlib.h>
#include <string.h>

/* ---- the options ------------------------------------------------------------------------------------------------ */

static struct golden_array *find_array(struct golden *golden, const char *name)
{
    for (uint32_t a = 0; a < golden->arrays.count; a++)
        if (strcmp(golden->arrays.data[a].name, name) == 0)
            return &golden->arrays.data[a];
    return NULL;
}

static bool read_option(struct cli *cli, struct golden *golden, const char *option, const struct named_file *named, bool is_after)
{
    const char *trouble;
    if (named->file == NULL) {
        cli_complain(cli, arena_printf(cli->arena, "--%s x=x.npy", option), "--%s names an array and a file", option);
        return false;
    }
    if (strpbrk(named->file, " \t;'") != NULL) {
        cli_complain(cli, NULL, "`%s` cannot stand in a launch: a name without blanks, `;` and `'` is needed", named->file);
        return false;
    }
    struct golden_array *array = find_array(golden, named->name);
    if (array == NULL) {
        array = vec_push(cli->arena, &golden->arrays);
        *array = (struct golden_array){.name = named->name};
    }
    struct npy_file **file = is_after ? &array->after : &array->before;
    if (*file != NULL) {
        cli_complain(cli, NULL, "--%s %s is given twice", option, named->name);
        return false;
    }
    *file = ARENA_NEW(cli->arena, struct npy_file);
    trouble = npy_read(cli->arena, named->file, *file);
    if (trouble != NULL)
        cli_complain(cli, NULL, "`%s` %s", named->file, trouble);
    return trouble == NULL;
}

static uint64_t add_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

bool golden_begin(struct cli *cli, struct golden *golden)
{
    const struct cli_options *options = &cli->options;
    uint64_t hash = 0xcbf29ce484222325u;
    bool good = true;
    memset(golden, 0, sizeof *golden);
    for (uint32_t i = 0; i < options->inputs.count && good; i++)
        good = read_option(cli, golden, "input", &options->inputs.data[i], false);
    for (uint32_t i = 0; i < options->goldens.count && good; i++)
        good = read_option(cli, golden, "golden", &options->goldens.data[i], true);
    if (good && golden->arrays.count != 0 && options->goldens.count == 0) {
        cli_complain(cli, "name what the kernel must leave: --golden y=y.npy", "--input without --golden");
        good = false;
    }
    if (good && golden->arrays.count != 0 && options->sizes != NULL) {
        cli_complain(cli, NULL, "golden data have their own sizes: --sizes cannot stand beside them");
        good = false;
    }
    for (uint32_t a = 0; a < golden->arrays.count && good; a++) {
        const struct npy_file *files[] = {golden->arrays.data[a].before, golden->arrays.data[a].after};
        for (unsigned f = 0; f < 2; f++)
            if (files[f] != NULL) {
                hash = add_hash(hash, files[f]->path, strlen(files[f]->path) + 1);
                hash = add_hash(hash, files[f]->data, files[f]->count * value_type_info(files[f]->type)->size);
            }
    }
    golden->key = golden->arrays.count == 0 ? "" : arena_printf(cli->arena, "%016llx", (unsigned long long)hash);
    return good;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

struct binding {
    struct cli *cli;
    const struct golden *golden;
    const struct contract *contract;
    struct launch *given;
    struct contract_values values;
    struct bitset known; /* parameters that have a number */
    struct place place;
    struct diagnostic_list *diagnostics;
};

static const struct launch_text *given_text(const struct launch *given, const char *name)
{
    for (uint32_t i = 0; i < given->arguments.count; i++)
        if (given->arguments.data[i].kind == ARGUMENT_SCALAR && strcmp(given->arguments.data[i].name, name) == 0)
            return &given->arguments.data[i].value;
    return NULL;
}

static void fix_scalar(struct binding *binding, uint32_t parameter, uint64_t value)
{
    struct arena *arena = binding->cli->arena;
    const char *name = binding->contract->parameters.data[parameter].name;
    char *text = arena_printf(arena, "%llu", (unsigned long long)value);
    struct launch_argument *argument = vec_push(arena, &binding->given->arguments);
    *argument = (struct launch_argument){.kind = ARGUMENT_SCALAR, .name = name, .value = {text, (uint32_t)strlen(text), binding->place}};
    binding->values.scalars[parameter] = (contract_integer)value;
    bitset_add(&binding->known, parameter);
}

/* The element of the contract in parts of the file: float4 is four f32. */
static unsigned parts_of(const struct contract_parameter *parameter, const struct npy_file *file)
{
    unsigned width = value_type_info(file->type)->size;
    return parameter->element_size > width && parameter->element_size % width == 0 ? parameter->element_size / width : 1;
}

/* How many sizes of the file are dimensions of the contract: all, or all but the last, which is the parts of a vector; 0: it is flat. */
static unsigned shared_dimensions(const struct contract_parameter *parameter, const struct npy_file *file)
{
    unsigned parts = parts_of(parameter, file);
    if (parameter->shape_kind != CONTRACT_SHAPE_ROWS)
        return 0;
    if (parts > 1)
        return file->dimensions == parameter->dimensions + 1u && file->shape[file->dimensions - 1] == parts ? parameter->dimensions : 0;
    return file->dimensions == parameter->dimensions ? parameter->dimensions : 0;
}

static void deduce_sizes(struct binding *binding, const struct contract_parameter *parameter, const struct npy_file *file)
{
    const struct contract *contract = binding->contract;
    for (unsigned d = 0; file != NULL && d < shared_dimensions(parameter, file); d++) {
        const struct contract_node *node = &contract->nodes.data[parameter->shape[d].root];
        if (node->kind == CONTRACT_SCALAR && !bitset_has(&binding->known, node->operand))
            fix_scalar(binding, node->operand, file->shape[d]);
    }
}

static void read_given(struct binding *binding)
{
    for (uint32_t p = 0; p < binding->contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &binding->contract->parameters.data[p];
        const struct launch_text *text = parameter->name == NULL ? NULL : given_text(binding->given, parameter->name);
        if (text == NULL)
            continue;
        const char *number = arena_text(binding->cli->arena, text->text, text->size);
        binding->values.scalars[p] =
            number[0] == '-' ? (contract_integer)strtoll(number, NULL, 0) : (contract_integer)strtoull(number, NULL, 0);
        bitset_add(&binding->known, p);
    }
}

/* ---- whether it fits ------------------------------------------------------------------------------------------------ */

static bool is_evaluable(const struct binding *binding, const struct contract_expression *expression)
{
    struct bitset used;
    bitset_init(&used, binding->cli->arena, binding->contract->parameters.count + 1);
    if (contract_collect_scalars(binding->contract, expression, &used))
        return false; /* of lengths, block or grid, too */
    for (uint32_t p = 0; p < binding->contract->parameters.count; p++)
        if (bitset_has(&used, p) && !bitset_has(&binding->known, p))
            return false;
    return true;
}

static bool check_type(struct binding *binding, const struct contract_parameter *parameter, const struct npy_file *file)
{
    const struct value_type_info *info = value_type_info(file->type);
    bool is_number = parameter->element_kind == CONTRACT_INTEGER || parameter->element_kind == CONTRACT_FLOAT;
    bool fits = is_number ? info->size * 8 == parameter->element_bits && info->is_float == (parameter->element_kind == CONTRACT_FLOAT) &&
                                (info->is_float || info->size == 1 || info->is_signed == parameter->element_is_signed)
                          : parameter->element_size % info->size == 0;
    if (!fits)
        diagnostic_add(binding->diagnostics, SEVERITY_ERROR, parameter->place, "`%s` holds %s, `%s` is `%s`", file->path, info->name,
                       parameter->name, parameter->type != NULL ? parameter->type : "another type");
    return fits;
}

static bool check_shape(struct binding *binding, const struct contract_parameter *parameter, const struct npy_file *file)
{
    struct arena *arena = binding->cli->arena;
    uint32_t index = (uint32_t)(parameter - binding->contract->parameters.data);
    unsigned shared = shared_dimensions(parameter, file), parts = parts_of(parameter, file);
    contract_integer wanted;
    char text[48];
    for (unsigned d = 0; d < shared; d++) {
        if (!is_evaluable(binding, &parameter->shape[d]) ||
            contract_evaluate_expression(binding->contract, &parameter->shape[d], &binding->values, &wanted) != CONTRACT_FINE ||
            wanted == (contract_integer)file->shape[d])
            continue;
        diagnostic_add(binding->diagnostics, SEVERITY_ERROR, parameter->shape_place, "`%s` has shape %s, but `%s` of `%s` is %s", file->path,
                       npy_shape_text(arena, file), contract_render(binding->contract, parameter->shape[d].root), parameter->name,
                       contract_format(wanted, text));
        return false;
    }
    for (unsigned d = 0; d < parameter->dimensions; d++)
        if (!is_evaluable(binding, &parameter->shape[d]))
            return true; /* the launch will tell */
    bool is_flat = shared == 0 && file->dimensions > 1 && parameter->shape_kind == CONTRACT_SHAPE_ROWS;
    if (contract_extent(binding->contract, index, &binding->values, &wanted) &&
        (is_flat || wanted * parts != (contract_integer)file->count)) {
        diagnostic_add(binding->diagnostics, SEVERITY_ERROR, parameter->shape_place, "`%s` has shape %s, `%s` has %s element%s%s", file->path,
                       npy_shape_text(arena, file), parameter->name, contract_format(wanted * parts, text), wanted * parts == 1 ? "" : "s",
                       is_flat ? " in another shape" : "");
        return false;
    }
    return true;
}

/* Numbers that neither files nor the command line fix. */
static bool check_scalars(struct binding *binding)
{
    const struct contract *contract = binding->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        bool is_number = parameter->kind == CONTRACT_INTEGER || parameter->kind == CONTRACT_FLOAT;
        if (!is_number || parameter->name == NULL || strchr(parameter->name, '.') != NULL || bitset_has(&binding->known, p))
            continue;
        diagnostic_add(binding->diagnostics, SEVERITY_ERROR, parameter->place, "golden data: `%s` is not given", parameter->name);
        diagnostic_help(binding->diagnostics, "fix it: --launch '%s=...'", parameter->name);
        return false;
    }
    return true;
}

/* What the kernel reads and the files do not give. */
static bool check_inputs(struct binding *binding, const struct tail_use *uses)
{
    const struct contract *contract = binding->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        const struct golden_array *array =
            parameter->name == NULL ? NULL : find_array((struct golden *)binding->golden, parameter->name);
        bool is_input = parameter->kind == CONTRACT_POINTER && uses[p].is_read && (!uses[p].is_written || array != NULL);
        if (!is_input || (array != NULL && array->before != NULL))
            continue;
        diagnostic_add(binding->diagnostics, SEVERITY_ERROR, parameter->place, "golden data: the kernel reads `%s`, its contents are not given",
                       parameter->name == NULL ? "an array" : parameter->name);
        diagnostic_help(binding->diagnostics, "name them: --input %s=FILE.npy", parameter->name == NULL ? "NAME" : parameter->name);
        return false;
    }
    return true;
}

static bool check_names(struct binding *binding, const struct tail_use *uses)
{
    const struct contract *contract = binding->contract;
    for (uint32_t a = 0; a < binding->golden->arrays.count; a++) {
        const struct golden_array *array = &binding->golden->arrays.data[a];
        uint32_t p = contract_find_parameter(contract, array->name);
        if (p == CONTRACT_NONE || contract->parameters.data[p].kind != CONTRACT_POINTER) {
            struct text_guess guess = text_guess_begin(array->name);
            for (uint32_t i = 0; i < contract->parameters.count; i++)
                if (contract->parameters.data[i].kind == CONTRACT_POINTER && contract->parameters.data[i].name != NULL)
                    text_guess_try(&guess, contract->parameters.data[i].name);
            diagnostic_add(binding->diagnostics, SEVERITY_ERROR, binding->place, "`%s` has no array `%s`", contract->kernel_shown, array->name);
            if (guess.best != NULL)
                diagnostic_help(binding->diagnostics, "did you mean `%s`?", guess.best);
            else
                diagnostic_help(binding->diagnostics, "--kernel NAME chooses the kernel that golden data are of");
            return false;
        }
        if (array->after != NULL && (contract->parameters.data[p].is_const || !uses[p].is_written)) {
            diagnostic_add(binding->diagnostics, SEVERITY_ERROR, contract->parameters.data[p].place,
                           "the kernel does not write `%s`: its contents are --input", array->name);
            return false;
        }
    }
    return true;
}

bool golden_bind(struct cli *cli, const struct golden *golden, const struct contract *contract, const struct tail_use *uses,
                 struct place place, struct tail_options *options, struct diagnostic_list *diagnostics)
{
    struct launch *given = ARENA_NEW(cli->arena, struct launch);
    struct binding binding = {.cli = cli, .golden = golden, .contract = contract, .given = given, .place = place,
                              .values = witness_values_new(cli->arena, contract), .diagnostics = diagnostics};
    if (options->given != NULL) {
        given->tolerance = options->given->tolerance;
        for (uint32_t i = 0; i < options->given->arguments.count; i++)
            *vec_push(cli->arena, &given->arguments) = options->given->arguments.data[i];
    }
    bitset_init(&binding.known, cli->arena, contract->parameters.count + 1);
    if (!check_names(&binding, uses))
        return false;
    read_given(&binding);
    struct tail_data *data = ARENA_ARRAY(cli->arena, struct tail_data, golden->arrays.count);
    for (uint32_t a = 0; a < golden->arrays.count; a++) {
        const struct golden_array *array = &golden->arrays.data[a];
        const struct contract_parameter *parameter = &contract->parameters.data[contract_find_parameter(contract, array->name)];
        deduce_sizes(&binding, parameter, array->before);
        deduce_sizes(&binding, parameter, array->after);
        data[a] = (struct tail_data){array->name, array->before == NULL ? NULL : array->before->path,
                                     array->after == NULL ? NULL : array->after->path};
    }
    bool good = true;
    for (uint32_t a = 0; a < golden->arrays.count; a++) {
        const struct golden_array *array = &golden->arrays.data[a];
        const struct contract_parameter *parameter = &contract->parameters.data[contract_find_parameter(contract, array->name)];
        const struct npy_file *files[] = {array->before, array->after};
        for (unsigned f = 0; f < 2; f++)
            good = good && (files[f] == NULL || (check_type(&binding, parameter, files[f]) && check_shape(&binding, parameter, files[f])));
    }
    good = good && check_scalars(&binding) && check_inputs(&binding, uses);
    options->given = given;
    options->data = data;
    options->data_count = golden->arrays.count;
    options->tolerance = given->tolerance != 0 ? given->tolerance : 1e-4;
    return good;
}
