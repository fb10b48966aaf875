/* SPDX-License-Identifier: Apache-2.0
 *
 * Liveness of PTX registers between blocks: a backward may-analysis over dense numbers of the registers that can be live at all.
 */
#include "ir/ir.h"

struct scan {
    struct ir_liveness *live;
    uint32_t stamp;        /* block + 1 */
    uint32_t *written;     /* register -> stamp of the block that has certainly written it so far */
    struct bitset *used;   /* NULL while numbering; else what the block reads first */
    struct bitset *killed; /* NULL while numbering; else what it certainly writes before any read */
    bool guarded, definitions;
};

static void scan_read(struct scan *scan, uint32_t reg)
{
    if (scan->written[reg] == scan->stamp)
        return;
    struct ir_liveness *live = scan->live;
    if (live->index_of[reg] == IR_NONE) {
        live->index_of[reg] = live->count;
        live->register_of[live->count++] = reg;
    }
    if (scan->used != NULL)
        bitset_add(scan->used, live->index_of[reg]);
}

static void scan_register(void *context, uint32_t reg, bool is_definition)
{
    struct scan *scan = context;
    if (reg >= scan->live->register_count || is_definition != scan->definitions)
        return;
    if (!is_definition || scan->guarded)
        scan_read(scan, reg);
    if (is_definition && !scan->guarded) {
        scan->written[reg] = scan->stamp;
        if (scan->killed != NULL && scan->live->index_of[reg] != IR_NONE)
            bitset_add(scan->killed, scan->live->index_of[reg]);
    }
}

/* Uses of an instruction count before its definitions. */
static void scan_block(struct scan *scan, const struct ir_cfg *cfg, uint32_t block)
{
    scan->stamp = block + 1;
    for (uint32_t i = cfg->blocks[block].first; i < cfg->blocks[block].end; i++) {
        const struct ptx_instruction *instruction = &cfg->source->instructions.data[i];
        scan->guarded = instruction->guard != PTX_NONE;
        scan->definitions = false;
        ptx_visit_registers(instruction, scan_register, scan);
        scan->definitions = true;
        ptx_visit_registers(instruction, scan_register, scan);
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
                uint32_t tail = head + waiting;
                queue[tail >= cfg->block_count ? tail - cfg->block_count : tail] = p;
                waiting++;
            }
        }
    }
}

struct ir_liveness *ir_liveness_build(struct arena *arena, const struct ir_cfg *cfg)
{
    struct ir_liveness *live = ARENA_NEW(arena, struct ir_liveness);
    live->register_count = cfg->source->registers.count;
    live->index_of = ARENA_ARRAY(arena, uint32_t, live->register_count);
    live->register_of = ARENA_ARRAY(arena, uint32_t, live->register_count);
    live->live_in = ARENA_ARRAY(arena, struct bitset, (size_t)cfg->block_count + 1);
    live->live_out = ARENA_ARRAY(arena, struct bitset, (size_t)cfg->block_count + 1);
    struct bitset *killed = ARENA_ARRAY(arena, struct bitset, cfg->block_count);
    struct scan scan = {.live = live,
                        .written = ARENA_ARRAY(arena, uint32_t, live->register_count)};
    for (uint32_t r = 0; r < live->register_count; r++)
        live->index_of[r] = IR_NONE;
    for (uint32_t b = 0; b < cfg->block_count; b++)
        scan_block(&scan, cfg, b);
    for (uint32_t r = 0; r < live->register_count; r++)
        scan.written[r] = 0;
    for (uint32_t b = 0; b <= cfg->block_count; b++) {
        bitset_init(&live->live_in[b], arena, live->count);
        bitset_init(&live->live_out[b], arena, live->count);
        if (b == cfg->block_count)
            break;
        bitset_init(&killed[b], arena, live->count);
        scan.used = &live->live_in[b];
        scan.killed = &killed[b];
        scan_block(&scan, cfg, b);
    }
    propagate(arena, cfg, live, killed);
    return live;
}
