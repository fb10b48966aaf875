/* SPDX-License-Identifier: Apache-2.0
 *
 * ptx: PTX modules as data.  The lexer and parser turn text into a struct ptx_module; the printer
 * turns it back.  One table, ops.def (a row a base opcode, written like the manual's line), gives the
 * opcode names, the modifier groups each accepts, its operands (which are defined, which are used) and its properties.
 *
 * Rule source: PTX ISA manual 8.x / 9.0; section names stand at the rules that need them.
 *
 * An instruction that the table does not know is kept with its text as PTX_OP_OPAQUE: consumers must
 * treat it as one that may touch anything.  The parser recovers at `;` and reports many errors.
 */
#ifndef LANEWISE_PTX_H
#define LANEWISE_PTX_H

#include "base/base.h"

/* ---- opcodes ------------------------------------------------------------------------------------ */

enum ptx_op {
#define OP(name, ...) PTX_OP_##name,
#include "ptx/ops.def"
#undef OP
    PTX_OP_OPAQUE,
    PTX_OP_COUNT
};

/* Properties of a base opcode (column `flags` of ops.def). */
enum {
    PTX_FLAG_BRANCH = 1 << 0,      /* may change the program counter: bra, brx, call, ret, exit, trap */
    PTX_FLAG_TERMINATOR = 1 << 1,  /* never falls through when its guard holds: bra, brx, ret, exit, trap */
    PTX_FLAG_LOAD = 1 << 2,        /* reads memory through an address operand */
    PTX_FLAG_STORE = 1 << 3,       /* writes memory through an address operand */
    PTX_FLAG_ATOMIC = 1 << 4,      /* atom, red */
    PTX_FLAG_BARRIER = 1 << 5,     /* bar, barrier: block-wide, except bar.warp.sync (mode WARP) */
    PTX_FLAG_WARP_SYNC = 1 << 6,   /* shfl, vote, match, redux, elect: lanes meet (with .sync); see also bar, mode WARP */
    PTX_FLAG_FENCE = 1 << 7,       /* membar, fence */
    PTX_FLAG_VOLATILE = 1 << 8,    /* value differs from read to read: clock, activemask, atom */
    PTX_FLAG_COMMUTES = 1 << 9,    /* a and b may be exchanged */
    PTX_FLAG_MATRIX = 1 << 10,     /* wmma, mma, ldmatrix: whole-warp matrix work */
    PTX_FLAG_TEXTURE = 1 << 11     /* tex, tld4, suld...: texture and surface paths */
};

/* ---- modifiers -------------------------------------------------------------------------------- */

enum ptx_type {
    PTX_TYPE_NONE,
    PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128,
    PTX_U8, PTX_U16, PTX_U32, PTX_U64,
    PTX_S8, PTX_S16, PTX_S32, PTX_S64,
    PTX_F16, PTX_F16X2, PTX_BF16, PTX_BF16X2, PTX_TF32, PTX_F32, PTX_F32X2, PTX_F64,
    PTX_U16X2, PTX_S16X2, PTX_E4M3, PTX_E5M2, PTX_E4M3X2, PTX_E5M2X2,
    PTX_U4, PTX_S4, PTX_U2, PTX_S2, PTX_B1,
    PTX_PRED,
    PTX_TEXREF, PTX_SAMPLERREF, PTX_SURFREF,
    PTX_TYPE_COUNT
};

enum ptx_space {
    PTX_SPACE_NONE, /* none written: generic */
    PTX_SPACE_REG, PTX_SPACE_SREG, PTX_SPACE_CONST, PTX_SPACE_GLOBAL, PTX_SPACE_LOCAL,
    PTX_SPACE_PARAM, PTX_SPACE_SHARED, PTX_SPACE_TEX,
    PTX_SPACE_COUNT
};

/* Every dot-modifier of the language, in mods.def: MOD(name, "text", group, value). */
enum ptx_mod {
    PTX_MOD_NONE,
#define MOD(name, text, group, value) PTX_MOD_##name,
#include "ptx/mods.def"
#undef MOD
    PTX_MOD_UNKNOWN, /* in an opaque instruction */
    PTX_MOD_COUNT
};

