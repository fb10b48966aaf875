/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parser makes of texts: operands, sorted modifiers, scopes, labels, variables, initialisers, calls.
 */
#include "unit.h"

static struct parsed parsed;

static int teardown(void **state)
{
    (void)state;
    arena_free(&parsed.arena);
    return 0;
}

static const struct ptx_instruction *first_instruction(const char *body)
{
    const struct ptx_function *function = parse_body(&parsed, body);
    assert_true(function->instructions.count >= 1);
    return &function->instructions.data[0];
}

static const char *register_name(const struct ptx_function *function, uint32_t id)
{
    assert_true(id < function->registers.count);
    return function->registers.data[id].name;
}

static void test_modifiers_are_sorted(void **state)
{
    (void)state;
    const struct ptx_instruction *load = first_instruction(
        "@!%p1 ld.relaxed.gpu.global.L1::no_allocate.v2.u32 {%r1, _}, [%rd1+-8];");
    assert_int_equal(load->op, PTX_OP_ld);
    assert_int_equal(load->type, PTX_U32);
    assert_int_equal(load->space, PTX_SPACE_GLOBAL);
    assert_int_equal(load->vector, 2);
    assert_int_equal(load->semantics, PTX_RELAXED);
    assert_int_equal(load->scope, PTX_SCOPE_GPU);
    assert_int_equal(load->guard_negated, 1);
    assert_int_not_equal(load->guard, PTX_NONE);
    assert_int_equal(load->mod_count, 6);
    assert_int_equal(load->operands[0].kind, PTX_OPERAND_VECTOR);
    assert_int_equal(load->operands[0].count, 2);
    assert_int_equal(load->operands[0].elements[1].kind, PTX_OPERAND_SINK);
    assert_int_equal(load->operands[1].kind, PTX_OPERAND_ADDRESS);
    assert_int_equal(load->operands[1].value, -8);
    assert_int_equal(load->operands[1].variable, PTX_NONE);
}

/* One text means different things to different opcodes. */
static void test_a_modifier_means_what_its_opcode_accepts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t place;
        unsigned value;
    } rows[] = {
        {"mul.hi.u32 %r1, %r2, %r3;", offsetof(struct ptx_instruction, mode), PTX_MODE_HI},
        {"setp.hi.u32 %p1, %r2, %r3;", offsetof(struct ptx_instruction, compare), PTX_COMPARE_HI},
        {"vote.sync.uni.pred %p1, %p2, -1;", offsetof(struct ptx_instruction, mode), PTX_MODE_UNI},
        {"bar.sync 0;", offsetof(struct ptx_instruction, mode), PTX_MODE_SYNC},
        {"bar.cta.sync 0;", offsetof(struct ptx_instruction, mode), PTX_MODE_SYNC},
        {"bar.warp.sync -1;", offsetof(struct ptx_instruction, mode), PTX_MODE_WARP},
        {"barrier.cluster.wait;", offsetof(struct ptx_instruction, mode), PTX_MODE_CLUSTER},
        {"membar.cta;", offsetof(struct ptx_instruction, mode), PTX_MODE_CTA},
        {"fence.acq_rel.cta;", offsetof(struct ptx_instruction, scope), PTX_SCOPE_CTA},
        {"atom.shared.and.b32 %r1, [%rd1], 1;", offsetof(struct ptx_instruction, operation),
         PTX_OPERATION_AND},
        {"setp.ne.xor.s32 %p1, %r1, 0, %p2;", offsetof(struct ptx_instruction, operation),
         PTX_OPERATION_XOR},
        {"cvt.rzi.s32.f32 %r1, %f1;", offsetof(struct ptx_instruction, round), PTX_ROUND_ZERO},
        {"cvt.rzi.s32.f32 %r1, %f1;", offsetof(struct ptx_instruction, type2), PTX_F32},
        {"cvta.to.global.u64 %rd1, %rd2;", offsetof(struct ptx_instruction, mode), PTX_MODE_TO},
        {"cp.async.ca.shared.global [%r1], [%rd1], 4;", offsetof(struct ptx_instruction, space2),
         PTX_SPACE_GLOBAL},
        {"cp.async.bulk.commit_group;", offsetof(struct ptx_instruction, mode), PTX_MODE_BULK},
        {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2};",
         offsetof(struct ptx_instruction, layout2), 2},
        {"tex.3d.v4.f32.s32 {%f1,%f1,%f1,%f1}, [%rd1, {%r1,%r1,%r1,%r1}];",
         offsetof(struct ptx_instruction, geometry), 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct ptx_instruction *instruction = first_instruction(rows[i].text);
        unsigned value = ((const unsigned char *)instruction)[rows[i].place];
        if (value != rows[i].value)
            fail_msg("%s: %u, not %u", rows[i].text, value, rows[i].value);
        arena_free(&parsed.arena);
    }
}

