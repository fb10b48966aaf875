/* SPDX-License-Identifier: Apache-2.0
 *
 * Names, interned once a module, and what they mean where: scopes are the { } of a body, and a name's meanings form a stack
 * whose top is the innermost scope's.  Registers of a range (%r<9>) come into being when they are first used.
 */
#include "ptx/parse.h"

#include <string.h>

uint32_t name_hash(const char *text, uint32_t size)
{
    uint32_t hash = NAME_HASH_START;
    for (uint32_t i = 0; i < size; i++)
        hash = name_hash_step(hash, (unsigned char)text[i]);
    return hash;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void grow_slots(struct parser *parser)
{
    uint32_t capacity = parser->name_capacity == 0 ? 2048 : parser->name_capacity * 2;
    uint32_t *slots = ARENA_ARRAY(parser->arena, uint32_t, capacity);
    for (uint32_t i = 0; i < parser->names.count; i++) {
        uint32_t at = parser->names.data[i].hash & (capacity - 1);
        while (slots[at] != 0)
            at = (at + 1) & (capacity - 1);
        slots[at] = i + 1;
    }
    parser->name_slots = slots;
    parser->name_capacity = capacity;
}

uint32_t name_intern(struct parser *parser, const char *text, uint32_t size, uint32_t hash)
{
    uint32_t mask = parser->name_capacity - 1, at = hash & mask;
    for (uint32_t slot; (slot = parser->name_slots[at]) != 0; at = (at + 1) & mask) {
        const struct name *name = &parser->names.data[slot - 1];
        if (name->hash == hash && name->size == size && memcmp(name->text, text, size) == 0)
            return slot - 1;
    }
    uint32_t id = parser->names.count;
    *vec_push(parser->arena, &parser->names) =
        (struct name){.text = arena_text(parser->arena, text, size),
                      .size = size,
                      .hash = hash,
                      .op = PTX_OP_OPAQUE,
                      .mod = PTX_MOD_UNKNOWN};
    parser->name_slots[at] = id + 1;
    if ((id + 1) * 2 > parser->name_capacity)
        grow_slots(parser);
    return id;
}

static struct name *intern_word(struct parser *parser, const char *text)
{
    uint32_t size = (uint32_t)strlen(text);
    uint32_t id = name_intern(parser, text, size, name_hash(text, size)); /* may move the table */
    return &parser->names.data[id];
}

static const struct {
    const char *text;
    uint8_t directive;
} directives[] = {
    {"version", DIRECTIVE_VERSION},
    {"target", DIRECTIVE_TARGET},
    {"address_size", DIRECTIVE_ADDRESS_SIZE},
    {"file", DIRECTIVE_FILE},
    {"loc", DIRECTIVE_LOC},
    {"section", DIRECTIVE_SECTION},
    {"pragma", DIRECTIVE_PRAGMA},
    {"alias", DIRECTIVE_ALIAS},
    {"entry", DIRECTIVE_ENTRY},
    {"func", DIRECTIVE_FUNC},
    {"visible", DIRECTIVE_VISIBLE},
    {"extern", DIRECTIVE_EXTERN},
    {"weak", DIRECTIVE_WEAK},
    {"common", DIRECTIVE_COMMON},
    {"reg", DIRECTIVE_REG},
    {"const", DIRECTIVE_VARIABLE},
    {"global", DIRECTIVE_VARIABLE},
    {"local", DIRECTIVE_VARIABLE},
    {"shared", DIRECTIVE_VARIABLE},
    {"param", DIRECTIVE_VARIABLE},
    {"tex", DIRECTIVE_VARIABLE},
    {"align", DIRECTIVE_ALIGN},
    {"attribute", DIRECTIVE_ATTRIBUTE},
    {"ptr", DIRECTIVE_PTR},
    {"maxntid", DIRECTIVE_MAXNTID},
    {"reqntid", DIRECTIVE_REQNTID},
    {"minnctapersm", DIRECTIVE_MINNCTAPERSM},
    {"noreturn", DIRECTIVE_NORETURN},
    {"explicitcluster", DIRECTIVE_HEADER_WORD},
    {"blocksareclusters", DIRECTIVE_HEADER_WORD},
    {"maxnreg", DIRECTIVE_HEADER_NUMBERS},
    {"maxnctapersm", DIRECTIVE_HEADER_NUMBERS},
    {"reqnctapercluster", DIRECTIVE_HEADER_NUMBERS},
    {"maxclusterrank", DIRECTIVE_HEADER_NUMBERS},
    {"abi_preserve", DIRECTIVE_HEADER_NUMBERS},
    {"abi_preserve_control", DIRECTIVE_HEADER_NUMBERS},
    {"branchtargets", DIRECTIVE_BRANCHTARGETS},
    {"calltargets", DIRECTIVE_CALLTARGETS},
    {"callprototype", DIRECTIVE_CALLPROTOTYPE},
};

void names_init(struct parser *parser)
{
    grow_slots(parser);
    for (unsigned op = 0; op < PTX_OP_OPAQUE; op++)
        intern_word(parser, ptx_op_info(op)->name)->op = (uint16_t)op;
    /* Backwards, so that the first row of a text comes first in its chain. */
    for (unsigned mod = PTX_MOD_UNKNOWN - 1; mod > PTX_MOD_NONE; mod--) {
        struct name *name = intern_word(parser, ptx_mod_text(mod));
        parser->mod_next[mod] = name->mod == PTX_MOD_UNKNOWN ? PTX_MOD_NONE : name->mod;
        name->mod = (uint16_t)mod;
    }
    for (unsigned special = PTX_SPECIAL_NONE + 1; special < PTX_SPECIAL_UNKNOWN; special++)
        intern_word(parser, ptx_special_name(special))->special = (uint8_t)special;
    for (size_t i = 0; i < COUNT_OF(directives); i++)
        intern_word(parser, directives[i].text)->directive = directives[i].directive;
    *vec_push(parser->arena, &parser->bindings) = (struct binding){0}; /* NO_BINDING */
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static uint32_t *meaning_of(struct name *name, enum binding_kind kind)
{
    return kind == BINDING_LABEL   ? &name->label
           : kind == BINDING_RANGE ? &name->range
                                   : &name->meaning;
}

bool scope_open(struct parser *parser)
{
    if (parser->depth >= LIMIT_SCOPES) {
        report(parser, "blocks are nested more than %d deep", LIMIT_SCOPES);
        return false;
    }
    parser->depth++;
    parser->scopes[parser->depth] = (struct scope){.pending = parser->pending_labels.count};
    return true;
}

/* Uses of labels that the closing scope has defined are settled; the others become its parent's. */
static void settle_labels(struct parser *parser)
{
    uint32_t kept = parser->scopes[parser->depth].pending;
    for (uint32_t i = kept; i < parser->pending_labels.count; i++) {
        struct pending_label use = parser->pending_labels.data[i];
        uint32_t label = parser->names.data[use.name].label;
        const struct binding *binding = &parser->bindings.data[label];
        if (label != NO_BINDING && binding->scope == parser->depth) {
            use.operand->id = parser->function->labels.data[binding->id].target;
        } else if (parser->depth > 1) {
            parser->pending_labels.data[kept++] = use;
        } else if (!use.optional) {
            report_at(parser, use.offset, use.line, "undefined label %s",
                      name_shown(parser, use.name));
        } else {
            use.operand->kind = PTX_OPERAND_SINK;
        }
    }
    parser->pending_labels.count = kept;
}

void scope_close(struct parser *parser)
{
    settle_labels(parser);
    struct scope *scope = &parser->scopes[parser->depth];
    for (uint32_t at = scope->bindings, next; at != NO_BINDING; at = next) {
        struct binding *binding = &parser->bindings.data[at];
        next = binding->next;
        parser->inner_ranges -= binding->kind == BINDING_RANGE && parser->depth > 1;
        *meaning_of(&parser->names.data[binding->name], binding->kind) = binding->outer;
        binding->next = parser->free_binding;
        parser->free_binding = at;
    }
    parser->depth--;
}

bool name_bind(struct parser *parser, enum binding_kind kind, uint32_t name, uint32_t id,
               uint32_t scope, struct binding **result)
{
    uint32_t *meaning = meaning_of(&parser->names.data[name], kind);
    if (*meaning != NO_BINDING && parser->bindings.data[*meaning].scope == scope) {
        if (result != NULL)
            *result = &parser->bindings.data[*meaning];
        return false;
    }
    uint32_t at = parser->free_binding;
    if (at != NO_BINDING) {
        parser->free_binding = parser->bindings.data[at].next;
    } else {
        at = parser->bindings.count;
        (void)vec_push(parser->arena, &parser->bindings);
    }
    struct binding *binding = &parser->bindings.data[at];
    *binding = (struct binding){.kind = (uint8_t)kind,
                                .id = id,
                                .name = name,
                                .scope = scope,
                                .outer = *meaning,
                                .next = parser->scopes[scope].bindings};
    parser->scopes[scope].bindings = at;
    *meaning = at;
    if (result != NULL)
        *result = binding;
    return true;
}

/* ---- registers of a range -------------------------------------------------------------------- */

/* Splits `%r12` into `%r` and 12; false if it does not end in a plain number. */
static bool split_number(const char *text, uint32_t size, uint32_t *prefix, uint32_t *number)
{
    uint32_t at = size;
    while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    if (at == size || at == 0 || size - at > 9 || (text[at] == '0' && size - at > 1))
        return false;
    uint32_t value = 0;
    for (uint32_t i = at; i < size; i++)
        value = value * 10 + (uint32_t)(text[i] - '0');
    *prefix = at;
    *number = value;
    return true;
}

uint32_t registers_add(struct parser *parser, const char *name, uint8_t type, unsigned width)
{
    static const char components[] = "xyzw";
    uint32_t first = parser->function->registers.count;
    for (unsigned i = 0; i < width; i++) {
        struct ptx_register *added = vec_push(parser->arena, &parser->function->registers);
        added->name =
            width == 1 ? name : arena_printf(parser->arena, "%s.%c", name, components[i & 3]);
        added->type = type;
    }
    return first;
}

/* A register of the innermost range, in a scope inside `above`, whose prefix and count cover the name. */
static const struct binding *range_register(struct parser *parser, uint32_t name, uint32_t above)
{
    const struct name entry = parser->names.data[name];
    uint32_t prefix_size, number;
    if (parser->function == NULL || !split_number(entry.text, entry.size, &prefix_size, &number))
        return NULL;
    uint32_t prefix =
        name_intern(parser, entry.text, prefix_size, name_hash(entry.text, prefix_size));
    uint32_t at = parser->names.data[prefix].range;
    for (; at != NO_BINDING; at = parser->bindings.data[at].outer) {
        const struct binding range = parser->bindings.data[at];
        if (range.scope <= above)
            return NULL;
        if (number >= range.id)
            continue;
        if (parser->function->registers.count >= LIMIT_REGISTERS) {
            report(parser, "the function uses more than %d registers", LIMIT_REGISTERS);
            return NULL;
        }
        uint32_t id = registers_add(parser, entry.text, range.type, range.width);
        struct binding *binding;
        name_bind(parser, range.width == 1 ? BINDING_REGISTER : BINDING_VECTOR, name, id,
                  range.scope, &binding);
        binding->width = range.width;
        return binding;
    }
    return NULL;
}

const struct binding *name_meaning(struct parser *parser, uint32_t name)
{
    uint32_t meaning = parser->names.data[name].meaning;
    uint32_t scope = parser->bindings.data[meaning].scope;
    /* Nothing is hidden unless an inner scope declares ranges, which is rare. */
    if (meaning != NO_BINDING && scope == parser->depth)
        return &parser->bindings.data[meaning];
    if (meaning == NO_BINDING || scope == 0 || parser->inner_ranges != 0) {
        const struct binding *in_range = range_register(parser, name, scope);
        if (in_range != NULL)
            return in_range;
    }
    return meaning != NO_BINDING ? &parser->bindings.data[meaning] : NULL;
}
