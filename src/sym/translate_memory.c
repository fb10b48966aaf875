/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses, parameters and what comes from memory.
 *
 * The start of each array is an atom; an address is that atom plus an offset polynomial, found after everything else has cancelled.
 * Two loads are one atom only if they read the same place of an array that nothing in the launch may write; LW_VALUES speaks of such
 * arrays alone.  All else that the program brings in at run time is a variable of its own each time.
 */
#include "sym/translate.h"

#include "sym/table.h"

/* ---- bases -------------------------------------------------------------------------------------------------------- */

static sym_poly add_base(struct sym_kernel *kernel, const char *name, uint32_t variable, uint32_t parameter, uint32_t object)
{
    /* Shared memory of a block is far below 2^24 bytes, and its addresses begin at 0. */
    bool is_shared = object != SYM_NONE && kernel->ir->module->variables.data[variable].space == PTX_SPACE_SHARED;
    sym_atom atom = sym_variable(kernel->sym, name, 0, ((sym_integer)1 << (is_shared ? 24 : 64)) - 1);
    struct sym_atom_info *info = sym_info(kernel, atom);
    info->is_known = true;
    info->is_base = true;
    *vec_push(kernel->arena, &kernel->bases) =
        (struct sym_base){.atom = atom, .parameter = parameter, .object = object, .variable = variable};
    return sym_of_atom(kernel->sym, atom);
}

/* The contract's parameter at that byte of that PTX parameter; SYM_NONE. */
static uint32_t contract_parameter_at(const struct sym_kernel *kernel, uint32_t variable, int64_t offset)
{
    const struct contract *contract = kernel->environment->contract;
    const struct ptx_function *function = &kernel->ir->module->functions.data[kernel->ir->function];
    uint32_t position = 0;
    while (position < function->parameters.count && function->parameters.data[position] != variable)
        position++;
    for (uint32_t p = 0; contract != NULL && p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->position == position && (int64_t)parameter->offset == offset &&
            (parameter->kind == CONTRACT_INTEGER || parameter->kind == CONTRACT_POINTER))
            return p;
    }
    return SYM_NONE;
}

static const char *parameter_name(struct sym_kernel *kernel, uint32_t variable, int64_t offset)
{
    const char *name = kernel->ir->module->variables.data[variable].name;
    return offset == 0 ? name : arena_printf(kernel->arena, "%s+%lld", name, (long long)offset);
}

sym_poly sym_translate_parameter(struct sym_kernel *kernel, uint32_t index)
{
    const struct ir_value *value = &kernel->ir->values[index];
    struct sym_environment *environment = kernel->environment;
    uint32_t p = contract_parameter_at(kernel, value->index, value->number);
    const struct contract_parameter *parameter = p == SYM_NONE ? NULL : &environment->contract->parameters.data[p];
    if (parameter != NULL && parameter->kind == CONTRACT_INTEGER && value->bits <= parameter->bits &&
        environment->scalars[p] != SYM_NONE)
        return environment->scalars[p];
    bool is_pointer = parameter != NULL && parameter->kind == CONTRACT_POINTER;
    if (value->bits == 64 && (is_pointer || environment->contract == NULL)) {
        for (uint32_t b = 0; b < kernel->bases.count; b++)
            if (kernel->bases.data[b].object == SYM_NONE && kernel->bases.data[b].variable == value->index &&
                kernel->bases.data[b].parameter == (is_pointer ? p : SYM_NONE) && is_pointer)
                return sym_of_atom(kernel->sym, kernel->bases.data[b].atom);
        return add_base(kernel, is_pointer ? parameter->name : parameter_name(kernel, value->index, value->number),
                        value->index, is_pointer ? p : SYM_NONE, SYM_NONE);
    }
    sym_atom atom = sym_opaque(kernel, index, sym_bits(kernel, index), IR_NONE);
    kernel->sym->atoms.data[atom].name = parameter_name(kernel, value->index, value->number);
    return sym_of_atom(kernel->sym, atom);
}

static bool is_dynamic_shared(const struct ptx_variable *variable)
{
    return variable->space == PTX_SPACE_SHARED && variable->linkage == PTX_LINKAGE_EXTERN && variable->size == 0;
}