static void test_flags(void **state)
{
    (void)state;
    const struct ptx_instruction *fma =
        first_instruction("fma.rn.ftz.sat.f32 %f1, %f2, %f3, 0f3F800000;");
    assert_int_equal(fma->flags, PTX_MODIFIER_FTZ | PTX_MODIFIER_SAT);
    assert_int_equal(fma->round, PTX_ROUND_NEAREST);
    assert_int_equal(fma->operands[3].kind, PTX_OPERAND_FLOAT);
    assert_int_equal(fma->operands[3].is_double, 0);
    assert_int_equal(fma->operands[3].value, 0x3f800000);
}

static void test_immediates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {{"10", 10},
                {"-10", -10},
                {"0x10", 16},
                {"010", 8},
                {"0b101", 5},
                {"0xFFFFFFFFFFFFFFFF", -1},
                {"18446744073709551615", -1},
                {"5U", 5},
                {"WARP_SZ", 32},
                {"WARP_SZ - 1", 31},
                {"(1 << 4) + 3 * -2", 10},
                {"~0", -1},
                {"-7 / 2", -3},
                {"-7 % 4", -3},
                {"7 > 3 && 2 == 2", 1},
                {"-1 >> 4", -1},
                {"1 ? 2 : 3", 2},
                {"0xFFFFFFFFFFFFFFFFU >> 60", 15},
                {"(.u64) -1 / 2", INT64_MAX},
                {"(.s64) 0x8000000000000000 / -1", INT64_MIN}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char body[128];
        snprintf(body, sizeof body, "mov.u64 %%rd1, %s;", rows[i].text);
        const struct ptx_instruction *mov = first_instruction(body);
        assert_int_equal(mov->operands[1].kind, PTX_OPERAND_INTEGER);
        if (mov->operands[1].value != rows[i].value)
            fail_msg("%s is %lld", rows[i].text, (long long)mov->operands[1].value);
        arena_free(&parsed.arena);
    }
}

static void test_a_decimal_float_is_a_double(void **state)
{
    (void)state;
    const struct ptx_instruction *mov = first_instruction("mov.f32 %f1, -1.5e1;");
    double value;
    memcpy(&value, &mov->operands[1].value, sizeof value);
    assert_int_equal(mov->operands[1].is_double, 1);
    assert_true(value == -15.0);
}

static void test_special_registers(void **state)
{
    (void)state;
    const struct ptx_instruction *mov = first_instruction("mov.u32 %r1, %ctaid.z;");
    assert_int_equal(mov->operands[1].kind, PTX_OPERAND_SPECIAL);
    assert_int_equal(mov->operands[1].special, PTX_SPECIAL_ctaid);
    assert_int_equal(mov->operands[1].component, 3);
}

static void test_symbols_and_addresses(void **state)
{
    (void)state;
    const struct ptx_function *function = parse_body(
        &parsed, "mov.u64 %rd1, array+16; ld.global.u32 %r1, [array+4]; ld.param.u64 %rd2, [p];"
                 "ld.shared.u32 %r2, [128];");
    const struct ptx_operand *symbol = &function->instructions.data[0].operands[1];
    assert_int_equal(symbol->kind, PTX_OPERAND_SYMBOL);
    assert_string_equal(parsed.module->variables.data[symbol->variable].name, "array");
    assert_int_equal(symbol->value, 16);
    const struct ptx_operand *address = &function->instructions.data[1].operands[1];
    assert_int_equal(address->kind, PTX_OPERAND_ADDRESS);
    assert_int_equal(address->variable, symbol->variable);
    assert_int_equal(address->value, 4);
    assert_int_equal(address->id, PTX_NONE);
    const struct ptx_operand *parameter = &function->instructions.data[2].operands[1];
    assert_int_equal(parameter->variable, function->parameters.data[0]);
    const struct ptx_operand *absolute = &function->instructions.data[3].operands[1];
    assert_int_equal(absolute->variable, PTX_NONE);
    assert_int_equal(absolute->value, 128);
}

