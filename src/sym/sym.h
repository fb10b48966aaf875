/* SPDX-License-Identifier: Apache-2.0
 *
 * sym: values of a kernel as polynomials with integer coefficients over atoms, facts about them, and the question "is this
 * polynomial never negative under these facts?".
 *
 * Everything is hash-consed in one struct sym: equal polynomials, atoms and conditions have equal ids, so equality is a
 * comparison and results are cached by id.  Polynomials are exact integers.  PTX arithmetic is modular, so the polynomial that a
 * register of w bits gets is equal to it only modulo 2^w; reading it as a number is an atom of its own (SYM_WRAP_UNSIGNED,
 * SYM_WRAP_SIGNED), which is equal to the polynomial where facts show that this stays inside the width.
 *
 * Layers: poly.c, atom.c, condition.c, substitute.c, print.c (this algebra), solve*.c (the question), translate*.c (from ir),
 * facts.c and loops.c (what holds where), uniform*.c and pair.c (two threads).
 */
#ifndef LANEWISE_SYM_H
#define LANEWISE_SYM_H

#include "base/base.h"
#include "contract/contract.h"
#include "ir/ir.h"

__extension__ typedef __int128 sym_integer;

typedef uint32_t sym_poly;     /* id; SYM_ZERO is the polynomial 0 */
typedef uint32_t sym_atom;     /* id */
typedef uint32_t sym_monomial; /* id; 0 is the empty product, 1 */
typedef uint32_t sym_cond;     /* id; SYM_FALSE, SYM_TRUE */

