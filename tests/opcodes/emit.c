// SPDX-License-Identifier: Apache-2.0
//
// Writes the PTX of the forms. One kernel: read the operands of this thread, place its memory, do the instructions of
// the form once, write the results. Registers carry the names of forms.def: inputs %a %b %c %x, outputs %d %e %f %g,
// %m the address of the thread's memory, %s the global address that it was filled from.
#include "opcodes.h"

#include <stdlib.h>
#include <string.h>

static const char input_names[] = "abcx";
static const char output_names[] = "defg";

static bool form_has_source(const struct opcode_form *form)
{
    return form->memory != MEMORY_NONE && form->memory != MEMORY_CONST &&
           form->memory != MEMORY_GENERIC_CONST && form->memory != MEMORY_PARAM;
}

size_t opcode_input_stride(const struct opcode_form *form)
{
    size_t bytes = (form_has_source(form) ? OPCODE_MEMORY_BYTES : 0) + form->input_count * 8U;
    return (bytes + 31) / 32 * 32;
}

unsigned opcode_value_count(const struct opcode_form *form)
{
    return form->output_count + (form->memory_back ? OPCODE_MEMORY_BYTES / 8 : 0);
}

size_t opcode_output_stride(const struct opcode_form *form)
{
    return opcode_value_count(form) * 8U;
}

size_t opcode_input_size(const struct opcode_form *form)
{
    return opcode_input_stride(form) * form->threads;
}

static size_t memory_offset(const struct opcode_form *form)
{
    return (opcode_output_stride(form) * form->threads + 255) / 256 * 256;
}

size_t opcode_output_size(const struct opcode_form *form)
{
    return memory_offset(form) + (size_t)OPCODE_MEMORY_BYTES * form->threads;
}

struct opcode_type opcode_value_type(const struct opcode_form *form, unsigned value)
{
    if (value < form->output_count)
        return form->output[value];
    struct opcode_type word = form->element;
    word.register_bits = 64;
    return word;
}

char opcode_value_name(const struct opcode_form *form, unsigned value)
{
    return value < form->output_count ? output_names[value]
                                      : (char)('0' + value - form->output_count);
}

void opcode_emit_header(FILE *file, bool const_bank)
{
    fputs(".version 8.3\n.target sm_80\n.address_size 64\n\n", file);
    if (!const_bank)
        return;
    unsigned char bytes[OPCODE_CONST_BYTES];
    opcode_const_fill(bytes);
    fprintf(file, ".const .align 32 .b8 const_bank[%d] = {", OPCODE_CONST_BYTES);
    for (unsigned i = 0; i < OPCODE_CONST_BYTES; i++)
        fprintf(file, "%s%s%u", i ? "," : "", i % 32 == 0 ? "\n  " : " ", bytes[i]);
    fputs("};\n\n", file);
}

static void registers_emit(FILE *file, const struct opcode_form *form)
{
    fputs("  .reg .b32 %thread;\n  .reg .b64 %input, %output, %word;\n", file);
    if (form->memory != MEMORY_NONE)
        fputs("  .reg .b64 %m, %s;\n", file);
    for (unsigned i = 0; i < form->input_count + form->output_count; i++) {
        bool output = i >= form->input_count;
        unsigned at = output ? i - form->input_count : i;
        unsigned bits =
            output ? form->output[at].register_bits : form->input[at].type.register_bits;
        char name = output ? output_names[at] : input_names[at];
        if (bits == 1)
            fprintf(file, "  .reg .pred %%%c;\n  .reg .b32 %%%c_word;\n", name, name);
        else
            fprintf(file, "  .reg .b%u %%%c;\n", bits, name);
    }
}

static void memory_emit(FILE *file, const struct opcode_form *form)
{
    const char *space = "";
    switch (form->memory) {
    case MEMORY_NONE:
    case MEMORY_PARAM:
        return;
    case MEMORY_CONST:
    case MEMORY_GENERIC_CONST:
        fputs("  mov.u64 %m, const_bank;\n", file);
        if (form->memory == MEMORY_GENERIC_CONST)
            fputs("  cvta.const.u64 %m, %m;\n", file);
        fprintf(file, "  mad.wide.u32 %%m, %%thread, %d, %%m;\n", OPCODE_MEMORY_BYTES);
        return;
    case MEMORY_GLOBAL:
    case MEMORY_GENERIC_GLOBAL:
        space = "global";
        fprintf(file, "  mad.wide.u32 %%m, %%thread, %d, %%output;\n  add.s64 %%m, %%m, %zu;\n",
                OPCODE_MEMORY_BYTES, memory_offset(form));
        break;
    case MEMORY_SHARED:
    case MEMORY_GENERIC_SHARED:
        space = "shared";
        fprintf(file, "  .shared .align 32 .b8 memory[%u];\n", OPCODE_MEMORY_BYTES * form->block);
        fprintf(file, "  mov.u64 %%m, memory;\n  mad.wide.u32 %%m, %%thread, %d, %%m;\n",
                OPCODE_MEMORY_BYTES);
        break;
    case MEMORY_LOCAL:
    case MEMORY_GENERIC_LOCAL:
        space = "local";
        fprintf(file, "  .local .align 32 .b8 memory[%d];\n  mov.u64 %%m, memory;\n",
                OPCODE_MEMORY_BYTES);
        break;
    }
    fputs("  mov.b64 %s, %input;\n", file);
    if (form->memory_zero)
        fputs("  mov.b64 %word, 0;\n", file);
    for (unsigned i = 0; i < OPCODE_MEMORY_BYTES; i += 8) {
        if (!form->memory_zero)
            fprintf(file, "  ld.global.b64 %%word, [%%s+%u];\n", i);
        fprintf(file, "  st.%s.b64 [%%m+%u], %%word;\n", space, i);
    }
    if (form->memory >= MEMORY_GENERIC_GLOBAL)
        fprintf(file, "  cvta.%s.u64 %%m, %%m;\n", space);
}

