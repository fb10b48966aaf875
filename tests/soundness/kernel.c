/* SPDX-License-Identifier: Apache-2.0
 *
 * A random kernel: geometry, guards, then a handful of idioms; its contract grows with it.
 */
#include "emit.h"

const char *feature_text(enum feature feature)
{
    static const char *const texts[] = {
#define FEATURE(name, text) text,
#include "features.def"
#undef FEATURE
    };
    return texts[feature];
}

/* ---- parameters and special registers -------------------------------------------------------------- */

void require(struct generator *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(g->arena, format, arguments);
    va_end(arguments);
    for (uint32_t i = 0; i < g->plan->relations.count; i++)
        if (strcmp(g->plan->relations.data[i], text) == 0)
            return;
    *vec_push(g->arena, &g->plan->relations) = text;
}

int64_t fit(struct generator *g, const char *text, int64_t most)
{
    if (most <= INT_LIMIT)
        return (int64_t)most;
    if (!strike(g, MISTAKE_RELATION))
        require(g, "%s <= %lld", text, INT_LIMIT);
    return INT_LIMIT;
}

const char *special(struct generator *g, uint32_t which, uint32_t axis)
{
    static const char *const names[] = {"tid", "ctaid", "ntid", "nctaid"};
    if (g->axis[which][axis] == NULL) {
        struct buffer *out = g->out;
        g->out = &g->prologue;
        g->axis[which][axis] = op(g, 'r', "mov.u32", "%%%s.%c", names[which], "xyz"[axis]);
        g->out = out;
        g->plan->axes |= 1u << axis;
    }
    return g->axis[which][axis];
}

static const char *load_scalar(struct generator *g, const struct plan_parameter *p)
{
    const char *type = text_of(g, "%c%u", p->is_signed ? 's' : 'u', p->bits);
    if (p->bits == 32)
        return op(g, 'r', text_of(g, "ld.param.%s", type), "[k_%s]", p->name);
    const char *r =
        op(g, p->bits == 64 ? 'd' : 'h', text_of(g, "ld.param.%s", type), "[k_%s]", p->name);
    feature(g, p->bits == 64 ? FEATURE_TRUNCATE : FEATURE_NARROW);
    if (p->bits == 64)
        return op(g, 'r', "cvt.u32.u64", "%s", r);
    feature(g, FEATURE_WIDEN);
    return op(g, 'r', p->is_signed ? "cvt.s32.s16" : "cvt.u32.u16", "%s", r);
}

const struct scalar *scalar(struct generator *g, int64_t least, bool fresh)
{
    static const int64_t limits[] = {64,      1000,     65535,      1000000,
                                     1000000, 16777216, 2147482623, 2147482623};
    static const char *const names[] = {"n", "m", "k", "h", "w", "s", "t", "u", "v", "q"};
    uint32_t good[COUNT_OF(g->scalars)], count = 0;
    for (uint32_t i = 0; i < g->scalar_count; i++)
        if (g->scalars[i].least >= least)
            good[count++] = i;
    if (count != 0 && (!fresh || g->scalar_count >= 8))
        return &g->scalars[good[below(g, count)]];
    if (g->scalar_count >=
        COUNT_OF(
            names)) { /* with least > 0 there may be none yet: there is room for two more then */
        require(g, "%s >= %lld", g->scalars[0].name, (long long)least);
        g->scalars[0].least = least;
        return &g->scalars[0];
    }
    struct scalar *s = &g->scalars[g->scalar_count];
    struct plan_parameter p = {
        .name = names[g->scalar_count++], .bits = 32, .is_signed = chance(g, 60)};
    if (chance(g, 15))
        p.bits = chance(g, 50) ? 64 : 16;
    s->name = p.name;
    s->least = least;
    s->most = limits[below(g, COUNT_OF(limits))];
    if (p.bits == 16 && s->most > 32767)
        s->most = 32767;
    if (!strike(g, MISTAKE_RELATION))
        require(g, "%s <= %lld", s->name, (long long)s->most);
    if ((p.is_signed || least > 0) && !strike(g, MISTAKE_RELATION))
        require(g, "%s >= %lld", s->name, (long long)least);
    struct buffer *out = g->out;
    g->out = &g->prologue;
    s->reg = g->plan->is_cuda ? s->name : load_scalar(g, &p);
    g->out = out;
    *vec_push(g->arena, &g->plan->parameters) = p;
    return s;
}

