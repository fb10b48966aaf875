/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing instructions, each on a line of its own so that each is a site of its own, and making mistakes.
 */
#include "emit.h"

static const char *const mistake_texts[MISTAKE_COUNT] = {
    "off by one",       "guard dropped",   "signedness swapped", "stride changed",
    "wrong operand",    "wider access",    "misaligned offset",  "shift amount",
    "relation dropped", "extent one short"};

bool strike(struct generator *g, enum mistake kind)
{
    *vec_push(g->arena, &g->kinds) = (uint8_t)kind;
    if (g->points++ != g->struck)
        return false;
    g->plan->mutation = text_of(g, "%s in %s", mistake_texts[kind], g->idiom);
    g->plan->mutation_line = g->line;
    return true;
}

int64_t exact(struct generator *g, enum mistake kind, int64_t number)
{
    if (!strike(g, kind))
        return number;
    return (g->points & 1) != 0 ? number + 1 : number - 1;
}

char sign(struct generator *g, char right)
{
    if (!strike(g, MISTAKE_SIGNEDNESS))
        return right;
    return right == 's' ? 'u' : 's';
}

static void begin(struct generator *g)
{
    g->line++;
    if (g->line < COUNT_OF(g->plan->idiom_of_line))
        g->plan->idiom_of_line[g->line] = g->idiom;
    buffer_printf(g->out, "\t.loc\t1 %u 1\n\t", g->line);
}

const char *op(struct generator *g, char class, const char *mnemonic, const char *operands, ...)
{
    const char *target = text_of(g, "%%%c%u", class, g->registers[(unsigned char)class]++);
    va_list arguments;
    va_start(arguments, operands);
    begin(g);
    buffer_printf(g->out, "%s %s, ", mnemonic, target);
    buffer_vprintf(g->out, operands, arguments);
    buffer_puts(g->out, ";\n");
    va_end(arguments);
    return target;
}

void op_to(struct generator *g, const char *target, const char *mnemonic, const char *operands, ...)
{
    va_list arguments;
    va_start(arguments, operands);
    begin(g);
    buffer_printf(g->out, "%s %s, ", mnemonic, target);
    buffer_vprintf(g->out, operands, arguments);
    buffer_puts(g->out, ";\n");
    va_end(arguments);
}

void raw(struct generator *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    begin(g);
    buffer_vprintf(g->out, format, arguments);
    buffer_puts(g->out, ";\n");
    va_end(arguments);
}

uint32_t new_label(struct generator *g)
{
    return g->labels++;
}

void put_label(struct generator *g, uint32_t label)
{
    buffer_printf(g->out, "$L%u:\n", label);
}
