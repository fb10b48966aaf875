/* SPDX-License-Identifier: Apache-2.0
 *
 * LW103: can a 32-bit chain of index arithmetic leave its width where it becomes part of an address, or a guard?
 *
 * Requires: a kernel in analysis.  Gives: an answer for each 32-bit value that is widened into the address of an access, asked under the
 * facts at that access (compilers widen above the guard), and for each ordered comparison whose operand has a product, a shift or a
 * truncation in its chain, asked where it stands.  The rules are those of the emulator (emu_wrap.h): a chain is add, sub, mul.lo, mad.lo, shl,
 * neg, not, selp, phi and truncation; everything else starts afresh; a chain is fine if its exact value equals the register as its consumer
 * reads it, with all start values read as signed or with all read as unsigned.
 */
#include "check/prove.h"

#include <string.h>

struct chain_walk {
    struct prove *prove;
    struct bitset seen;
    VEC(uint32_t) pending;
};

static uint32_t definition(const struct prove *prove, uint32_t value)
{
    const struct ir_value *data = &prove->ir->values[value];
    return data->kind == IR_VALUE_RESULT ? data->index : IR_NONE;
}

/* ---- chains of 32 bits ---------------------------------------------------------------------------------------- */

enum link { LINK_NONE, LINK_SUM, LINK_PRODUCT, LINK_CHOICE };

/* How the value is made from others, as far as a chain goes. */
static enum link link_of(const struct prove *prove, uint32_t value)
{
    uint32_t index = definition(prove, value);
    if (index == IR_NONE)
        return LINK_NONE;
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    const struct ptx_instruction *source = instruction->source;
    switch (instruction->op) {
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_neg:
    case PTX_OP_not:
        return ptx_type_is_integer(source->type) && (source->flags & (PTX_MODIFIER_SAT | PTX_MODIFIER_CC)) == 0 ? LINK_SUM : LINK_NONE;
    case PTX_OP_mul:
    case PTX_OP_mad:
        return ptx_type_is_integer(source->type) && source->mode == PTX_MODE_LO ? LINK_PRODUCT : LINK_NONE;
    case PTX_OP_shl:
        return LINK_PRODUCT;
    case PTX_OP_cvt:
        return ptx_type_is_integer(source->type) && ptx_type_is_integer(source->type2) && ptx_type_size(source->type) == 4 &&
                       ptx_type_size(source->type2) == 8
                   ? LINK_PRODUCT
                   : LINK_NONE;
    case IR_OP_EXTRACT:
        return instruction->immediate == 0 && prove->ir->values[value].bits == 32 &&
                       prove->ir->values[ir_operands(prove->ir, instruction)[0]].bits == 64
                   ? LINK_PRODUCT
                   : LINK_NONE;
    case PTX_OP_selp:
    case IR_OP_SELECT:
    case IR_OP_PHI:
        return LINK_CHOICE;
    default:
        return LINK_NONE;
    }
}

static void push(struct chain_walk *walk, uint32_t value)
{
    if (bitset_has(&walk->seen, value))
        return;
    bitset_add(&walk->seen, value);
    *vec_push(walk->prove->arena, &walk->pending) = value;
}

static struct chain_walk begin_walk(struct prove *prove, uint32_t value)
{
    struct chain_walk walk = {.prove = prove};
    bitset_init(&walk.seen, prove->arena, prove->ir->value_count);
    push(&walk, value);
    return walk;
}

static bool next_value(struct chain_walk *walk, uint32_t *value)
{
    if (walk->pending.count == 0)
        return false;
    *value = walk->pending.data[--walk->pending.count];
    return true;
}

static void push_operands(struct chain_walk *walk, uint32_t value)
{
    const struct ir_instruction *instruction = &walk->prove->ir->instructions[definition(walk->prove, value)];
    const uint32_t *operands = ir_operands(walk->prove->ir, instruction);
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (walk->prove->ir->values[operands[i]].bits != 1)
            push(walk, operands[i]);
}

/* Is there a sum or product (`wanted`: a product) in the chain that makes the value? */
static bool chain_has(struct prove *prove, uint32_t value, enum link wanted)
{
    struct chain_walk walk = begin_walk(prove, value);
    for (uint32_t at; next_value(&walk, &at);) {
        enum link link = link_of(prove, at);
        if (link == LINK_PRODUCT || (link == LINK_SUM && wanted == LINK_SUM))
            return true;
        if (link != LINK_NONE)
            push_operands(&walk, at);
    }
    return false;
}

