/* SPDX-License-Identifier: Apache-2.0
 *
 * emit: the state of the PTX generator and how it writes instructions.
 *
 * Kernels are right by construction: every value that may become an index is a struct value, which knows an exclusive bound as
 * an expression of the contract, and every array is made as long as the bound of what indexes it.  Where something could be got
 * wrong, the generator asks `strike`: on the first pass nothing is struck and the places are counted; a mutated kernel is written
 * a second time from the same seed with one place struck.
 */
#ifndef SOUNDNESS_EMIT_H
#define SOUNDNESS_EMIT_H

#include "plan.h"

#include <stdlib.h>
#include <string.h>

#define INT_LIMIT 2147483647LL

/* The kinds of mistakes. */
enum mistake {
    MISTAKE_OFF_BY_ONE,
    MISTAKE_GUARD_DROPPED,
    MISTAKE_SIGNEDNESS,
    MISTAKE_STRIDE,
    MISTAKE_OPERAND,
    MISTAKE_WIDER,
    MISTAKE_MISALIGNED,
    MISTAKE_SHIFT,
    MISTAKE_RELATION,
    MISTAKE_EXTENT,
    MISTAKE_COUNT
};

/* An integer parameter with 0 <= value <= most, in a 32-bit register. */
struct scalar {
    const char *name, *reg;
    int64_t least, most;
};

/* A 32-bit register with 0 <= value < below <= most < 2^31. */
struct value {
    const char *reg, *below;
    int64_t most;
    int64_t literal;             /* `below` is this number; 0: symbolic */
    const struct scalar *scalar; /* `below` is this scalar; NULL: something else */
};

struct generator {
    struct arena *arena;
    struct plan *plan;
    uint64_t state;
    struct buffer head, prologue, body, *out;
    uint32_t line;
    uint32_t registers[128]; /* how many of each class letter: r d h p */
    uint32_t labels;
    uint32_t arrays;
    struct scalar scalars[12];
    uint32_t scalar_count;
    VEC(struct value) values; /* in scope */
    const char *axis[4][3];   /* registers of tid, ctaid, ntid, nctaid; NULL: not read yet */
    const char *idiom;
    uint32_t depth;
    uint32_t loops;
    bool diverged;  /* some threads may have left: no barriers */
    bool free_grid; /* the grid is the caller's */
    bool dynamic_used;
    const char *shared_base;
    /* mistakes */
    uint32_t points, struck; /* struck: the point to get wrong, UINT32_MAX: none */
    VEC(uint8_t) kinds;      /* of each point */
};

static inline uint32_t below(struct generator *g, uint32_t bound)
{
    uint64_t x = g->state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(((x ^ x >> 31) >> 32) * (uint64_t)bound >> 32);
}
static inline bool chance(struct generator *g, uint32_t percent)
{
    return below(g, 100) < percent;
}
static inline void feature(struct generator *g, enum feature which)
{
    g->plan->features[which] = true;
}

/* True when this is the place to get wrong. */
bool strike(struct generator *g, enum mistake kind);
/* `number`, or one off when struck. */
int64_t exact(struct generator *g, enum mistake kind, int64_t number);
/* 's' or 'u', the other one when struck. */
char sign(struct generator *g, char right);
/* 's' or 'u': both are right. */
static inline char either(struct generator *g)
{
    return below(g, 2) == 0 ? 's' : 'u';
}

#define text_of(g, ...) ((const char *)arena_printf((g)->arena, __VA_ARGS__))

/* One instruction with a new register of class 'r' (32 bits), 'd' (64), 'h' (16) or 'p' as its result, which is returned. */
const char *op(struct generator *g, char class, const char *mnemonic, const char *operands, ...)
    LW_PRINTF(4, 5);
/* The same into a given register. */
void op_to(struct generator *g, const char *target, const char *mnemonic, const char *operands, ...)
    LW_PRINTF(4, 5);
/* One instruction as it stands. */
void raw(struct generator *g, const char *format, ...) LW_PRINTF(2, 3);
uint32_t new_label(struct generator *g);
void put_label(struct generator *g, uint32_t label);

