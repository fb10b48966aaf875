/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a kernel calls and that have no body in PTX: vprintf, __assertfail, malloc, free, and device math (`__nv_*`).
 */
#include "emu/emu_control.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- arguments and results ------------------------------------------------------------------------------ */

static const struct emu_call *call_of(const struct emu_warp *warp, const struct emu_op *op)
{
    return &warp->frame->function->calls.data[op->extra[0]];
}

/* Parameter memory of argument or result `k` for one lane; NULL if it is not there. `size` gets its bytes. */
static char *value_place(struct emu_warp *warp, const struct ptx_operand *list, unsigned k, unsigned lane, uint64_t *size,
                         uint8_t **defined)
{
    const struct emu_program *program = warp->block->worker->run->program;
    if (list == NULL || k >= list->count || list->elements[k].kind != PTX_OPERAND_SYMBOL ||
        list->elements[k].variable == PTX_NONE)
        return NULL;
    const struct ptx_variable *variable = &program->module->variables.data[list->elements[k].variable];
    if (variable->space != PTX_SPACE_PARAM)
        return NULL;
    size_t at = (size_t)lane * warp->frame->function->param_size + program->param_offset[list->elements[k].variable];
    *size = variable->size;
    if (defined != NULL)
        *defined = warp->frame->params_defined + at;
    return warp->frame->params + at;
}

static uint64_t argument(struct emu_warp *warp, const struct emu_op *op, unsigned k, unsigned lane)
{
    uint64_t size = 0, value = 0;
    const char *at = value_place(warp, call_of(warp, op)->arguments, k, lane, &size, NULL);
    if (at != NULL)
        memcpy(&value, at, size < 8 ? size : 8);
    return value;
}

static void set_result(struct emu_warp *warp, const struct emu_op *op, unsigned lane, uint64_t value)
{
    uint64_t size = 0;
    uint8_t *defined = NULL;
    char *at = value_place(warp, call_of(warp, op)->results, 0, lane, &size, &defined);
    if (at == NULL)
        return;
    memcpy(at, &value, size < 8 ? size : 8);
    memset(defined, 1, size);
}

/* A zero-terminated text in device memory, cut at `limit`; "" when it is not readable. */
static const char *device_text(struct emu_warp *warp, const struct emu_op *op, unsigned lane, uint64_t address, size_t limit)
{
    struct buffer text;
    buffer_init(&text, &warp->block->worker->arena);
    buffer_add(&text, "", 0);
    while (address != 0 && text.size < limit) {
        const char *at = emu_access_lane(warp, op, lane, address++, 1, false, NULL, NULL);
        if (at == NULL || *at == '\0')
            break;
        buffer_putc(&text, *at);
    }
    return text.data;
}

/* A conversion whose format was put together here: letters and argument agree by construction. */
__attribute__((__format__(__printf__, 2, 0))) static void vprint(struct buffer *out, const char *spec, va_list arguments)
{
    buffer_vprintf(out, spec, arguments);
}

static void buffer_printf_unchecked(struct buffer *out, const char *spec, ...)
{
    va_list arguments;
    va_start(arguments, spec);
    vprint(out, spec, arguments);
    va_end(arguments);
}

/* ---- vprintf -------------------------------------------------------------------------------------------- */

struct print_reader {
    struct emu_warp *warp;
    const struct emu_op *op;
    unsigned lane;
    uint64_t at; /* of the next argument */
};

static uint64_t next_argument(struct print_reader *reader, uint32_t size)
{
    reader->at = (reader->at + size - 1) & ~(uint64_t)(size - 1);
    uint64_t value = 0;
    const char *from = emu_access_lane(reader->warp, reader->op, reader->lane, reader->at, size, false, NULL, NULL);
    if (from != NULL)
        memcpy(&value, from, size);
    reader->at += size;
    return value;
}