/* ---- the question --------------------------------------------------------------------------------------------------- */

static sym_cond fits(struct prove *prove, sym_poly value, bool is_signed)
{
    struct sym *sym = prove->sym;
    sym_integer low = is_signed ? -((sym_integer)1 << 31) : 0, high = low + ((sym_integer)1 << 32) - 1;
    sym_cond above = sym_ge(sym, sym_shift(sym, value, -low));
    return sym_and(sym, above, sym_ge(sym, sym_shift(sym, sym_scale(sym, value, -1), high)));
}

/* Is the atom a register of 32 bits that something else than a chain made, so that it can be read both ways?  Choices are links of a chain, and
 * of a quotient the width is not known. */
static bool is_register(struct prove *prove, sym_atom atom)
{
    const struct sym_atom_data *meaning = &prove->sym->atoms.data[atom];
    uint32_t value = atom < prove->kernel->atoms.count ? prove->kernel->atoms.data[atom].value : IR_NONE;
    bool is_wide = value != IR_NONE && prove->ir->values[value].bits > 32;
    return meaning->kind == SYM_VARIABLE && !is_wide && meaning->low >= -((sym_integer)1 << 31) &&
           meaning->high < ((sym_integer)1 << 32);
}

enum { CHOICES_DEEP = 6 };

static sym_poly with_starts(struct prove *prove, sym_poly value, bool is_signed, unsigned depth);

/* What stands for an atom when starts are read so: a start read, a choice between values with their starts read.  The conditions of a choice speak of
 * numbers as they are, and stay. */
static sym_poly atom_with_starts(struct prove *prove, sym_atom atom, bool is_signed, unsigned depth)
{
    struct sym *sym = prove->sym;
    struct sym_atom_data meaning = sym->atoms.data[atom];
    if (is_register(prove, atom))
        return sym_wrap(sym, sym_of_atom(sym, atom), 32, is_signed);
    if (meaning.kind == SYM_SELECT && depth < CHOICES_DEEP)
        return sym_select(sym, meaning.condition, with_starts(prove, meaning.a, is_signed, depth + 1), with_starts(prove, meaning.b, is_signed, depth + 1));
    if (meaning.kind != SYM_JOIN || depth >= CHOICES_DEEP)
        return sym_of_atom(sym, atom);
    struct sym_join join = sym->joins.data[meaning.index];
    sym_poly *values = ARENA_ARRAY(prove->arena, sym_poly, join.count + 1);
    for (uint32_t i = 0; i < join.count; i++)
        values[i] = with_starts(prove, join.values[i], is_signed, depth + 1);
    return sym_of_join(sym, join.block, values, join.facts, join.count);
}

/* The value with every start read as signed or as unsigned. */
static sym_poly with_starts(struct prove *prove, sym_poly value, bool is_signed, unsigned depth)
{
    struct sym *sym = prove->sym;
    struct sym_poly_data data = sym->polys.data[value];
    sym_poly sum = SYM_ZERO;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        sym_poly term = sym_constant(sym, data.terms[i].coefficient);
        for (uint32_t k = 0; k < monomial.count; k++)
            term = sym_multiply(sym, term, atom_with_starts(prove, monomial.atoms[k], is_signed, depth));
        sum = sym_add(sym, sum, term);
    }
    return sum;
}

static bool holds(struct prove *prove, sym_facts *facts, sym_cond goal)
{
    sym_facts_close(prove->kernel, facts, goal);
    return sym_prove(prove->sym, facts->data, facts->count, goal, &prove->kernel->limits) == SYM_PROVED;
}