static void test_pairs_and_negation(void **state)
{
    (void)state;
    const struct ptx_function *function =
        parse_body(&parsed, "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3; setp.eq.s32 _|%p4, %r1, 0;");
    const struct ptx_instruction *setp = &function->instructions.data[0];
    assert_string_equal(register_name(function, setp->operands[0].id), "%p1");
    assert_string_equal(register_name(function, setp->operands[0].pair), "%p2");
    assert_int_equal(setp->operands[3].negated, 1);
    const struct ptx_operand *sink = &function->instructions.data[1].operands[0];
    assert_int_equal(sink->kind, PTX_OPERAND_SINK);
    assert_string_equal(register_name(function, sink->pair), "%p4");
}

static void test_inner_scopes_hide_registers(void **state)
{
    (void)state;
    const struct ptx_function *function =
        parse_body(&parsed, "mov.u32 %r1, 1;\n"
                            "{ .reg .b64 %r<3>; .reg .b64 t; mov.u64 %r1, 2;\n"
                            "mov.u32 %r5, 3; { .reg .b32 t; mov.u32 t, 4; }\n"
                            "mov.u64 t, 5; }\n"
                            "mov.u32 %r1, 6;");
    const struct ptx_instruction *code = function->instructions.data;
    assert_int_equal(function->instructions.count, 6);
    assert_int_not_equal(code[0].operands[0].id, code[1].operands[0].id);
    assert_int_equal(function->registers.data[code[1].operands[0].id].type, PTX_B64);
    assert_int_equal(function->registers.data[code[2].operands[0].id].type, PTX_B32);
    assert_int_not_equal(code[3].operands[0].id, code[4].operands[0].id);
    assert_int_equal(code[0].operands[0].id, code[5].operands[0].id);
}

static void test_labels_belong_to_their_block(void **state)
{
    (void)state;
    const struct ptx_function *function = parse_body(&parsed, "bra end;\n"
                                                              "{ loop: bra loop; }\n"
                                                              "{ bra loop; loop: bra end; }\n"
                                                              "end:");
    const struct ptx_instruction *code = function->instructions.data;
    assert_int_equal(code[0].operands[0].kind, PTX_OPERAND_LABEL);
    assert_int_equal(code[0].operands[0].id, 4); /* behind the last instruction */
    assert_int_equal(code[1].operands[0].id, 1);
    assert_int_equal(code[2].operands[0].id, 3);
    assert_int_equal(code[3].operands[0].id, 4);
    assert_int_equal(function->labels.count, 3);
}

static void test_branch_lists(void **state)
{
    (void)state;
    const struct ptx_function *function = parse_body(
        &parsed, "list: .branchtargets A, B;\n@%p1 brx.idx %r1, list;\nA: ret;\nB: ret;");
    const struct ptx_instruction *branch = &function->instructions.data[0];
    assert_int_equal(branch->op, PTX_OP_brx);
    assert_int_equal(branch->operands[1].kind, PTX_OPERAND_LIST);
    assert_int_equal(branch->operands[1].count, 2);
    assert_int_equal(branch->operands[1].elements[0].id, 1);
    assert_int_equal(branch->operands[1].elements[1].id, 2);
}

static void test_vector_registers_are_their_components(void **state)
{
    (void)state;
    const struct ptx_function *function = parse_body(
        &parsed, ".reg .v4 .f32 %v<3>; .reg .v2 .u32 two;\n"
                 "ld.global.v4.f32 %v1, [%rd1]; mov.f32 %f1, %v1.z; add.u32 two.y, two.r, 1;");
    const struct ptx_instruction *code = function->instructions.data;
    assert_int_equal(code[0].operands[0].kind, PTX_OPERAND_VECTOR);
    assert_int_equal(code[0].operands[0].count, 4);
    assert_int_equal(code[1].operands[1].id, code[0].operands[0].elements[2].id);
    assert_string_equal(register_name(function, code[1].operands[1].id), "%v1.z");
    assert_int_equal(code[2].operands[0].id, code[2].operands[1].id + 1);
}

