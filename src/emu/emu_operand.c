/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding of operands: slots of registers, the constant pool, references.
 *
 * Slots.  Two registers share a slot when they have the same storage size and their live intervals, taken in text order, do not touch.
 * That is sound under divergence: every write is masked, so each lane only ever sees its own thread's values.
 */
#include "emu/emu_decode.h"

#include <stdlib.h>

uint8_t emu_storage_size(enum ptx_type type)
{
    if (type == PTX_PRED)
        return 1;
    unsigned size = ptx_type_size(type);
    return size <= 2 ? 2 : size <= 4 ? 4 : size <= 8 ? 8 : 16;
}

/* Bytes that a slot of this storage takes: 32 lanes, at least one cache line. */
static uint32_t slot_bytes(uint8_t storage)
{
    return storage == 1 ? EMU_SLOT : storage * 32u;
}

uint32_t emu_new_slot(struct emu_decoder *decoder, uint8_t size)
{
    uint32_t slot = decoder->function->file_size;
    decoder->function->file_size += slot_bytes(size);
    return slot;
}

/* ---- live intervals --------------------------------------------------------------------------- */

struct interval {
    uint32_t first, last; /* instruction numbers; first > last: never mentioned */
    uint32_t reg;
};

struct interval_walk {
    struct interval *intervals;
    uint32_t at;
};

static void interval_extend(struct interval *interval, uint32_t at)
{
    if (at < interval->first)
        interval->first = at;
    if (interval->last == UINT32_MAX || at > interval->last)
        interval->last = at;
}

static void interval_visit(void *context, uint32_t id, bool is_definition)
{
    struct interval_walk *walk = context;
    (void)is_definition;
    interval_extend(&walk->intervals[id], walk->at);
}

static void intervals_from_liveness(const struct ir_cfg *cfg, const struct ir_liveness *live,
                                    struct interval *intervals)
{
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        uint32_t last = block->end > block->first ? block->end - 1 : block->first;
        for (uint32_t word = 0; word <= live->count / 64; word++) {
            uint64_t in = live->live_in[b].words[word], out = live->live_out[b].words[word];
            for (uint64_t bits = in | out; bits != 0; bits &= bits - 1) {
                unsigned bit = (unsigned)__builtin_ctzll(bits);
                struct interval *interval = &intervals[live->register_of[word * 64 + bit]];
                if (in >> bit & 1)
                    interval_extend(interval, block->first);
                if (out >> bit & 1)
                    interval_extend(interval, last);
            }
        }
    }
}

static int interval_compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->reg < y->reg ? -1 : x->reg > y->reg;
}

/* A binary heap of taken slots of one size, the earliest to become free on top. */
struct slot_heap {
    struct slot_use {
        uint32_t last, slot;
    } *uses;
    uint32_t count;
};

