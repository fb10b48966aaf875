/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sym: what the parts of the translation share.
 */
#ifndef LANEWISE_SYM_TRANSLATE_H
#define LANEWISE_SYM_TRANSLATE_H

#include "sym/sym.h"

/* translate.c */
struct sym_atom_info *sym_info(struct sym_kernel *kernel, sym_atom atom);
/* A value of which only its width is known; it is fixed in a thread if `block` is IR_NONE. */
sym_atom sym_opaque(struct sym_kernel *kernel, uint32_t value, unsigned bits, uint32_t block);
unsigned sym_bits(const struct sym_kernel *kernel, uint32_t value);
/* Does every launch that the contract admits, and every thread of it, obey the condition? */
bool sym_always(struct sym_kernel *kernel, sym_cond condition);
/* sym_wrap, without the wrap where every thread of every launch stays inside the width. */
sym_poly sym_settled_wrap(struct sym_kernel *kernel, sym_poly value, unsigned bits, bool is_signed);
/* All values and truths; header phis are provisional atoms unless phi_values knows better. */
void sym_translate(struct sym_kernel *kernel);

/* translate_integer.c: results of an instruction on integers; false if it is none of those. */
bool sym_translate_integer(struct sym_kernel *kernel, const struct ir_instruction *instruction);
/* translate_predicate.c */
bool sym_translate_predicate(struct sym_kernel *kernel, const struct ir_instruction *instruction);
/* translate_memory.c: loads, and whatever else makes values of which little is known. */
void sym_translate_other(struct sym_kernel *kernel, const struct ir_instruction *instruction);
sym_poly sym_translate_parameter(struct sym_kernel *kernel, uint32_t value);
sym_poly sym_translate_object(struct sym_kernel *kernel, uint32_t object);
/* The window of a space in the generic address space. */
sym_poly sym_window(struct sym_kernel *kernel, uint8_t space);

/* facts.c */
/* Facts of a way from the immediate dominator of `block` to it through predecessor `from`. */
sym_cond sym_way_to_join(struct sym_kernel *kernel, uint32_t from, uint32_t block);
/* Is control going over this edge going back to a loop's header? */
bool sym_is_back_edge(const struct sym_kernel *kernel, uint32_t from, uint32_t to);
/* What the branch that ends `from` tells where control goes to `to`. */
sym_cond sym_branch_fact(struct sym_kernel *kernel, uint32_t from, uint32_t to);

/* loops.c */
void sym_analyse_loops(struct sym_kernel *kernel);
/* induction.c: the loop at whose header the phi of this number (in kernel->phis) stands. */
uint32_t sym_phi_loop(const struct sym_kernel *kernel, uint32_t phi);
/* After a translation: what provisional atoms turn out to be.  True if some were found. */
bool sym_find_inductions(struct sym_kernel *kernel);

#endif
