/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels in CUDA C: fewer idioms than in PTX, but written by compilers.  One statement a line.
 */
#include "emit.h"

static void line(struct generator *g, const char *format, ...) LW_PRINTF(2, 3);

static void line(struct generator *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g->line++;
    if (g->line < COUNT_OF(g->plan->idiom_of_line))
        g->plan->idiom_of_line[g->line] = g->idiom;
    for (uint32_t i = 0; i <= g->depth; i++)
        buffer_puts(&g->body, "    ");
    buffer_vprintf(&g->body, format, arguments);
    buffer_puts(&g->body, "\n");
    va_end(arguments);
}

static const char *name(struct generator *g)
{
    return text_of(g, "v%u", g->registers['v']++);
}

/* A new variable that holds `expression`. */
static const char *variable(struct generator *g, const char *expression)
{
    const char *n = name(g);
    line(g, "int %s = %s;", n, expression);
    return n;
}

/* Reads or writes array[index], which is long enough. */
static void use(struct generator *g, const char *array, const char *index)
{
    if (strike(g, MISTAKE_OPERAND))
        index = "threadIdx.x";
    if (chance(g, 60))
        line(g, "sum += (int)%s[%s];", array, index);
    else
        line(g, "%s[%s] = 1;", array, index);
}

static const char *array_of(struct generator *g, const char *extent, uint32_t size)
{
    const char *base;
    new_array(g, size, extent, &base)->is_float = size >= 4 && chance(g, 60);
    return base;
}

static uint32_t some_size(struct generator *g)
{
    static const uint32_t sizes[] = {4, 4, 4, 4, 8, 2, 1};
    return sizes[below(g, COUNT_OF(sizes))];
}