/* Modifier groups: which rows of ops.def accept which modifiers. */
enum ptx_group {
    PTX_GROUP_TYPE,      /* value: enum ptx_type */
    PTX_GROUP_SPACE,     /* value: enum ptx_space (.shared::cta is shared) */
    PTX_GROUP_ROUND,     /* value: enum ptx_round */
    PTX_GROUP_COMPARE,   /* value: enum ptx_compare */
    PTX_GROUP_OPERATION, /* atom/red/redux/bar.red/setp boolean: value enum ptx_operation */
    PTX_GROUP_MODE,      /* one word that selects the variant: value enum ptx_mode */
    PTX_GROUP_VECTOR,    /* .v2 .v4 .v8: value 2, 4, 8 */
    PTX_GROUP_SEMANTICS, /* value: enum ptx_semantics */
    PTX_GROUP_SCOPE,     /* value: enum ptx_scope */
    PTX_GROUP_CACHE,     /* hints without meaning for results */
    PTX_GROUP_FLAG,      /* value: PTX_MODIFIER_* bit */
    PTX_GROUP_SHAPE,     /* matrix shapes: value m << 16 | n << 8 | k */
    PTX_GROUP_LAYOUT,    /* .row .col: value 0, 1 */
    PTX_GROUP_GEOMETRY,  /* tex: .1d .2d .3d .a1d .a2d .cube: value = coordinates */
    PTX_GROUP_COUNT
};

enum ptx_round { /* integer roundings (.rni ...) share the values */
    PTX_ROUND_NONE, PTX_ROUND_NEAREST, PTX_ROUND_ZERO, PTX_ROUND_DOWN, PTX_ROUND_UP,
    PTX_ROUND_NEAREST_AWAY
};

enum ptx_compare { /* .lo .ls .hi .hs are unsigned lt le gt ge */
    PTX_COMPARE_NONE,
    PTX_COMPARE_EQ, PTX_COMPARE_NE, PTX_COMPARE_LT, PTX_COMPARE_LE, PTX_COMPARE_GT, PTX_COMPARE_GE,
    PTX_COMPARE_LO, PTX_COMPARE_LS, PTX_COMPARE_HI, PTX_COMPARE_HS,
    PTX_COMPARE_EQU, PTX_COMPARE_NEU, PTX_COMPARE_LTU, PTX_COMPARE_LEU, PTX_COMPARE_GTU, PTX_COMPARE_GEU,
    PTX_COMPARE_NUM, PTX_COMPARE_NAN
};

enum ptx_operation {
    PTX_OPERATION_NONE,
    PTX_OPERATION_AND, PTX_OPERATION_OR, PTX_OPERATION_XOR, PTX_OPERATION_ADD, PTX_OPERATION_MIN,
    PTX_OPERATION_MAX, PTX_OPERATION_EXCH, PTX_OPERATION_CAS, PTX_OPERATION_INC, PTX_OPERATION_DEC,
    PTX_OPERATION_POPC
};

