/* SPDX-License-Identifier: Apache-2.0
 *
 * Liveness of variables between blocks: a backward may-analysis over dense numbers of those
 * variables that can be live at all. The caller says what a block reads and writes; registers are
 * one use, stack slots (promote.c) another.
 */
#include "ir/flow.h"

struct live_scan {
    struct arena *arena;
    struct variable_flow *flow;
    struct ir_liveness *live;
    uint32_t block;
    uint32_t *written;     /* variable -> block that has certainly written it so far, + 1 */
    uint32_t *defined;     /* number -> block of its newest entry in flow->definitions, + 1 */
    struct bitset *used;   /* NULL while numbering; else what the block reads first */
    struct bitset *killed; /* NULL while numbering; else what it certainly writes */
};

void live_read(struct live_scan *scan, uint32_t variable)
{
    if (scan->written[variable] == scan->block + 1)
        return;
    struct ir_liveness *live = scan->live;
    if (live->index_of[variable] == IR_NONE) {
        live->index_of[variable] = live->count;
        live->register_of[live->count++] = variable;
    }
    if (scan->used != NULL)
        bitset_add(scan->used, live->index_of[variable]);
}

void live_write(struct live_scan *scan, uint32_t variable, bool certain)
{
    if (!certain)
        live_read(scan, variable);
    else
        scan->written[variable] = scan->block + 1;
    uint32_t index = scan->live->index_of[variable];
    if (scan->used == NULL || index == IR_NONE)
        return;
    if (certain)
        bitset_add(scan->killed, index);
    if (scan->defined[index] != scan->block + 1) {
        scan->defined[index] = scan->block + 1;
        *vec_push(scan->arena, &scan->flow->definitions) = (struct definition){index, scan->block};
    }
}

/* live_in(block) = used | (live_out & ~killed); true if it grew. */
static bool update_live_in(struct bitset *live_in, const struct bitset *live_out,
                           const struct bitset *killed)
{
    uint64_t grown = 0;
    for (uint32_t w = 0; w < (live_in->bits + 63) / 64; w++) {
        uint64_t more = live_out->words[w] & ~killed->words[w] & ~live_in->words[w];
        live_in->words[w] |= more;
        grown |= more;
    }
    return grown != 0;
}

static void propagate(struct arena *arena, const struct ir_cfg *cfg, struct ir_liveness *live,
                      const struct bitset *killed)
{
    uint32_t *queue = ARENA_ARRAY(arena, uint32_t, cfg->block_count);
    uint8_t *queued = ARENA_ARRAY(arena, uint8_t, cfg->block_count);
    uint32_t head = 0, waiting = 0;
    for (uint32_t i = cfg->reachable_count; i-- > 0;) {
        queue[waiting++] = cfg->reverse_postorder[i];
        queued[cfg->reverse_postorder[i]] = 1;
    }
    while (waiting > 0) {
        uint32_t b = queue[head];
        head = head + 1 == cfg->block_count ? 0 : head + 1;
        waiting--;
        queued[b] = 0;
        const struct ir_block *block = &cfg->blocks[b];
        for (uint32_t i = 0; i < block->successor_count; i++)
            bitset_union(&live->live_out[b], &live->live_in[block->successors[i]]);
        /* What the block itself reads was in live_in before any visit; only growth must be told. */
        if (!update_live_in(&live->live_in[b], &live->live_out[b], &killed[b]))
            continue;
        for (uint32_t i = 0; i < block->predecessor_count; i++) {
            uint32_t p = block->predecessors[i];
            if (!queued[p]) {
                queued[p] = 1;
                uint32_t tail = head + waiting++;
                queue[tail >= cfg->block_count ? tail - cfg->block_count : tail] = p;
            }
        }
    }
}