/* ---- kernel.c: what instructions speak of ------------------------------------------------------- */

/* Registers of %tid (0), %ctaid, %ntid, %nctaid. */
const char *special(struct generator *g, uint32_t which, uint32_t axis);
/* An integer parameter, a new one or one that is there, with least <= value. */
const struct scalar *scalar(struct generator *g, int64_t least, bool fresh);
/* A relation of the contract. */
void require(struct generator *g, const char *format, ...) LW_PRINTF(2, 3);
/* Makes `most` at most 2^31 - 1, if need be by a relation about `text`. */
int64_t fit(struct generator *g, const char *text, int64_t most);
/* A value that is in scope. */
struct value pick(struct generator *g);
void push_value(struct generator *g, struct value value);
/* A pointer parameter; its address in a register. */
struct plan_parameter *new_array(struct generator *g, uint32_t element_size, const char *extent,
                                 const char **base);
/* A predicate that is now true, now false. */
const char *some_condition(struct generator *g);

/* ---- guard.c: going on only if ------------------------------------------------------------------ */

/* Jumps to `label` unless reg < bound; both are at least 0 when read as signed, unless `unsigned_only`. */
void leave_unless_below(struct generator *g, const char *reg, const char *bound, uint32_t label,
                        bool unsigned_only);
/* The same for two or three pairs at once. */
void leave_unless_all_below(struct generator *g, uint32_t count, const char *const *regs,
                            const char *const *bounds, uint32_t label, bool unsigned_only);

/* ---- memory.c: accesses --------------------------------------------------------------------------- */

/* Reads or writes element `value` + `ahead` of an array that is long enough. */
void access_at(struct generator *g, struct value value, int64_t ahead);
/* The address of element `reg` in a 64-bit register. */
const char *address_of(struct generator *g, const char *base, const char *reg,
                       uint32_t element_size);
/* Loads or stores at a formed address. */
void touch(struct generator *g, const char *address, int64_t offset, uint32_t element_size,
           bool may_write);

void idiom_vector(struct generator *g);
void idiom_gather(struct generator *g);
void idiom_offsets(struct generator *g);
void idiom_shared(struct generator *g);
void idiom_dynamic(struct generator *g);
void idiom_local(struct generator *g);
void idiom_constant(struct generator *g);
void idiom_atomic(struct generator *g);

/* ---- index.c: straight-line index arithmetic ------------------------------------------------------ */

/* Does a random thing with `value`; the result has a known bound. */
struct value derive(struct generator *g, struct value value);
void idiom_derived(struct generator *g);
struct value literal_value(const char *reg, struct generator *g, int64_t bound);
/* The bound of `v` as an operand, or NULL. */
const char *bound_operand(struct generator *g, const struct value *v);
/* `reg` under the bound of `v`, and under that bound + c. */
struct value loose(const char *reg, struct value v);
struct value grown(struct generator *g, const char *reg, struct value v, int64_t c);

/* ---- around.c: what is done around an index -------------------------------------------------------- */

void idiom_neighbours(struct generator *g);
void idiom_clamped(struct generator *g);
void idiom_meet(struct generator *g);
void idiom_wild(struct generator *g);
void idiom_product(struct generator *g);
void idiom_guarded_division(struct generator *g);

/* ---- loops.c ---------------------------------------------------------------------------------------- */

void idiom_loop(struct generator *g);

/* ---- chaos.c ----------------------------------------------------------------------------------------- */

/* What nobody made right; only for kernels that may fault. */
void idiom_chaos(struct generator *g);

/* ---- cuda.c ----------------------------------------------------------------------------------------- */

/* The whole kernel as CUDA C. */
void write_cuda_text(struct generator *g);

/* ---- kernel.c --------------------------------------------------------------------------------------- */

/* One random idiom. */
void some_idiom(struct generator *g);
/* One without a loop, for the inside of loops. */
void some_small_idiom(struct generator *g);

#endif
