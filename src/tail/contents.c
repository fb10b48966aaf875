/* SPDX-License-Identifier: Apache-2.0
 *
 * What arrays hold, as expressions of the launch: the launch that is printed is the launch that was run.
 *
 * An array that the kernel only writes starts undefined: an element nobody writes is seen as such, whatever the right result is.
 */
#include "tail/private.h"

#include <string.h>

const char *tail_contents_name(enum tail_contents contents)
{
    static const char *const names[] = {"plain", "negative", "positive", "special", "tiny", "extreme", "low", "high"};
    return names[contents];
}

/* A hash of the element number, 32 bits. */
static const char *hash_text(struct arena *arena, uint64_t seed)
{
    return arena_printf(arena, "((unsigned)i*2654435761u+%uu>>11)", (unsigned)(seed * 40503u + 12345u));
}

static void add_real(enum tail_contents contents, const char *type, const char *hash, struct buffer *out)
{
    bool is_double = strcmp(type, "f64") == 0;
    switch (contents) {
    case TAIL_NEGATIVE:
        buffer_printf(out, "-1-(int)(%s%%64)*0.25f", hash);
        break;
    case TAIL_POSITIVE:
        buffer_printf(out, "2+(int)(%s%%64)*0.25f", hash);
        break;
    case TAIL_SPECIAL:
        buffer_printf(out, "i%%5==3?NAN:i%%7==2?INFINITY:i%%7==5?-INFINITY:(int)(%s%%33)-16", hash);
        break;
    case TAIL_TINY:
        buffer_printf(out, is_double ? "i%%2*5e-324+4e-310" : "__int_as_float(1+(int)(%s%%4096))", hash);
        break;
    case TAIL_EXTREME:
        buffer_puts(out, is_double                    ? "i%2?1.7e308:-1.7e308"
                         : strcmp(type, "f16") == 0 ? "i%2?65504.0f:-65504.0f"
                                                      : "i%2?3.4e38f:-3.4e38f");
        break;
    default:
        buffer_printf(out, "((int)(%s%%65)-32)*0.25f", hash);
        break;
    }
}

static void add_integer(enum tail_contents contents, const char *type, const char *hash, struct buffer *out)
{
    static const struct {
        const char *type, *low, *high;
    } ends[] = {{"i8", "-128", "127"},
                {"u8", "0", "255"},
                {"i16", "-32768", "32767"},
                {"u16", "0", "65535"},
                {"i32", "-2147483647-1", "2147483647"},
                {"u32", "0", "4294967295u"},
                {"i64", "-9223372036854775807-1", "9223372036854775807"},
                {"u64", "0", "18446744073709551615u"}};
    bool is_signed = type[0] == 'i';
    switch (contents) {
    case TAIL_NEGATIVE:
        buffer_printf(out, is_signed ? "-1-(int)(%s%%100)" : "1+%s%%100", hash);
        break;
    case TAIL_POSITIVE:
        buffer_printf(out, "2+(int)(%s%%100)", hash);
        break;
    case TAIL_EXTREME:
    case TAIL_SPECIAL:
        for (unsigned e = 0; e < COUNT_OF(ends); e++)
            if (strcmp(ends[e].type, type) == 0)
                buffer_printf(out, "i%%2?%s:%s", ends[e].high, ends[e].low);
        break;
    case TAIL_TINY:
        buffer_puts(out, "0");
        break;
    default:
        buffer_printf(out, is_signed ? "(int)(%s%%65)-16" : "%s%%65", hash);
        break;
    }
}

static void add_bounded(struct arena *arena, enum tail_contents contents, contract_integer low, contract_integer high,
                        const char *hash, struct buffer *out)
{
    char first[48], count[48], last[48];
    contract_format(low, first);
    contract_format(high - 1, last);
    contract_format(high - low, count);
    (void)arena;
    if (contents == TAIL_LOW)
        buffer_puts(out, first);
    else if (contents == TAIL_HIGH)
        buffer_puts(out, last);
    else if (high - low > UINT32_MAX)
        buffer_printf(out, "%s+(long)%s%%1000003", first, hash);
    else
        buffer_printf(out, "%s+(long)%s%%%s", first, hash, count);
}

static const struct tail_data *find_data(const struct tail_plan *plan, const struct contract_parameter *parameter)
{
    for (uint32_t d = 0; d < plan->options->data_count && parameter->name != NULL; d++)
        if (strcmp(plan->options->data[d].array, parameter->name) == 0)
            return &plan->options->data[d];
    return NULL;
}

const char *tail_real_scalar(void *context, const struct contract_parameter *parameter)
{
    const struct tail_filling *filling = context;
    return parameter->name == NULL ? NULL : tail_fixed_text(filling->plan, filling->arena, parameter->name);
}

void tail_fill_array(void *context, const struct contract_parameter *parameter, const char *type, contract_integer low,
                     contract_integer high, struct buffer *out)
{
    const struct tail_filling *filling = context;
    const struct tail_plan *plan = filling->plan;
    uint32_t index = (uint32_t)(parameter - plan->space.contract->parameters.data);
    const struct tail_use *use = &plan->uses[index];
    enum tail_contents contents = (enum tail_contents)filling->what->contents;
    const char *hash = hash_text(out->arena, plan->options->seed + index);
    const struct tail_data *data = find_data(plan, parameter);
    bool is_input = parameter->is_const || !use->is_written, has_contents = data != NULL && data->before != NULL;
    if (data != NULL && data->after != NULL)
        buffer_printf(out, " want=@%s", data->after);
    if (!is_input && !use->is_read && !has_contents) {
        buffer_puts(out, " io=out");
        return;
    }
    buffer_puts(out, is_input ? " io=in init=" : " io=inout init=");
    if (has_contents) {
        buffer_printf(out, "@%s", data->before);
        return;
    }
    if (contract_is_given(&parameter->value_low))
        add_bounded(out->arena, contents, low, high > low ? high : low + 1, hash, out);
    else if (type[0] == 'f' || type[0] == 'b')
        add_real(contents, type, hash, out);
    else
        add_integer(contents, type, hash, out);
}
