/* SPDX-License-Identifier: Apache-2.0
 *
 * What the compiler and the evaluator of expressions share: the stack program.
 *
 * A program works on batches of elements.  Each step takes its operands from a stack of columns and leaves one column.  Every column
 * has a static type; integers are kept exactly in 64 bits, reals in doubles.
 */
#ifndef LANEWISE_LAUNCH_EXPRESSION_H
#define LANEWISE_LAUNCH_EXPRESSION_H

#include "launch/launch.h"

enum {
    EXPRESSION_BATCH = 128,    /* elements at a time */
    EXPRESSION_STACK = 48,     /* columns */
    EXPRESSION_VARIABLES = 5,  /* `i`, and one for each loop around */
    EXPRESSION_NESTING = 6,    /* buffers read by buffers read by ... */
    EXPRESSION_STEPS = 1024,   /* of a program */
    EXPRESSION_BUDGET = 1 << 27 /* loop trips of a batch, weighed by elements: half a second */
};

/* C's types as far as arithmetic tells them apart.  I32 is computed in 64 bits, since overflow there is undefined in C; the others
 * behave exactly as in C. */
enum expression_type { TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64, TYPE_F32, TYPE_F64 };

static inline bool expression_type_is_float(enum expression_type type)
{
    return type >= TYPE_F32;
}

enum expression_op {
    OP_CONSTANT,  /* -> column of `value` */
    OP_VARIABLE,  /* -> variable number `argument` */
    OP_CONVERT,   /* column `argument` below the top, from `from` to `type` */
    OP_NARROW,    /* top: keep the low `argument` bits, signed if `type` is I32 or I64 */
    OP_NEGATE, OP_NOT, OP_COMPLEMENT,
    OP_TRUTH,     /* to 0 or 1; `from` says whether it is real */
    OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_REMAINDER,
    OP_AND, OP_OR, OP_XOR, OP_SHIFT_LEFT, OP_SHIFT_RIGHT,
    OP_LESS, OP_LESS_EQUAL, OP_GREATER, OP_GREATER_EQUAL, OP_EQUAL, OP_NOT_EQUAL, /* of type `from` */
    OP_MINIMUM, OP_MAXIMUM, OP_ABSOLUTE, OP_POPULATION,
    OP_BOTH, OP_EITHER,  /* && and ||: a fault on the right counts only where the right would be evaluated */
    OP_SELECT,           /* ?: likewise */
    OP_CALL1, OP_CALL2, OP_CALL3,
    OP_FLOAT_BITS, OP_BITS_FLOAT, /* __float_as_int, __int_as_float */
    OP_BUFFER,           /* top: element number -> element of names[argument] */
    OP_LOOP              /* top two: low, high -> the fold of `body` */
};

enum expression_fold { FOLD_SUM, FOLD_PRODUCT, FOLD_MINIMUM, FOLD_MAXIMUM };

union expression_function {
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
};

struct expression_step {
    uint8_t op;      /* enum expression_op */
    uint8_t type;    /* of the result */
    uint8_t from;    /* of the operands, where that matters */
    uint8_t fold;    /* OP_LOOP */
    uint32_t argument;
    uint32_t last;   /* OP_LOOP: the body is the steps after this one, up to here (excluded) */
    union {
        int64_t integer;
        double real;
        union expression_function function;
        const struct expression_name *name;
    } as;
};

struct expression {
    struct expression_step *steps;
    uint32_t count;
    enum expression_type type;
    bool may_fault;
    bool is_constant;
    unsigned nesting; /* levels of buffers below */
    struct value value; /* of a constant */
    const uint8_t *data; /* the elements of a file instead of steps; NULL: none */
    uint64_t data_count;
    uint8_t data_type; /* enum value_type */
};

struct expression_column {
    union {
        int64_t integer[EXPRESSION_BATCH];
        double real[EXPRESSION_BATCH];
    } as;
    uint8_t fault[EXPRESSION_BATCH]; /* meaningful only in a program that may fault */
};

/* Evaluates at the given element numbers; count <= EXPRESSION_BATCH. */
void expression_evaluate(const struct expression *expression, const int64_t *elements,
                         unsigned count, struct expression_column *result);

/* npy.c: the elements of a file that lies in memory, as `type`, which has its width. */
struct expression *expression_of_file(struct arena *arena, const struct npy_file *file, enum value_type type);
void expression_read_data(const struct expression *expression, const int64_t *elements, unsigned count,
                          struct expression_column *result);

/* ---- functions ------------------------------------------------------------------------------------ */

struct expression_builtin {
    const char *name;
    uint8_t arity;
    union expression_function function;
};
/* The function of that name; a name with `f` at its end is the same function with a float result (`is_single`). */
const struct expression_builtin *expression_builtin_find(const char *name, size_t size,
                                                         bool *is_single);
/* Offers every known name as what was meant. */
void expression_builtin_suggest(struct text_guess *guess);

#endif