static bool ask(struct prove *prove, sym_facts *facts, sym_poly value, bool is_signed, struct prove_answer *answer)
{
    sym_cond goal = fits(prove, value, is_signed);
    if (holds(prove, facts, goal))
        return true;
    sym_cond others[2] = {SYM_FALSE, SYM_FALSE};
    for (int sign = 0; sign <= 1; sign++) {
        sym_poly other = with_starts(prove, value, sign, 0);
        if (other == value)
            continue;
        others[sign] = fits(prove, other, is_signed);
        if (holds(prove, facts, others[sign]))
            return true;
    }
    if (prove_goal(prove, facts, goal, answer)) /* says why not */
        return true;
    struct prove_open *open = &answer->opens.data[answer->opens.count - 1];
    open->others[0] = others[0];
    open->others[1] = others[1];
    if (answer->reason == NULL) {
        struct buffer text;
        buffer_init(&text, prove->arena);
        sym_print(prove->sym, value, &text);
        answer->reason = text.size > 600 ? "a 32-bit index may leave its width"
                                         : arena_printf(prove->arena, "nothing known keeps `%s` inside %s", text.data,
                                                        is_signed ? "[-2147483648, 2147483647]" : "[0, 4294967295]");
    }
    return false;
}

/* Is it a phi at a loop's header that is no induction variable? */
static bool is_own_phi(const struct prove *prove, uint32_t value)
{
    sym_atom own = prove->kernel->own_atoms[value];
    return prove->ir->instructions[definition(prove, value)].op == IR_OP_PHI && own != SYM_NONE &&
           prove->kernel->values[value] == sym_of_atom(prove->sym, own);
}

/* Does the chain go through such a phi? */
static bool chain_has_own_phi(struct prove *prove, uint32_t value)
{
    struct chain_walk walk = begin_walk(prove, value);
    for (uint32_t at; next_value(&walk, &at);) {
        if (link_of(prove, at) == LINK_NONE)
            continue;
        if (is_own_phi(prove, at))
            return true;
        push_operands(&walk, at);
    }
    return false;
}

/* A 64-bit number in the chain that is cut to 32 bits and is not written as the number that its low half stands for; IR_NONE: none. */
static uint32_t cut_number(struct prove *prove, uint32_t value)
{
    struct chain_walk walk = begin_walk(prove, value);
    for (uint32_t at; next_value(&walk, &at);) {
        if (prove->ir->values[at].bits != 32 || link_of(prove, at) == LINK_NONE)
            continue;
        uint32_t operand = ir_operands(prove->ir, &prove->ir->instructions[definition(prove, at)])[0];
        if (prove->ir->values[operand].bits != 64) {
            push_operands(&walk, at);
            continue;
        }
        sym_poly whole = sym_value(prove->kernel, operand);
        if (sym_congruent(prove->sym, whole, 32) != whole)
            return operand;
    }
    return IR_NONE;
}

/* Such a number must fit by itself: a truncation keeps the chain's exact value. */
static bool truncation_is_exact(struct prove *prove, uint32_t number, bool is_signed, sym_facts *facts, struct prove_answer *answer)
{
    if (number == IR_NONE || prove_goal(prove, facts, fits(prove, sym_value(prove->kernel, number), is_signed), answer))
        return true;
    if (answer->reason == NULL)
        answer->reason = "a 64-bit number that is cut to 32 bits may not fit them";
    return false;
}

/* A variable of a loop that is no induction variable stands for its register: that the register is the exact value is asked on each way
 * back where the chain goes on. */
static bool loops_are_exact(struct prove *prove, uint32_t value, bool is_signed, struct prove_answer *answer)
{
    struct chain_walk walk = begin_walk(prove, value);
    for (uint32_t at; next_value(&walk, &at);) {
        enum link link = link_of(prove, at);
        if (link == LINK_NONE)
            continue;
        const struct ir_instruction *phi = &prove->ir->instructions[definition(prove, at)];
        const struct ir_block *block = &prove->ir->cfg->blocks[phi->block];
        bool is_own = is_own_phi(prove, at);
        for (uint32_t i = 0; is_own && i < phi->operand_count && i < block->predecessor_count; i++) {
            uint32_t next = ir_operands(prove->ir, phi)[i];
            sym_facts facts = {0};
            if (next == at || !chain_has(prove, next, LINK_SUM) || prove->ir->values[next].bits != 32)
                continue;
            sym_facts_on_edge(prove->kernel, block->predecessors[i], phi->block, &facts);
            sym_poly poly = sym_value(prove->kernel, next);
            if (holds(prove, &facts, fits(prove, poly, is_signed)))
                continue;
            answer->verdict = CHECK_UNPROVED;
            answer->depends_on_data = true; /* the launch alone does not say how far the loop goes */
            answer->reason = "a variable of a loop may leave its width, trip by trip";
            return false;
        }
        push_operands(&walk, at);
    }
    return true;
}