static void direct(struct generator *g)
{
    struct value v = pick(g);
    int64_t ahead = chance(g, 50) ? 0 : 1 + below(g, 3);
    const char *index =
        ahead == 0 ? v.reg
                   : text_of(g, "%s + %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, ahead));
    fit(g, text_of(g, "(%s + %lld)", v.below, (long long)ahead), v.most + ahead);
    use(g, array_of(g, text_of(g, "(%s + %lld)", v.below, (long long)ahead), some_size(g)), index);
}

static void arithmetic(struct generator *g)
{
    struct value v = pick(g);
    int64_t c = 2 + below(g, 8), wrong;
    const struct scalar *s;
    switch (below(g, 9)) {
    case 0:
        fit(g, text_of(g, "(%s * %lld)", v.below, (long long)c), v.most * c);
        wrong = exact(g, MISTAKE_STRIDE, c);
        use(g, array_of(g, text_of(g, "(%s * %lld)", v.below, (long long)c), 4),
            text_of(g, "%s * %lld + %lld", v.reg, (long long)wrong, (long long)c - 1));
        break;
    case 1:
        use(g,
            array_of(g, text_of(g, "((%s + %lld) / %lld)", v.below, (long long)c - 1, (long long)c),
                     4),
            text_of(g, "%s / %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, c)));
        break;
    case 2:
        use(g, array_of(g, text_of(g, "%lld", (long long)c), 4),
            text_of(g, "%s %% %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, c)));
        break;
    case 3:
        s = scalar(g, 1, chance(g, 50));
        use(g, array_of(g, s->name, 4), text_of(g, "%s %% (int)%s", v.reg, s->name));
        break;
    case 4:
        s = scalar(g, 1, chance(g, 50));
        use(g, array_of(g, v.below, 4), text_of(g, "%s / (int)%s", v.reg, s->name));
        break;
    case 5:
        use(g, array_of(g, "16", 4),
            text_of(g, "%s & %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 15)));
        break;
    case 6:
        s = scalar(g, 0, chance(g, 50));
        if (!strike(g, MISTAKE_GUARD_DROPPED))
            line(g, "if (%s != 0)", s->name);
        use(g, array_of(g, v.below, 4), text_of(g, "%s / (int)%s", v.reg, s->name));
        break;
    case 7:
        use(g, array_of(g, text_of(g, "(%s + 7)", v.below), 4),
            text_of(g, "%s ^ %lld", v.reg, (long long)(strike(g, MISTAKE_OFF_BY_ONE) ? 15 : 7)));
        fit(g, text_of(g, "(%s + 7)", v.below), v.most + 7);
        break;
    default:
        use(g, array_of(g, text_of(g, "((%s + 1) / 2)", v.below), 4),
            text_of(g, "%s >> %lld", v.reg, (long long)exact(g, MISTAKE_SHIFT, 1)));
    }
}

/* A value whose bound is a scalar. */
static struct value with_scalar(struct generator *g)
{
    for (uint32_t i = 0; i < 20; i++) {
        struct value v = pick(g);
        if (v.scalar != NULL)
            return v;
    }
    const struct scalar *s = scalar(g, 1, true);
    return (struct value){.reg = variable(g, text_of(g, "%s %% (int)%s", pick(g).reg, s->name)),
                          .below = s->name,
                          .most = s->most,
                          .scalar = s};
}

static void neighbours(struct generator *g)
{
    struct value v = with_scalar(g);
    const char *a = array_of(g, v.below, 4), *n = v.scalar->name;
    switch (below(g, 4)) {
    case 0:
        line(g, "sum += (int)%s[max(%s - 1, %lld)];", a, v.reg,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
        line(g, "sum += (int)%s[min(%s + 1, (int)%s - %lld)];", a, v.reg, n,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        break;
    case 1:
        line(g, "sum += %s > %lld ? (int)%s[%s - 1] : 0;", v.reg,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 0), a, v.reg);
        line(g, "sum += %s < (int)%s - %lld ? (int)%s[%s + 1] : 0;", v.reg, n,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 1), a, v.reg);
        break;
    case 2:
        line(g, "sum += (int)%s[(int)%s - %lld - %s];", a, n,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 1), v.reg);
        break;
    default:
        line(g, "sum += (int)%s[%s + 1 == (int)%s ? 0 : %s + %lld];", a, v.reg, n, v.reg,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
    }
}

static void product(struct generator *g)
{
    struct value row = pick(g), column = with_scalar(g);
    const char *base, *factor = strike(g, MISTAKE_OPERAND) ? row.reg : column.scalar->name;
    struct plan_parameter *array = new_array(g, 4, row.below, &base);
    array->dimensions = 2;
    array->shape[1] = column.below;
    if (chance(g, 40)) {
        use(g, base, text_of(g, "(size_t)%s * %s + %s", row.reg, factor, column.reg));
        return;
    }
    fit(g, text_of(g, "(%s * %s)", row.below, column.below), row.most * column.most);
    use(g, base, text_of(g, "%s * (int)%s + %s", row.reg, factor, column.reg));
}

static void gather(struct generator *g)
{
    struct value v = pick(g), found;
    const struct scalar *s = scalar(g, 0, chance(g, 50));
    const char *base;
    struct plan_parameter *indices = new_array(g, 4, v.below, &base);
    indices->low = "0";
    indices->high = strike(g, MISTAKE_RELATION) ? text_of(g, "%s + 1", s->name) : s->name;
    found = (struct value){.reg = variable(g, text_of(g, "%s[%s]", base, v.reg)),
                           .below = s->name,
                           .most = s->most,
                           .scalar = s};
    *vec_push(g->arena, &g->plan->index_loads) = g->line;
    use(g, array_of(g, found.below, 4), found.reg);
}

static void rows(struct generator *g)
{
    struct value v = pick(g);
    const struct scalar *s = scalar(g, 0, chance(g, 50));
    const char *base, *a, *from, *to, *j = name(g);
    struct plan_parameter *offsets = new_array(g, 4, text_of(g, "(%s + 1)", v.below), &base);
    offsets->low = "0";
    offsets->high = text_of(g, "(%s + %lld)", s->name, (long long)exact(g, MISTAKE_RELATION, 1));
    from = variable(g, text_of(g, "%s[%s]", base, v.reg));
    *vec_push(g->arena, &g->plan->index_loads) = g->line;
    to = variable(
        g, text_of(g, "%s[%s + %lld]", base, v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 1)));
    *vec_push(g->arena, &g->plan->index_loads) = g->line;
    a = array_of(g, s->name, 4);
    line(g, "for (int %s = %s; %s %s %s; %s++)", j, from, j,
         strike(g, MISTAKE_OFF_BY_ONE) ? "<=" : "<", to, j);
    line(g, "    sum += (int)%s[%s];", a, j);
}

static void shared(struct generator *g)
{
    uint32_t size = 8u << below(g, 4);
    const char *tile = text_of(g, "tile%u", g->arrays++);
    struct value v = pick(g);
    line(g, "__shared__ int %s[%u];", tile, size);
    line(g, "%s[%s %% %lld] = sum;", tile, v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, size));
    line(g, "sum += %s[min(%s, %lld)];", tile, v.reg,
         (long long)exact(g, MISTAKE_OFF_BY_ONE, size - 1));
    if (chance(g, 50)) {
        line(g, "if (threadIdx.x < %lld)", (long long)exact(g, MISTAKE_OFF_BY_ONE, size));
        line(g, "    %s[threadIdx.x] = 3;", tile);
    }
}

static void vector(struct generator *g)
{
    struct value v = pick(g);
    bool whole = chance(g, 40);
    const char *a = array_of(g, whole ? v.below : text_of(g, "(%s * 4)", v.below), whole ? 16 : 4);
    line(g, "sum += (int)reinterpret_cast<const float4 *>(%s)[%s + %lld].x;", a, v.reg,
         (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
    line(g, "sum += (int)reinterpret_cast<const float2 *>(%s%s)[%s * 2 + 1].y;", a,
         strike(g, MISTAKE_MISALIGNED) ? " + 1" : "", v.reg);
    fit(g, text_of(g, "(%s * 2)", v.below), v.most * 2);
}

static void statement(struct generator *g);

static void inside(struct generator *g, const char *j, const struct scalar *s, const char *close)
{
    uint32_t scope = g->values.count;
    struct value v = {.reg = j, .below = s->name, .most = s->most, .scalar = s};
    g->depth++;
    for (uint32_t i = 0; i < 3; i++)
        push_value(g, v);
    for (uint32_t i = 1 + below(g, 2); i > 0; i--)
        statement(g);
    g->depth--;
    g->values.count = scope;
    line(g, "%s", close);
}

static void loop(struct generator *g)
{
    const struct scalar *s = scalar(g, 0, chance(g, 40)), *step;
    const char *j = name(g), *n = s->name, *a;
    switch (below(g, 8)) {
    case 0:
        line(g, "for (int %s = 0; %s %s (int)%s; %s++) {", j, j,
             strike(g, MISTAKE_OFF_BY_ONE) ? "<=" : "<", n, j);
        inside(g, j, s, "}");
        break;
    case 1:
        line(g, "for (int %s = (int)%s - %lld; %s >= 0; %s--) {", j, n,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 1), j, j);
        inside(g, j, s, "}");
        break;
    case 2:
        fit(g, text_of(g, "(%s + 1024)", n), s->most + 1024);
        line(g, "for (int %s = threadIdx.x; %s < (int)%s; %s += blockDim.x) {", j, j, n, j);
        inside(g, j, s, "}");
        break;
    case 3:
        if (!strike(g, MISTAKE_RELATION))
            require(g, "%s + grid.x * block.x <= %lld", n, INT_LIMIT);
        line(g,
             "for (int %s = blockIdx.x * blockDim.x + threadIdx.x; %s < (int)%s; %s += gridDim.x * "
             "blockDim.x) {",
             j, j, n, j);
        inside(g, j, s, "}");
        break;
    case 4:
        step = scalar(g, 1, chance(g, 40));
        fit(g, text_of(g, "(%s + %s)", n, step->name), s->most + step->most);
        line(g, "for (int %s = 0; %s < (int)%s; %s += (int)%s) {", j, j, n, j, step->name);
        inside(g, j, s, "}");
        break;
    case 5:
        a = array_of(g, n, 4);
        line(g, "for (const auto *%s = %s; %s != %s + (int)%s; %s++)", j, a, j, a, n, j);
        line(g, "    sum += (int)%s[%lld];", j, (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
        break;
    case 6:
        line(g, "for (int %s = (int)%s; %s > %lld; %s /= 2) {", j, n, j,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 0), j);
        inside(g, text_of(g, "(%s - 1)", j), s, "}");
        break;
    default: /* the body of a dot product: unrolled by compilers */
        a = array_of(g, n, 4);
        line(g, "for (int %s = 0; %s < (int)%s; %s++)", j, j, n, j);
        line(g, "    sum += (int)%s[%s + %lld] * 3;", a, j,
             (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
    }
}

static void statement(struct generator *g)
{
    static const struct {
        const char *name;
        void (*write)(struct generator *g);
    } kinds[] = {{"direct", direct},
                 {"direct", direct},
                 {"arithmetic", arithmetic},
                 {"arithmetic", arithmetic},
                 {"neighbours", neighbours},
                 {"row and column", product},
                 {"gather", gather},
                 {"rows", rows},
                 {"shared", shared},
                 {"vector", vector},
                 {"loop", loop},
                 {"loop", loop}};
    uint32_t kind = below(g, COUNT_OF(kinds) - (g->depth >= 2 ? 2 : 0));
    const char *outer = g->idiom;
    g->idiom = g->depth == 0 ? kinds[kind].name : text_of(g, "%s in %s", kinds[kind].name, outer);
    kinds[kind].write(g);
    g->idiom = outer;
}

static void guard(struct generator *g)
{
    uint32_t dimensions = chance(g, 65) ? 1 : 2;
    const struct scalar *sizes[2];
    const char *names[2] = {"i", "row"};
    bool is_unsigned = chance(g, 40), free_grid = chance(g, 40);
    g->idiom = "guard";
    for (uint32_t axis = 0; axis < dimensions; axis++) {
        sizes[axis] = scalar(g, 0, true);
        if (!free_grid)
            g->plan->domain[axis] = sizes[axis]->name;
        else if (!is_unsigned && !strike(g, MISTAKE_RELATION))
            require(g, "grid.%c * block.%c <= %lld", "xyz"[axis], "xyz"[axis], INT_LIMIT);
    }
    g->plan->axes = dimensions == 1 ? 1 : 3;
    for (uint32_t axis = 0; axis < dimensions; axis++)
        line(g, "%s %s = blockIdx.%c * blockDim.%c + threadIdx.%c;",
             is_unsigned ? "unsigned" : "int", names[axis], "xyz"[axis], "xyz"[axis], "xyz"[axis]);
    const char *compare = strike(g, MISTAKE_OFF_BY_ONE) ? ">" : ">=",
               *type = is_unsigned ? "unsigned" : "int";
    if (!strike(g, MISTAKE_GUARD_DROPPED)) {
        if (dimensions == 1)
            line(g, "if (i %s (%s)%s) return;", compare, type, sizes[0]->name);
        else
            line(g, "if (i %s (%s)%s || row >= (%s)%s) return;", compare, type, sizes[0]->name,
                 type, sizes[1]->name);
    }
    for (uint32_t axis = 0; axis < dimensions; axis++)
        for (uint32_t i = 0; i < 3; i++)
            push_value(g, (struct value){.reg = is_unsigned ? text_of(g, "(int)%s", names[axis])
                                                            : names[axis],
                                         .below = sizes[axis]->name,
                                         .most = sizes[axis]->most,
                                         .scalar = sizes[axis]});
}

static void write_parameters(struct generator *g, struct buffer *text)
{
    static const char *const integers[] = {"unsigned char", "short", "int", "long long", "float4"};
    static const char *const reals[] = {"unsigned char", "short", "float", "double", "float4"};
    for (uint32_t i = 0; i < g->plan->parameters.count; i++) {
        const struct plan_parameter *p = &g->plan->parameters.data[i];
        buffer_printf(text, "%s", i == 0 ? "" : ", ");
        if (p->is_pointer)
            buffer_printf(text, "%s *%s",
                          (p->is_float ? reals : integers)[__builtin_ctz(p->element_size)],
                          p->name);
        else
            buffer_printf(text, "%s%s %s", p->is_signed ? "" : "unsigned ",
                          p->bits == 64   ? "long long"
                          : p->bits == 16 ? "short"
                                          : "int",
                          p->name);
    }
}

void write_cuda_text(struct generator *g)
{
    struct buffer text;
    g->line = 2; /* the header and its brace */
    line(g, "int sum = 0;");
    guard(g);
    for (uint32_t count = 3 + below(g, 4); count > 0; count--)
        statement(g);
    g->idiom = "result";
    line(g, "%s[i] = sum;", array_of(g, g->values.data[0].below, 4));
    buffer_init(&text, g->arena);
    buffer_puts(&text, "extern \"C\" __global__ void k(");
    write_parameters(g, &text);
    buffer_printf(&text, ")\n{\n%s}\n", g->body.data);
    g->plan->text = text.data;
    g->plan->size = text.size;
}
