/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of struct parameters in a witness: a launch calls the array of `view.data` view_data and shows no field by itself; a report
 * calls it `view.data` and shows `view.length`.
 */
#include "check/confirm.h"

#include <string.h>

static bool is_field(const struct contract_parameter *parameter)
{
    return parameter->name != NULL && strchr(parameter->name, '.') != NULL;
}

/* Every "`view_data`" of the text becomes "`view.data`". */
static const char *with_fields(struct arena *arena, const char *text, const char *field)
{
    char *quoted = arena_printf(arena, "`%s`", field), *launched = arena_printf(arena, "`%s`", contract_launch_name(arena, field));
    if (text == NULL || strstr(text, launched) == NULL)
        return text;
    char *copy = arena_string(arena, text);
    for (char *at = strstr(copy, launched); at != NULL; at = strstr(at + 1, launched))
        memcpy(at, quoted, strlen(quoted));
    return copy;
}

void confirm_name_fields(struct arena *arena, const struct contract *contract, const struct contract_values *values,
                         struct finding *finding)
{
    struct report_launch *launch = arena_copy(arena, finding->launch, sizeof *launch);
    char digits[48];
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (!is_field(parameter))
            continue;
        if (parameter->kind == CONTRACT_INTEGER && values != NULL)
            *vec_push(arena, &launch->scalars) = (struct report_scalar){
                .name = parameter->name, .value = arena_string(arena, contract_format(values->scalars[p], digits))};
        if (parameter->kind != CONTRACT_POINTER)
            continue;
        finding->message = with_fields(arena, finding->message, parameter->name);
        finding->label = with_fields(arena, finding->label, parameter->name);
    }
    finding->launch = launch;
}
