/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ir: the making of a struct ir_function.
 *
 *   emit.c       appends instructions and values; values that are no results are found again by content
 *   object.c     variables as the frames see them
 *   translate.c  one PTX instruction to IR
 *   ssa.c        registers to values
 *   pointer.c    base sets and exact addresses
 *   promote.c    stack slots, parameters and call arguments to values
 *   finish.c     dead values out, final order and numbers, uses
 *   function.c   the order of the passes
 *
 * While it is made, instructions stand in preorder of the dominator tree, the blocks' ranges are in draft->first and draft->end, and
 * cfg->blocks still speaks of items.  A pass that rewrites appends to fresh arrays; values only ever grow until finish.c.
 */
#ifndef LANEWISE_IR_BUILD_H
#define LANEWISE_IR_BUILD_H

#include "ir/flow.h"

/* A map from two words to a 32-bit id. */
struct id_map_entry {
    uint64_t a, b;
    uint32_t id; /* + 1; 0: free */
};
struct id_map {
    struct id_map_entry *entries;
    uint32_t count, capacity;
};
/* The place of the key's id + 1, which is 0 if the key is new. */
uint32_t *id_map_at(struct id_map *map, struct arena *arena, uint64_t a, uint64_t b);

struct ids {
    uint32_t *data;
    uint32_t count, capacity;
};

struct draft {
    struct arena *arena;
    const struct ptx_module *module;
    struct code code;
    struct ir_cfg *cfg;
    struct frontiers frontiers;
    VEC(struct ir_instruction) instructions;
    VEC(struct ir_value) values;
    struct ids operands;
    VEC(struct ir_access) accesses;
    VEC(struct ir_call) calls;
    VEC(struct ir_switch) switches;
    VEC(struct ir_object) objects;
    struct id_map interned, object_ids;
    uint32_t *first, *end; /* block -> instructions */
    uint32_t block;        /* being written */
    /* Of the newest pointer analysis. */
    struct pointer_facts *pointers;
    uint32_t rounds;
    bool has_opaque;
};

/* ---- emit.c ---------------------------------------------------------------------------------- */

unsigned ir_type_bits(enum ptx_type type);
enum ptx_type ir_bits_type(unsigned bits);
/* The value with this content. */
uint32_t emit_value(struct draft *draft, enum ir_value_kind kind, enum ptx_type type,
                    uint32_t index, int64_t number);
uint32_t emit_constant(struct draft *draft, unsigned bits, uint64_t number);
uint32_t emit_undefined(struct draft *draft, unsigned bits);
/* Appends an instruction with its operands; results follow by emit_result.  The pointer is good until the next call. */
struct ir_instruction *emit_instruction(struct draft *draft, uint32_t op,
                                        const struct ir_instruction *origin,
                                        const uint32_t *operands, uint32_t operand_count);
uint32_t emit_result(struct draft *draft, enum ptx_type type);
/* An operation of ours with one result, made for `origin`. */
uint32_t emit_own(struct draft *draft, enum ir_op op, const struct ir_instruction *origin,
                  enum ptx_type type, const uint32_t *operands, uint32_t operand_count);
uint32_t emit_select(struct draft *draft, const struct ir_instruction *origin, uint32_t guard,
                     bool negated, uint32_t fresh, uint32_t old);
uint32_t emit_extract(struct draft *draft, const struct ir_instruction *origin, uint32_t value,
                      uint32_t byte, unsigned bits);
uint32_t emit_concat(struct draft *draft, const struct ir_instruction *origin,
                     const uint32_t *parts, uint32_t count, enum ptx_type type);
uint32_t emit_extend(struct draft *draft, const struct ir_instruction *origin, uint32_t value,
                     unsigned bits, bool is_signed);
/* An access of the newest instruction. */
struct ir_access *emit_access(struct draft *draft);

/* ---- object.c -------------------------------------------------------------------------------- */

uint32_t object_find(struct draft *draft, uint32_t variable, uint32_t frame);

/* ---- translate.c, ssa.c ---------------------------------------------------------------------- */

struct translator {
    struct draft *draft;
    struct renamer renamer;
    const struct ir_liveness *live;
    uint8_t *register_type;       /* of all frames */
    uint32_t frame;               /* of the item being translated */
    struct ir_instruction origin; /* source, frame, index and block of what is being emitted */
    struct ids operands;
    VEC(struct ir_access) accesses;
    struct ids targets;
    uint32_t next_left; /* in code.left_calls */
};
uint32_t translate_read(struct translator *translator, uint32_t reg);
void translate_item(struct translator *translator, uint32_t item);
/* Requires: code, cfg.  Gives: SSA form.  False: too large. */
bool ssa_build(struct draft *draft);

/* ---- pointer.c ------------------------------------------------------------------------------- */

struct pointer_facts {
    struct ir_pointer *of; /* by value */
    VEC(struct ir_base) bases;
    VEC(struct ir_base_set) sets;
    struct ids members;
    struct id_map base_ids, set_ids, unions;
    uint32_t *use_start, *uses; /* of the draft's values */
};
enum { POINTER_SET_EMPTY, POINTER_SET_UNKNOWN };

/* Requires: SSA form.  Gives: draft->pointers, and pointer and space of every access. */
void pointer_analyse(struct draft *draft);
static inline bool pointer_may_be(const struct pointer_facts *facts, uint32_t set, uint32_t base)
{
    for (uint32_t i = 0; i < facts->sets.data[set].count; i++)
        if (facts->members.data[facts->sets.data[set].first + i] == base)
            return true;
    return false;
}
/* True if a result of the instruction keeps the base sets of operand `index`. */
bool pointer_passes(const struct ir_instruction *instruction, uint32_t index);
/* value -> instructions that use it; arrays as in ir_function. */
void uses_build(struct arena *arena, const struct ir_instruction *instructions, uint32_t count,
                const uint32_t *operands, uint32_t value_count, uint32_t **use_start,
                uint32_t **uses);

/* ---- promote.c, finish.c --------------------------------------------------------------------- */

/* One round.  Requires: pointer_analyse.  True if something was promoted (then the facts are stale). */
bool promote_round(struct draft *draft);
/* Gives: the final function; the draft is used up. */
struct ir_function *finish_function(struct draft *draft, uint32_t function);

#endif