static void test_calls(void **state)
{
    (void)state;
    parse_module(
        &parsed,
        ".extern .func (.param .b32 r) ext (.param .b64 a);\n"
        ".func late (.param .b32 a);\n"
        ".entry kernel () { .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
        "{ .param .b64 a; .param .b32 r; st.param.b64 [a], %rd1; call.uni (r), ext, (a); }\n"
        "{ .param .b32 a; call late, (a); }\n"
        "{ .param .b32 x; proto: .callprototype (.param .b32 _) _ (); call (x), %rd2, (), proto; "
        "}\n"
        "call later_still; ret; }\n"
        ".func late (.param .b32 a) { ret; }\n.func later_still () { ret; }\n");
    const struct ptx_module *module = parsed.module;
    uint32_t kernel = ptx_find_function(module, "kernel");
    const struct ptx_instruction *code = module->functions.data[kernel].instructions.data;
    const struct ptx_operand *operands = code[1].operands;
    assert_int_equal(code[1].operand_count, 3);
    assert_int_equal(operands[0].kind, PTX_OPERAND_LIST);
    assert_string_equal(operands[0].elements[0].text, "r");
    assert_int_equal(operands[1].callee, ptx_find_function(module, "ext"));
    assert_string_equal(module->variables.data[operands[2].elements[0].variable].name, "a");
    assert_int_equal(code[2].operands[0].callee, ptx_find_function(module, "late"));
    assert_int_equal(code[3].operands[1].kind, PTX_OPERAND_REGISTER);
    assert_int_equal(code[3].operands[3].kind, PTX_OPERAND_PROTOTYPE);
    assert_int_equal(module->functions.data[kernel].prototypes.data[0].returns.count, 1);
    assert_int_equal(code[4].operands[0].callee, ptx_find_function(module, "later_still"));
    /* Declared and defined: one function. */
    assert_int_equal(module->functions.count, 4);
    assert_int_equal(module->functions.data[ptx_find_function(module, "late")].has_body, 1);
    assert_int_equal(module->functions.data[ptx_find_function(module, "ext")].has_body, 0);
}

static void test_an_alias_means_its_function(void **state)
{
    (void)state;
    parse_module(&parsed, ".func other (); .func real () { ret; } .alias other, real;\n"
                          ".entry kernel () { call other; ret; }");
    const struct ptx_module *module = parsed.module;
    const struct ptx_instruction *call =
        module->functions.data[ptx_find_function(module, "kernel")].instructions.data;
    assert_int_equal(call->operands[0].callee, ptx_find_function(module, "real"));
    assert_string_equal(call->operands[0].text, "other");
}

static void test_headers(void **state)
{
    (void)state;
    parse_module(
        &parsed,
        ".visible .entry kernel (.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 s[20])\n"
        ".maxntid 16, 8 .reqntid 16, 8, 1 .minnctapersm 3 { ret; }\n"
        ".extern .func stop () .noreturn;");
    const struct ptx_function *kernel = &parsed.module->functions.data[0];
    const struct ptx_variable *variables = parsed.module->variables.data;
    assert_int_equal(kernel->is_entry, 1);
    assert_int_equal(kernel->linkage, PTX_LINKAGE_VISIBLE);
    assert_int_equal(kernel->max_threads[0], 16);
    assert_int_equal(kernel->max_threads[1], 8);
    assert_int_equal(kernel->max_threads[2], 1);
    assert_int_equal(kernel->required_threads[2], 1);
    assert_int_equal(kernel->min_blocks, 3);
    assert_int_equal(parsed.module->functions.data[1].no_return, 1);
    const struct ptx_variable *pointer = &variables[kernel->parameters.data[0]];
    assert_int_equal(pointer->is_pointer, 1);
    assert_int_equal(pointer->pointer_space, PTX_SPACE_GLOBAL);
    assert_int_equal(pointer->pointer_align, 16);
    const struct ptx_variable *structure = &variables[kernel->parameters.data[1]];
    assert_int_equal(structure->size, 20);
    assert_int_equal(structure->align, 8);
    assert_int_equal(structure->is_parameter, 1);
    assert_int_equal(parsed.module->target_sm, 80);
}

static const struct ptx_variable *only_variable(const char *text)
{
    parse_module(&parsed, text);
    assert_int_equal(parsed.module->variables.count, 1);
    return &parsed.module->variables.data[0];
}