/* One conversion; `spec` is from `%` to the conversion letter, length letters left out. */
static void print_conversion(struct print_reader *reader, char *spec, size_t size, char letter, bool wide, struct buffer *out)
{
    switch (letter) {
    case 'd': case 'i': {
        uint64_t value = next_argument(reader, wide ? 8 : 4);
        memcpy(spec + size, PRId64, sizeof PRId64);
        buffer_printf_unchecked(out, spec, wide ? (int64_t)value : (int64_t)(int32_t)value);
        return;
    }
    case 'u': case 'x': case 'X': case 'o': {
        uint64_t value = next_argument(reader, wide ? 8 : 4);
        spec[size] = 'l';
        spec[size + 1] = letter;
        spec[size + 2] = '\0';
        buffer_printf_unchecked(out, spec, value);
        return;
    }
    case 'c':
        buffer_putc(out, (char)next_argument(reader, 4));
        return;
    case 'p':
        buffer_printf(out, "0x%" PRIx64, next_argument(reader, 8));
        return;
    case 's': {
        const char *text = device_text(reader->warp, reader->op, reader->lane, next_argument(reader, 8), 4096);
        spec[size] = 's';
        spec[size + 1] = '\0';
        buffer_printf_unchecked(out, spec, text);
        return;
    }
    default: {
        uint64_t bits = next_argument(reader, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        spec[size] = letter;
        spec[size + 1] = '\0';
        buffer_printf_unchecked(out, spec, value);
        return;
    }
    }
}

static void print_lane(struct print_reader *reader, const char *format, struct buffer *out)
{
    enum { SPEC_LIMIT = 32 };
    while (*format != '\0') {
        if (*format != '%') {
            buffer_putc(out, *format++);
            continue;
        }
        if (format[1] == '%') {
            buffer_putc(out, '%');
            format += 2;
            continue;
        }
        char spec[SPEC_LIMIT + 24] = "%";
        size_t size = 1;
        bool wide = false;
        for (format++; *format != '\0' && strchr("-+ #0123456789.*hlLzjtqI", *format) != NULL; format++) {
            if (*format == '*')
                size += (size_t)snprintf(spec + size, SPEC_LIMIT - size, "%d", (int)next_argument(reader, 4));
            else if (strchr("hlLzjtqI", *format) != NULL)
                wide |= *format != 'h' && *format != 'L';
            else if (size < SPEC_LIMIT)
                spec[size++] = *format;
            if (size > SPEC_LIMIT)
                size = SPEC_LIMIT;
        }
        if (*format == '\0' || strchr("diuxXocpsfFeEgGaA", *format) == NULL) {
            buffer_add(out, spec, size);
            continue;
        }
        print_conversion(reader, spec, size, *format++, wide, out);
    }
}

static enum emu_next run_vprintf(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const char *format = device_text(warp, op, lane, argument(warp, op, 0, lane), 65536);
        struct print_reader reader = {warp, op, lane, argument(warp, op, 1, lane)};
        size_t before = warp->block->print.size;
        print_lane(&reader, format, &warp->block->print);
        set_result(warp, op, lane, warp->block->print.size - before);
    }
    return EMU_NEXT;
}

/* ---- assertions and the heap --------------------------------------------------------------------------- */

/* __assertfail(message, file, line, function, character size) */
static enum emu_next run_assertfail(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct emu_fault *fault = emu_fault_add(warp, FINDING_DEVICE_ASSERT, warp->frame->function, op, lane, NULL, UINT32_MAX);
        if (fault != NULL)
            fault->text = arena_printf(&warp->block->worker->arena, "fails the assertion `%s`",
                                       device_text(warp, op, lane, argument(warp, op, 0, lane), 400));
    }
    if (warp->block->state == EMU_BLOCK_RUNNING)
        warp->block->state = EMU_BLOCK_ABORTED;
    return EMU_ABORT;
}

static enum emu_next run_malloc(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct emu_buffer buffer = {.name = "device heap", .size = argument(warp, op, 0, lane)};
        struct emu_region *region = emu_region_create(warp->block->worker->run->machine, &buffer, EMU_REGION_GLOBAL);
        if (region != NULL)
            region->on_heap = 1;
        set_result(warp, op, lane, region == NULL ? 0 : region->base);
    }
    return EMU_NEXT;
}

static enum emu_next run_free(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t address = argument(warp, op, 0, lane);
        const struct emu_region *region = emu_region_global(warp->block->worker->run->machine, address);
        bool ok = region != NULL && region->on_heap && emu_memory_free(warp->block->worker->run->machine, address);
        if (address == 0 || ok)
            continue;
        struct emu_fault *fault = emu_fault_add(warp, FINDING_INVALID_FREE, warp->frame->function, op, lane, NULL, UINT32_MAX);
        if (fault != NULL)
            fault->text = "frees a pointer that device `malloc` did not return, or that was freed before";
    }
    return EMU_NEXT;
}