enum ptx_mode {
    PTX_MODE_NONE,
    PTX_MODE_WIDE, PTX_MODE_HI, PTX_MODE_LO,                       /* mul, mad, sad; mov halves */
    PTX_MODE_UP, PTX_MODE_DOWN, PTX_MODE_BFLY, PTX_MODE_IDX,       /* shfl */
    PTX_MODE_ALL, PTX_MODE_ANY, PTX_MODE_UNI, PTX_MODE_BALLOT,     /* vote; match all any */
    PTX_MODE_SYNC, PTX_MODE_ARRIVE, PTX_MODE_RED, PTX_MODE_WARP,   /* bar, barrier: bar.sync arrive red; bar.warp.sync has WARP */
    PTX_MODE_L, PTX_MODE_R, PTX_MODE_WRAP, PTX_MODE_CLAMP,         /* shf; bmsk wrap clamp (see mode2) */
    PTX_MODE_F4E, PTX_MODE_B4E, PTX_MODE_RC8, PTX_MODE_ECL, PTX_MODE_ECR, PTX_MODE_RC16, /* prmt */
    PTX_MODE_FINITE, PTX_MODE_INFINITE, PTX_MODE_NUMBER, PTX_MODE_NOTANUMBER, PTX_MODE_NORMAL,
    PTX_MODE_SUBNORMAL,                                            /* testp */
    PTX_MODE_SHIFTAMT,                                             /* bfind */
    PTX_MODE_TO,                                                   /* cvta.to */
    PTX_MODE_COMMIT_GROUP, PTX_MODE_WAIT_GROUP, PTX_MODE_WAIT_ALL, /* cp.async */
    PTX_MODE_LOAD, PTX_MODE_STORE, PTX_MODE_MMA,                   /* wmma */
    PTX_MODE_A, PTX_MODE_B, PTX_MODE_C, PTX_MODE_D,                /* wmma.load.a */
    PTX_MODE_B0, PTX_MODE_B1, PTX_MODE_B2, PTX_MODE_B3, PTX_MODE_H0, PTX_MODE_H1, /* v*2, v*4, dp2a selectors */
    PTX_MODE_CTA, PTX_MODE_GL, PTX_MODE_SYS,                       /* membar levels */
    PTX_MODE_PROXY, PTX_MODE_SC,                                   /* fence */
    PTX_MODE_TRANS, PTX_MODE_X1, PTX_MODE_X2, PTX_MODE_X4,         /* ldmatrix */
    /* Words of bulk copies, mbarrier, textures and others: present so that no such form is taken for a plain one. */
    PTX_MODE_BULK, PTX_MODE_TENSOR, PTX_MODE_PREFETCH_BATCH, PTX_MODE_MBARRIER, PTX_MODE_NOINC, PTX_MODE_G,
    PTX_MODE_GRAD, PTX_MODE_LEVEL, PTX_MODE_BASE, PTX_MODE_TRAP, PTX_MODE_ZERO, PTX_MODE_P, PTX_MODE_SHR7,
    PTX_MODE_SHR15, PTX_MODE_PO, PTX_MODE_WIDTH, PTX_MODE_HEIGHT, PTX_MODE_DEPTH, PTX_MODE_CHANNEL_DATA_TYPE,
    PTX_MODE_CHANNEL_ORDER, PTX_MODE_NORMALIZED_COORDS, PTX_MODE_ADDR_MODE_0, PTX_MODE_ADDR_MODE_1,
    PTX_MODE_ADDR_MODE_2, PTX_MODE_FILTER_MODE, PTX_MODE_ARRAY_SIZE, PTX_MODE_NUM_MIPMAP_LEVELS,
    PTX_MODE_NUM_SAMPLES, PTX_MODE_FORCE_UNNORMALIZED_COORDS, PTX_MODE_MEMORY_LAYOUT, PTX_MODE_MASK,
    PTX_MODE_LAUNCH_DEPENDENTS, PTX_MODE_WAIT, PTX_MODE_INIT, PTX_MODE_INVAL, PTX_MODE_ARRIVE_DROP,
    PTX_MODE_TEST_WAIT, PTX_MODE_TRY_WAIT, PTX_MODE_PARITY, PTX_MODE_PENDING_COUNT, PTX_MODE_EXPECT_TX,
    PTX_MODE_COMPLETE_TX, PTX_MODE_NO_COMPLETE, PTX_MODE_LD_REDUCE, PTX_MODE_ST, PTX_MODE_FENCE,
    PTX_MODE_MMA_ASYNC, PTX_MODE_SP, PTX_MODE_FRACTIONAL, PTX_MODE_RANGE, PTX_MODE_CVT_POLICY, PTX_MODE_PACK,
    PTX_MODE_ALIAS, PTX_MODE_READ, PTX_MODE_IM2COL, PTX_MODE_TILE, PTX_MODE_MULTICAST, PTX_MODE_COMPLETE_BYTES,
    PTX_MODE_BULK_GROUP, PTX_MODE_TENSORMAP, PTX_MODE_ASYNC_GENERIC, PTX_MODE_SYNC_RESTRICT,
    PTX_MODE_MBARRIER_INIT, PTX_MODE_CLUSTER, PTX_MODE_REDUCE, PTX_MODE_CP_MASK
};

enum ptx_semantics {
    PTX_SEMANTICS_NONE, PTX_WEAK, PTX_VOLATILE, PTX_RELAXED, PTX_ACQUIRE, PTX_RELEASE, PTX_ACQ_REL,
    PTX_MMIO
};

