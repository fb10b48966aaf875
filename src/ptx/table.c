/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of ops.def, mods.def and specials.def as C arrays, and questions about them: names, groups, types.  All constant;
 * lookups by name here are linear and meant for tools and tests, the parser builds its own maps.
 */
#include "ptx/ptx.h"

#include <string.h>

/* The short names that ops.def uses, one set a column; they exist only around its inclusion. */
#define GROUP_BIT(name) (1u << PTX_GROUP_##name)
enum {
    TYPE = GROUP_BIT(TYPE),
    SPACE = GROUP_BIT(SPACE),
    ROUND = GROUP_BIT(ROUND),
    COMPARE = GROUP_BIT(COMPARE),
    OPERATION = GROUP_BIT(OPERATION),
    MODE = GROUP_BIT(MODE),
    VECTOR = GROUP_BIT(VECTOR),
    SEMANTICS = GROUP_BIT(SEMANTICS),
    SCOPE = GROUP_BIT(SCOPE),
    CACHE = GROUP_BIT(CACHE),
    SHAPE = GROUP_BIT(SHAPE),
    LAYOUT = GROUP_BIT(LAYOUT),
    GEOMETRY = GROUP_BIT(GEOMETRY)
};
enum {
    SAT = PTX_MODIFIER_SAT,
    FTZ = PTX_MODIFIER_FTZ,
    CC = PTX_MODIFIER_CC,
    APPROX = PTX_MODIFIER_APPROX,
    FULL = PTX_MODIFIER_FULL,
    UNIFORM = PTX_MODIFIER_UNIFORM,
    SYNC = PTX_MODIFIER_SYNC,
    ALIGNED = PTX_MODIFIER_ALIGNED,
    NC = PTX_MODIFIER_NC,
    RELU = PTX_MODIFIER_RELU,
    NOT_A_NUMBER = PTX_MODIFIER_NAN,
    XORSIGN = PTX_MODIFIER_XORSIGN,
    ABS = PTX_MODIFIER_ABS,
    NOFTZ = PTX_MODIFIER_NOFTZ,
    ASYNC = PTX_MODIFIER_ASYNC
};
enum {
    BRANCH = PTX_FLAG_BRANCH,
    TERMINATOR = PTX_FLAG_TERMINATOR,
    LOAD = PTX_FLAG_LOAD,
    STORE = PTX_FLAG_STORE,
    ATOMIC = PTX_FLAG_ATOMIC,
    BARRIER = PTX_FLAG_BARRIER,
    WARP_SYNC = PTX_FLAG_WARP_SYNC,
    FENCE = PTX_FLAG_FENCE,
    VOLATILE = PTX_FLAG_VOLATILE,
    COMMUTES = PTX_FLAG_COMMUTES,
    MATRIX = PTX_FLAG_MATRIX,
    TEXTURE = PTX_FLAG_TEXTURE
};

/* A row that accepts flag modifiers accepts their group. */
static const struct ptx_op_info op_table[PTX_OP_COUNT] = {
#define OP(name, operands, groups, modifiers, flags, isa_major, isa_minor, sm, doc)                \
    [PTX_OP_##name] = {#name,     operands, (groups) | ((modifiers) ? GROUP_BIT(FLAG) : 0u),       \
                       modifiers, flags,    isa_major,                                             \
                       isa_minor, sm,       doc},
#include "ptx/ops.def"
#undef OP
    [PTX_OP_OPAQUE] = {"opaque", "u*", 0, 0, 0, 0, 0, 0,
                       "an instruction that this table does not know"},
};

struct mod_info {
    const char *text;
    uint8_t group;
    uint32_t value;
};

static const struct mod_info mod_table[PTX_MOD_COUNT] = {
    [PTX_MOD_NONE] = {"", PTX_GROUP_CACHE, 0},
#define MOD(name, text, group, value) [PTX_MOD_##name] = {text, group, value},
#include "ptx/mods.def"
#undef MOD
    [PTX_MOD_UNKNOWN] = {"?", PTX_GROUP_CACHE, 0},
};

static const char *const special_names[PTX_SPECIAL_COUNT] = {
    [PTX_SPECIAL_NONE] = "",
#define SPECIAL(name, text, type, components) [PTX_SPECIAL_##name] = text,
#include "ptx/specials.def"
#undef SPECIAL
    [PTX_SPECIAL_UNKNOWN] = "?",
};

static const struct {
    uint8_t type, components;
} special_shapes[PTX_SPECIAL_COUNT] = {
#define SPECIAL(name, text, type, components) [PTX_SPECIAL_##name] = {type, components},
#include "ptx/specials.def"
#undef SPECIAL
};

enum type_class { CLASS_BITS, CLASS_UNSIGNED, CLASS_SIGNED, CLASS_FLOAT, CLASS_OTHER };

