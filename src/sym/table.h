/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside sym: the hash tables that make equal things have equal ids, and marks for walks over atoms.
 */
#ifndef LANEWISE_SYM_TABLE_H
#define LANEWISE_SYM_TABLE_H

#include "sym/sym.h"

struct sym_table {
    uint32_t *slots; /* id + 1; 0: empty */
    uint32_t capacity, count;
};

/* Ids whose hash is `hash`, one after another: begin with *slot = hash, go on until SYM_NONE. */
uint32_t sym_table_next(const struct sym_table *table, uint64_t *slot);
/* Enters `id`; hash_of gives the hash of an entered id when the table grows. */
void sym_table_add(struct sym *sym, struct sym_table *table, uint64_t hash, uint32_t id,
                   uint64_t (*hash_of)(const struct sym *sym, uint32_t id));

static inline uint64_t sym_hash(uint64_t hash, uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdu;
}

/* What a walk has seen: stamps[atom] == epoch. */
struct sym_scratch {
    uint32_t *stamps;
    sym_poly *values;
    uint32_t *cond_stamps;
    sym_cond *cond_values;
    uint32_t atom_capacity, cond_capacity;
    uint32_t epoch;
};
/* A new epoch with room for every atom and condition there is now. */
struct sym_scratch *sym_scratch_begin(struct sym *sym);

/* poly.c */
sym_monomial sym_monomial_of(struct sym *sym, const sym_atom *atoms, uint32_t count); /* sorted */
sym_poly sym_poly_of(struct sym *sym, struct sym_term *terms, uint32_t count);        /* any order; merged here */
/* atom.c: the hash-consed atom, bounds already known. */
sym_atom sym_intern_atom(struct sym *sym, const struct sym_atom_data *data);
/* What an atom of that kind (no variable, no join) makes of other parts. */
sym_poly sym_atom_with(struct sym *sym, const struct sym_atom_data *data, sym_poly a, sym_poly b, sym_cond condition);
/* The single atom that `a` is, or SYM_NONE. */
sym_atom sym_single_atom(const struct sym *sym, sym_poly a);

static inline sym_integer sym_power_of_two(unsigned exponent)
{
    return (sym_integer)1 << exponent;
}

#endif