enum ptx_scope { PTX_SCOPE_NONE, PTX_SCOPE_CTA, PTX_SCOPE_CLUSTER, PTX_SCOPE_GPU, PTX_SCOPE_SYS };

/* Bits of ptx_instruction.flags. */
enum {
    PTX_MODIFIER_SAT = 1 << 0,      /* .sat .satfinite */
    PTX_MODIFIER_FTZ = 1 << 1,
    PTX_MODIFIER_CC = 1 << 2,
    PTX_MODIFIER_APPROX = 1 << 3,
    PTX_MODIFIER_FULL = 1 << 4,     /* div.full */
    PTX_MODIFIER_UNIFORM = 1 << 5,  /* bra.uni, call.uni */
    PTX_MODIFIER_SYNC = 1 << 6,     /* .sync on shfl, vote, match, redux, bar.warp, wmma */
    PTX_MODIFIER_ALIGNED = 1 << 7,  /* .aligned */
    PTX_MODIFIER_NC = 1 << 8,       /* ld.global.nc */
    PTX_MODIFIER_RELU = 1 << 9,
    PTX_MODIFIER_NAN = 1 << 10,     /* min.NaN */
    PTX_MODIFIER_XORSIGN = 1 << 11, /* .xorsign.abs */
    PTX_MODIFIER_ABS = 1 << 12,
    PTX_MODIFIER_NOFTZ = 1 << 13,
    PTX_MODIFIER_ASYNC = 1 << 14,   /* cp.async */
    PTX_MODIFIER_EXIT = 1 << 15     /* griddepcontrol and others: no meaning here */
};

/* ---- operands --------------------------------------------------------------------------------- */

enum ptx_operand_kind {
    PTX_OPERAND_NONE,
    PTX_OPERAND_REGISTER,
    PTX_OPERAND_SPECIAL,   /* %tid.x and friends */
    PTX_OPERAND_INTEGER,   /* immediate */
    PTX_OPERAND_FLOAT,     /* immediate: bits of an f32 (0f...) or f64 (0d..., decimal) */
    PTX_OPERAND_SYMBOL,    /* the address of a variable or function, + offset */
    PTX_OPERAND_ADDRESS,   /* [register + offset] or [variable + offset] or [immediate] */
    PTX_OPERAND_VECTOR,    /* {a, b, ...}: elements */
    PTX_OPERAND_LABEL,     /* target of a branch */
    PTX_OPERAND_SINK,      /* _ */
    PTX_OPERAND_LIST,      /* call: (a, b, c): elements; brx: the labels; call through a register: the functions */
    PTX_OPERAND_PROTOTYPE  /* call through a register: id is an index into function->prototypes */
};

enum ptx_special {
    PTX_SPECIAL_NONE,
#define SPECIAL(name, text, type, components) PTX_SPECIAL_##name,
#include "ptx/specials.def"
#undef SPECIAL
    PTX_SPECIAL_UNKNOWN,
    PTX_SPECIAL_COUNT
};

/* A part of a register as a source of a video instruction: %r1.b0, %r1.h1. */
enum ptx_selector {
    PTX_SELECTOR_B0 = 5, PTX_SELECTOR_B1, PTX_SELECTOR_B2, PTX_SELECTOR_B3, PTX_SELECTOR_H0, PTX_SELECTOR_H1,
    PTX_SELECTOR_LIST /* .b7654, .h10: value has the digits, four bits each, their count << 16, and 1 << 19 for halves */
};

#define PTX_NONE UINT32_MAX

struct ptx_operand {
    uint8_t kind;      /* enum ptx_operand_kind */
    uint8_t component; /* SPECIAL: 0 none, 1 x, 2 y, 3 z, 4 w.  REGISTER in video instructions: enum ptx_selector.
                          Vector registers are one register a component, so `%v.x` is a plain REGISTER */
    uint8_t negated;   /* !%p */
    uint8_t is_double; /* FLOAT: written as 0d or decimal, bits are an f64 */
    uint8_t special;   /* enum ptx_special */
    uint8_t bracketed; /* ADDRESS: 1; 2 for [texture, sampler, {...}]: elements[0] is the sampler */
    uint32_t id;       /* REGISTER, ADDRESS base: index into function->registers;
                          LABEL: index of the target instruction; PTX_NONE if there is no register */
    uint32_t variable; /* SYMBOL, ADDRESS: index into module->variables or PTX_NONE;
                          function names: see `callee` */
    uint32_t callee;   /* SYMBOL that names a function: index into module->functions, else PTX_NONE */
    uint32_t count;    /* VECTOR, LIST */
    uint32_t pair;     /* REGISTER, SINK: `p|q`: the register q, else PTX_NONE (`p|_`: PTX_NONE) */
    int64_t value;     /* INTEGER; FLOAT bits; ADDRESS and SYMBOL offset in bytes */
    struct ptx_operand *elements; /* VECTOR, LIST; tex: coordinates inside [t, {..}] */
    const char *text;  /* name of the register, label or symbol, immediate as written; for messages; never NULL */
};