static const struct {
    const char *name;
    uint8_t size, class;
} type_table[PTX_TYPE_COUNT] = {
    [PTX_TYPE_NONE] = {"", 0, CLASS_OTHER},
    [PTX_B1] = {"b1", 1, CLASS_BITS},
    [PTX_B8] = {"b8", 1, CLASS_BITS},
    [PTX_B16] = {"b16", 2, CLASS_BITS},
    [PTX_B32] = {"b32", 4, CLASS_BITS},
    [PTX_B64] = {"b64", 8, CLASS_BITS},
    [PTX_B128] = {"b128", 16, CLASS_BITS},
    [PTX_U2] = {"u2", 1, CLASS_UNSIGNED},
    [PTX_U4] = {"u4", 1, CLASS_UNSIGNED},
    [PTX_U8] = {"u8", 1, CLASS_UNSIGNED},
    [PTX_U16] = {"u16", 2, CLASS_UNSIGNED},
    [PTX_U32] = {"u32", 4, CLASS_UNSIGNED},
    [PTX_U64] = {"u64", 8, CLASS_UNSIGNED},
    [PTX_S2] = {"s2", 1, CLASS_SIGNED},
    [PTX_S4] = {"s4", 1, CLASS_SIGNED},
    [PTX_S8] = {"s8", 1, CLASS_SIGNED},
    [PTX_S16] = {"s16", 2, CLASS_SIGNED},
    [PTX_S32] = {"s32", 4, CLASS_SIGNED},
    [PTX_S64] = {"s64", 8, CLASS_SIGNED},
    [PTX_F16] = {"f16", 2, CLASS_FLOAT},
    [PTX_F16X2] = {"f16x2", 4, CLASS_FLOAT},
    [PTX_BF16] = {"bf16", 2, CLASS_FLOAT},
    [PTX_BF16X2] = {"bf16x2", 4, CLASS_FLOAT},
    [PTX_TF32] = {"tf32", 4, CLASS_FLOAT},
    [PTX_F32] = {"f32", 4, CLASS_FLOAT},
    [PTX_F32X2] = {"f32x2", 8, CLASS_FLOAT},
    [PTX_F64] = {"f64", 8, CLASS_FLOAT},
    [PTX_U16X2] = {"u16x2", 4, CLASS_UNSIGNED},
    [PTX_S16X2] = {"s16x2", 4, CLASS_SIGNED},
    [PTX_E4M3] = {"e4m3", 1, CLASS_FLOAT},
    [PTX_E5M2] = {"e5m2", 1, CLASS_FLOAT},
    [PTX_E4M3X2] = {"e4m3x2", 2, CLASS_FLOAT},
    [PTX_E5M2X2] = {"e5m2x2", 2, CLASS_FLOAT},
    [PTX_PRED] = {"pred", 1, CLASS_OTHER},
    [PTX_TEXREF] = {"texref", 8, CLASS_OTHER},
    [PTX_SAMPLERREF] = {"samplerref", 8, CLASS_OTHER},
    [PTX_SURFREF] = {"surfref", 8, CLASS_OTHER},
};

static const char *const space_names[PTX_SPACE_COUNT] = {
    [PTX_SPACE_NONE] = "generic", [PTX_SPACE_REG] = "reg",       [PTX_SPACE_SREG] = "sreg",
    [PTX_SPACE_CONST] = "const",  [PTX_SPACE_GLOBAL] = "global", [PTX_SPACE_LOCAL] = "local",
    [PTX_SPACE_PARAM] = "param",  [PTX_SPACE_SHARED] = "shared", [PTX_SPACE_TEX] = "tex",
};

const struct ptx_op_info *ptx_op_info(enum ptx_op op)
{
    return &op_table[(unsigned)op < PTX_OP_COUNT ? op : PTX_OP_OPAQUE];
}

enum ptx_op ptx_op_find(const char *name, size_t size)
{
    for (unsigned op = 0; op < PTX_OP_OPAQUE; op++) {
        const char *known = op_table[op].name;
        if (strncmp(known, name, size) == 0 && known[size] == 0)
            return op;
    }
    return PTX_OP_OPAQUE;
}

const char *ptx_mod_text(enum ptx_mod mod)
{
    return mod_table[(unsigned)mod < PTX_MOD_COUNT ? mod : PTX_MOD_UNKNOWN].text;
}

enum ptx_mod ptx_mod_find(const char *text, size_t size)
{
    for (unsigned mod = PTX_MOD_NONE + 1; mod < PTX_MOD_UNKNOWN; mod++) {
        const char *known = mod_table[mod].text;
        if (strncmp(known, text, size) == 0 && known[size] == 0)
            return mod;
    }
    return PTX_MOD_UNKNOWN;
}

enum ptx_group ptx_mod_group(enum ptx_mod mod)
{
    return mod_table[(unsigned)mod < PTX_MOD_COUNT ? mod : PTX_MOD_UNKNOWN].group;
}

uint32_t ptx_mod_value(enum ptx_mod mod)
{
    return mod_table[(unsigned)mod < PTX_MOD_COUNT ? mod : PTX_MOD_UNKNOWN].value;
}

const char *ptx_type_name(enum ptx_type type)
{
    return (unsigned)type < PTX_TYPE_COUNT ? type_table[type].name : "";
}

unsigned ptx_type_size(enum ptx_type type)
{
    return (unsigned)type < PTX_TYPE_COUNT ? type_table[type].size : 0;
}

bool ptx_type_is_signed(enum ptx_type type)
{
    return (unsigned)type < PTX_TYPE_COUNT && type_table[type].class == CLASS_SIGNED;
}

bool ptx_type_is_float(enum ptx_type type)
{
    return (unsigned)type < PTX_TYPE_COUNT && type_table[type].class == CLASS_FLOAT;
}

bool ptx_type_is_integer(enum ptx_type type)
{
    return (type >= PTX_B8 && type <= PTX_B64) || (type >= PTX_U8 && type <= PTX_U64) || (type >= PTX_S8 && type <= PTX_S64);
}

const char *ptx_space_name(enum ptx_space space)
{
    return (unsigned)space < PTX_SPACE_COUNT ? space_names[space] : "";
}

const char *ptx_special_name(enum ptx_special special)
{
    return (unsigned)special < PTX_SPECIAL_COUNT ? special_names[special] : "?";
}

enum ptx_type ptx_special_type(enum ptx_special special)
{
    return (unsigned)special < PTX_SPECIAL_COUNT ? special_shapes[special].type : PTX_TYPE_NONE;
}

unsigned ptx_special_components(enum ptx_special special)
{
    return (unsigned)special < PTX_SPECIAL_COUNT ? special_shapes[special].components : 0;
}
