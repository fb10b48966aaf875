/* SPDX-License-Identifier: Apache-2.0
 *
 * Lane operations: what one decoded operation does to the 32 lanes of a warp.  This header is the contract between the core
 * (decode, control flow, memory, barriers: emu_*.c) and the pure register operations (lanes_*.c), which are compiled once for each
 * instruction set (plain x86-64, AVX2, AVX-512; macro EMU_ISA) and chosen at run time.
 *
 * Registers.  A register file is one block of bytes.  Every register has a slot whose offset is a multiple of 64 bytes:
 *   predicate          uint32_t, bit l = lane l
 *   8- and 16-bit      uint16_t[32]   (8-bit values in the low byte; the high byte is unspecified)
 *   32-bit             uint32_t[32]
 *   64-bit             uint64_t[32]
 *   128-bit            uint64_t[2][32] (low words, then high words)
 * An operand is a reference: bit 31 clear: offset in the register file of the current frame; bit 31 set: offset in the constant pool,
 * which holds immediates already broadcast to all lanes in the same formats.
 *
 * A lane operation reads its sources, and writes the destination only in the lanes of `mask`; other lanes keep their value.  Sources
 * and destination may be the same slot.  It never touches memory, never fails, and returns EMU_NEXT.
 */
#ifndef LANEWISE_EMU_LANES_H
#define LANEWISE_EMU_LANES_H

#include "ptx/ptx.h"

#include <string.h>

enum { EMU_LANES = 32 };
#define EMU_FULL_MASK 0xffffffffu
#define EMU_REF_NONE UINT32_MAX
#define EMU_REF_POOL 0x80000000u
#define EMU_SLOT 64u /* granularity of slots; the poison mask of a register is poison[offset / EMU_SLOT] */

/* What the core does after an operation. */
enum emu_next {
    EMU_NEXT,    /* go on with the next operation */
    EMU_JUMP,    /* frame's program counter was set for the whole group */
    EMU_SWITCH,  /* the group stopped: it waits, split or ended; choose another */
    EMU_ABORT    /* the block or launch ends; status is set */
};

struct emu_warp;
struct emu_op;
typedef enum emu_next emu_fn(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);

/* One decoded operation. */
struct emu_op {
    emu_fn *run;
    uint32_t dst;      /* first destination */
    uint32_t dst2;     /* second destination: q of p|q, predicate of shfl, carry-out of .cc */
    uint32_t a, b, c, d; /* sources in written order; EMU_REF_NONE where absent */
    uint32_t carry;    /* addc, subc, madc: the carry flag's slot (a predicate); sub.cc stores the borrow's complement as hardware does */
    uint32_t guard;    /* predicate slot, or EMU_REF_NONE */
    uint32_t guard_flip; /* 0, or all ones for @!p */
    uint32_t negate;   /* bit n: predicate source n (0 = a) is written !p */
    uint32_t instruction; /* index into the PTX function's instructions */
    uint8_t dst_size, a_size, b_size, c_size; /* storage bytes of the slots: 1 predicate, 2, 4, 8, 16; 0 absent */
    uint8_t list_count;   /* vector operands: how many */
    uint8_t list_size;    /* storage bytes of each list element */
    uint8_t kind;         /* for the core: enum emu_kind */
    uint8_t copies;       /* moves poison instead of consuming it (mov, selp, shfl, ...): set by the core */
    const uint32_t *list; /* references of vector elements (pack: sources, unpack: destinations; matrix: all, in order) */
    int64_t immediate;    /* integer immediate of the last source, where there is one (lop3 table, prmt selector, address offset) */
    const struct ptx_instruction *source;
    uint32_t poison_dst;  /* used by the core */
    uint32_t extra[3];    /* used by the core: targets, sizes, site numbers */
};

/* What a lane operation may see of its warp.  struct emu_warp (emu_core.h) begins with it. */
struct emu_lane_view {
    char *bases[2];    /* [0] register file of the current frame, [1] constant pool */
    uint32_t present;  /* lanes that exist (the last warp of a block may be partial) and have not exited */
    uint32_t active;   /* lanes of the group that executes now (guard not applied) */
};

static inline void *emu_slot(struct emu_warp *warp, uint32_t reference)
{
    const struct emu_lane_view *view = (const struct emu_lane_view *)(const void *)warp;
    return view->bases[reference >> 31] + (reference & ~EMU_REF_POOL);
}

/* A value of a predicate source, complemented where written !p. */
static inline uint32_t emu_predicate(struct emu_warp *warp, const struct emu_op *op, uint32_t reference,
                                     unsigned source)
{
    uint32_t value;
    memcpy(&value, emu_slot(warp, reference), sizeof value);
    return op->negate >> source & 1 ? ~value : value;
}

static inline void emu_predicate_store(struct emu_warp *warp, uint32_t reference, uint32_t value,
                                       uint32_t mask)
{
    uint32_t *slot = emu_slot(warp, reference);
    *slot = (*slot & ~mask) | (value & mask);
}

/* The lane operation of an instruction, or NULL if there is none.  `op` is filled except for `run`; the function may
 * look at the storage sizes.  One for each instruction set; emu_lanes_select picks by `isa`. */
typedef emu_fn *emu_lanes_selector(const struct ptx_instruction *instruction, const struct emu_op *op);
emu_lanes_selector emu_lanes_select_plain, emu_lanes_select_avx2, emu_lanes_select_avx512;

/* `isa` is one of EMU_ISA_... of emu.h.  The best the machine has, and the selector for one (for the best, if it has not that one). */
unsigned emu_lanes_best_isa(void);
emu_lanes_selector *emu_lanes_selector_for(unsigned isa);

/* Native device math: the lane operation for a call of an external function such as "__nv_sinf" ("__nv_" names of libdevice);
 * op->a, b, c are the arguments, op->dst (and dst2, op->list for sincos-like results through pointers: see lanes_math.c) the result.
 * NULL if there is no such function.  `signature` gets return and argument types, for checking the call. */
struct emu_math_function {
    const char *name;
    emu_fn *run;
    uint8_t result;       /* enum ptx_type */
    uint8_t arguments[4]; /* enum ptx_type; NONE ends */
    uint8_t pointers;     /* bit n: argument n is a pointer to which the n-th extra result is stored (sincos, modf, frexp, remquo) */
};
const struct emu_math_function *emu_math_find(const char *name);

#endif