/* ---- instructions ------------------------------------------------------------------------------- */

/* A source position from .loc: where the user's line is.  Index 0 of module->locations is "unknown". */
struct ptx_location {
    uint32_t file;    /* .file number, index by ptx_file */
    uint32_t line, column;
    uint32_t inlined_at;    /* index into module->locations of the call, or 0 */
    const char *function;   /* inlined function's name or NULL */
    const char *function_label; /* as written behind function_name, or NULL */
    uint32_t function_offset;   /* function_name LABEL+offset */
};

enum { PTX_MODS_MAX = 14 };

struct ptx_instruction {
    uint16_t op;          /* enum ptx_op */
    uint8_t mod_count;
    uint8_t operand_count;
    uint16_t mods[PTX_MODS_MAX]; /* enum ptx_mod, in written order */
    /* The same, sorted by group; filled by the parser. */
    uint8_t type, type2, type3, type4; /* enum ptx_type, in written order */
    uint8_t space, space2;             /* cvta.to.global: space; cp.async.shared.global: shared, global */
    uint8_t vector;                    /* 1, 2, 4, 8 */
    uint8_t round;
    uint8_t compare;
    uint8_t operation;
    uint8_t mode, mode2, mode3;        /* in written order */
    uint8_t semantics, scope;
    uint8_t layout, layout2;           /* matrix: 0 none, 1 row, 2 col */
    uint16_t form;                     /* which operand list of ops.def holds: ptx_op_info.operands + form */
    uint8_t geometry;                  /* tex: number of coordinates */
    uint8_t guard_negated;
    uint32_t shape;
    uint32_t flags;                    /* PTX_MODIFIER_* */
    uint32_t guard;                    /* predicate register, or PTX_NONE */
    uint32_t location;                 /* index into module->locations */
    uint32_t line;                     /* line in the PTX text */
    uint32_t text_offset, text_size;   /* span in module->text, guard to `;` included */
    struct ptx_operand *operands;      /* as written, destination first */
};

/* ---- declarations ------------------------------------------------------------------------------- */

struct ptx_register {
    const char *name; /* as written; unique ids even if names repeat in nested scopes */
    uint8_t type;     /* enum ptx_type */
};

enum ptx_linkage { PTX_LINKAGE_NONE, PTX_LINKAGE_VISIBLE, PTX_LINKAGE_EXTERN, PTX_LINKAGE_WEAK, PTX_LINKAGE_COMMON };

/* One word of an initialiser that is an address (ld-style relocation). */
struct ptx_relocation {
    uint32_t offset;   /* in bytes from the variable's start */
    uint32_t size;     /* in bytes: 4 or 8; 1, 2 or 4 for a lone 0xFF(symbol) */
    const char *symbol;
    int64_t addend;
    uint8_t generic;   /* generic(symbol) */
    uint8_t shift;     /* lone 0xFF00(symbol): the address is shifted right by so many bits and cut to `size` */
};

struct ptx_variable {
    const char *name;
    uint8_t space;    /* enum ptx_space: GLOBAL CONST SHARED LOCAL PARAM TEX */
    uint8_t type;     /* element type */
    uint8_t linkage;
    uint8_t is_array;
    uint8_t vector;   /* .v2 .v4 element: 1, 2, 4 */
    uint8_t unsized;  /* name[]: extern shared, or size from the initialiser */
    uint8_t is_parameter, is_return;
    uint8_t is_managed;
    const char *attributes; /* .attribute(...) and the initialiser of a .texref as written, or NULL */
    uint32_t register_id;   /* .reg parameter of a .func (space REG): index into function->registers */
    uint32_t align;   /* bytes */
    uint32_t function; /* owner, or PTX_NONE for a module variable */
    uint64_t size;    /* bytes; 0 for an unsized one */
    uint8_t *data;    /* initialiser bytes (size long), or NULL */
    VEC(struct ptx_relocation) relocations;
    uint8_t pointer_space; /* .ptr attribute of a kernel parameter: enum ptx_space, else NONE */
    uint8_t is_pointer;
    uint32_t pointer_align;
    uint32_t line;
};