bool variable_flow_build(struct variable_flow *flow, struct arena *arena, const struct ir_cfg *cfg,
                         uint32_t count, live_scanner *scanner, void *context, uint64_t max_bytes)
{
    struct ir_liveness *live = ARENA_NEW(arena, struct ir_liveness);
    flow->live = live;
    live->register_count = count;
    live->index_of = ARENA_ARRAY(arena, uint32_t, count);
    live->register_of = ARENA_ARRAY(arena, uint32_t, count);
    struct live_scan scan = {
        .arena = arena, .flow = flow, .live = live, .written = ARENA_ARRAY(arena, uint32_t, count)};
    for (uint32_t v = 0; v < count; v++)
        live->index_of[v] = IR_NONE;
    for (scan.block = 0; scan.block < cfg->block_count; scan.block++)
        scanner(context, scan.block, &scan);

    uint32_t blocks = cfg->block_count;
    if (max_bytes != 0 && (uint64_t)blocks * (live->count / 64 + 2) * 8 * 3 > max_bytes)
        return false;
    live->live_in = ARENA_ARRAY(arena, struct bitset, (size_t)blocks + 1);
    live->live_out = ARENA_ARRAY(arena, struct bitset, (size_t)blocks + 1);
    struct bitset *killed = ARENA_ARRAY(arena, struct bitset, blocks);
    scan.defined = ARENA_ARRAY(arena, uint32_t, live->count);
    for (uint32_t v = 0; v < count; v++)
        scan.written[v] = 0;
    for (scan.block = 0; scan.block <= blocks; scan.block++) {
        bitset_init(&live->live_in[scan.block], arena, live->count);
        bitset_init(&live->live_out[scan.block], arena, live->count);
        if (scan.block == blocks)
            break;
        bitset_init(&killed[scan.block], arena, live->count);
        scan.used = &live->live_in[scan.block];
        scan.killed = &killed[scan.block];
        scanner(context, scan.block, &scan);
    }
    propagate(arena, cfg, live, killed);
    return true;
}

/* ---- registers ------------------------------------------------------------------------------- */

struct register_scan {
    const struct code *code;
    const struct ir_cfg *cfg;
    struct live_scan *scan;
    uint32_t base; /* of the frame's registers */
    bool guarded, definitions;
};

static void scan_register(void *context, uint32_t reg, bool is_definition)
{
    struct register_scan *registers = context;
    if (is_definition != registers->definitions)
        return;
    if (is_definition)
        live_write(registers->scan, registers->base + reg, !registers->guarded);
    else
        live_read(registers->scan, registers->base + reg);
}

/* Uses of an instruction count before its definitions. */
void register_scan_block(void *context, uint32_t block, struct live_scan *scan)
{
    struct register_scan registers = {.code = ((struct register_source *)context)->code,
                                      .cfg = ((struct register_source *)context)->cfg,
                                      .scan = scan};
    const struct code *code = registers.code;
    uint32_t carry = code->register_count - 1;
    for (uint32_t i = registers.cfg->blocks[block].first; i < registers.cfg->blocks[block].end;
         i++) {
        const struct code_item *item = &code->items.data[i];
        const struct ptx_instruction *instruction = code_instruction(code, i);
        registers.base = code->frames.data[item->frame].register_base;
        registers.guarded = instruction->guard != PTX_NONE;
        registers.definitions = false;
        if (item->child != IR_NONE) {
            /* An inlined call reads its guard; arguments and results are memory. */
            if (registers.guarded)
                scan_register(&registers, instruction->guard, false);
            continue;
        }
        ptx_visit_registers(instruction, scan_register, &registers);
        if (operand_reads_carry(instruction))
            live_read(scan, carry);
        registers.definitions = true;
        ptx_visit_registers(instruction, scan_register, &registers);
        if (operand_writes_carry(instruction))
            live_write(scan, carry, !registers.guarded);
    }
}

struct ir_liveness *ir_liveness_build(struct arena *arena, const struct ir_cfg *cfg)
{
    struct code code;
    struct variable_flow flow = {0};
    code_init(&code, arena, cfg->module, cfg->function);
    struct register_source source = {&code, cfg};
    variable_flow_build(&flow, arena, cfg, code.register_count, register_scan_block, &source, 0);
    return flow.live;
}