struct plan_parameter *new_array(struct generator *g, uint32_t element_size, const char *extent,
                                 const char **base)
{
    struct plan_parameter p = {.name = text_of(g, "a%u", g->arrays++),
                               .is_pointer = true,
                               .element_size = (uint8_t)element_size,
                               .dimensions = 1};
    p.shape[0] = strike(g, MISTAKE_EXTENT) ? text_of(g, "%s - 1", extent) : extent;
    struct buffer *out = g->out;
    if (chance(g, 70))
        g->out = &g->prologue;
    *base = g->plan->is_cuda ? p.name
                             : op(g, 'd', "cvta.to.global.u64", "%s",
                                  op(g, 'd', "ld.param.u64", "[k_%s]", p.name));
    g->out = out;
    struct plan_parameter *slot = vec_push(g->arena, &g->plan->parameters);
    *slot = p;
    return slot;
}

/* ---- values ----------------------------------------------------------------------------------------- */

void push_value(struct generator *g, struct value value)
{
    *vec_push(g->arena, &g->values) = value;
}

struct value pick(struct generator *g)
{
    return g->values.data[below(g, g->values.count)];
}

const char *some_condition(struct generator *g)
{
    const char *reg = g->values.count != 0 ? pick(g).reg : special(g, 0, 0);
    if (chance(g, 40))
        return op(g, 'p', "setp.eq.s32", "%s, 0", op(g, 'r', "and.b32", "%s, 1", reg));
    const struct scalar *n = scalar(g, 0, false);
    return op(g, 'p', text_of(g, "setp.%s.%c32", chance(g, 50) ? "lt" : "ge", either(g)), "%s, %s",
              reg, n->reg);
}

/* ---- idioms ------------------------------------------------------------------------------------------ */

struct idiom {
    uint32_t weight;
    const char *name;
    void (*write)(struct generator *g);
};

static const struct idiom idioms[] = {{48, "loop", idiom_loop},
                                      {22, "derived index", idiom_derived},
                                      {7, "neighbours", idiom_neighbours},
                                      {9, "clamped neighbours", idiom_clamped},
                                      {8, "if and else", idiom_meet},
                                      {6, "wild index", idiom_wild},
                                      {6, "row and column", idiom_product},
                                      {7, "guarded division", idiom_guarded_division},
                                      {6, "offsets", idiom_offsets},
                                      {8, "vector access", idiom_vector},
                                      {9, "gather", idiom_gather},
                                      {6, "shared array", idiom_shared},
                                      {8, "dynamic shared", idiom_dynamic},
                                      {7, "local array", idiom_local},
                                      {8, "constant array", idiom_constant},
                                      {7, "atomic", idiom_atomic}};

static void write_idiom(struct generator *g, uint32_t first)
{
    uint32_t total = 0, at = first;
    for (uint32_t i = first; i < COUNT_OF(idioms); i++)
        total += idioms[i].weight;
    for (uint32_t left = below(g, total); left >= idioms[at].weight; left -= idioms[at++].weight)
        ;
    const char *outer = g->idiom;
    if (at != 0) /* loops name themselves */
        g->idiom = g->depth == 0 ? idioms[at].name : text_of(g, "%s in %s", idioms[at].name, outer);
    idioms[at].write(g);
    g->idiom = outer;
}

void some_idiom(struct generator *g)
{
    if (g->plan->seed % 2 != 0 && chance(g, 20)) {
        g->idiom = "chaos";
        g->plan->chaos = true;
        idiom_chaos(g);
        return;
    }
    write_idiom(g, 0);
}

void some_small_idiom(struct generator *g)
{
    write_idiom(g, 1);
}

/* ---- the kernel --------------------------------------------------------------------------------------- */

static void choose_block(struct generator *g, uint32_t dimensions)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 16};
    if (chance(g, 35)) {
        for (uint32_t axis = 0; axis < dimensions; axis++)
            g->plan->block[axis] =
                text_of(g, "%u",
                        dimensions == 1 && chance(g, 20)
                            ? 64
                            : sizes[below(g, COUNT_OF(sizes) - (dimensions == 3 ? 2 : 0))]);
        return;
    }
    if (chance(g, 10))
        g->plan->block_multiple = chance(g, 50) ? "4" : "32";
    if (chance(g, 30))
        g->plan->block_max = chance(g, 50) ? "256" : "64";
}

/* ctaid * ntid + tid of one axis in 32 bits. */
static const char *position(struct generator *g, uint32_t axis)
{
    const char *width =
        g->plan->block[axis] != NULL && chance(g, 60) ? g->plan->block[axis] : special(g, 2, axis);
    if (chance(g, 70)) {
        feature(g, FEATURE_MULTIPLY_ADD);
        return op(g, 'r', "mad.lo.s32", "%s, %s, %s", special(g, 1, axis), width,
                  special(g, 0, axis));
    }
    const char *first = op(g, 'r', "mul.lo.s32", "%s, %s", special(g, 1, axis), width);
    return op(g, 'r', "add.s32", "%s, %s", first, special(g, 0, axis));
}