/* The edge by which a number came to the phi through which it is read. */
struct way {
    uint32_t from, to;
    bool is_back; /* it is of the trip before: facts of the consumer say nothing of it */
};

/* What is known wherever the number is read. */
static void facts_of_reading(struct prove *prove, sym_poly poly, uint32_t consumer, const struct way *way, sym_facts *facts)
{
    if (way != NULL && way->is_back && sym_varies(prove->kernel, poly, prove->ir->cfg->blocks[way->to].loop)) {
        sym_facts_on_edge(prove->kernel, way->from, way->to, facts);
        return;
    }
    sym_facts_at_instruction(prove->kernel, consumer, facts);
    if (way != NULL && !way->is_back)
        sym_facts_on_edge(prove->kernel, way->from, way->to, facts);
}

/* One 32-bit value that is read as a number; way: NULL if it comes through no phi. */
static void prove_value(struct prove *prove, uint32_t value, bool is_signed, uint32_t consumer, const struct way *way, const char *array)
{
    struct prove_answer answer = {.kind = FINDING_INDEX_WRAP, .verdict = CHECK_PROVED, .array = array};
    answer.is_number = true;
    answer.reads_signed = is_signed;
    answer.value = value;
    answer.consumer = consumer;
    sym_poly poly = sym_value(prove->kernel, value);
    uint32_t cut = prove->ir->values[value].bits == 32 ? cut_number(prove, value) : IR_NONE;
    if (prove->ir->values[value].bits != 32 || !chain_has(prove, value, LINK_SUM) ||
        (sym_wrap(prove->sym, poly, 32, is_signed) == poly && cut == IR_NONE && !chain_has_own_phi(prove, value)))
        return; /* exact by its ranges alone, or no arithmetic */
    sym_facts facts = {0};
    facts_of_reading(prove, poly, consumer, way, &facts);
    uint32_t place = definition(prove, value);
    if (place == IR_NONE || prove->ir->instructions[place].source == NULL)
        place = consumer;
    if (prove_unreachable(prove, &facts))
        answer.verdict = CHECK_UNREACHABLE;
    else if (ask(prove, &facts, poly, is_signed, &answer) && truncation_is_exact(prove, cut, is_signed, &facts, &answer))
        loops_are_exact(prove, value, is_signed, &answer);
    prove_add(prove, place, NULL, &answer);
}

/* ---- addresses -------------------------------------------------------------------------------------------------------- */

/* A walk over 64-bit arithmetic.  What a phi takes from an edge is read only where that edge was taken. */
struct address_item {
    uint32_t value;
    struct way way; /* the last edge that matters; from IR_NONE: none */
};

struct address_walk {
    struct prove *prove;
    VEC(struct address_item) items; /* each once */
    uint32_t consumer;
    const char *array;
};

enum { MAX_ITEMS = 256 }; /* then edges of choices are no longer told apart */

static void push_item(struct address_walk *walk, uint32_t value, struct way way)
{
    if (walk->prove->ir->values[value].bits != 64)
        return;
    if (walk->items.count > MAX_ITEMS && !way.is_back)
        way = (struct way){IR_NONE, IR_NONE, false};
    for (uint32_t i = 0; i < walk->items.count; i++) {
        const struct address_item *item = &walk->items.data[i];
        if (item->value == value && item->way.from == way.from && item->way.to == way.to && item->way.is_back == way.is_back)
            return;
    }
    *vec_push(walk->prove->arena, &walk->items) = (struct address_item){value, way};
}

/* Between the phi and the consumer no loop around the phi goes on: facts of the edge still hold there. */
static bool keeps_facts(const struct address_walk *walk, uint32_t block)
{
    const struct ir_cfg *cfg = walk->prove->ir->cfg;
    return ir_loop_contains(cfg, cfg->blocks[block].loop, walk->prove->ir->instructions[walk->consumer].block);
}

static bool is_latch(const struct ir_cfg *cfg, uint32_t block, uint32_t header)
{
    uint32_t loop = cfg->blocks[header].loop;
    return loop != IR_NONE && cfg->loops[loop].header == header && ir_loop_contains(cfg, loop, block);
}

