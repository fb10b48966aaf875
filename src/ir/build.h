/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ir: the making of a struct ir_function.
 *
 *   emit.c       appends instructions and values; constants and the like are found by content
 *   object.c     variables as the frames see them
 *   translate.c  one PTX instruction to IR
 *   ssa.c        registers to values
 *   base_sets.c  sets of bases, by content
 *   pointer.c    what each value points to
 *   stack.c      which bytes of stack variables can be seen through
 *   promote.c    stack slots, parameters and call arguments to values
 *   finish.c     dead values out, final order and numbers, uses
 *   function.c   the order of the passes
 *
 * While it is made, instructions stand in preorder of the dominator tree, the blocks' ranges are
 * in draft->first and draft->end, and cfg->blocks still speaks of items.  A pass that rewrites
 * appends to fresh arrays; values only ever grow until finish.c.
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
uint32_t *id_map_at(struct id_map *map, struct arena *arena, uint64_t a,
                    uint64_t b);                                        /* must be set */
uint32_t id_map_find(const struct id_map *map, uint64_t a, uint64_t b); /* 0: not there */

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
    struct stack *stack; /* NULL: pointers are not followed through memory */
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
/* Appends an instruction with its operands; results follow by emit_result.  The pointer is good
 * until the next call. */
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

/* ---- base_sets.c, pointer.c, stack.c --------------------------------------------------------- */

/* Eight bytes of a stack variable, as a place where a pointer may be kept. */
struct cell {
    uint32_t object, offset;
    struct ir_pointer state; /* of all that was stored there */
    struct ids readers;      /* instructions */
    uint8_t walked;
};

struct pointer_facts {
    struct ir_pointer *of; /* by value */
    uint8_t *walked;       /* by value: how often its constant parts moved */
    VEC(struct ir_base) bases;
    VEC(struct ir_base_set) sets;
    struct ids members;
    VEC(struct cell) cells;
    struct id_map base_ids, set_ids, unions, cell_ids;
    uint32_t *use_start, *uses; /* of the draft's values */
    bool is_hurried;            /* too many steps: what changes is given up */
};
enum { POINTER_SET_EMPTY, POINTER_SET_UNKNOWN };
#define POINTER_NOT_SEEN (IR_NONE - 1) /* base of a value that the analysis has not reached */

void base_sets_init(struct draft *draft);
uint32_t base_find(struct draft *draft, enum ir_base_kind kind, uint32_t index, int64_t number);
uint32_t base_set_of(struct draft *draft, uint32_t base);
uint32_t base_set_union(struct draft *draft, uint32_t a, uint32_t b);

/* Requires: SSA form.  Gives: draft->pointers, and pointer and space of every access.  With
 * draft->stack, pointers are followed through the stack variables that it does not call open. */
void pointer_analyse(struct draft *draft);
/* True if a result of the instruction keeps the base sets of operand `index`. */
bool pointer_passes(const struct ir_instruction *instruction, uint32_t index);
/* value -> instructions that use it; arrays as in ir_function. */
void uses_build(struct arena *arena, const struct ir_instruction *instructions, uint32_t count,
                const uint32_t *operands, uint32_t value_count, uint32_t **use_start,
                uint32_t **uses);

struct byte_range {
    uint32_t first, end;
};

/* What is known of each object while it may be promoted. */
struct stack_object {
    bool is_candidate;       /* local or parameter variable, not all open */
    bool is_call_result;     /* written by a call that stays */
    bool is_indexed;         /* some access stays */
    struct byte_range *open; /* ascending, apart: bytes that stay memory */
    uint32_t open_count;
};
struct stack {
    struct stack_object *objects;
    struct id_map dirty; /* object, offset: a cell that is also accessed in other ways */
};
bool stack_is_open(const struct stack *stack, uint32_t object, uint32_t first, uint32_t end);
/* The object that an access goes to at a constant place inside, as a plain load or store; IR_NONE
 * if it is not like that. */
uint32_t stack_exact_object(const struct draft *draft, const struct ir_access *access);
/* Gives: draft->stack, and with it the pointers: what can be promoted.  Regions of accesses are
 * set. */
void stack_analyse(struct draft *draft, bool no_regions);
/* True if no exact access lies outside the region that it was given. */
bool stack_regions_hold(const struct draft *draft);

/* ---- promote.c, finish.c --------------------------------------------------------------------- */

/* One round.  Requires: stack_analyse.  True if something was promoted (then the facts are stale).
 */
bool promote_round(struct draft *draft);
/* Gives: the final function; the draft is used up. */
struct ir_function *finish_function(struct draft *draft, uint32_t function);

#endif
