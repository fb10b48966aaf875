/* SPDX-License-Identifier: Apache-2.0
 *
 * Contents of variables: numbers, floats, addresses, in nested braces as in C.
 *
 *   sym   sym+8   generic(sym)   generic(sym)+8   0xFF00(generic(sym)+8): byte 1 of that address
 *
 * An address in a byte array is written as its bytes one by one; eight (or four) in a row become one relocation.
 */
#include "ptx/parse.h"

#include <string.h>

struct filler {
    struct parser *parser;
    struct ptx_variable *variable;
    uint64_t extents[LIMIT_DIMENSIONS + 1]; /* dimension 0 is UINT64_MAX if open */
    uint64_t strides[LIMIT_DIMENSIONS + 1]; /* in elements */
    unsigned levels;
    unsigned size;     /* of an element, bytes */
    uint64_t used;     /* elements given or skipped so far */
    uint64_t capacity; /* bytes of variable->data */
};

/* Room for `elements`; false when all initialisers together are too large. */
static bool reserve(struct filler *filler, uint64_t elements)
{
    struct parser *parser = filler->parser;
    uint64_t bytes = elements * filler->size;
    if (bytes <= filler->capacity)
        return true;
    uint64_t wanted = filler->capacity * 2 > bytes ? filler->capacity * 2 : bytes + 64;
    if (bytes > LIMIT_INITIALISERS || parser->initialised + bytes > LIMIT_INITIALISERS) {
        report(parser, "initialised variables are larger than %llu MiB together",
               (unsigned long long)(LIMIT_INITIALISERS >> 20));
        return false;
    }
    uint8_t *grown = arena_alloc(parser->arena, wanted);
    if (filler->capacity != 0)
        memcpy(grown, filler->variable->data, filler->capacity);
    filler->variable->data = grown;
    filler->capacity = wanted;
    parser->initialised += bytes;
    return true;
}

static void store(struct filler *filler, uint64_t element, uint64_t bits)
{
    uint8_t *to = filler->variable->data + element * filler->size;
    for (unsigned i = 0; i < filler->size && i < 8; i++)
        to[i] = (uint8_t)(bits >> (i * 8));
}

/* ---- one element ----------------------------------------------------------------------------- */

static bool store_float(struct filler *filler, uint64_t element)
{
    struct parser *parser = filler->parser;
    uint64_t bits;
    bool is_double;
    if (!constant_float(parser, &bits, &is_double))
        return false;
    bool wants_double = filler->variable->type == PTX_F64;
    if (!wants_double && filler->variable->type != PTX_F32) {
        report(parser, "a float cannot initialise `.%s`", ptx_type_name(filler->variable->type));
        return false;
    }
    if (is_double != wants_double) {
        double wide;
        float narrow;
        if (is_double) {
            memcpy(&wide, &bits, sizeof wide);
            narrow = (float)wide;
            uint32_t narrow_bits;
            memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
            bits = narrow_bits;
        } else {
            uint32_t narrow_bits = (uint32_t)bits;
            memcpy(&narrow, &narrow_bits, sizeof narrow);
            wide = narrow;
            memcpy(&bits, &wide, sizeof bits);
        }
    }
    store(filler, element, bits);
    return true;
}

static bool store_integer(struct filler *filler, uint64_t element, int64_t value)
{
    enum ptx_type type = filler->variable->type;
    uint64_t bits = (uint64_t)value;
    if (type == PTX_F32) {
        float number = (float)value;
        uint32_t number_bits;
        memcpy(&number_bits, &number, sizeof number_bits);
        bits = number_bits;
    } else if (type == PTX_F64) {
        double number = (double)value;
        memcpy(&bits, &number, sizeof bits);
    }
    store(filler, element, bits);
    return true;
}

/* sym, sym+8, generic(sym) with or without an addend inside or behind. */
static bool parse_address(struct parser *parser, struct ptx_relocation *relocation)
{
    uint32_t offset = parser->token.offset, line = parser->token.line, name;
    int64_t addend = 0, inner = 0;
    if (!expect_name(parser, "a number or an address", &name))
        return false;
    bool is_generic =
        parser->token.kind == '(' && strcmp(parser->names.data[name].text, "generic") == 0;
    if (is_generic) {
        lexer_next(parser);
        offset = parser->token.offset;
        if (!expect_name(parser, "a variable", &name))
            return false;
        if (parser->token.kind != ')' && !constant_integer(parser, &inner))
            return false;
        if (!expect(parser, ')'))
            return false;
    }
    if ((parser->token.kind == '+' || parser->token.kind == '-') &&
        !constant_integer(parser, &addend))
        return false;
    relocation->symbol = parser->names.data[name].text;
    relocation->addend = (int64_t)((uint64_t)addend + (uint64_t)inner);
    relocation->generic = is_generic;
    *vec_push(parser->arena, &parser->pending_symbols) =
        (struct pending_symbol){.name = name, .offset = offset, .line = line};
    return true;
}

static bool store_address(struct filler *filler, uint64_t element, uint64_t mask)
{
    struct parser *parser = filler->parser;
    struct ptx_relocation relocation = {.offset = (uint32_t)(element * filler->size)};
    relocation.size = filler->size;
    bool is_part = mask != UINT64_MAX;
    if (is_part) {
        while (mask != 0 && (mask & 0xff) == 0) {
            mask >>= 8;
            relocation.shift++;
        }
        uint64_t whole = filler->size >= 8 ? UINT64_MAX : ((uint64_t)1 << (filler->size * 8)) - 1;
        if (mask != whole) {
            report(parser, "the mask of an address must select %u whole bytes", filler->size);
            return false;
        }
    } else if (filler->size < 4) {
        report(parser, "an address does not fit in `.%s`", ptx_type_name(filler->variable->type));
        return false;
    }
    if (filler->size > 8) {
        report(parser, "an address cannot initialise `.%s`", ptx_type_name(filler->variable->type));
        return false;
    }
    if (!parse_address(parser, &relocation) || (is_part && !expect(parser, ')')))
        return false;
    *vec_push(parser->arena, &filler->variable->relocations) = relocation;
    return true;
}