emu_fn *emu_native_find(const char *name)
{
    static const struct {
        const char *name;
        emu_fn *run;
    } natives[] = {
        {"vprintf", run_vprintf}, {"__assertfail", run_assertfail}, {"malloc", run_malloc}, {"free", run_free}};
    for (size_t i = 0; i < COUNT_OF(natives); i++)
        if (strcmp(natives[i].name, name) == 0)
            return natives[i].run;
    return NULL;
}

/* ---- device math ---------------------------------------------------------------------------------------- */

enum { MATH_SLOT = 256, MATH_SLOTS = 10 };

static void scatter(char *slot, uint8_t storage, unsigned lane, uint64_t value)
{
    if (storage == 2)
        ((uint16_t *)(void *)slot)[lane] = (uint16_t)value;
    else if (storage == 4)
        ((uint32_t *)(void *)slot)[lane] = (uint32_t)value;
    else
        ((uint64_t *)(void *)slot)[lane] = value;
}

static uint64_t gather(const char *slot, uint8_t storage, unsigned lane)
{
    return storage == 2   ? ((const uint16_t *)(const void *)slot)[lane]
           : storage == 4 ? ((const uint32_t *)(const void *)slot)[lane]
                          : ((const uint64_t *)(const void *)slot)[lane];
}

static uint8_t math_storage(uint8_t type)
{
    unsigned size = ptx_type_size((enum ptx_type)type);
    return size <= 2 ? 2 : size <= 4 ? 4 : 8;
}

/* Runs the function on a small register file of its own: slot 0 the result, then the arguments, then what goes through pointers. */
enum emu_next emu_run_math(struct emu_warp *warp, const struct emu_op *op, const struct emu_call *call, uint32_t mask)
{
    _Alignas(64) char file[MATH_SLOT * MATH_SLOTS];
    uint32_t list[4];
    const struct emu_math_function *math = call->math;
    struct emu_op inner = {.dst = 0, .dst2 = EMU_REF_NONE, .a = EMU_REF_NONE, .b = EMU_REF_NONE, .c = EMU_REF_NONE,
                           .d = EMU_REF_NONE, .carry = EMU_REF_NONE, .guard = EMU_REF_NONE, .list = list, .source = op->source};
    uint32_t *sources[4] = {&inner.a, &inner.b, &inner.c, &inner.d};
    unsigned value_count = 0;
    memset(file, 0, sizeof file);
    for (unsigned k = 0; k < 4 && math->arguments[k] != PTX_TYPE_NONE; k++) {
        uint32_t slot = MATH_SLOT * (1 + k);
        if (math->pointers >> k & 1) {
            list[inner.list_count++] = slot;
            continue;
        }
        *sources[value_count++] = slot;
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            scatter(file + slot, math_storage(math->arguments[k]), lane, argument(warp, op, k, lane));
        }
    }
    char *registers = warp->view.bases[0];
    warp->view.bases[0] = file;
    math->run(warp, &inner, mask);
    warp->view.bases[0] = registers;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (math->result != PTX_TYPE_NONE)
            set_result(warp, op, lane, gather(file, math_storage(math->result), lane));
        for (unsigned k = 0; k < 4 && math->arguments[k] != PTX_TYPE_NONE; k++) {
            if ((math->pointers >> k & 1) == 0)
                continue;
            uint32_t size = ptx_type_size((enum ptx_type)math->arguments[k]);
            uint8_t *shadow = NULL;
            char *to = emu_access_lane(warp, op, lane, argument(warp, op, k, lane), size, true, &shadow, NULL);
            uint64_t value = gather(file + MATH_SLOT * (1 + k), math_storage(math->arguments[k]), lane);
            if (to != NULL)
                memcpy(to, &value, size);
            if (to != NULL && shadow != NULL)
                memset(shadow, 1, size);
        }
    }
    return warp->block->state == EMU_BLOCK_ABORTED ? EMU_ABORT : EMU_NEXT;
}