static void push_scalar_bound(struct generator *g, const char *reg, const struct scalar *n)
{
    struct value v = {.reg = reg, .below = n->name, .most = n->most, .scalar = n};
    push_value(g, v);
    push_value(g, v);
    push_value(g, v);
}

/* One dimension, position and guard in 64 bits. */
static void guard_wide(struct generator *g, const struct scalar *n, uint32_t leave)
{
    feature(g, FEATURE_WIDE);
    feature(g, FEATURE_WIDEN);
    feature(g, FEATURE_TRUNCATE);
    feature(g, FEATURE_MULTIPLY_WIDE);
    char s = either(g);
    feature(g, s == 's' ? FEATURE_SIGNED_GUARD : FEATURE_UNSIGNED_GUARD);
    const char *i = op(g, 'd', text_of(g, "mul.wide.%c32", s == 's' ? 'u' : 'u'), "%s, %s",
                       special(g, 1, 0), special(g, 2, 0));
    i = op(g, 'd', "add.s64", "%s, %s", i, op(g, 'd', "cvt.u64.u32", "%s", special(g, 0, 0)));
    const char *limit = op(g, 'd', "cvt.u64.u32", "%s", n->reg);
    const char *p =
        op(g, 'p', text_of(g, "setp.%s.%c64", strike(g, MISTAKE_OFF_BY_ONE) ? "gt" : "ge", s),
           "%s, %s", i, limit);
    if (!strike(g, MISTAKE_GUARD_DROPPED))
        raw(g, "@%s bra $L%u", p, leave);
    push_scalar_bound(g, op(g, 'r', "cvt.u32.u64", "%s", i), n);
}

static void guard_positions(struct generator *g, uint32_t dimensions, uint32_t leave)
{
    const char *regs[3], *bounds[3];
    const struct scalar *sizes[3];
    g->idiom = "guard";
    for (uint32_t axis = 0; axis < dimensions; axis++)
        sizes[axis] = scalar(g, 0, true);
    g->free_grid = chance(g, 40);
    if (!g->free_grid)
        for (uint32_t axis = 0; axis < dimensions; axis++)
            g->plan->domain[axis] = sizes[axis]->name;
    if (dimensions == 1 && chance(g, 15)) {
        guard_wide(g, sizes[0], leave);
        return;
    }
    bool unsigned_only = g->free_grid && chance(g, 50);
    for (uint32_t axis = 0; axis < dimensions; axis++) {
        regs[axis] = position(g, axis);
        bounds[axis] = sizes[axis]->reg;
        if (g->free_grid && !unsigned_only && !strike(g, MISTAKE_RELATION))
            require(g, "grid.%c * block.%c <= %lld", "xyz"[axis], "xyz"[axis], INT_LIMIT);
    }
    leave_unless_all_below(g, dimensions, regs, bounds, leave, unsigned_only);
    for (uint32_t axis = 0; axis < dimensions; axis++)
        push_scalar_bound(g, regs[axis], sizes[axis]);
    if (dimensions == 1)
        return;
    feature(g, dimensions == 2 ? FEATURE_TWO_DIMENSIONS : FEATURE_THREE_DIMENSIONS);
    /* The flat index, z * h * w + y * w + x. */
    const char *index = regs[dimensions - 1], *text = sizes[dimensions - 1]->name;
    int64_t most = sizes[dimensions - 1]->most;
    for (uint32_t axis = dimensions - 1; axis-- > 0;) {
        feature(g, FEATURE_MULTIPLY_ADD);
        index = op(g, 'r', "mad.lo.s32", "%s, %s, %s", index, sizes[axis]->reg,
                   strike(g, MISTAKE_OPERAND) ? regs[dimensions - 1] : regs[axis]);
        text = text_of(g, "(%s * %s)", text, sizes[axis]->name);
        most = fit(g, text, most * sizes[axis]->most);
    }
    struct value flat = {.reg = index, .below = text, .most = (int64_t)most};
    push_value(g, flat);
    push_value(g, flat);
    const char *base;
    struct plan_parameter *array = new_array(g, 4, sizes[dimensions - 1]->name, &base);
    array->dimensions = (uint8_t)dimensions;
    for (uint32_t d = 1; d < dimensions; d++)
        array->shape[d] = sizes[dimensions - 1 - d]->name;
    touch(g, address_of(g, base, index, 4), 0, 4, true);
}