static void push_all(struct address_walk *walk, const struct ir_instruction *instruction, struct way way)
{
    const struct ir_function *ir = walk->prove->ir;
    const struct ir_cfg *cfg = ir->cfg;
    const struct ir_block *block = &cfg->blocks[instruction->block];
    bool is_phi = instruction->op == IR_OP_PHI && instruction->operand_count == block->predecessor_count;
    bool is_header = block->loop != IR_NONE && cfg->loops[block->loop].header == instruction->block;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        struct way own = way;
        if (is_phi && is_latch(cfg, block->predecessors[i], instruction->block))
            own = (struct way){block->predecessors[i], instruction->block, true};
        else if (is_phi && !is_header && !way.is_back && keeps_facts(walk, instruction->block))
            own = (struct way){block->predecessors[i], instruction->block, false};
        push_item(walk, ir_operands(ir, instruction)[i], own);
    }
}

static void visit_number(struct address_walk *walk, uint32_t value, bool is_signed, struct way way)
{
    prove_value(walk->prove, value, is_signed, walk->consumer, way.from == IR_NONE ? NULL : &way, walk->array);
}

/* 64-bit arithmetic that an address is made with, and where it takes in 32-bit numbers. */
static void visit_address(struct address_walk *walk, uint32_t value, struct way way)
{
    struct prove *prove = walk->prove;
    uint32_t index = definition(prove, value);
    if (index == IR_NONE)
        return;
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    const struct ptx_instruction *source = instruction->source;
    const uint32_t *operands = ir_operands(prove->ir, instruction);
    switch (instruction->op) {
    case IR_OP_EXTEND:
        visit_number(walk, operands[0], instruction->is_signed, way);
        return;
    case PTX_OP_cvt:
        if (ptx_type_is_integer(source->type) && ptx_type_is_integer(source->type2) && ptx_type_size(source->type2) == 4 &&
            ptx_type_size(source->type) == 8)
            visit_number(walk, operands[0], ptx_type_is_signed(source->type2), way);
        else if (ptx_type_is_integer(source->type) && ptx_type_is_integer(source->type2))
            push_item(walk, operands[0], way);
        return;
    case PTX_OP_mul:
    case PTX_OP_mad:
        if (source->mode == PTX_MODE_WIDE && ptx_type_size(source->type) == 4) {
            visit_number(walk, operands[0], ptx_type_is_signed(source->type), way);
            visit_number(walk, operands[1], ptx_type_is_signed(source->type), way);
            if (instruction->op == PTX_OP_mad)
                push_item(walk, operands[2], way);
            return;
        }
        push_all(walk, instruction, way);
        return;
    case PTX_OP_cvta:
        push_item(walk, operands[0], way);
        return;
    default:
        if (link_of(prove, value) != LINK_NONE)
            push_all(walk, instruction, way);
        return;
    }
}

void prove_address_wraps(struct prove *prove, uint32_t access, const char *array)
{
    const struct ir_access *data = &prove->ir->accesses[access];
    if ((data->flags & IR_ACCESS_HINT) || !prove->ir->cfg->blocks[prove->ir->instructions[data->instruction].block].reachable)
        return;
    struct address_walk walk = {.prove = prove, .consumer = data->instruction, .array = array};
    push_item(&walk, data->address, (struct way){IR_NONE, IR_NONE, false});
    for (uint32_t i = 0; i < walk.items.count; i++) {
        struct address_item item = walk.items.data[i];
        visit_address(&walk, item.value, item.way);
    }
}

/* ---- guards --------------------------------------------------------------------------------------------------------------- */

void prove_guard_wraps(struct prove *prove, uint32_t index)
{
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    const struct ptx_instruction *source = instruction->source;
    if (instruction->op != PTX_OP_setp || !ptx_type_is_integer(source->type) || ptx_type_size(source->type) != 4 ||
        source->compare == PTX_COMPARE_EQ || source->compare == PTX_COMPARE_NE ||
        !prove->ir->cfg->blocks[instruction->block].reachable)
        return;
    const uint32_t *operands = ir_operands(prove->ir, instruction);
    bool is_signed = ptx_type_is_signed(source->type) && source->compare < PTX_COMPARE_LO;
    for (int i = 0; i < 2; i++)
        if (chain_has(prove, operands[i], LINK_PRODUCT))
            prove_value(prove, operands[i], is_signed, index, NULL, NULL);
}
