/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the contract reader share.
 *
 * The reader parses the source with libclang, where the macros of lanewise/contract.h are annotate attributes, and then reads each
 * macro's arguments from the text of the file itself: their tokens keep their own lines and columns.
 *
 *   contract_read.c        parsing, and the entry points
 *   contract_find.c        kernels and their declarations; one contract a kernel
 *   contract_parameters.c  parameters, fields, types
 *   contract_annotate.c    gathering the annotations of a declaration
 *   contract_apply.c       what each macro means, and its errors
 *   contract_constants.c   names that stand for numbers
 *   contract_match.c       contracts against PTX (no libclang)
 *
 * What libclang owns is freed also when memory runs out: contract_read.c catches the arena's jump.
 */
#ifndef LANEWISE_SOURCE_CONTRACT_READER_H
#define LANEWISE_SOURCE_CONTRACT_READER_H

#include "source/source.h"

#include <clang-c/Index.h>

/* A file of the translation unit, as far as it was asked for. */
struct reader_file {
    CXFile file;
    const char *shown; /* path for places */
    const char *text;  /* contents; not zero-terminated */
    size_t size;
};

/* One argument of a macro, as it stands in the file. */
struct reader_argument {
    const char *text;
    size_t size;
    struct place place;
};

/* One use of a macro. */
struct reader_annotation {
    const char *macro;  /* "LW_SHAPE" */
    uint32_t parameter; /* index in contract->parameters; CONTRACT_NONE: on the function */
    struct place place; /* of the macro's name */
    CXFile file;
    unsigned offset; /* of the macro's name */
    const char *spelling;
    VEC(struct reader_argument) arguments;
    bool is_list_empty; /* nothing between the parentheses */
};

typedef VEC(struct reader_annotation) reader_annotations;

/* One declaration of a kernel, and the contract that it alone makes. */
struct reader_declaration {
    CXCursor cursor;
    struct contract *contract;
    reader_annotations annotations;
    bool is_definition;
};

/* One kernel, or one prototype of a contract header, with all its declarations. */
struct reader_kernel {
    const char *mangled; /* NULL: a prototype */
    const char *shown;
    const char *scope; /* "namespace a { namespace b { " : where its constants are looked up */
    unsigned depth;    /* how many such */
    VEC(struct reader_declaration) declarations;
    VEC(struct contract_constant) constants; /* template arguments */
    VEC(struct reader_annotation) seen;      /* to tell inherited attributes from own ones */
};

/* A name to be looked up where a kernel stands. */
struct reader_name {
    const char *name, *scope;
    unsigned depth;
    bool is_known;
    contract_integer value;
};

struct reader {
    struct arena *arena;
    const struct source_unit *unit;
    const struct source_options *options;
    struct contract_list *list;
    struct diagnostic_list *diagnostics; /* of this reading alone */
    bool has_errors;                     /* clang complained: what it calls invalid is left out */
    bool is_header;                      /* C prototypes */
    const char *path;                    /* of the main file, for libclang */
    CXIndex index;
    CXTranslationUnit translation, constants; /* the second with questions behind the text */
    unsigned own_lines;                       /* of the main file; later ones are questions */
    VEC(const char *) arguments;              /* for libclang */
    VEC(struct reader_file) files;
    VEC(struct reader_kernel) kernels;
    VEC(struct reader_name) names;
};

/* contract_read.c */
const char *reader_text(struct reader *reader, CXString string); /* disposes of it */
struct place reader_place(struct reader *reader, CXSourceLocation location, CXFile *file,
                          unsigned *offset);
struct reader_file *reader_find_file(struct reader *reader, CXFile file);
/* Parses the unit with more text behind it. */
CXTranslationUnit reader_parse(struct reader *reader, const char *more);

/* contract_find.c */
/* Kernels, prototypes and references of the translation unit into reader->kernels and reader->list. */
void reader_find_kernels(struct reader *reader);
/* Makes the contracts of all kernels. */
void reader_make_contracts(struct reader *reader);

/* contract_parameters.c: the parameters of a declaration, and with each what is annotated. */
typedef void reader_visitor(struct reader *reader, CXCursor cursor, uint32_t parameter,
                            void *context);
void reader_add_parameters(struct reader *reader, struct contract *contract, CXCursor function,
                           reader_visitor *visit, void *context);

/* contract_annotate.c */
/* Adds the annotations that stand at this cursor itself. */
void reader_gather(struct reader *reader, struct reader_kernel *kernel, CXCursor cursor,
                   uint32_t parameter, reader_annotations *annotations);
/* The spelling of what stands in brackets, not in a macro. */
#define READER_BOUNDS "[]"
/* In a contract header: array bounds behind the parameter's name, as LW_SHAPE. */
void reader_gather_bounds(struct reader *reader, CXCursor parameter, uint32_t index,
                          reader_annotations *annotations);
/* How many brackets stand behind the parameter's name. */
unsigned reader_count_bounds(struct reader *reader, CXCursor parameter);

/* contract_apply.c */
void reader_apply(struct reader *reader, struct contract *contract,
                  const reader_annotations *annotations);
/* The text of a string literal; NULL: it is none. */
const char *reader_string(struct arena *arena, const struct reader_argument *argument);

/* contract_constants.c */
void reader_want_names(struct reader *reader, const struct reader_kernel *kernel,
                       const struct contract *contract, const reader_annotations *annotations);
void reader_resolve_names(struct reader *reader);
void reader_add_constants(struct reader *reader, const struct reader_kernel *kernel,
                          struct contract *contract);

#endif