static void write_body(struct generator *g)
{
    uint32_t dimensions = chance(g, 62) ? 1 : chance(g, 55) ? 2 : 3, leave = new_label(g);
    choose_block(g, dimensions);
    bool early = chance(g, 70);
    if (early)
        feature(g, FEATURE_EARLY_EXIT);
    guard_positions(g, dimensions, leave);
    g->diverged = true;
    push_value(g, (struct value){.reg = special(g, 0, 0), .below = "block.x", .most = 1024});
    if (g->plan->block[0] != NULL)
        push_value(g, literal_value(special(g, 0, 0), g, strtol(g->plan->block[0], NULL, 10)));
    if (chance(g, 40))
        push_value(g,
                   (struct value){.reg = special(g, 1, 0), .below = "grid.x", .most = INT_LIMIT});
    for (uint32_t count = 3 + below(g, 5); count > 0 && g->line < 240; count--) {
        if (chance(g, 8)) { /* another reason to leave */
            struct value v = pick(g);
            const struct scalar *n = scalar(g, 0, chance(g, 50));
            g->idiom = "later guard";
            leave_unless_below(g, v.reg, n->reg, leave, false);
            push_scalar_bound(g, v.reg, n);
        }
        some_idiom(g);
    }
    if (early) {
        raw(g, "ret");
        put_label(g, leave);
        raw(g, "exit");
    } else {
        put_label(g, leave);
        raw(g, "ret");
    }
}

static void write_text(struct generator *g)
{
    struct arena *arena = g->arena;
    write_body(g);
    struct buffer text;
    buffer_init(&text, arena);
    buffer_puts(&text, ".version 8.0\n.target sm_80\n.address_size 64\n");
    if (g->head.size != 0)
        buffer_puts(&text, g->head.data);
    buffer_puts(&text, ".visible .entry k(");
    for (uint32_t i = 0; i < g->plan->parameters.count; i++) {
        const struct plan_parameter *p = &g->plan->parameters.data[i];
        buffer_printf(&text, "%s\n\t.param .%c%u k_%s", i == 0 ? "" : ",", p->is_signed ? 's' : 'u',
                      p->is_pointer ? 64 : p->bits, p->name);
    }
    buffer_puts(&text, "\n)\n{\n");
    static const struct {
        char class;
        const char *type;
    } classes[] = {{'r', ".b32"}, {'d', ".b64"}, {'h', ".b16"}, {'p', ".pred"}};
    for (uint32_t i = 0; i < COUNT_OF(classes); i++)
        buffer_printf(&text, "\t.reg %s %%%c<%u>;\n", classes[i].type, classes[i].class,
                      g->registers[(unsigned char)classes[i].class] + 1);
    buffer_puts(&text, g->prologue.data);
    buffer_puts(&text, g->body.data);
    buffer_puts(&text, "}\n\t.file 1 \"k.cu\"\n");
    g->plan->text = text.data;
    g->plan->size = text.size;
}

/* ---- from a seed --------------------------------------------------------------------------------------- */

static struct generator *write_kernel(struct arena *arena, uint64_t seed, bool is_cuda,
                                      uint32_t struck)
{
    struct generator *g = ARENA_NEW(arena, struct generator);
    g->arena = arena;
    g->plan = ARENA_NEW(arena, struct plan);
    g->plan->arena = arena;
    g->plan->seed = seed;
    g->plan->is_cuda = is_cuda;
    g->state = seed * 0xd6e8feb86659fd93u + 0x632be59bd9b4e019u;
    g->struck = struck;
    g->idiom = "kernel";
    buffer_init(&g->head, arena);
    buffer_init(&g->prologue, arena);
    buffer_init(&g->body, arena);
    g->out = &g->body;
    if (is_cuda)
        write_cuda_text(g);
    else
        write_text(g);
    return g;
}

static struct plan *generate(struct arena *arena, uint64_t seed, bool is_cuda, bool right)
{
    struct generator *g = write_kernel(arena, seed, is_cuda, UINT32_MAX);
    if (right || g->points == 0)
        return g->plan;
    /* First the kind of mistake, then one of its places: otherwise there were little but off by one. */
    struct generator chooser = {.state = seed * 0xd1342543de82ef95u + 1};
    uint32_t wanted = below(&chooser, MISTAKE_COUNT), count = 0;
    for (uint32_t i = 0; i < g->points; i++)
        count += g->kinds.data[i] == wanted;
    uint32_t left = below(&chooser, count != 0 ? count : g->points), at = 0;
    for (; at < g->points; at++)
        if ((count == 0 || g->kinds.data[at] == wanted) && left-- == 0)
            break;
    return write_kernel(arena, seed, is_cuda, at)->plan;
}

struct plan *plan_generate(struct arena *arena, uint64_t seed)
{
    return generate(arena, seed, false, seed % 2 == 0);
}

struct plan *plan_generate_cuda(struct arena *arena, uint64_t seed)
{
    return generate(arena, seed, true, seed / 10 % 2 == 0); /* every tenth seed is asked for */
}
