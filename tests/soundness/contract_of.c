/* SPDX-License-Identifier: Apache-2.0
 *
 * From a plan's texts to a contract, and to the text that a person would write.
 */
#include "contract_of.h"

static bool expression(struct contract *contract, const char *text, struct contract_expression *out,
                       struct diagnostic_list *diagnostics)
{
    return text == NULL ||
           contract_parse_expression(contract, text, strlen(text), (struct place){"contract", 1, 1},
                                     out, diagnostics);
}

static void add_parameter(struct contract *contract, const struct plan_parameter *p,
                          uint32_t position)
{
    struct contract_parameter *q = contract_add_parameter(
        contract, p->name, p->is_pointer ? CONTRACT_POINTER : CONTRACT_INTEGER);
    q->position = position;
    q->bits = p->bits;
    q->is_signed = p->is_signed;
    q->type = p->is_pointer ? "unsigned *" : p->is_signed ? "int" : "unsigned";
    if (!p->is_pointer)
        return;
    q->element_size = p->element_size;
    q->element_kind = p->is_float           ? CONTRACT_FLOAT
                      : p->element_size > 8 ? CONTRACT_OTHER
                                            : CONTRACT_INTEGER;
    q->element_bits = (uint8_t)(p->element_size * 8);
}

/* Shapes and values speak of all parameters, so they come last. */
static bool finish_parameter(struct contract *contract, const struct plan_parameter *p,
                             uint32_t index, struct diagnostic_list *diagnostics)
{
    bool good = true;
    struct contract_expression shape[3], low = {.root = CONTRACT_NONE},
                                         high = {.root = CONTRACT_NONE};
    if (!p->is_pointer)
        return true;
    for (uint32_t d = 0; d < p->dimensions; d++)
        good &= expression(contract, p->shape[d], &shape[d], diagnostics);
    good &= expression(contract, p->low, &low, diagnostics);
    good &= expression(contract, p->high, &high, diagnostics);
    if (!good)
        return false;
    struct contract_parameter *q = &contract->parameters.data[index];
    q->shape_kind = CONTRACT_SHAPE_ROWS;
    q->dimensions = p->dimensions;
    memcpy(q->shape, shape, p->dimensions * sizeof *shape);
    q->value_low = low;
    q->value_high = high;
    contract_set_extent(contract, index);
    return true;
}

struct contract *contract_of_plan(struct arena *arena, const struct plan *plan,
                                  struct diagnostic_list *diagnostics)
{
    struct contract *contract = contract_new(arena);
    bool good = true;
    contract->kernel = contract->kernel_shown = "k";
    contract->place = (struct place){"k.cu", 1, 1};
    for (uint32_t i = 0; i < plan->parameters.count; i++)
        add_parameter(contract, &plan->parameters.data[i], i);
    for (uint32_t i = 0; i < plan->parameters.count; i++)
        good &= finish_parameter(contract, &plan->parameters.data[i], i, diagnostics);
    for (uint32_t i = 0; i < plan->relations.count; i++) {
        const char *text = plan->relations.data[i];
        struct contract_relation relation;
        if (contract_parse_relation(contract, text, strlen(text), (struct place){"contract", 1, 1},
                                    &relation, diagnostics))
            *vec_push(arena, &contract->relations) = relation;
        else
            good = false;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        good &= expression(contract, plan->block[axis], &contract->block[axis], diagnostics);
        good &= expression(contract, plan->domain[axis], &contract->domain[axis], diagnostics);
    }
    good &= expression(contract, plan->block_multiple, &contract->block_multiple, diagnostics);
    good &= expression(contract, plan->block_max, &contract->block_max, diagnostics);
    good &= expression(contract, plan->shared_bytes, &contract->shared_bytes, diagnostics);
    return good ? contract : NULL;
}

static void print_list(struct buffer *out, const char *name, const char *const *texts)
{
    if (texts[0] == NULL)
        return;
    buffer_printf(out, "LW_%s(%s", name, texts[0]);
    for (uint32_t i = 1; i < 3 && texts[i] != NULL; i++)
        buffer_printf(out, ", %s", texts[i]);
    buffer_puts(out, ")\n");
}

void plan_print(const struct plan *plan, struct buffer *out)
{
    const char *multiple[3] = {plan->block_multiple}, *most[3] = {plan->block_max},
               *shared[3] = {plan->shared_bytes};
    print_list(out, "BLOCK", plan->block);
    print_list(out, "BLOCK_MULTIPLE", multiple);
    print_list(out, "BLOCK_MAX", most);
    print_list(out, "DOMAIN", plan->domain);
    print_list(out, "SHARED_BYTES", shared);
    for (uint32_t i = 0; i < plan->relations.count; i++)
        buffer_printf(out, "LW_REQUIRES(%s)\n", plan->relations.data[i]);
    for (uint32_t i = 0; i < plan->parameters.count; i++) {
        const struct plan_parameter *p = &plan->parameters.data[i];
        if (!p->is_pointer) {
            buffer_printf(out, "  %s%u %s\n", p->is_signed ? "i" : "u", p->bits, p->name);
            continue;
        }
        buffer_printf(out, "  (%u bytes) *%s LW_SHAPE(%s", p->element_size, p->name, p->shape[0]);
        for (uint32_t d = 1; d < p->dimensions; d++)
            buffer_printf(out, ", %s", p->shape[d]);
        buffer_puts(out, ")");
        if (p->low != NULL)
            buffer_printf(out, " LW_VALUES(%s, %s)", p->low, p->high);
        buffer_puts(out, "\n");
    }
}