static void inputs_emit(FILE *file, const struct opcode_form *form)
{
    size_t offset = form_has_source(form) ? OPCODE_MEMORY_BYTES : 0;
    for (unsigned i = 0; i < form->input_count; i++, offset += 8) {
        unsigned bits = form->input[i].type.register_bits;
        if (bits == 1)
            fprintf(
                file,
                "  ld.global.b32 %%%c_word, [%%input+%zu];\n  setp.ne.b32 %%%c, %%%c_word, 0;\n",
                input_names[i], offset, input_names[i], input_names[i]);
        else
            fprintf(file, "  ld.global.b%u %%%c, [%%input+%zu];\n", bits, input_names[i], offset);
    }
}

static void template_emit(FILE *file, const char *template)
{
    for (const char *at = template; *at;) {
        size_t length = strcspn(at, ";");
        bool bare = length == 0 || at[length - 1] == ':' ||
                    strcmp(at, "}") == 0; // a label, the end of a block
        fprintf(file, "  %.*s%s\n", (int)length, at, bare ? "" : ";");
        at += length + (at[length] == ';');
        while (*at == ' ')
            at++;
    }
}

static void outputs_emit(FILE *file, const struct opcode_form *form)
{
    size_t offset = 0;
    for (unsigned i = 0; i < form->output_count; i++, offset += 8) {
        unsigned bits = form->output[i].register_bits;
        if (bits == 1)
            fprintf(
                file,
                "  selp.b32 %%%c_word, 1, 0, %%%c;\n  st.global.b32 [%%output+%zu], %%%c_word;\n",
                output_names[i], output_names[i], offset, output_names[i]);
        else
            fprintf(file, "  st.global.b%u [%%output+%zu], %%%c;\n", bits, offset, output_names[i]);
    }
    if (!form->memory_back)
        return;
    const char *space = form->memory == MEMORY_GLOBAL   ? ".global"
                        : form->memory == MEMORY_SHARED ? ".shared"
                        : form->memory == MEMORY_LOCAL  ? ".local"
                                                        : "";
    for (unsigned i = 0; i < OPCODE_MEMORY_BYTES; i += 8, offset += 8)
        fprintf(file, "  ld%s.b64 %%word, [%%m+%u];\n  st.global.b64 [%%output+%zu], %%word;\n",
                space, i, offset);
}

void opcode_emit_form(FILE *file, const struct opcode_form *form)
{
    fprintf(file, ".visible .entry %s(.param .u64 input, .param .u64 output%s)\n{\n", form->name,
            form->memory == MEMORY_PARAM ? ", .param .align 16 .b8 area[64]" : "");
    registers_emit(file, form);
    fputs("  mov.u32 %thread, %tid.x;\n  ld.param.u64 %input, [input];\n  ld.param.u64 %output, "
          "[output];\n"
          "  cvta.to.global.u64 %input, %input;\n  cvta.to.global.u64 %output, %output;\n",
          file);
    if (opcode_input_stride(form) > 0)
        fprintf(file, "  mad.wide.u32 %%input, %%thread, %zu, %%input;\n",
                opcode_input_stride(form));
    memory_emit(file, form);
    fprintf(file, "  mad.wide.u32 %%output, %%thread, %zu, %%output;\n",
            opcode_output_stride(form));
    inputs_emit(file, form);
    fprintf(file, "  // %s\n", form->template);
    template_emit(file, form->template);
    outputs_emit(file, form);
    fputs("  ret;\n}\n\n", file);
}

bool opcode_emit_section(FILE *file, const struct opcode_table *table, const char *section,
                         const char *directory)
{
    bool const_bank = false;
    for (size_t i = 0; i < table->count; i++) {
        const struct opcode_form *form = &table->forms[i];
        if (strcmp(form->section, section) != 0)
            continue;
        const_bank =
            const_bank || form->memory == MEMORY_CONST || form->memory == MEMORY_GENERIC_CONST;
        if (form->hand) {
            char path[1024];
            snprintf(path, sizeof path, "%s/hand/%s", directory, form->template);
            size_t size;
            char *text = opcode_file_read(path, &size);
            if (!text)
                return false;
            fwrite(text, 1, size, file);
            free(text);
            return true;
        }
    }
    opcode_emit_header(file, const_bank);
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->forms[i].section, section) == 0)
            opcode_emit_form(file, &table->forms[i]);
    return true;
}
