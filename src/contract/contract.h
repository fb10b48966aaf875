/* SPDX-License-Identifier: Apache-2.0
 *
 * contract: what a kernel asks of its launches, as data, and its evaluation for one launch.
 *
 * A contract is read by `source` (from annotations in C) or made from a launch comment by `launch`; it is evaluated here on
 * concrete numbers (by launchers and tests) and turned into facts by `check`.  Part of the run-time library: no allocation but in
 * the arena given, nothing is printed.
 *
 * Expressions are exact integers, `/` and `%` as in C; a divisor of zero or a value outside [-2^63, 2^64) anywhere is a
 * violation by itself, so nothing can wrap into passing.
 */
#ifndef LANEWISE_CONTRACT_MODULE_H
#define LANEWISE_CONTRACT_MODULE_H

#include "base/base.h"

#define CONTRACT_NONE UINT32_MAX

__extension__ typedef __int128 contract_integer; /* wide enough for every intermediate value */

/* Limits of every device since compute capability 5.0; shared memory is what an H100 gives a block. */
enum {
    CONTRACT_LIMIT_BLOCK_THREADS = 1024,
    CONTRACT_LIMIT_BLOCK_X = 1024,
    CONTRACT_LIMIT_BLOCK_Y = 1024,
    CONTRACT_LIMIT_BLOCK_Z = 64,
    CONTRACT_LIMIT_GRID_X = 2147483647,
    CONTRACT_LIMIT_GRID_YZ = 65535,
    CONTRACT_LIMIT_SHARED_BYTES = 227 * 1024
};

/* ---- expressions ------------------------------------------------------------------------------- */

enum contract_node_kind {
    CONTRACT_LITERAL, /* value */
    CONTRACT_SCALAR,  /* operand: index of an integer parameter */
    CONTRACT_LENGTH,  /* len(p); operand: index of a pointer parameter; elements given at launch */
    CONTRACT_BLOCK,   /* block.x block.y block.z; operand: axis 0 1 2 */
    CONTRACT_GRID,
    CONTRACT_NEGATE, /* left */
    CONTRACT_ADD,
    CONTRACT_SUBTRACT,
    CONTRACT_MULTIPLY,
    CONTRACT_DIVIDE,
    CONTRACT_REMAINDER
};

struct contract_node {
    uint8_t kind;
    uint32_t operand;
    uint32_t left, right; /* indices into contract->nodes */
    contract_integer value;
};

/* An expression of a contract: its root, and how and where it was written. */
struct contract_expression {
    uint32_t root;    /* CONTRACT_NONE: not given */
    const char *text; /* as the user wrote it, blanks normalised */
    struct place place;
};

enum contract_compare {
    CONTRACT_EQUAL, CONTRACT_NOT_EQUAL, CONTRACT_LESS, CONTRACT_LESS_EQUAL, CONTRACT_GREATER, CONTRACT_GREATER_EQUAL
};
struct contract_relation {
    uint8_t compare;
    struct contract_expression left, right;
    const char *text; /* "m * k <= 4294967295" */
    struct place place;
};

/* ---- parameters --------------------------------------------------------------------------------- */

enum contract_type_kind {
    CONTRACT_INTEGER, /* bool, char, enums too */
    CONTRACT_FLOAT,
    CONTRACT_POINTER,
    CONTRACT_OTHER /* the whole of a struct parameter, a union, an array, a member pointer */
};

enum contract_shape_kind { CONTRACT_SHAPE_NONE, CONTRACT_SHAPE_ROWS, CONTRACT_SHAPE_PITCHED };
enum contract_reduction {
    CONTRACT_REDUCES_NOTHING, CONTRACT_SUM, CONTRACT_PRODUCT, CONTRACT_MIN, CONTRACT_MAX, CONTRACT_AND, CONTRACT_OR, CONTRACT_XOR
};

/* A parameter of the kernel or a field of a struct parameter ("view.rows"); a struct parameter itself comes before its fields
 * with kind OTHER.  Scalars and pointers in this order are the operands of the contract. */