struct ptx_label {
    const char *name;
    uint32_t target; /* instruction index; == instruction count at the end of the body */
    uint32_t line;
};

/* The parts of a text that are not instructions, in written order, each before instruction `at` (top level: 0). */
enum ptx_item_kind {
    PTX_ITEM_TEXT,     /* a directive that is kept as written: .pragma, .file, .section, .reg, prototypes ... */
    PTX_ITEM_VARIABLE, /* id: index into module->variables */
    PTX_ITEM_FUNCTION, /* id: index into module->functions; top level, functions with a body */
    PTX_ITEM_LOCATION, /* id: index into module->locations */
    PTX_ITEM_LABEL,    /* id: index into function->labels */
    PTX_ITEM_OPEN, PTX_ITEM_CLOSE /* { } in a body */
};

struct ptx_item {
    uint8_t kind;
    uint32_t at, id;
    uint32_t text_offset, text_size; /* TEXT: span in module->text */
};

/* NAME: .callprototype (returns) _ (parameters); */
struct ptx_prototype {
    const char *name;
    VEC(uint32_t) parameters, returns; /* ids of variables */
    uint8_t no_return;
};

struct ptx_function {
    const char *name;
    uint8_t is_entry;
    uint8_t linkage;
    uint8_t has_body;
    uint8_t no_return;              /* .noreturn */
    uint32_t line;                  /* of its header */
    uint32_t location;              /* first .loc in the body, index into module->locations */
    uint32_t max_threads[3];        /* .maxntid, 0 if absent */
    uint32_t required_threads[3];   /* .reqntid, 0 if absent */
    uint32_t min_blocks;            /* .minnctapersm */
    VEC(uint32_t) parameters;       /* ids of variables */
    VEC(uint32_t) returns;          /* ids of variables (.func) or of .reg results */
    VEC(uint32_t) variables;        /* shared, local, param variables declared inside */
    VEC(struct ptx_register) registers;
    VEC(struct ptx_label) labels;
    VEC(struct ptx_instruction) instructions;
    VEC(struct ptx_prototype) prototypes;
    VEC(struct ptx_item) items;
    uint32_t alias_of;                /* .alias: index of the function it means, else PTX_NONE */
    uint32_t attributes_offset, attributes_size; /* .maxntid ...: span in module->text */
    uint32_t text_offset, text_size;  /* span of the whole function in module->text */
    uint32_t body_offset;             /* just after `{` */
};

struct ptx_file {
    uint32_t number;
    const char *path;
    uint8_t is_system; /* a header of the system, of CUDA or of this project: not the user's code */
};

struct ptx_module {
    struct arena *arena;
    const char *name;  /* file name, for messages */
    const char *text;  /* the whole text, zero-terminated, owned by the arena */
    size_t text_size;
    uint32_t version_major, version_minor;
    const char *target; /* "sm_80" */
    uint32_t target_sm; /* 80 */
    uint32_t address_size;
    VEC(struct ptx_function) functions;
    VEC(struct ptx_variable) variables;
    VEC(struct ptx_file) files;
    VEC(struct ptx_location) locations; /* [0]: unknown */
    VEC(struct ptx_item) items;
    const char *target_options;         /* ", debug" and the like behind the target, or "" */
    uint32_t opaque_count;              /* instructions kept as PTX_OP_OPAQUE */
    uint64_t instruction_count;         /* of all functions */
};

/* ---- interface ----------------------------------------------------------------------------------- */

/* Parses `size` bytes of PTX.  Always returns a module (as much of it as could be read); errors go to `diagnostics`
 * (places are in `name`).  A module with errors must not be executed.  Memory: `arena`. */
