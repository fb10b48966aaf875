/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the PTX parser share; nobody else includes it.
 *
 *   lexer.c        text to tokens; names are interned, so that the rest works with ids
 *   names.c        the table of names, scopes, bindings of registers, variables, functions and labels
 *   parser.c       the module and its statements, messages
 *   function.c     headers of functions
 *   body.c         statements of a body
 *   declaration.c  variables, registers, parameters
 *   constant.c     constant expressions
 *   initialiser.c  contents of variables
 *   instruction.c  modifiers, calls
 *   operand.c      operands
 *   validate.c     operands against the row of ops.def
 *   location.c     .loc, .file, debug sections, lines
 *   resolve.c      functions and variables that are used before they are declared
 *
 * Work is linear in the text; nesting, counts and sizes that a text could use to ask for more are limited (LIMIT_*).
 * Functions that return bool return false after they have reported an error; the statement is then
 * skipped to its `;`.
 */
#ifndef LANEWISE_PTX_PARSE_H
#define LANEWISE_PTX_PARSE_H

#include "ptx/ptx.h"

enum {
    LIMIT_SCOPES = 100,    /* nested { } */
    LIMIT_EXPRESSION = 64, /* nested operators in a constant */
    LIMIT_DIMENSIONS = 16,
    LIMIT_OPERANDS = 255,
    LIMIT_REGISTERS = 1 << 20, /* in one %r<N>, and used in one function */
    LIMIT_SHOWN = 80           /* bytes of a name that a message repeats */
};
#define LIMIT_VARIABLE ((uint64_t)1 << 47)       /* bytes of a variable */
#define LIMIT_INITIALISERS ((uint64_t)256 << 20) /* bytes of all initialised variables together */

/* ---- tokens ---------------------------------------------------------------------------------- */

enum token_kind {
    TOKEN_END = 0, /* punctuation is its own character */
    TOKEN_NAME = 256,
    TOKEN_DOT, /* .word: a directive, modifier or component; `name` is the word without the dot */
    TOKEN_INTEGER,
    TOKEN_FLOAT,
    TOKEN_STRING,
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_AND_AND,
    TOKEN_OR_OR,
    TOKEN_EQUAL,
    TOKEN_NOT_EQUAL,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER_EQUAL,
    TOKEN_BAD /* already reported */
};

struct token {
    int kind;
    bool is_double, is_unsigned;
    uint32_t offset, size, line;
    uint32_t name;  /* NAME, DOT: index into names */
    uint64_t value; /* INTEGER; FLOAT: bits */
};

/* ---- names and scopes ------------------------------------------------------------------------ */

enum binding_kind {
    BINDING_REGISTER,
    BINDING_VECTOR,
    BINDING_VARIABLE,
    BINDING_FUNCTION,
    BINDING_RANGE,
    BINDING_LABEL
};

enum { NO_BINDING = 0 };

struct binding {
    uint8_t kind;        /* enum binding_kind */
    uint8_t type, width; /* RANGE: of its registers; VECTOR: width */
    uint32_t
        id; /* REGISTER, VECTOR: (first) register; VARIABLE, FUNCTION, LABEL: index; RANGE: count */
    uint32_t name;
    uint32_t scope;
    uint32_t outer; /* what the name meant before: index of a binding */
    uint32_t next;  /* next binding of the same scope */
};

struct name {
    const char *text; /* zero-terminated */
    uint32_t size;
    uint32_t hash;
    uint16_t op;       /* enum ptx_op or PTX_OP_OPAQUE */
    uint16_t mod;      /* first of enum ptx_mod with this text, or PTX_MOD_UNKNOWN */
    uint8_t special;   /* enum ptx_special or PTX_SPECIAL_NONE */
    uint8_t directive; /* enum directive */
    /* What the name means here, NO_BINDING if nothing: registers, variables and functions share one space; labels, and
     * prefixes of ranges (%r<9>), have their own. */
    uint32_t meaning, label, range;
    /* Newest list of targets and newest prototype with this name: index + 1, perhaps of an older function. */
    uint32_t targets, prototype;
};