static void heap_push(struct slot_heap *heap, struct slot_use use)
{
    uint32_t at = heap->count++;
    while (at > 0 && heap->uses[(at - 1) / 2].last > use.last) {
        heap->uses[at] = heap->uses[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->uses[at] = use;
}

static struct slot_use heap_pop(struct slot_heap *heap)
{
    struct slot_use top = heap->uses[0], moved = heap->uses[--heap->count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && heap->uses[child + 1].last < heap->uses[child].last)
            child++;
        if (heap->uses[child].last >= moved.last)
            break;
        heap->uses[at] = heap->uses[child];
        at = child;
    }
    heap->uses[at] = moved;
    return top;
}

void emu_allocate_slots(struct emu_decoder *decoder)
{
    struct emu_function *function = decoder->function;
    uint32_t count = decoder->source->registers.count;
    struct interval *intervals = ARENA_ARRAY(decoder->arena, struct interval, count + 1);
    for (uint32_t i = 0; i < count; i++)
        intervals[i] = (struct interval){UINT32_MAX, UINT32_MAX, i};
    struct interval_walk walk = {intervals, 0};
    for (uint32_t i = 0; i < decoder->source->instructions.count; i++) {
        walk.at = i;
        ptx_visit_registers(&decoder->source->instructions.data[i], interval_visit, &walk);
    }
    struct ir_liveness *live = ir_liveness_build(decoder->arena, function->cfg);
    intervals_from_liveness(function->cfg, live, intervals);
    qsort(intervals, count, sizeof *intervals, interval_compare);
    function->slots = ARENA_ARRAY(decoder->arena, uint32_t, count + 1);
    memset(function->slots, 0xff, (count + 1) * sizeof *function->slots);
    struct slot_heap heaps[17] = {0};
    for (uint32_t i = 0; i < count && intervals[i].first != UINT32_MAX; i++) {
        const struct interval *interval = &intervals[i];
        uint8_t size = emu_storage_size(decoder->source->registers.data[interval->reg].type);
        struct slot_heap *heap = &heaps[size];
        if (heap->uses == NULL)
            heap->uses = ARENA_ARRAY(decoder->arena, struct slot_use, count);
        uint32_t slot;
        if (heap->count != 0 && heap->uses[0].last < interval->first)
            slot = heap_pop(heap).slot;
        else
            slot = emu_new_slot(decoder, size);
        function->slots[interval->reg] = slot;
        heap_push(heap, (struct slot_use){interval->last, slot});
    }
    /* Registers that may be read before they are written start as zero, the same on every run. */
    for (uint32_t i = 0; i < live->count; i++)
        if (bitset_has(&live->live_in[0], i))
            *vec_push(decoder->arena, &function->zeroed) = live->register_of[i];
}

/* ---- constants --------------------------------------------------------------------------------- */

uint32_t emu_constant(struct emu_program *program, uint64_t value, uint8_t size)
{
    if (size == 1)
        value = value != 0 ? EMU_FULL_MASK : 0;
    else if (size < 8)
        value &= ((uint64_t)1 << size * 8) - 1;
    char key[9];
    memcpy(key, &value, 8);
    key[8] = (char)size;
    uint32_t found = text_map_find(&program->constants, key, sizeof key);
    if (found != TEXT_MAP_NONE)
        return found | EMU_REF_POOL;
    uint32_t offset = program->pool.count, bytes = slot_bytes(size);
    while (program->pool.capacity - program->pool.count < bytes)
        vec_grow(&program->arena, (void **)&program->pool.data, &program->pool.count, &program->pool.capacity, 1);
    program->pool.count += bytes;
    char *to = program->pool.data + offset;
    memset(to, 0, bytes);
    if (size == 1)
        memcpy(to, &value, 4);
    else
        for (unsigned lane = 0; lane < EMU_LANES; lane++)
            memcpy(to + lane * (size > 8 ? 8 : size), &value, size > 8 ? 8 : size);
    text_map_set(&program->constants, key, sizeof key, offset);
    return offset | EMU_REF_POOL;
}

/* ---- operands ---------------------------------------------------------------------------------- */

void emu_op_clear(struct emu_op *op)
{
    memset(op, 0, sizeof *op);
    op->dst = op->dst2 = op->a = op->b = op->c = op->d = EMU_REF_NONE;
    op->carry = op->guard = EMU_REF_NONE;
}

struct emu_op *emu_emit(struct emu_decoder *decoder, const struct emu_op *op)
{
    struct emu_op *placed = vec_push(decoder->arena, &decoder->code);
    *placed = *op;
    return placed;
}

uint32_t emu_local_find(const struct emu_function *function, uint32_t variable)
{
    for (uint32_t i = 0; i < function->locals.count; i++)
        if (function->locals.data[i].variable == variable)
            return i;
    return PTX_NONE;
}

bool emu_symbol_address(const struct emu_program *program, const struct ptx_operand *operand, int64_t *address)
{
    if (operand->callee != PTX_NONE) {
        *address = (int64_t)(EMU_WINDOW_FUNCTION + operand->callee + 1);
        return true;
    }
    if (operand->variable == PTX_NONE)
        return false;
    const struct ptx_variable *variable = &program->module->variables.data[operand->variable];
    switch (variable->space) {
    case PTX_SPACE_GLOBAL:
    case PTX_SPACE_CONST:
        if (program->variables[operand->variable] == NULL)
            return false;
        *address = (int64_t)program->variables[operand->variable]->base + operand->value;
        return true;
    case PTX_SPACE_SHARED: {
        uint32_t index = program->shared_index[operand->variable];
        if (index == TEXT_MAP_NONE)
            return false;
        *address = (int64_t)emu_shared_address(&program->shared.data[index]) + operand->value;
        return true;
    }
    case PTX_SPACE_PARAM:
        *address = (int64_t)program->param_offset[operand->variable] + operand->value;
        return true;
    default:
        return false;
    }
}

/* Which list of the pattern holds, and its nth word; see the legend of ops.def. */
static const char *pattern_word(const struct ptx_instruction *instruction, unsigned number)
{
    const char *at = ptx_op_info(instruction->op)->operands;
    while (*at == '.') {
        size_t size = strcspn(at, ":");
        bool carries = false;
        for (unsigned i = 0; i < instruction->mod_count && !carries; i++) {
            const char *text = ptx_mod_text(instruction->mods[i]);
            carries = strlen(text) == size - 1 && memcmp(text, at + 1, size - 1) == 0;
        }
        if (carries) {
            at += size + 1;
            break;
        }
        const char *next = strchr(at, ';');
        if (next == NULL)
            return "";
        at = next + 1;
        at += strspn(at, " ");
    }
    at += strspn(at, " ");
    while (number-- > 0 && *at != '\0' && *at != ';') {
        at += strcspn(at, " ;");
        at += strspn(at, " ");
    }
    return *at == ';' ? "" : at;
}

/* Bytes that an immediate in this place has. */
static uint8_t immediate_size(const struct ptx_instruction *instruction, const char *word)
{
    enum ptx_type type = instruction->type;
    switch (word[0] != '\0' ? word[1] : '\0') {
    case 'p': return 1;
    case 'i': return 4;
    case 'h': return 2;
    case 'g': return 8;
    case '2': case 'f': type = instruction->type2 != PTX_TYPE_NONE ? instruction->type2 : type; break;
    case '3': type = instruction->type3 != PTX_TYPE_NONE ? instruction->type3 : type; break;
    case '4': type = instruction->type4 != PTX_TYPE_NONE ? instruction->type4 : type; break;
    case 'w': {
        uint8_t size = emu_storage_size(type);
        return instruction->mode == PTX_MODE_WIDE ? (uint8_t)(size * 2) : size;
    }
    case 'x': /* a number here is the thread count of bar.red, whose type is the result's */
        return type == PTX_TYPE_NONE || type == PTX_PRED || emu_storage_size(type) < 4 ? 4 : emu_storage_size(type);
    default: break;
    }
    return type == PTX_TYPE_NONE ? 4 : emu_storage_size(type);
}

static uint64_t float_bits(const struct ptx_operand *operand, uint8_t size)
{
    if (size == 4 && operand->is_double) {
        double wide;
        memcpy(&wide, &operand->value, 8);
        float narrow = (float)wide;
        uint32_t bits;
        memcpy(&bits, &narrow, 4);
        return bits;
    }
    if (size == 8 && !operand->is_double) {
        float narrow;
        uint32_t low = (uint32_t)operand->value;
        memcpy(&narrow, &low, 4);
        double wide = narrow;
        uint64_t bits;
        memcpy(&bits, &wide, 8);
        return bits;
    }
    return (uint64_t)operand->value;
}

static uint32_t special_reference(struct emu_decoder *decoder, const struct ptx_operand *operand, uint8_t *size)
{
    struct emu_op op;
    emu_op_clear(&op);
    op.run = emu_run_special;
    op.kind = EMU_KIND_HELPER;
    op.instruction = decoder->index;
    op.source = decoder->instruction;
    op.dst_size = *size >= 4 ? *size : 4;
    op.dst = emu_new_slot(decoder, op.dst_size);
    op.extra[0] = operand->special;
    op.extra[1] = operand->component;
    *size = op.dst_size;
    emu_emit(decoder, &op);
    return op.dst;
}

static uint32_t symbol_reference(struct emu_decoder *decoder, const struct ptx_operand *operand, uint8_t size)
{
    int64_t address;
    if (emu_symbol_address(decoder->program, operand, &address))
        return emu_constant(decoder->program, (uint64_t)address, size);
    uint32_t local = operand->variable == PTX_NONE ? PTX_NONE : emu_local_find(decoder->function, operand->variable);
    if (local == PTX_NONE)
        return EMU_REF_NONE;
    struct emu_op op;
    emu_op_clear(&op);
    op.run = emu_run_local_address;
    op.kind = EMU_KIND_HELPER;
    op.instruction = decoder->index;
    op.source = decoder->instruction;
    op.dst_size = size;
    op.dst = emu_new_slot(decoder, size);
    op.extra[0] = local;
    op.immediate = operand->value;
    emu_emit(decoder, &op);
    return op.dst;
}

/* Reference of one scalar operand; `size` is set to its storage. */
static uint32_t operand_reference(struct emu_decoder *decoder, const struct ptx_operand *operand, uint8_t *size)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        *size = emu_storage_size(decoder->source->registers.data[operand->id].type);
        return decoder->function->slots[operand->id];
    case PTX_OPERAND_INTEGER:
        return emu_constant(decoder->program, (uint64_t)operand->value, *size);
    case PTX_OPERAND_FLOAT:
        return emu_constant(decoder->program, float_bits(operand, *size), *size);
    case PTX_OPERAND_SPECIAL:
        return special_reference(decoder, operand, size);
    case PTX_OPERAND_SYMBOL:
        return symbol_reference(decoder, operand, *size >= 4 ? *size : 8);
    default:
        return EMU_REF_NONE;
    }
}