struct contract_parameter {
    const char *name;    /* "n", "view.data" */
    uint32_t position;   /* which parameter of the kernel, from 0 */
    uint32_t offset;     /* of the field in bytes; 0 otherwise */
    uint32_t size;       /* bytes; 0: unknown */
    uint8_t kind;        /* enum contract_type_kind */
    uint8_t bits;        /* of an integer or float */
    bool is_signed;      /* of an integer */
    const char *type;    /* as written: "const float *" */
    struct place place;
    /* pointers: */
    uint32_t element_size;     /* bytes; 0: void or incomplete */
    uint8_t element_kind;      /* enum contract_type_kind */
    uint8_t element_bits;      /* of one integer or float */
    bool element_is_signed;
    bool is_const;             /* const T * */
    uint8_t shape_kind;
    uint8_t dimensions;        /* ROWS: 1 to 3; PITCHED: 3 (rows, cols, pitch) */
    struct contract_expression shape[3];
    struct place shape_place;
    struct contract_expression extent; /* elements that the array must have: product, or (rows-1)*pitch+cols; NONE without a
                                          shape.  A zero in rows or in cols makes the pitched extent 0: contract_evaluate and
                                          contract_extent take care of it */
    struct contract_expression value_low, value_high; /* LW_VALUES: low <= v < high */
    bool disjoint, writes_all;
    uint8_t reduction;
    uint32_t reduces;          /* index of the source parameter; CONTRACT_NONE */
    VEC(uint32_t) may_alias;   /* indices of parameters */
    VEC(int64_t) contents;     /* a launch comment: the initial elements when they are few and integer; empty: unknown */
};

/* ---- the contract ------------------------------------------------------------------------------- */

/* A name that stands for a number in expressions: a constant of the source, a template argument. */
struct contract_constant {
    const char *name;
    contract_integer value;
};

struct contract {
    struct arena *arena;
    const char *kernel;       /* entry name (mangled) that it speaks of */
    const char *kernel_shown; /* "sgemm" */
    struct place place;       /* of the declaration */
    VEC(struct contract_node) nodes;
    VEC(struct contract_parameter) parameters;
    VEC(struct contract_relation) relations;      /* LW_REQUIRES, and --assume */
    struct contract_expression block[3];          /* LW_BLOCK; missing axes are 1 when [0] is given */
    struct contract_expression block_multiple;    /* of block.x */
    struct contract_expression block_max;         /* threads */
    struct contract_expression domain[3];         /* LW_DOMAIN; missing axes are 1 when [0] is given */
    struct contract_expression grid[3];           /* a launch comment's exact grid */
    struct contract_expression shared_bytes;      /* LW_SHARED_BYTES; NONE: the contract does not say */
    const char *unchecked_reason;                 /* LW_UNCHECKED_INDEXING; NULL */
    bool is_launch;                               /* made from a launch comment: everything is fixed */
    bool has_annotations;                         /* something was said; false: only names and types of parameters are known */
    VEC(struct contract_constant) constants;      /* known to the parser of expressions */
    const char *scope;                            /* for the parser: names are looked up behind this prefix first ("view."); NULL */
};

/* All expressions NONE, nothing required. */
struct contract *contract_new(struct arena *arena);
/* Adds a node; children must exist.  Constant parts are not folded: the text is what the user wrote. */
uint32_t contract_add_node(struct contract *contract, enum contract_node_kind kind, uint32_t operand, contract_integer value,
                           uint32_t left, uint32_t right);
/* How many parameters the kernel has, fields of structs not counted. */
uint32_t contract_parameter_count(const struct contract *contract);
/* The operand of that name, or CONTRACT_NONE. */
uint32_t contract_find_parameter(const struct contract *contract, const char *name);
/* A parameter without any annotation; the name is not copied. */
struct contract_parameter *contract_add_parameter(struct contract *contract, const char *name, enum contract_type_kind kind);
/* Forms `extent` of a parameter from its shape_kind, dimensions and shape. */
void contract_set_extent(struct contract *contract, uint32_t index);
void contract_add_constant(struct contract *contract, const char *name, contract_integer value);
/* True if the expression holds no operand; then `value` is set, unless it cannot be evaluated. */
bool contract_constant_value(const struct contract *contract, const struct contract_expression *expression,
                             contract_integer *value);
/* Adds the scalars that occur in it to `scalars`, a set of parameter indices; true if lengths, block or grid occur, too. */
bool contract_collect_scalars(const struct contract *contract, const struct contract_expression *expression,
                              struct bitset *scalars);
/* True if a node of that kind occurs in it. */
bool contract_mentions(const struct contract *contract, const struct contract_expression *expression,
                       enum contract_node_kind kind);
static inline bool contract_is_given(const struct contract_expression *expression)
{
    return expression->root != CONTRACT_NONE;
}
/* Decimal text of a value, at least 41 bytes; returns `out`. */
const char *contract_format(contract_integer value, char *out);