static inline sym_integer sym_floor_divide(sym_integer a, sym_integer b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

#define SYM_NONE UINT32_MAX
#define SYM_ZERO 0u
#define SYM_FALSE 0u
#define SYM_TRUE 1u

/* Bounds of an atom use these for "no bound". */
#define SYM_MIN (-((sym_integer)1 << 100))
#define SYM_MAX ((sym_integer)1 << 100)

enum sym_atom_kind {
    SYM_VARIABLE,      /* an integer about which only low <= v <= high (and facts) is known */
    SYM_WRAP_UNSIGNED, /* a mod 2^bits, in [0, 2^bits) */
    SYM_WRAP_SIGNED,   /* the same number read as two's complement, in [-2^(bits-1), 2^(bits-1)) */
    SYM_QUOTIENT,      /* floor(a / b) where b >= 1; any integer where b <= 0 */
    SYM_TRUNCATED,     /* C division, towards zero, where b != 0; any integer where b == 0 */
    SYM_SELECT,        /* condition ? a : b */
    SYM_MINIMUM,       /* of a and b */
    SYM_MAXIMUM,
    SYM_BIT_AND,       /* of a mod 2^bits and b mod 2^bits, in [0, 2^bits) */
    SYM_BIT_OR,
    SYM_BIT_XOR,
    SYM_JOIN,          /* the value of a phi at a join that is no loop header: one case for each edge.  A case speaks of values that
                          exist only where its edge was taken: a join inside a case may be looked at only under that case */
    SYM_POWER,         /* 2^a for 0 <= a < bits, else 0 (shl by a variable) */
    SYM_ATOM_KIND_COUNT
};

struct sym_term {
    sym_monomial monomial;
    sym_integer coefficient; /* not 0 */
};

struct sym_poly_data {
    const struct sym_term *terms; /* by monomial id; none twice */
    uint32_t count;
    uint32_t degree;
    uint64_t hash;
};

struct sym_monomial_data {
    const sym_atom *atoms; /* ascending; repeated for powers */
    uint32_t count;
    uint64_t hash;
};

struct sym_atom_data {
    uint8_t kind;
    uint8_t bits;
    sym_poly a, b;
    sym_cond condition;  /* SELECT */
    uint32_t index;      /* VARIABLE: number; JOIN: which case list */
    sym_integer low, high; /* static bounds, inclusive; SYM_MIN, SYM_MAX: none */
    const char *name;    /* VARIABLE: for people; NULL for others */
    uint32_t rank;       /* 1 + largest rank among the atoms in a, b, condition; VARIABLE: 0 */
    uint64_t hash;
};

/* ---- conditions -------------------------------------------------------------------------------- */

enum sym_cond_kind {
    SYM_CONSTANT_CONDITION,
    SYM_GE,       /* poly >= 0 */
    SYM_EQ,       /* poly == 0 */
    SYM_NE,       /* poly != 0 */
    SYM_AND,      /* left, right */
    SYM_OR,
    SYM_UNKNOWN   /* a truth value of which nothing is known: index; `negated` */
};
struct sym_cond_data {
    uint8_t kind;
    bool negated; /* UNKNOWN */
    sym_poly poly;
    sym_cond left, right;
    uint32_t index;
    uint64_t hash;
};

/* A value at a join: where edge i was taken, `values[i]` and all of `facts[i]` hold. */
struct sym_join {
    uint32_t block;
    uint32_t count;
    sym_poly *values;
    sym_cond *facts;
};

struct sym_solver; /* private to solve.c: the Z3 context and the cache */

struct sym_stats {
    uint64_t queries, cached, by_interval, by_lemma, z3_calls, z3_unknown, splits;
    double z3_seconds;
};

struct sym {
    struct arena *arena;
    VEC(struct sym_poly_data) polys;
    VEC(struct sym_monomial_data) monomials;
    VEC(struct sym_atom_data) atoms;
    VEC(struct sym_cond_data) conds;
    VEC(struct sym_join) joins;
    struct sym_table *poly_table, *monomial_table, *atom_table, *cond_table;
    uint32_t variable_count;
    struct sym_scratch *scratch; /* of walks over atoms */
    struct sym_solver *solver;
    struct sym_stats stats;
    uint64_t max_effort; /* questions and ten times the calls of Z3: later questions are NOT_PROVED; 0: no end */
    bool overflowed; /* some coefficient left 120 bits: that result became a free variable */
};

void sym_init(struct sym *sym, struct arena *arena);

/* ---- building (poly.c, atom.c, condition.c).  All constructors simplify; none fails. ----------------------------------- */

sym_poly sym_constant(struct sym *sym, sym_integer value);
sym_poly sym_of_atom(struct sym *sym, sym_atom atom);
/* A new free variable with inclusive bounds. */
sym_atom sym_variable(struct sym *sym, const char *name, sym_integer low, sym_integer high);
sym_poly sym_add(struct sym *sym, sym_poly a, sym_poly b);
sym_poly sym_subtract(struct sym *sym, sym_poly a, sym_poly b);
sym_poly sym_scale(struct sym *sym, sym_poly a, sym_integer factor);
sym_poly sym_multiply(struct sym *sym, sym_poly a, sym_poly b);
/* a + k */
sym_poly sym_shift(struct sym *sym, sym_poly a, sym_integer k);

/* A polynomial congruent to a modulo 2^bits, in a normal form: coefficients in (-2^(bits-1), 2^(bits-1)], no outermost wrap of
 * at least as many bits. */
sym_poly sym_congruent(struct sym *sym, sym_poly a, unsigned bits);
/* The register of `bits` bits that is congruent to a, as a number. */
sym_poly sym_wrap(struct sym *sym, sym_poly a, unsigned bits, bool is_signed);
sym_poly sym_quotient(struct sym *sym, sym_poly a, sym_poly b);  /* SYM_QUOTIENT */
sym_poly sym_truncated(struct sym *sym, sym_poly a, sym_poly b); /* SYM_TRUNCATED */
sym_poly sym_select(struct sym *sym, sym_cond condition, sym_poly a, sym_poly b);
sym_poly sym_minimum(struct sym *sym, sym_poly a, sym_poly b);
sym_poly sym_maximum(struct sym *sym, sym_poly a, sym_poly b);
sym_poly sym_bitwise(struct sym *sym, enum sym_atom_kind kind, sym_poly a, sym_poly b, unsigned bits);
sym_poly sym_power(struct sym *sym, sym_poly exponent, unsigned bits);
sym_poly sym_of_join(struct sym *sym, uint32_t block, const sym_poly *values, const sym_cond *facts, uint32_t count);

sym_cond sym_ge(struct sym *sym, sym_poly poly); /* poly >= 0 */
sym_cond sym_eq(struct sym *sym, sym_poly poly);
sym_cond sym_ne(struct sym *sym, sym_poly poly);
sym_cond sym_and(struct sym *sym, sym_cond a, sym_cond b);
sym_cond sym_or(struct sym *sym, sym_cond a, sym_cond b);
sym_cond sym_not(struct sym *sym, sym_cond a);
sym_cond sym_unknown(struct sym *sym); /* a new one */

bool sym_is_constant(const struct sym *sym, sym_poly a, sym_integer *value);
/* Greatest common divisor of all coefficients, the constant included; 0 for the polynomial 0. */
sym_integer sym_content(const struct sym *sym, sym_poly a);
/* a / k, k dividing its content. */
sym_poly sym_divide_exact(struct sym *sym, sym_poly a, sym_integer k);
/* Every occurrence of atoms[i] (also inside other atoms) becomes values[i]. */
sym_poly sym_substitute(struct sym *sym, sym_poly a, const sym_atom *atoms, const sym_poly *values, uint32_t count);
sym_cond sym_substitute_cond(struct sym *sym, sym_cond a, const sym_atom *atoms, const sym_poly *values, uint32_t count);
/* True if the atom occurs in a, also inside other atoms. */
bool sym_mentions(struct sym *sym, sym_poly a, sym_atom atom);
bool sym_cond_mentions(struct sym *sym, sym_cond a, sym_atom atom);
/* Adds every atom that occurs in a (inside other atoms too) to the set, which is sized to hold all of sym->atoms. */
void sym_collect_atoms(const struct sym *sym, sym_poly a, struct bitset *set);
void sym_collect_cond_atoms(const struct sym *sym, sym_cond a, struct bitset *set);
/* Bounds from the static bounds of atoms; SYM_MIN, SYM_MAX where there are none. */
void sym_interval(const struct sym *sym, sym_poly a, sym_integer *low, sym_integer *high);

void sym_print(const struct sym *sym, sym_poly a, struct buffer *out);      /* "16*ctaid.y*k + i - 1" */
void sym_print_cond(const struct sym *sym, sym_cond a, struct buffer *out); /* "n - i - 1 >= 0" */

/* ---- the question (solve.c and beside it) ---------------------------------------------------------- */

enum sym_answer { SYM_PROVED, SYM_NOT_PROVED };

struct sym_limits {
    uint32_t z3_resources; /* rlimit of one query; 0: a default of about 0.2 s */
    uint32_t max_splits;   /* leaves of one question's case tree; 0: 64 */
    uint32_t max_products; /* lemmas by multiplication of one question; 0: 240 */
};

/* True answers only: PROVED means that every assignment of integers to atoms that obeys their definitions and all `facts` (each a
 * condition, together their conjunction) makes `goal` true.  NOT_PROVED says nothing.  Deterministic: limits are counts, not time.
 * Remembers answers by (facts, goal). */
enum sym_answer sym_prove(struct sym *sym, const sym_cond *facts, uint32_t fact_count, sym_cond goal,
                          const struct sym_limits *limits);
/* PROVED: no assignment obeys all facts. */
enum sym_answer sym_contradict(struct sym *sym, const sym_cond *facts, uint32_t fact_count, const struct sym_limits *limits);

/* Integers for all variables that obey the facts and break the goal, the small ones first tried; a candidate, found with limited
 * effort, to be confirmed by whoever asked.  values[i] is for variables[i].  False: none found. */
bool sym_find_model(struct sym *sym, const sym_cond *facts, uint32_t fact_count, sym_cond goal, const sym_atom *variables,
                    uint32_t variable_count, sym_integer *values, const struct sym_limits *limits);

void sym_end(struct sym *sym); /* frees the Z3 context */

/* ==== Part B: a kernel ============================================================================ */

/* Every launch that a contract admits, as atoms and facts (environment.c).  Arrays are by parameter index of the contract. */
struct sym_environment {
    struct sym *sym;
    const struct ptx_module *module;
    uint32_t function;
    const struct contract *contract; /* NULL: none */
    sym_poly *scalars;               /* SYM_NONE: not an integer */
    sym_poly *lengths;               /* elements that the array has: a variable; SYM_NONE: not a pointer */
    sym_poly *extents;               /* elements that the contract promises; SYM_NONE: nothing is promised */
    sym_poly *value_low, *value_high; /* LW_VALUES; SYM_NONE */
    sym_poly block[3], grid[3];
    sym_poly thread[3], block_index[3]; /* tid, ctaid */
    sym_poly shared_bytes;              /* dynamic shared memory; SYM_NONE: the contract does not say */
    VEC(sym_cond) facts;                /* what every launch obeys */
    VEC(sym_cond) thread_facts;         /* what every thread of it obeys: tid < ntid, ctaid < nctaid */
};
struct sym_environment *sym_environment_build(struct sym *sym, const struct ptx_module *module, uint32_t function,
                                              const struct contract *contract);
/* An expression or relation of the contract as polynomial or condition. */
sym_poly sym_of_expression(struct sym_environment *environment, const struct contract_expression *expression);
sym_cond sym_of_relation(struct sym_environment *environment, const struct contract_relation *relation);

/* What an atom of a kernel is. */
struct sym_atom_info {
    uint32_t loop;     /* innermost loop in which it gets its value: it may differ from trip to trip; IR_NONE: fixed in a thread */
    uint32_t value;    /* ir value that it stands for, or IR_NONE */
    bool is_known;     /* of a kernel: the rest means something */
    bool is_data;      /* from memory, and no contract bounds it */
    bool is_fixed;     /* an element of an array that the launch does not write */
    uint32_t array;    /* 1 + the contract's parameter that it is an element of; 0: none, or not known */
    bool is_base;      /* the start address of an array */
    sym_cond low, high; /* facts that hold for it wherever it occurs, also where its instruction did not run; SYM_TRUE: none */
};

/* LW_VALUES at a load: holds where the load has run. */
struct sym_loaded {
    uint32_t instruction;
    sym_cond fact;
};

/* The start of an array that accesses may go to. */
struct sym_base {
    sym_atom atom;
    uint32_t parameter; /* index in the contract, or SYM_NONE */
    uint32_t object;    /* ir object; SYM_NONE */
    uint32_t variable;  /* PTX variable (parameter or object) */
};

/* An element of an array that the launch never writes: the same each time it is read. */
struct sym_load {
    sym_poly address;
    unsigned bits;
    sym_poly value;
};

/* What the branch to an edge means once the loop is understood: `D == 0` where the branch says `D == 0 modulo 2^w`. */
struct sym_refinement {
    uint32_t from, to;
    sym_cond fact;
};

struct sym_loop {
    sym_atom counter;       /* trips finished: 0 in the first */
    VEC(sym_cond) invariants; /* hold whenever the header is reached */
    bool is_analysed;
};

struct sym_kernel {
    struct arena *arena;
    struct sym *sym;
    const struct ir_function *ir;
    struct sym_environment *environment;
    sym_poly *values; /* by ir value: congruent to it modulo 2^bits; SYM_NONE: not yet */
    sym_cond *truths; /* by ir value, of predicates */
    VEC(struct sym_atom_info) atoms; /* by atom */
    VEC(struct sym_base) bases;
    VEC(struct sym_load) loads;
    VEC(struct sym_loaded) loaded;
    VEC(struct sym_refinement) refinements;
    sym_atom *own_atoms; /* by ir value: the variable that stands for it, if one was made; the same in every translation */
    struct sym_loop *loops;
    sym_atom windows[PTX_SPACE_COUNT]; /* generic address of address 0 of a space; SYM_NONE: not met */
    VEC(sym_atom) phi_atoms;           /* provisional atoms of header phis ... */
    VEC(sym_poly) phi_values;          /* ... what they turned out to be ... */
    VEC(sym_poly) phi_steps;           /* ... and what a trip adds; SYM_NONE: not known */
    VEC(uint32_t) phis;                /* their ir values */
    VEC(uint8_t) settled;              /* by atom that is a wrap: 1 every thread stays inside the width, 2 that is not known */
    sym_atom neutral;                  /* stands for whatever a question leaves out */
    struct sym_limits limits;
};

/* Requires: a function without irreducible loops.  Gives: values, truths, loops with their invariants. */
struct sym_kernel *sym_kernel_build(struct sym *sym, const struct ir_function *ir, struct sym_environment *environment,
                                    const struct sym_limits *limits);
/* Congruent modulo 2^bits of the value. */
sym_poly sym_value(struct sym_kernel *kernel, uint32_t value);
/* The value as a number. */
sym_poly sym_reading(struct sym_kernel *kernel, uint32_t value, bool is_signed);
sym_cond sym_truth(struct sym_kernel *kernel, uint32_t value);

/* Which of kernel->bases the address goes to, and its offset in bytes from there; false if it is none or several. */
bool sym_find_base(struct sym_kernel *kernel, sym_poly address, uint32_t *base, sym_poly *offset);

typedef VEC(sym_cond) sym_facts;
/* Everything that holds whenever the block begins: what every launch obeys, branches on the way, loop invariants. */
void sym_facts_at_block(struct sym_kernel *kernel, uint32_t block, sym_facts *facts);
/* The same when control goes from block `from` to its successor `to`. */
void sym_facts_on_edge(struct sym_kernel *kernel, uint32_t from, uint32_t to, sym_facts *facts);
/* The same for one instruction: with its guard. */
void sym_facts_at_instruction(struct sym_kernel *kernel, uint32_t instruction, sym_facts *facts);
/* Adds the facts that belong to atoms occurring in `facts` or in `goal`: call it last. */
void sym_facts_close(struct sym_kernel *kernel, sym_facts *facts, sym_cond goal);
void sym_facts_add(struct sym_kernel *kernel, sym_facts *facts, sym_cond fact);

/* True if the polynomial may have another value in another trip of the loop. */
bool sym_varies(struct sym_kernel *kernel, sym_poly a, uint32_t loop);
bool sym_cond_varies(struct sym_kernel *kernel, sym_cond a, uint32_t loop);
bool sym_depends_on_data(struct sym_kernel *kernel, sym_cond a);

/* ==== Part C: two threads ========================================================================= */

/* Which pairs of threads: any two of a launch, of a block, of a warp. */
enum sym_scope { SYM_SCOPE_LAUNCH, SYM_SCOPE_BLOCK, SYM_SCOPE_WARP, SYM_SCOPE_COUNT };

/* How a value or a condition differs between threads, the narrowest scope in which all have the same, else why they do not. */
enum sym_class { SYM_CLASS_LAUNCH, SYM_CLASS_BLOCK, SYM_CLASS_WARP, SYM_CLASS_LANE, SYM_CLASS_TAIL, SYM_CLASS_DATA };
const char *sym_class_name(enum sym_class class); /* "launch", ..., "lane pattern", "tail guard", "data" */

typedef VEC(uint32_t) sym_blocks;

/* What may differ between two threads of a scope at one dynamic instance: the same instruction in the same trips of the loops around
 * it.  See uniform.c. */
struct sym_uniform {
    struct sym_kernel *kernel;
    enum sym_scope scope;
    bool *values;   /* by ir value: may differ */
    bool *branches; /* by block: its ways out may be taken differently */
    bool *loops;    /* may make different numbers of trips */
    bool *assumed;  /* by block: the branch was proved to go the same way, though its condition may differ in form */
    sym_blocks *control; /* by block, the virtual exit too: the branches that it depends on directly */
    struct sym_pair *pair;
    const sym_facts *among; /* only threads of which these hold are compared; NULL: all */
    uint64_t asked; /* questions to the solver */
    uint64_t asked_hard; /* of them with all effort */
};

/* Questions are asked about branches that decide whether one of `places` (blocks) is reached; NULL: none are asked. */
struct sym_uniform *sym_uniform_build(struct sym_kernel *kernel, enum sym_scope scope, const struct bitset *places);
/* The same of threads of a block of which the facts hold, which speak of nothing but the number of the thread. */
struct sym_uniform *sym_uniform_among(struct sym_kernel *kernel, const sym_facts *facts, const struct bitset *places);
/* Branches that decide whether, and how often, the block is reached, directly or not; inside one loop or IR_NONE. */
void sym_control_closure(struct sym_uniform *uniform, uint32_t block, uint32_t loop, struct bitset *branches);
/* A branch among those that may go different ways, so that some threads of the scope reach the block and some do not; IR_NONE: none. */
uint32_t sym_uniform_obstacle(struct sym_uniform *uniform, uint32_t block);
bool sym_differs(const struct sym_uniform *uniform, uint32_t value, uint32_t block);
/* Is the condition, which stands in `block`, the same in both threads? */
bool sym_same_condition(struct sym_uniform *uniform, uint32_t block, sym_cond condition, const sym_facts *extra);
/* The class of a predicate that is used in `block`. */
enum sym_class sym_classify(struct sym_uniform *const by_scope[SYM_SCOPE_COUNT], uint32_t predicate, uint32_t block);

/* How far the second thread is in a loop, seen from the first. */
enum sym_relation {
    SYM_EQUAL_TRIPS, /* the same trip: what is uniform is shared */
    SYM_ONE_AHEAD,   /* the trip after it */
    SYM_UNRELATED
};

/* Two threads: the first has the atoms of the kernel, the second its own where they may differ.  See pair.c. */
struct sym_pair {
    struct sym_kernel *kernel;
    const struct sym_uniform *uniform;
    uint8_t *relations;          /* by loop */
    bool is_related;             /* by sym_pair_relate */
    VEC(sym_atom) doubles;       /* by atom: the second thread's; SYM_NONE: none yet */
    VEC(sym_cond) unknowns;      /* by condition, of unknown ones: the second thread's */
    VEC(sym_poly) polys;         /* by atom: what it is in the second thread, under the present relations */
    VEC(sym_cond) conds;
    sym_poly warp;               /* number of their warp in the block; SYM_NONE: not asked for */
};
struct sym_pair *sym_pair_new(struct sym_kernel *kernel, const struct sym_uniform *uniform);
/* From now on the second thread stands so to the first; `relations` by loop. */
void sym_pair_relate(struct sym_pair *pair, const uint8_t *relations);
/* The relations of two threads at the same instance of a block. */
void sym_pair_relate_at(struct sym_pair *pair, uint32_t block);
sym_poly sym_pair_other(struct sym_pair *pair, sym_poly a);
sym_cond sym_pair_other_cond(struct sym_pair *pair, sym_cond a);
/* Adds facts of the first thread as they are in the second one. */
void sym_pair_add_other(struct sym_pair *pair, const sym_facts *from, sym_facts *to);
/* Both are in one warp. */
void sym_pair_same_warp(struct sym_pair *pair, sym_facts *facts);
/* Number of the thread in its block, x fastest. */
sym_poly sym_linear_thread(struct sym_kernel *kernel);

#endif