static void test_initialisers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned size;
        uint8_t bytes[16];
    } rows[] = {
        {".global .b8 x[4] = {1, 0xFF, -1};", 4, {1, 255, 255, 0}},
        {".global .u16 x[2] = {258, 0x304};", 4, {2, 1, 4, 3}},
        {".global .f32 x = 0f3F800000;", 4, {0, 0, 0x80, 0x3f}},
        {".global .f32 x = 1.0;", 4, {0, 0, 0x80, 0x3f}},
        {".global .f64 x = 0f3F800000;", 8, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
        {".global .u8 x[2][3] = {{1}, {2, 3}};", 6, {1, 0, 0, 2, 3, 0}},
        {".global .u8 x[2][2] = {1, 2, {3}};", 4, {1, 2, 3, 0}},
        {".global .u8 x[] = {1, 2, 3};", 3, {1, 2, 3}},
        {".global .v2 .u8 x[2] = {{1, 2}, {3, 4}};", 4, {1, 2, 3, 4}},
        {".const .u8 x[3] = {};", 3, {0, 0, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct ptx_variable *variable = only_variable(rows[i].text);
        assert_int_equal(variable->size, rows[i].size);
        if (variable->data == NULL || memcmp(variable->data, rows[i].bytes, rows[i].size) != 0)
            fail_msg("%s", rows[i].text);
        arena_free(&parsed.arena);
    }
}

static void test_addresses_in_initialisers(void **state)
{
    (void)state;
    parse_module(
        &parsed,
        ".global .u8 a[8];\n.global .u64 p[3] = {a, generic(a)+4, 5};\n"
        ".global .u8 bytes[10] = {1, 0xFF(a), 0xFF00(a), 0xFF0000(a), 0xFF000000(a),"
        "0xFF00000000(a), 0xFF0000000000(a), 0xFF000000000000(a), 0xFF00000000000000(a), 2};\n"
        ".global .u8 lone[2] = {0, 0xFF0000(generic(a)+2)};");
    const struct ptx_variable *p = &parsed.module->variables.data[1];
    assert_int_equal(p->relocations.count, 2);
    assert_string_equal(p->relocations.data[1].symbol, "a");
    assert_int_equal(p->relocations.data[1].offset, 8);
    assert_int_equal(p->relocations.data[1].size, 8);
    assert_int_equal(p->relocations.data[1].addend, 4);
    assert_int_equal(p->relocations.data[1].generic, 1);
    assert_int_equal(p->data[16], 5);
    const struct ptx_variable *bytes = &parsed.module->variables.data[2];
    assert_int_equal(bytes->relocations.count, 1); /* eight bytes in a row are one address */
    assert_int_equal(bytes->relocations.data[0].offset, 1);
    assert_int_equal(bytes->relocations.data[0].size, 8);
    assert_int_equal(bytes->data[9], 2);
    const struct ptx_variable *lone = &parsed.module->variables.data[3];
    assert_int_equal(lone->relocations.data[0].size, 1);
    assert_int_equal(lone->relocations.data[0].shift, 2);
    assert_int_equal(lone->relocations.data[0].addend, 2);
}

static void test_unknown_instructions_are_opaque(void **state)
{
    (void)state;
    const struct ptx_function *function =
        parse_body(&parsed, "frobnicate.u32 %r1, [%rd1+4], {%r2, 7}, somewhere;\nadd.strange.u32 "
                            "%r1, %r2, 3;\nsomewhere: ret;");
    const struct ptx_instruction *code = function->instructions.data;
    assert_int_equal(parsed.module->opaque_count, 2);
    assert_int_equal(code[0].op, PTX_OP_OPAQUE);
    assert_int_equal(code[0].operand_count, 4);
    assert_int_equal(code[0].operands[3].kind, PTX_OPERAND_LABEL);
    assert_int_equal(code[0].operands[3].id, 2);
    assert_int_equal(code[1].op, PTX_OP_OPAQUE);
    assert_int_equal(strncmp(parsed.module->text + code[1].text_offset,
                             "add.strange.u32 %r1, %r2, 3;", code[1].text_size),
                     0);
}

/* ---- definitions and uses -------------------------------------------------------------------- */

struct seen {
    const struct ptx_function *function;
    char text[256]; /* "=%r1" for a definition, " %r2" for a use */
};

static void note(void *context, uint32_t id, bool is_definition)
{
    struct seen *seen = context;
    size_t size = strlen(seen->text);
    snprintf(seen->text + size, sizeof seen->text - size, "%s%s", is_definition ? " =" : " ",
             register_name(seen->function, id));
}

static void test_definitions_and_uses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *registers;
    } rows[] = {
        {"add.u32 %r1, %r2, 5;", " %r2 =%r1"},
        {"@%p1 add.u32 %r1, %r1, %r2;", " %p1 %r1 %r2 =%r1"},
        {"ld.global.v2.u32 {%r1, %r2}, [%rd1+4];", " %rd1 =%r1 =%r2"},
        {"st.global.v2.u32 [%rd1], {%r1, %r2};", " %rd1 %r1 %r2"},
        {"setp.lt.and.u32 %p1|%p2, %r1, %r2, !%p3;", " %r1 %r2 %p3 =%p1 =%p2"},
        {"setp.lt.u32 _|%p2, %r1, %r2;", " %r1 %r2 =%p2"},
        {"atom.global.add.u32 %r1, [%rd1], %r2;", " %rd1 %r2 =%r1"},
        {"atom.global.cas.b32 _, [%rd1], %r2, %r3;", " %rd1 %r2 %r3"},
        {"red.global.add.u32 [%rd1], %r2;", " %rd1 %r2"},
        {"shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1;", " %r2 %r3 =%r1 =%p1"},
        {"mov.b64 {%r1, %r2}, %rd1;", " %rd1 =%r1 =%r2"},
        {"bar.red.popc.u32 %r1, %r2, %p1;", " %r2 %p1 =%r1"},
        {"bar.sync %r1, %r2;", " %r1 %r2"},
        {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1, %f2}, %r1;",
         " %rd1 %f1 %f2 %r1"},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];",
         " %rd1 %f5 %f6 =%f1 =%f2 =%f3 =%f4"},
        {"call (%r1), %rd1, (%r2, %r3);", " %rd1 %r2 %r3 =%r1"},
        {"cp.async.ca.shared.global [%r1], [%rd1], 16, %r2;", " %r1 %rd1 %r2"},
        {"wgmma.fence.sync.aligned;", ""},
        {"unheard.of %r1, [%rd1];", " %r1 %rd1 =%r1 =%rd1"},
        {".reg .v2 .u32 %v; unheard.of %v;", " %v.x %v.y =%v.x =%v.y"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct ptx_function *function = parse_body(&parsed, rows[i].text);
        struct seen seen = {.function = function};
        ptx_visit_registers(&function->instructions.data[0], note, &seen);
        if (strcmp(seen.text, rows[i].registers) != 0)
            fail_msg("%s:%s, not%s", rows[i].text, seen.text, rows[i].registers);
        arena_free(&parsed.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_modifiers_are_sorted, teardown),
        cmocka_unit_test(test_a_modifier_means_what_its_opcode_accepts),
        cmocka_unit_test_teardown(test_flags, teardown),
        cmocka_unit_test(test_immediates),
        cmocka_unit_test_teardown(test_a_decimal_float_is_a_double, teardown),
        cmocka_unit_test_teardown(test_special_registers, teardown),
        cmocka_unit_test_teardown(test_symbols_and_addresses, teardown),
        cmocka_unit_test_teardown(test_pairs_and_negation, teardown),
        cmocka_unit_test_teardown(test_inner_scopes_hide_registers, teardown),
        cmocka_unit_test_teardown(test_labels_belong_to_their_block, teardown),
        cmocka_unit_test_teardown(test_branch_lists, teardown),
        cmocka_unit_test_teardown(test_vector_registers_are_their_components, teardown),
        cmocka_unit_test_teardown(test_calls, teardown),
        cmocka_unit_test_teardown(test_an_alias_means_its_function, teardown),
        cmocka_unit_test_teardown(test_headers, teardown),
        cmocka_unit_test(test_initialisers),
        cmocka_unit_test_teardown(test_addresses_in_initialisers, teardown),
        cmocka_unit_test_teardown(test_unknown_instructions_are_opaque, teardown),
        cmocka_unit_test(test_definitions_and_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