static bool parse_element(struct filler *filler, uint64_t element)
{
    struct parser *parser = filler->parser;
    if (!reserve(filler, element + 1))
        return false;
    if (constant_is_float(parser))
        return store_float(filler, element);
    if (parser->token.kind == TOKEN_NAME &&
        strcmp(parser->names.data[parser->token.name].text, "WARP_SZ") != 0)
        return store_address(filler, element, UINT64_MAX);
    int64_t value;
    if (!constant_integer(parser, &value))
        return false;
    if (accept(parser, '('))
        return store_address(filler, element, (uint64_t)value);
    return store_integer(filler, element, value);
}

/* ---- braces ---------------------------------------------------------------------------------- */

/* The elements of a { } whose first is element `start` of an array `level` dimensions deep. */
static bool parse_braces(struct filler *filler, unsigned level, uint64_t start)
{
    struct parser *parser = filler->parser;
    uint64_t at = start, stride = filler->strides[level];
    uint64_t end =
        filler->extents[level] == UINT64_MAX ? UINT64_MAX : start + filler->extents[level] * stride;
    if (!expect(parser, '{'))
        return false;
    while (parser->token.kind != '}') {
        if (at >= end) {
            report(parser, "more values than the array has elements");
            return false;
        }
        if (parser->token.kind == '{') {
            if (level + 1 >= filler->levels) {
                report(parser, "more braces than the array has dimensions");
                return false;
            }
            at = start + (at - start + stride - 1) / stride * stride; /* a new row */
            if (at >= end || !parse_braces(filler, level + 1, at)) {
                if (at >= end)
                    report(parser, "more values than the array has elements");
                return false;
            }
            at += stride;
        } else if (!parse_element(filler, at++)) {
            return false;
        }
        if (!accept(parser, ','))
            break;
    }
    if (at > filler->used)
        filler->used = at;
    return expect(parser, '}');
}

/* ---- afterwards ------------------------------------------------------------------------------ */

static bool continues(const struct ptx_relocation *first, const struct ptx_relocation *next,
                      unsigned shift)
{
    return next->size == 1 && next->shift == shift && next->offset == first->offset + shift &&
           next->addend == first->addend && next->generic == first->generic &&
           strcmp(next->symbol, first->symbol) == 0;
}

/* Bytes 0 to 7 (or 0 to 3) of one address in a row are one relocation. */
static void join_bytes(struct ptx_variable *variable)
{
    struct ptx_relocation *data = variable->relocations.data;
    uint32_t kept = 0, count = variable->relocations.count;
    for (uint32_t i = 0; i < count; kept++) {
        unsigned run = 0;
        while (run < 8 && i + run < count && data[i].size == 1 && data[i].shift == 0 &&
               continues(&data[i], &data[i + run], run))
            run++;
        unsigned joined = run == 8 ? 8 : run >= 4 ? 4 : 1;
        struct ptx_relocation relocation = data[i];
        if (joined > 1)
            relocation.size = joined;
        data[kept] = relocation;
        i += joined;
    }
    variable->relocations.count = kept;
}

/* .texref t = { addr_mode_0 = wrap, ... }: kept as written. */
static bool skip_opaque_initialiser(struct parser *parser, struct ptx_variable *variable)
{
    if (parser->token.kind != '{') {
        report(parser, "expected `{`, found %s", token_shown(parser));
        return false;
    }
    uint32_t start = parser->token.offset;
    lexer_skip_braces(parser);
    uint32_t end = parser->at;
    lexer_next(parser);
    variable->attributes = arena_text(parser->arena, parser->text + start, end - start);
    return true;
}

bool initialiser_parse(struct parser *parser, struct ptx_variable *variable,
                       const uint64_t *dimensions, unsigned dimension_count)
{
    if (variable->type == PTX_TEXREF || variable->type == PTX_SAMPLERREF ||
        variable->type == PTX_SURFREF)
        return skip_opaque_initialiser(parser, variable);
    unsigned size = ptx_type_size(variable->type);
    bool has_contents = variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
    if (!has_contents || size == 0) {
        report(parser, "only `.global` and `.const` variables can be initialised");
        return false;
    }
    struct filler filler = {.parser = parser, .variable = variable, .size = size};
    memcpy(filler.extents, dimensions, dimension_count * sizeof *dimensions);
    filler.levels = dimension_count;
    if (variable->vector > 1)
        filler.extents[filler.levels++] = variable->vector;
    uint64_t stride = 1;
    for (unsigned level = filler.levels; level-- > 0;) {
        filler.strides[level] = stride;
        stride *= filler.extents[level];
        if (level > 0 && stride == 0) {
            report(parser, "an array without elements cannot be initialised");
            return false;
        }
    }
    if (variable->unsized)
        filler.extents[0] = UINT64_MAX;
    bool good = filler.levels == 0 ? parse_element(&filler, 0) : parse_braces(&filler, 0, 0);
    if (!good)
        return false;
    uint64_t row = filler.strides[0];
    if (variable->unsized && row != 0)
        variable->size = (filler.used + row - 1) / row * row * size;
    if (!reserve(&filler, variable->size / size))
        return false;
    join_bytes(variable);
    return true;
}