sym_poly sym_translate_object(struct sym_kernel *kernel, uint32_t object)
{
    const struct ir_object *data = &kernel->ir->objects[object];
    const struct ptx_variable *variable = &kernel->ir->module->variables.data[data->variable];
    for (uint32_t b = 0; b < kernel->bases.count; b++) {
        const struct sym_base *base = &kernel->bases.data[b];
        if (base->object == SYM_NONE)
            continue;
        const struct ptx_variable *other = &kernel->ir->module->variables.data[base->variable];
        if (base->object == object || (is_dynamic_shared(variable) && is_dynamic_shared(other)))
            return sym_of_atom(kernel->sym, base->atom);
    }
    return add_base(kernel, variable->name, data->variable, SYM_NONE, object);
}

sym_poly sym_window(struct sym_kernel *kernel, uint8_t space)
{
    if (space >= PTX_SPACE_COUNT)
        space = PTX_SPACE_NONE;
    if (kernel->windows[space] == SYM_NONE) {
        kernel->windows[space] = sym_variable(kernel->sym, arena_printf(kernel->arena, "window(%s)", ptx_space_name(space)), 0,
                                              ((sym_integer)1 << 64) - 1);
        sym_info(kernel, kernel->windows[space])->is_known = true;
    }
    return sym_of_atom(kernel->sym, kernel->windows[space]);
}

/* A shared address that went through 32 bits: u32(base + x) is base + x if that lies inside the array, which is what will be asked. */
static sym_poly without_narrowing(struct sym_kernel *kernel, sym_poly address)
{
    struct sym *sym = kernel->sym;
    sym_atom window = kernel->windows[PTX_SPACE_SHARED];
    sym_poly inner = address;
    if (window != SYM_NONE && sym_mentions(sym, address, window))
        inner = sym_subtract(sym, address, sym_of_atom(sym, window));
    sym_atom wrap = sym_single_atom(sym, inner);
    if (wrap == SYM_NONE || sym->atoms.data[wrap].kind != SYM_WRAP_UNSIGNED || sym->atoms.data[wrap].bits != 32)
        return address;
    return sym->atoms.data[wrap].a;
}

bool sym_find_base(struct sym_kernel *kernel, sym_poly address, uint32_t *base, sym_poly *offset)
{
    struct sym *sym = kernel->sym;
    sym_poly narrowed = address;
    address = without_narrowing(kernel, address);
    struct sym_poly_data data = sym->polys.data[address];
    uint32_t found = SYM_NONE;
    sym_poly rest = address;
    for (uint32_t i = 0; i < data.count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data.terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++) {
            sym_atom atom = monomial->atoms[k];
            bool is_window = false;
            for (unsigned s = 0; s < PTX_SPACE_COUNT; s++)
                is_window |= kernel->windows[s] == atom;
            if (!is_window && !sym_info(kernel, atom)->is_base)
                continue;
            if (monomial->count != 1 || data.terms[i].coefficient != 1 || (!is_window && found != SYM_NONE))
                return false;
            if (!is_window)
                found = atom;
            rest = sym_subtract(sym, rest, sym_of_atom(sym, atom));
        }
    }
    for (uint32_t b = 0; b < kernel->bases.count; b++)
        if (kernel->bases.data[b].atom == found) {
            *base = b;
            *offset = rest;
            return narrowed == address || kernel->ir->module->variables.data[kernel->bases.data[b].variable].space == PTX_SPACE_SHARED;
        }
    return false;
}

/* ---- what may be written ---------------------------------------------------------------------------------------------- */

static bool set_may_hold(const struct ir_function *ir, uint32_t set, const struct sym_base *base)
{
    for (uint32_t i = 0; i < ir->sets[set].count; i++) {
        const struct ir_base *member = &ir->bases[ir->set_members[ir->sets[set].first + i]];
        if (member->kind == IR_BASE_UNKNOWN || member->kind == IR_BASE_VALUE)
            return true;
        if (member->kind == IR_BASE_PARAMETER && base->object == SYM_NONE && member->index == base->variable)
            return true;
    }
    return ir->sets[set].count == 0;
}

static bool may_alias(const struct contract *contract, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < contract->parameters.data[a].may_alias.count; i++)
        if (contract->parameters.data[a].may_alias.data[i] == b)
            return true;
    for (uint32_t i = 0; i < contract->parameters.data[b].may_alias.count; i++)
        if (contract->parameters.data[b].may_alias.data[i] == a)
            return true;
    return false;
}