static void decode_vector(struct emu_decoder *decoder, const struct ptx_operand *operand, uint8_t element_size,
                          uint32_t *list, uint8_t *list_size)
{
    for (uint32_t i = 0; i < operand->count; i++) {
        uint8_t size = element_size;
        list[i] = operand_reference(decoder, &operand->elements[i], &size);
        if (operand->elements[i].kind != PTX_OPERAND_SINK)
            *list_size = size;
    }
}

static void decode_address(struct emu_decoder *decoder, const struct ptx_operand *operand, struct emu_op *op,
                           uint32_t *reference, uint8_t *size)
{
    op->immediate = operand->value;
    if (operand->id != PTX_NONE) {
        *size = emu_storage_size(decoder->source->registers.data[operand->id].type);
        *reference = decoder->function->slots[operand->id];
        return;
    }
    if (operand->variable == PTX_NONE)
        return;
    int64_t address;
    if (emu_symbol_address(decoder->program, operand, &address)) {
        op->immediate = address;
        return;
    }
    *size = 8;
    *reference = symbol_reference(decoder, operand, 8);
    op->immediate = 0;
}

bool emu_decode_operands(struct emu_decoder *decoder, struct emu_op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    uint32_t *sources[4] = {&op->a, &op->b, &op->c, &op->d};
    uint8_t ignored = 0, *sizes[4] = {&op->a_size, &op->b_size, &op->c_size, &ignored};
    unsigned next = 0;
    bool addressed = false; /* then op->immediate is the offset of the address */
    uint32_t list_total = 0;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (instruction->operands[k].kind == PTX_OPERAND_VECTOR)
            list_total += instruction->operands[k].count;
    uint32_t *list = list_total != 0 ? ARENA_ARRAY(decoder->arena, uint32_t, list_total) : NULL;
    op->list = list;
    op->list_count = (uint8_t)list_total;
    for (unsigned k = 0; k < instruction->operand_count; k++) {
        const struct ptx_operand *operand = &instruction->operands[k];
        const char *word = pattern_word(instruction, k);
        uint8_t size = immediate_size(instruction, word);
        bool destination = k == 0 && (word[0] == 'd' || word[0] == 'b');
        if (operand->kind == PTX_OPERAND_VECTOR) {
            uint8_t element = size;
            if (instruction->op == PTX_OP_mov && operand->count != 0)
                element = (uint8_t)(size / operand->count < 2 ? 2 : size / operand->count);
            decode_vector(decoder, operand, element, list, &op->list_size);
            list += operand->count;
            if (!destination && next < 4)
                *sources[next++] = EMU_REF_LIST;
            continue;
        }
        if (destination) {
            op->dst = operand_reference(decoder, operand, &size);
            op->dst_size = operand->kind == PTX_OPERAND_SINK ? 0 : size;
            if (operand->pair != PTX_NONE && operand->kind == PTX_OPERAND_REGISTER)
                op->dst2 = decoder->function->slots[operand->pair];
            continue;
        }
        if (next == 4) { /* only lop3 with a predicate has five sources */
            op->carry = operand_reference(decoder, operand, &size);
            op->negate |= operand->negated ? 1u << next : 0;
            break;
        }
        if (operand->kind == PTX_OPERAND_ADDRESS) {
            if (addressed) /* cp.async has two: the offset of the first is kept here */
                memcpy(op->extra, &op->immediate, sizeof op->immediate);
            addressed = true;
            decode_address(decoder, operand, op, sources[next], sizes[next]);
        } else {
            *sources[next] = operand_reference(decoder, operand, &size);
            *sizes[next] = size;
            if (operand->negated)
                op->negate |= 1u << next;
            if (operand->kind == PTX_OPERAND_INTEGER && !addressed)
                op->immediate = operand->value;
        }
        next++;
    }
    return true;
}