enum directive {
    DIRECTIVE_NONE,
    DIRECTIVE_VERSION,
    DIRECTIVE_TARGET,
    DIRECTIVE_ADDRESS_SIZE,
    DIRECTIVE_FILE,
    DIRECTIVE_LOC,
    DIRECTIVE_SECTION,
    DIRECTIVE_PRAGMA,
    DIRECTIVE_ALIAS,
    DIRECTIVE_ENTRY,
    DIRECTIVE_FUNC,
    DIRECTIVE_VISIBLE,
    DIRECTIVE_EXTERN,
    DIRECTIVE_WEAK,
    DIRECTIVE_COMMON,
    DIRECTIVE_REG,
    DIRECTIVE_VARIABLE,
    DIRECTIVE_ALIGN,
    DIRECTIVE_ATTRIBUTE,
    DIRECTIVE_PTR,
    DIRECTIVE_MAXNTID,
    DIRECTIVE_REQNTID,
    DIRECTIVE_MINNCTAPERSM,
    DIRECTIVE_NORETURN,
    DIRECTIVE_HEADER_WORD,
    DIRECTIVE_HEADER_NUMBERS,
    DIRECTIVE_BRANCHTARGETS,
    DIRECTIVE_CALLTARGETS,
    DIRECTIVE_CALLPROTOTYPE
};

struct scope {
    uint32_t bindings; /* list */
    uint32_t pending;  /* first use of a label in this scope: index into parser->pending_labels */
};

/* A label used before its scope was read to the end. */
struct pending_label {
    struct ptx_operand *operand;
    uint32_t name, offset, line;
    bool optional; /* in an opaque instruction: no error if there is no such label */
};

/* A name used as a function or variable before it was declared. */
struct pending_symbol {
    struct ptx_operand *operand; /* NULL: only check that it exists */
    uint32_t name, offset, line;
};

/* NAME: .branchtargets / .calltargets: the operand list of its name; of the function being read. */
struct target_list {
    uint32_t name;
    struct ptx_operand *elements;
    uint32_t count;
    bool is_calls;
};

/* Where a label of .debug_str stands. */
struct debug_string {
    uint32_t name, at;
};

/* The newest location at a source position of a function, to find the place a call was inlined at. */
struct location_slot {
    uint32_t function; /* + 1; 0: free */
    uint32_t file, line, column, location;
};

/* ---- the parser ------------------------------------------------------------------------------ */

struct parser {
    struct arena *arena;
    struct ptx_module *module;
    struct diagnostic_list *diagnostics;
    const char *text;
    uint32_t size;
    uint32_t at, line;     /* of the lexer */
    struct token token;    /* the current one */
    uint32_t previous_end; /* offset just after the token before it */
    int32_t braces;        /* { minus } so far, the current token included */

    VEC(struct name) names;
    uint32_t *name_slots; /* hash table of indices + 1 */
    uint32_t name_capacity;
    uint16_t mod_next[PTX_MOD_COUNT]; /* next modifier with the same text, 0: none */
    VEC(struct binding) bindings;
    uint32_t free_binding;
    struct scope scopes[LIMIT_SCOPES + 2];
    uint32_t depth;        /* innermost scope; 0: module, 1: function */
    uint32_t inner_ranges; /* ranges of registers declared in scopes below a function's */

    struct ptx_function *function; /* whose header or body is being read, or NULL */
    uint32_t function_id;
    uint32_t location; /* in force */
    /* Where instructions and items of bodies grow, from function to function; functions keep exact copies. */
    VEC(struct ptx_instruction) instructions;
    VEC(struct ptx_item) items;
    VEC(struct pending_label) pending_labels;
    VEC(struct pending_symbol) pending_symbols;
    VEC(struct target_list) target_lists;
    struct ptx_operand operands[LIMIT_OPERANDS + 1]; /* of the instruction being read */
    struct ptx_operand elements[LIMIT_OPERANDS + 1]; /* of the vector or list being read */

    struct location_slot *location_slots;
    uint32_t location_count, location_capacity;
    VEC(struct debug_string) debug_strings;
    struct buffer debug_text; /* bytes of .debug_str */
    uint64_t initialised;     /* bytes of initialisers so far */
    bool seen_version, seen_target;
};

/* lexer.c */
void lexer_next(struct parser *parser);
bool lexer_before_float(const struct parser *parser); /* is the next token a float? */
void lexer_skip_braces(struct parser *parser);        /* raw: from behind a `{` to behind its `}` */

/* names.c */
void names_init(struct parser *parser);
uint32_t name_intern(struct parser *parser, const char *text, uint32_t size, uint32_t hash);
uint32_t name_hash(const char *text, uint32_t size);
static inline uint32_t name_hash_step(uint32_t hash, unsigned char c)
{
    return (hash ^ c) * 0x01000193u;
}
#define NAME_HASH_START 0x811c9dc5u
bool scope_open(struct parser *parser);
void scope_close(struct parser *parser);
/* Binds a name in the innermost scope (0: in the module's); false if it already means something there. */
bool name_bind(struct parser *parser, enum binding_kind kind, uint32_t name, uint32_t id,
               uint32_t scope, struct binding **binding);
/* What a name means, a register of a range included; NULL if nothing. */
const struct binding *name_meaning(struct parser *parser, uint32_t name);
/* The id of the first of `width` new registers (1: a scalar; 2, 4: the components of a vector). */
uint32_t registers_add(struct parser *parser, const char *name, uint8_t type, unsigned width);

