/* SPDX-License-Identifier: Apache-2.0
 *
 * The page docs/opcodes.md, made from ops.def.
 */
#include "ptx/parse.h"

#include <string.h>

static const struct {
    uint32_t flag;
    const char *text;
} flag_texts[] = {{PTX_FLAG_BRANCH, "branch"},       {PTX_FLAG_LOAD, "load"},
                  {PTX_FLAG_STORE, "store"},         {PTX_FLAG_ATOMIC, "atomic"},
                  {PTX_FLAG_BARRIER, "barrier"},     {PTX_FLAG_WARP_SYNC, "warp sync"},
                  {PTX_FLAG_FENCE, "fence"},         {PTX_FLAG_VOLATILE, "volatile"},
                  {PTX_FLAG_MATRIX, "matrix"},       {PTX_FLAG_TEXTURE, "texture"},
                  {PTX_FLAG_COMMUTES, "commutative"}};

static const char *const group_texts[PTX_GROUP_COUNT] = {
    [PTX_GROUP_TYPE] = "type",           [PTX_GROUP_SPACE] = "space",
    [PTX_GROUP_ROUND] = "rounding",      [PTX_GROUP_COMPARE] = "comparison",
    [PTX_GROUP_OPERATION] = "operation", [PTX_GROUP_MODE] = "mode",
    [PTX_GROUP_VECTOR] = "vector",       [PTX_GROUP_SEMANTICS] = "semantics",
    [PTX_GROUP_SCOPE] = "scope",         [PTX_GROUP_CACHE] = "cache",
    [PTX_GROUP_SHAPE] = "shape",         [PTX_GROUP_LAYOUT] = "layout",
    [PTX_GROUP_GEOMETRY] = "geometry",
};

/* One operand of a form in the manual's style: d, {, c}, [a].  `sources` counts those read so far. */
static void print_word(struct buffer *out, const struct operand_word *word, bool first,
                       unsigned *sources)
{
    static const char *const letters[] = {"a", "b", "c", "e", "f"};
    static const struct {
        char role;
        const char *text;
    } roles[] = {{'d', "d"},   {'b', "d"},      {'u', "..."},
                 {'m', "[a]"}, {'t', "[t, c]"}, {'l', "label"}};
    const char *text = "?";
    for (size_t i = 0; i < COUNT_OF(roles); i++)
        if (roles[i].role == word->role)
            text = roles[i].text;
    if (word->role == 's')
        text = letters[(*sources)++ % COUNT_OF(letters)];
    bool predicate = word->width == 'p' && (word->role == 's' || word->role == 'd');
    if (predicate)
        text = word->role == 'd' ? "p" : "{!}p";
    buffer_puts(out, word->optional ? "{" : "");
    buffer_puts(out, first ? "" : ", ");
    buffer_puts(out, text);
    buffer_puts(out, word->pair ? "{|q}" : "");
    buffer_puts(out, word->repeated && word->role != 'u' ? ", ..." : "");
    buffer_puts(out, word->optional ? "}" : "");
}

static void print_form(struct buffer *out, const char *list)
{
    struct operand_word word;
    bool first = true;
    unsigned sources = 0;
    if (*list == 'c') {
        buffer_puts(out, "{(d), }function{, (a)}{, prototype}");
        return;
    }
    for (const char *at = list; (at = operand_word(at, &word)) != NULL; first = false)
        print_word(out, &word, first, &sources);
    if (first)
        buffer_puts(out, "none");
}

/* Each list, those behind `.modifier:` with it. */
static void print_operands(struct buffer *out, const char *operands)
{
    for (const char *at = operands; at != NULL; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (at != operands)
            buffer_puts(out, "; ");
        if (*at == '.') {
            const char *end = strchr(at, ':');
            buffer_printf(out, "`%.*s` ", (int)(end - at), at);
            at = end + 1;
        }
        at += strspn(at, " ");
        buffer_putc(out, '`');
        print_form(out, at);
        buffer_putc(out, '`');
    }
}

static void add_word(struct buffer *out, const char *text, bool *any)
{
    buffer_puts(out, *any ? ", " : "");
    buffer_puts(out, text);
    *any = true;
}

static void print_modifiers(struct buffer *out, const struct ptx_op_info *info)
{
    bool any = false;
    for (unsigned group = 0; group < PTX_GROUP_COUNT; group++)
        if ((info->groups >> group & 1) != 0 && group_texts[group] != NULL)
            add_word(out, group_texts[group], &any);
    for (unsigned mod = PTX_MOD_NONE + 1; mod < PTX_MOD_UNKNOWN; mod++)
        if (ptx_mod_group(mod) == PTX_GROUP_FLAG && (info->modifiers & ptx_mod_value(mod)) != 0) {
            buffer_puts(out, any ? ", `." : "`.");
            buffer_printf(out, "%s`", ptx_mod_text(mod));
            any = true;
        }
}

void ptx_print_opcode_page(struct buffer *out)
{
    buffer_puts(out, "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# PTX opcodes\n\n"
                     "Made from `src/ptx/ops.def`. In the operands `d` is written, `a`, `b`, `c` "
                     "... are read, `p` "
                     "and `q` are predicates, `[a]` is an address and `{...}` may be missing; "
                     "where a modifier changes the "
                     "operands, the list behind it holds for that form. Any other base opcode, or "
                     "a modifier unknown to the "
                     "front end, makes an instruction *opaque*: it is kept and reported, and "
                     "analyses assume that it may do "
                     "anything.\n\n"
                     "| opcode | meaning | operands | modifiers | properties | since "
                     "|\n|---|---|---|---|---|---|\n");
    for (unsigned op = 0; op < PTX_OP_OPAQUE; op++) {
        const struct ptx_op_info *info = ptx_op_info(op);
        bool any = false;
        struct buffer cell; /* `|` separates cells */
        buffer_init(&cell, out->arena);
        print_operands(&cell, info->operands);
        buffer_printf(out, "| `%s` | ", info->name);
        for (const char *at = info->doc; *at != '\0'; at++)
            buffer_puts(out, *at == '|' ? "\\|" : (char[]){*at, '\0'});
        buffer_puts(out, " | ");
        for (const char *at = cell.data; *at != '\0'; at++)
            buffer_puts(out, *at == '|' ? "\\|" : (char[]){*at, '\0'});
        buffer_puts(out, " | ");
        print_modifiers(out, info);
        buffer_puts(out, " | ");
        for (size_t i = 0; i < COUNT_OF(flag_texts); i++)
            if ((info->flags & flag_texts[i].flag) != 0)
                add_word(out, flag_texts[i].text, &any);
        buffer_printf(out, " | PTX %u.%u, sm_%u |\n", info->isa_major, info->isa_minor, info->sm);
    }
}