struct ptx_module *ptx_parse(struct arena *arena, const char *name, const char *text, size_t size,
                             struct diagnostic_list *diagnostics);

/* Writes the module as PTX that parses to the same module. */
void ptx_print_module(const struct ptx_module *module, struct buffer *out);
void ptx_print_instruction(const struct ptx_module *module, const struct ptx_function *function,
                           const struct ptx_instruction *instruction, struct buffer *out);

/* Index of the function whose entry name is `name`, or PTX_NONE. */
uint32_t ptx_find_function(const struct ptx_module *module, const char *name);

/* What a base opcode is. */
struct ptx_op_info {
    const char *name;
    const char *operands; /* as in ops.def, e.g. "d s s" */
    uint32_t groups;      /* bit set of enum ptx_group */
    uint32_t modifiers;   /* PTX_MODIFIER_* bits it accepts */
    uint32_t flags;       /* PTX_FLAG_* */
    uint8_t isa_major, isa_minor, sm;
    const char *doc;      /* one line */
};
const struct ptx_op_info *ptx_op_info(enum ptx_op op);
/* The op with this base name ("add"), or PTX_OP_OPAQUE. */
enum ptx_op ptx_op_find(const char *name, size_t size);
/* The page docs/opcodes.md: every row of ops.def. */
void ptx_print_opcode_page(struct buffer *out);
const char *ptx_mod_text(enum ptx_mod mod);       /* "u32", without the dot */
enum ptx_mod ptx_mod_find(const char *text, size_t size); /* PTX_MOD_UNKNOWN if there is none */
enum ptx_group ptx_mod_group(enum ptx_mod mod);
uint32_t ptx_mod_value(enum ptx_mod mod);

const char *ptx_type_name(enum ptx_type type); /* "u32" */
unsigned ptx_type_size(enum ptx_type type);    /* bytes in memory and registers; pred: 1; none: 0 */
bool ptx_type_is_signed(enum ptx_type type);
bool ptx_type_is_float(enum ptx_type type);
bool ptx_type_is_integer(enum ptx_type type); /* one integer or untyped number of 8 to 64 bits */
const char *ptx_space_name(enum ptx_space space);
const char *ptx_special_name(enum ptx_special special);  /* "%tid" */
enum ptx_type ptx_special_type(enum ptx_special special);
unsigned ptx_special_components(enum ptx_special special); /* 4, or 0 for a scalar */

/* Calls `visit` for each register an instruction defines or uses, guard and address bases, vector elements and `p|q`
 * pairs included, uses first; an opaque instruction uses and defines all its registers; a guarded definition also keeps the old value (callers who need it test `guard`). */
typedef void ptx_register_visitor(void *context, uint32_t id, bool is_definition);
void ptx_visit_registers(const struct ptx_instruction *instruction, ptx_register_visitor *visit,
                         void *context);

/* Does the instruction define that register? */
bool ptx_defines(const struct ptx_instruction *instruction, uint32_t id);

/* Is the instruction the trap of a check of lanewise/device.h?  Gives the registers, of 64 bits, that hold what was asked for and what there is. */
bool ptx_failing_check(const struct ptx_function *function, uint32_t instruction, uint32_t *index, uint32_t *extent);

/* The user's line of a location: walking out from the instruction along inlined_at, the first place that is not in a
 * system or CUDA header (the outermost place if all are).  It is the line that a compiler which writes no inlined_at gives. */
const struct ptx_location *ptx_user_location(const struct ptx_module *module, uint32_t location);
/* Does nothing on the way out of the location belong to the user, as in a header's function that was called and not inlined? */
bool ptx_location_is_system(const struct ptx_module *module, uint32_t location);
const char *ptx_file_path(const struct ptx_module *module, uint32_t file);

/* Human form of a mangled C++ name ("void scale<float>(float*, int)"), or the name itself.  Memory: `arena`. */
const char *ptx_demangle(struct arena *arena, const char *name);
/* "tile" of "_ZZ4gemmvE4tile": the last part of a name, without its scopes.  Memory: `arena`. */
const char *ptx_variable_name(struct arena *arena, const char *name);
/* True if `name` (plain source name, demangled or mangled) means this function. */
bool ptx_name_matches(struct arena *arena, const char *mangled, const char *name);

#endif