/* Parses `text` as one expression / one relation over the contract's parameters (grammar of LW_REQUIRES).  `place` is where the
 * text begins; false with diagnostics at line and column, which list the operands that could be meant. */
bool contract_parse_expression(struct contract *contract, const char *text, size_t size, struct place place,
                               struct contract_expression *expression, struct diagnostic_list *diagnostics);
bool contract_parse_relation(struct contract *contract, const char *text, size_t size, struct place place,
                             struct contract_relation *relation, struct diagnostic_list *diagnostics);
/* What is said of a struct that has one pointer, as a slice has, is said of that: the field's index; CONTRACT_NONE: it has none, or several. */
uint32_t contract_only_array(const struct contract *contract, const char *name);
/* The name of one pointer parameter: its index. */
bool contract_parse_array(struct contract *contract, const char *text, size_t size, struct place place, uint32_t *index,
                          struct diagnostic_list *diagnostics);
/* Same meaning: for several contracts of one kernel that must agree.  On false, `difference` (arena) says what differs. */
bool contract_agrees(const struct contract *a, const struct contract *b, const char **difference);
/* A copy that can be added to without changing the one it was made from. */
struct contract *contract_copy(struct arena *arena, const struct contract *from);
/* Adds what `from` says of the same kernel to `contract`: a part that only one of them has is taken, a part that both have must
 * mean the same.  On false, `difference` (arena of `contract`) says what differs and `place` where `from` says it. */
bool contract_merge(struct contract *contract, const struct contract *from, const char **difference, struct place *place);

/* ---- evaluation --------------------------------------------------------------------------------- */

struct contract_values {
    contract_integer *scalars; /* by parameter index; others ignored */
    contract_integer *lengths; /* by parameter index: elements of each pointer's array */
    contract_integer block[3], grid[3];
    bool has_grid; /* false: from the domain */
};

enum contract_fault { CONTRACT_FINE, CONTRACT_DIVIDES_BY_ZERO, CONTRACT_OUT_OF_RANGE };
enum contract_fault contract_evaluate_expression(const struct contract *contract, const struct contract_expression *expression,
                                                 const struct contract_values *values, contract_integer *result);
/* Whether `left compare right` holds, of numbers; of both sides of a relation, false where one of them cannot be evaluated. */
bool contract_compare_holds(enum contract_compare compare, contract_integer left, contract_integer right);
bool contract_relation_holds(const struct contract *contract, const struct contract_relation *relation,
                             const struct contract_values *values);
/* LW_VALUES of a parameter that has them: low <= v < high.  False when they cannot be evaluated. */
bool contract_value_range(const struct contract *contract, const struct contract_parameter *parameter,
                          const struct contract_values *values, contract_integer *low, contract_integer *high);
/* Elements that parameter `index` needs; false when it has no shape or the shape cannot be evaluated. */
bool contract_extent(const struct contract *contract, uint32_t index, const struct contract_values *values,
                     contract_integer *elements);
/* The block that LW_BLOCK asks for into values->block; false without LW_BLOCK or when it cannot be evaluated. */
bool contract_block(const struct contract *contract, struct contract_values *values);
/* ceil(domain / block) on each axis into values->grid; `no_work` when some axis of the domain is 0 or less.  Without a domain the
 * grid stays. */
bool contract_geometry(const struct contract *contract, struct contract_values *values, bool *no_work);

/* One broken condition: "requirement `len(a) >= m * k` violated: left side is 8192, right side is 16384". */
struct contract_violation {
    const char *message;
    struct place place;
};
typedef VEC(struct contract_violation) contract_violations;
/* Evaluates everything: relations, shapes against lengths, block, geometry, device limits, shared bytes.  All broken ones are
 * listed, in the order of the source.  True if there are none. */
bool contract_evaluate(const struct contract *contract, struct arena *arena, const struct contract_values *values,
                       contract_violations *violations);

/* "<=" */
const char *contract_compare_sign(enum contract_compare compare);
/* "sum", as LW_REDUCES has it; "nothing" */
/* The name that a launch has for a parameter: view_data for "view.data"; and whether `name` is that. */
char *contract_launch_name(struct arena *arena, const char *parameter);
bool contract_is_launch_name(const char *parameter, const char *name);
const char *contract_reduction_name(enum contract_reduction reduction);
/* A tree as text, with the names that its operands have in this contract. */
const char *contract_render(const struct contract *contract, uint32_t root);
/* Text of the whole contract for people and for tests, one line a part. */
void contract_print(const struct contract *contract, struct buffer *out);

#endif