/* parser.c */
void report(struct parser *parser, const char *format, ...)
    LW_PRINTF(2, 3); /* at the current token */
void report_at(struct parser *parser, uint32_t offset, uint32_t line, const char *format, ...)
    LW_PRINTF(4, 5);
/* The current token, or a name, for messages: quoted and clipped. */
const char *token_shown(struct parser *parser);
const char *name_shown(struct parser *parser, uint32_t name);
bool accept(struct parser *parser, int punctuation);
bool expect(struct parser *parser, int punctuation);
/* Reads a name; false, reported, if there is none.  `what` says what it would be. */
bool expect_name(struct parser *parser, const char *what, uint32_t *name);
/* The modifier of that group behind the current .word, or PTX_MOD_NONE. */
enum ptx_mod token_mod(const struct parser *parser, enum ptx_group group);
bool strings_parse(struct parser *parser);    /* "a", "b"; */
bool parentheses_skip(struct parser *parser); /* (...), nested */
void item_add(struct parser *parser, enum ptx_item_kind kind, uint32_t id, uint32_t offset);

/* constant.c: expressions */
bool constant_integer(struct parser *parser, int64_t *value);
/* 0..limit; `what` is for the message. */
bool constant_unsigned(struct parser *parser, uint64_t limit, const char *what, uint64_t *value);
/* A float with a sign; the current token must be one, or a sign before one. */
bool constant_float(struct parser *parser, uint64_t *bits, bool *is_double);
bool constant_is_float(const struct parser *parser);

/* initialiser.c: behind the `=` of a declaration.  dimensions[0] is 0 for an array without a size. */
bool initialiser_parse(struct parser *parser, struct ptx_variable *variable,
                       const uint64_t *dimensions, unsigned dimension_count);

/* declaration.c */
struct id_list { /* as in ptx_function */
    uint32_t *data;
    uint32_t count, capacity;
};
bool declare_registers(struct parser *parser); /* from .reg up to `;` */
bool declare_variables(struct parser *parser,
                       enum ptx_linkage linkage); /* from the space up to `;` */
/* (.param .u64 a, ...) of a function or of a prototype; at the `(`. */
bool declare_parameters(struct parser *parser, bool is_return, void *id_list);

/* operand.c */
bool operand_parse(struct parser *parser, struct ptx_operand *operand);
bool operand_parse_label(struct parser *parser,
                         struct ptx_operand *operand); /* or the name of a list of labels */
bool operand_parse_list(struct parser *parser, struct ptx_operand *operand); /* (a, b) */
/* The last operand of a call through a register: a prototype or a list of functions. */
bool operand_parse_prototype(struct parser *parser, struct ptx_operand *operand);
bool operand_parse_symbol(struct parser *parser, struct ptx_operand *operand);
/* A name in an opaque instruction; false if it is nothing that could matter. */
bool operand_parse_loose(struct parser *parser, uint32_t name, struct ptx_operand *operand);

/* instruction.c: behind the opcode's name; guard, line and offset are already in `instruction`. */
bool instruction_parse(struct parser *parser, struct ptx_instruction *instruction, uint32_t opcode);

/* validate.c */
void instruction_validate(struct parser *parser, const struct ptx_instruction *instruction);

/* operands.c: the operand lists of ops.def */
struct operand_word {
    char role, width; /* width 0: the first type */
    bool pair, optional, repeated;
    bool in_vector; /* speaks of an element in braces */
};
/* Offset of the list that holds for an instruction whose op and mods are known. */
uint16_t operand_form(const struct ptx_instruction *instruction);
/* Reads a word; the place of the next one, or NULL if there was no word left. */
const char *operand_word(const char *at, struct operand_word *word);

/* function.c: .func or .entry; `offset` is where the declaration began. */
bool function_parse(struct parser *parser, enum ptx_linkage linkage, uint32_t offset);

/* body.c */
/* NULL if the function has no such list. */
const struct target_list *target_list_find(const struct parser *parser, uint32_t name,
                                           bool is_calls);
bool body_parse(struct parser *parser);                     /* at its `{` */
void skip_statement(struct parser *parser, int32_t braces); /* braces: at the statement's start */

/* location.c */
bool file_parse(struct parser *parser);
bool location_parse(struct parser *parser);
bool section_parse(struct parser *parser);
void locations_resolve(struct parser *parser);
/* Gives instructions at line 0 the line of their nearest use, or the function's. */
void lines_complete(const struct ptx_module *module, struct ptx_function *function,
                    struct arena *arena);

/* resolve.c: what is known only at the end */
void symbols_resolve(struct parser *parser);

#endif