/* Can some instruction of the kernel write to the array of this parameter? */
static bool is_written(struct sym_kernel *kernel, const struct sym_base *base)
{
    const struct ir_function *ir = kernel->ir;
    const struct contract *contract = kernel->environment->contract;
    if (base->parameter == SYM_NONE || ir->has_opaque)
        return true;
    for (uint32_t c = 0; c < ir->call_count; c++)
        if (ir->calls[c].effect != IR_EFFECT_NONE)
            return true;
    for (uint32_t a = 0; a < ir->access_count; a++) {
        const struct ir_access *access = &ir->accesses[a];
        if ((access->flags & (IR_ACCESS_WRITE | IR_ACCESS_ATOMIC | IR_ACCESS_ASYNC)) == 0 ||
            access->space == PTX_SPACE_SHARED || access->space == PTX_SPACE_LOCAL || access->space == PTX_SPACE_PARAM)
            continue;
        if (set_may_hold(ir, access->pointer.set, base))
            return true;
        for (uint32_t p = 0; p < contract->parameters.count; p++) { /* through another name */
            struct sym_base other = {.parameter = p, .object = SYM_NONE};
            const struct ptx_function *function = &ir->module->functions.data[ir->function];
            if (contract->parameters.data[p].kind != CONTRACT_POINTER || p == base->parameter ||
                !may_alias(contract, p, base->parameter) ||
                contract->parameters.data[p].position >= function->parameters.count)
                continue;
            other.variable = function->parameters.data[contract->parameters.data[p].position];
            if (set_may_hold(ir, access->pointer.set, &other))
                return true;
        }
    }
    return false;
}

/* ---- loads --------------------------------------------------------------------------------------------------------------- */

/* The variable for one element that is loaded; `known` when the contract bounds it. */
static sym_atom element(struct sym_kernel *kernel, const struct contract_parameter *parameter, uint32_t value, unsigned bits,
                        bool known, sym_poly low, sym_poly high)
{
    struct sym *sym = kernel->sym;
    sym_integer half = (sym_integer)1 << (bits - 1), from, to;
    bool is_signed = known && parameter->element_is_signed && parameter->element_bits == bits;
    sym_atom atom = kernel->own_atoms[value];
    if (atom == SYM_NONE) {
        atom = sym_variable(sym, parameter != NULL ? arena_printf(kernel->arena, "%s[]", parameter->name) : NULL, is_signed ? -half : 0,
                            is_signed ? half - 1 : 2 * half - 1);
        kernel->own_atoms[value] = atom;
        /* Constant bounds are bounds of the atom itself, unless they admit nothing: the array may be empty then. */
        if (known && sym_is_constant(sym, low, &from) && sym_is_constant(sym, high, &to) && from < to) {
            struct sym_atom_data *data = &sym->atoms.data[atom];
            data->low = from > data->low ? from : data->low;
            data->high = to - 1 < data->high ? to - 1 : data->high;
        }
    }
    struct sym_atom_info *info = sym_info(kernel, atom);
    info->is_known = true;
    info->value = value;
    info->is_data = !known;
    return atom;
}

/* Where the load has run the element lies in the range that the contract names. */
static void add_value_facts(struct sym_kernel *kernel, uint32_t instruction, sym_poly value, sym_poly low, sym_poly high)
{
    struct sym *sym = kernel->sym;
    sym_cond above = sym_ge(sym, sym_subtract(sym, value, low));
    sym_cond below = sym_ge(sym, sym_shift(sym, sym_subtract(sym, high, value), -1));
    *vec_push(kernel->arena, &kernel->loaded) =
        (struct sym_loaded){.instruction = instruction, .fact = sym_and(sym, above, below)};
}

/* LW_VALUES of whole elements, or of the low half of 64-bit ones whose values fit it. */
static bool values_apply(struct sym_kernel *kernel, const struct contract_parameter *parameter, uint32_t p, unsigned bits,
                         sym_integer offset_in_element)
{
    struct sym_environment *environment = kernel->environment;
    if (parameter->element_kind != CONTRACT_INTEGER || environment->value_low[p] == SYM_NONE ||
        environment->value_high[p] == SYM_NONE)
        return false;
    if (parameter->element_bits == bits)
        return offset_in_element == 0 && parameter->element_size * 8 == bits;
    if (parameter->element_bits != 64 || bits != 32 || offset_in_element != 0)
        return false;
    struct sym *sym = kernel->sym;
    sym_poly most = sym_shift(sym, sym_scale(sym, environment->value_high[p], -1), (sym_integer)1 << 32);
    return sym_always(kernel, sym_ge(sym, environment->value_low[p])) && sym_always(kernel, sym_ge(sym, most));
}

static sym_poly load_element(struct sym_kernel *kernel, const struct ir_access *access, uint32_t value, uint32_t number)
{
    struct sym *sym = kernel->sym;
    unsigned bits = 8 * access->size;
    uint32_t block = kernel->ir->instructions[access->instruction].block;
    uint32_t base_index, loop = kernel->ir->cfg->blocks[block].loop;
    sym_poly offset;
    sym_poly address = sym_shift(sym, sym_value(kernel, access->address), access->offset + (int64_t)number * access->size);
    bool stable = false, known = false;
    const struct contract_parameter *parameter = NULL;
    sym_poly low = SYM_NONE, high = SYM_NONE;
    if (sym_find_base(kernel, address, &base_index, &offset) && kernel->bases.data[base_index].parameter != SYM_NONE) {
        uint32_t p = kernel->bases.data[base_index].parameter;
        parameter = &kernel->environment->contract->parameters.data[p];
        stable = (access->flags & (IR_ACCESS_VOLATILE | IR_ACCESS_ATOMIC)) == 0 &&
                 !is_written(kernel, &kernel->bases.data[base_index]);
        sym_poly place = SYM_ZERO;
        sym_integer at = 0;
        if (parameter->element_size != 0) /* where in its element: elements are aligned */
            place = sym_subtract(sym, offset,
                                 sym_scale(sym, sym_quotient(sym, offset, sym_constant(sym, parameter->element_size)),
                                           parameter->element_size));
        known = stable && sym_is_constant(sym, place, &at) && values_apply(kernel, parameter, p, bits, at);
        if (known) {
            low = kernel->environment->value_low[p];
            high = kernel->environment->value_high[p];
        }
    }
    if (stable) {
        for (uint32_t i = 0; i < kernel->loads.count; i++)
            if (kernel->loads.data[i].address == address && kernel->loads.data[i].bits == bits) {
                if (known)
                    add_value_facts(kernel, access->instruction, kernel->loads.data[i].value, low, high);
                return kernel->loads.data[i].value;
            }
        while (loop != IR_NONE && !sym_varies(kernel, address, loop))
            loop = kernel->ir->cfg->loops[loop].parent;
    }
    sym_atom atom = element(kernel, parameter, value, bits, known, low, high);
    sym_poly poly = sym_of_atom(sym, atom);
    sym_info(kernel, atom)->loop = loop;
    sym_info(kernel, atom)->is_fixed = stable;
    if (parameter != NULL)
        sym_info(kernel, atom)->array = 1 + (uint32_t)(parameter - kernel->environment->contract->parameters.data);
    if (known)
        add_value_facts(kernel, access->instruction, poly, low, high);
    if (stable)
        *vec_push(kernel->arena, &kernel->loads) =
            (struct sym_load){.address = address, .bits = bits, .value = poly};
    return poly;
}

static bool translate_load(struct sym_kernel *kernel, const struct ir_instruction *instruction)
{
    const struct ir_function *ir = kernel->ir;
    if ((instruction->op != PTX_OP_ld && instruction->op != PTX_OP_ldu) || instruction->access_count != 1)
        return false;
    const struct ir_access *access = &ir->accesses[instruction->first_access];
    if (access->size == 0 || access->size > 8 || instruction->result_count != access->count)
        return false;
    for (uint32_t r = 0; r < instruction->result_count; r++) {
        uint32_t result = instruction->first_result + r;
        if (ir->values[result].bits == 1)
            return false;
        sym_poly loaded = load_element(kernel, access, result, r);
        unsigned bits = 8 * access->size;
        if (sym_bits(kernel, result) > bits)
            loaded = sym_wrap(kernel->sym, loaded, bits, ptx_type_is_signed(instruction->source->type));
        kernel->values[result] = sym_congruent(kernel->sym, loaded, sym_bits(kernel, result));
    }
    return true;
}

void sym_translate_other(struct sym_kernel *kernel, const struct ir_instruction *instruction)
{
    if (translate_load(kernel, instruction))
        return;
    for (uint32_t r = 0; r < instruction->result_count; r++) {
        uint32_t result = instruction->first_result + r;
        if (kernel->ir->values[result].bits == 1)
            continue; /* sym_truth makes it unknown */
        sym_atom atom = sym_opaque(kernel, result, sym_bits(kernel, result), instruction->block);
        kernel->values[result] = sym_of_atom(kernel->sym, atom);
        sym_info(kernel, atom)->is_data = true;
    }
}
