/* SPDX-License-Identifier: Apache-2.0
 *
 * Several contracts of one kernel: whether they mean the same, and their union.
 *
 * Contracts are compared part by part (the block, the shape of a parameter, ...), expressions by their trees: `m * k` and `k * m` count as
 * different, since whoever writes the same contract twice can write it the same way.  Parameters correspond by position and offset, not
 * by name.
 */
#include "contract/contract.h"

#include <string.h>

struct pair {
    struct contract *into; /* NULL when only comparing */
    const struct contract *a, *b;
    struct arena *arena;
    const char *difference;
    struct place place; /* of what b says */
};

static bool differ(struct pair *pair, struct place place, const char *difference)
{
    pair->difference = difference;
    pair->place = place.line != 0 ? place : pair->b->place;
    return false;
}

/* ---- parameters ---------------------------------------------------------------------------------------- */

/* The parameter of `contract` that corresponds to one of another contract. */
static uint32_t counterpart(const struct contract *contract,
                            const struct contract_parameter *parameter)
{
    for (uint32_t i = 0; i < contract->parameters.count; i++) {
        const struct contract_parameter *own = &contract->parameters.data[i];
        if (own->position == parameter->position && own->offset == parameter->offset &&
            own->kind == parameter->kind &&
            (own->kind != CONTRACT_OTHER || own->size == parameter->size))
            return i;
    }
    return CONTRACT_NONE;
}

static const char *type_text(const struct pair *pair, const struct contract_parameter *parameter)
{
    return parameter == NULL
               ? "of another type"
               : arena_printf(pair->arena, "a `%s` of %u bytes", parameter->type, parameter->size);
}

static bool same_parameters(struct pair *pair)
{
    uint32_t count = contract_parameter_count(pair->a),
             other_count = contract_parameter_count(pair->b);
    if (count != other_count)
        return differ(
            pair, pair->b->place,
            arena_printf(pair->arena, "one has %u parameters, the other %u", count, other_count));
    for (uint32_t i = 0; i < pair->b->parameters.count; i++) {
        const struct contract_parameter *mine = &pair->b->parameters.data[i];
        uint32_t index = counterpart(pair->a, mine);
        const struct contract_parameter *other =
            index != CONTRACT_NONE ? &pair->a->parameters.data[index] : NULL;
        bool same = other != NULL &&
                    (other->size == mine->size || other->size == 0 || mine->size == 0) &&
                    (other->kind != CONTRACT_POINTER || other->element_size == mine->element_size ||
                     other->element_size == 0 || mine->element_size == 0);
        if (!same)
            return differ(pair, mine->place,
                          arena_printf(pair->arena,
                                       "the parameter `%s` is %s in one and %s in the other",
                                       mine->name, type_text(pair, other), type_text(pair, mine)));
    }
    return true;
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

static bool same_parameter(const struct pair *pair, uint32_t a, uint32_t b)
{
    return counterpart(pair->a, &pair->b->parameters.data[b]) == a;
}

static bool same_tree(const struct pair *pair, uint32_t a, uint32_t b)
{
    const struct contract_node *left = &pair->a->nodes.data[a], *right = &pair->b->nodes.data[b];
    if (left->kind != right->kind)
        return false;
    switch (left->kind) {
    case CONTRACT_LITERAL:
        return left->value == right->value;
    case CONTRACT_SCALAR:
    case CONTRACT_LENGTH:
        return same_parameter(pair, left->operand, right->operand);
    case CONTRACT_BLOCK:
    case CONTRACT_GRID:
        return left->operand == right->operand;
    case CONTRACT_NEGATE:
        return same_tree(pair, left->left, right->left);
    default:
        return same_tree(pair, left->left, right->left) &&
               same_tree(pair, left->right, right->right);
    }
}

static bool same_expression(const struct pair *pair, const struct contract_expression *a,
                            const struct contract_expression *b)
{
    if (!contract_is_given(a) || !contract_is_given(b))
        return contract_is_given(a) == contract_is_given(b);
    return same_tree(pair, a->root, b->root);
}

/* A tree of b as nodes of `into`. */
static uint32_t copy_tree(const struct pair *pair, uint32_t root)
{
    struct contract_node node = pair->b->nodes.data[root];
    if (node.kind == CONTRACT_SCALAR || node.kind == CONTRACT_LENGTH)
        node.operand = counterpart(pair->a, &pair->b->parameters.data[node.operand]);
    if (node.kind >= CONTRACT_NEGATE)
        node.left = copy_tree(pair, node.left);
    if (node.kind > CONTRACT_NEGATE)
        node.right = copy_tree(pair, node.right);
    return contract_add_node(pair->into, (enum contract_node_kind)node.kind, node.operand,
                             node.value, node.left, node.right);
}

/* True if an operand of this tree of b has another name there than in `into`. */
static bool is_renamed(const struct pair *pair, uint32_t root)
{
    const struct contract_node *node = &pair->b->nodes.data[root];
    if (node->kind == CONTRACT_SCALAR || node->kind == CONTRACT_LENGTH) {
        const struct contract_parameter *parameter = &pair->b->parameters.data[node->operand];
        return strcmp(pair->a->parameters.data[counterpart(pair->a, parameter)].name,
                      parameter->name) != 0;
    }
    return node->kind >= CONTRACT_NEGATE &&
           (is_renamed(pair, node->left) ||
            (node->kind > CONTRACT_NEGATE && is_renamed(pair, node->right)));
}

/* Speaks of the parameters by the names that they have in `into`. */
static struct contract_expression copy_expression(const struct pair *pair,
                                                  const struct contract_expression *expression)
{
    struct contract_expression copy = *expression;
    if (!contract_is_given(expression))
        return copy;
    copy.root = copy_tree(pair, expression->root);
    if (is_renamed(pair, expression->root))
        copy.text = contract_render(pair->into, copy.root);
    return copy;
}

static struct contract_relation copy_relation(const struct pair *pair,
                                              const struct contract_relation *relation)
{
    struct contract_relation copy = *relation;
    copy.left = copy_expression(pair, &relation->left);
    copy.right = copy_expression(pair, &relation->right);
    if (copy.left.text != relation->left.text || copy.right.text != relation->right.text)
        copy.text = arena_printf(pair->into->arena, "%s %s %s", copy.left.text,
                                 contract_compare_sign((enum contract_compare)relation->compare),
                                 copy.right.text);
    return copy;
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

static const char *show(struct arena *arena, const struct contract_expression *items,
                        unsigned count)
{
    struct buffer text;
    buffer_init(&text, arena);
    for (unsigned i = 0; i < count && contract_is_given(&items[i]); i++)
        buffer_printf(&text, "%s%s", i == 0 ? "(" : ", ", items[i].text);
    if (text.size == 0)
        return "not given";
    buffer_putc(&text, ')');
    return text.data;
}

/* One part of the contract, made of `count` expressions; `items` is where `into` has it. */
static bool join(struct pair *pair, const char *what, const struct contract_expression *a,
                 const struct contract_expression *b, unsigned count,
                 struct contract_expression *items)
{
    bool same = true;
    if (pair->into != NULL && !contract_is_given(&a[0])) {
        for (unsigned i = 0; i < count; i++)
            items[i] = copy_expression(pair, &b[i]);
        return true;
    }
    if (pair->into != NULL && !contract_is_given(&b[0]))
        return true;
    for (unsigned i = 0; i < count; i++)
        same = same && same_expression(pair, &a[i], &b[i]);
    if (same)
        return true;
    return differ(pair, b[0].place,
                  arena_printf(pair->arena, "%s is %s in one and %s in the other", what,
                               show(pair->arena, a, count), show(pair->arena, b, count)));
}

static bool same_flag(struct pair *pair, const struct contract_parameter *b, const char *macro,
                      bool in_a, bool in_b)
{
    if (pair->into != NULL || in_a == in_b)
        return true;
    return differ(pair, b->place,
                  arena_printf(pair->arena, "`%s` has %s in one only", b->name, macro));
}

static bool join_reduction(struct pair *pair, const struct contract_parameter *a,
                           const struct contract_parameter *b, struct contract_parameter *into)
{
    bool same = a->reduction == b->reduction && (a->reduction == CONTRACT_REDUCES_NOTHING ||
                                                 same_parameter(pair, a->reduces, b->reduces));
    if (into != NULL && a->reduction == CONTRACT_REDUCES_NOTHING &&
        b->reduction != CONTRACT_REDUCES_NOTHING) {
        into->reduction = b->reduction;
        into->reduces = counterpart(pair->a, &pair->b->parameters.data[b->reduces]);
        return true;
    }
    if (same || (into != NULL && b->reduction == CONTRACT_REDUCES_NOTHING))
        return true;
    return differ(pair, b->place,
                  arena_printf(pair->arena, "`%s` has different LW_REDUCES", b->name));
}

static bool has_alias(const struct contract_parameter *parameter, uint32_t index)
{
    for (uint32_t i = 0; i < parameter->may_alias.count; i++)
        if (parameter->may_alias.data[i] == index)
            return true;
    return false;
}

static bool join_aliases(struct pair *pair, const struct contract_parameter *a,
                         const struct contract_parameter *b, struct contract_parameter *into)
{
    bool same = a->may_alias.count == b->may_alias.count;
    for (uint32_t i = 0; i < b->may_alias.count; i++) {
        uint32_t index = counterpart(pair->a, &pair->b->parameters.data[b->may_alias.data[i]]);
        if (has_alias(a, index))
            continue;
        same = false;
        if (into != NULL)
            *vec_push(pair->into->arena, &into->may_alias) = index;
    }
    if (same || into != NULL)
        return true;
    return differ(pair, b->place,
                  arena_printf(pair->arena, "`%s` has different LW_MAY_ALIAS", b->name));
}

static bool join_parameter(struct pair *pair, uint32_t index)
{
    const struct contract_parameter *b = &pair->b->parameters.data[index];
    uint32_t own = counterpart(pair->a, b);
    const struct contract_parameter *a = &pair->a->parameters.data[own];
    struct contract_parameter *into = pair->into != NULL ? &pair->into->parameters.data[own] : NULL;
    const char *what = arena_printf(pair->arena, "the shape of `%s`", b->name);
    bool both = a->shape_kind != CONTRACT_SHAPE_NONE && b->shape_kind != CONTRACT_SHAPE_NONE;
    bool took_shape = into != NULL && a->shape_kind == CONTRACT_SHAPE_NONE &&
                      b->shape_kind != CONTRACT_SHAPE_NONE;
    if (both && a->shape_kind != b->shape_kind)
        return differ(
            pair, b->shape_place,
            arena_printf(pair->arena, "%s is LW_SHAPE in one and LW_PITCHED in the other", what));
    if (!join(pair, what, a->shape, b->shape, 3, into != NULL ? into->shape : NULL))
        return false;
    if (took_shape) {
        into->shape_kind = b->shape_kind;
        into->dimensions = b->dimensions;
        into->shape_place = b->shape_place;
        contract_set_extent(pair->into, own);
    }
    const struct contract_expression values_a[2] = {a->value_low, a->value_high},
                                     values_b[2] = {b->value_low, b->value_high};
    struct contract_expression values[2] = {a->value_low, a->value_high};
    what = arena_printf(pair->arena, "LW_VALUES of `%s`", b->name);
    if (!join(pair, what, values_a, values_b, 2, values))
        return false;
    if (!same_flag(pair, b, "LW_DISJOINT", a->disjoint, b->disjoint) ||
        !same_flag(pair, b, "LW_WRITES_ALL", a->writes_all, b->writes_all) ||
        !join_reduction(pair, a, b, into) || !join_aliases(pair, a, b, into))
        return false;
    if (into != NULL) {
        into->value_low = values[0];
        into->value_high = values[1];
        into->disjoint |= b->disjoint;
        into->writes_all |= b->writes_all;
    }
    return true;
}

/* ---- requirements -------------------------------------------------------------------------------------------- */

static bool has_relation(const struct pair *pair, const struct contract_relation *b)
{
    for (uint32_t i = 0; i < pair->a->relations.count; i++) {
        const struct contract_relation *a = &pair->a->relations.data[i];
        if (a->compare == b->compare && same_expression(pair, &a->left, &b->left) &&
            same_expression(pair, &a->right, &b->right))
            return true;
    }
    return false;
}

/* Both must require the same, in whatever order; in a union, one may be silent. */
static bool join_relations(struct pair *pair)
{
    uint32_t count = pair->a->relations.count;
    if (pair->into != NULL && pair->b->relations.count == 0)
        return true;
    if (pair->into != NULL && count == 0) {
        for (uint32_t i = 0; i < pair->b->relations.count; i++) {
            struct contract_relation copy = copy_relation(pair, &pair->b->relations.data[i]);
            *vec_push(pair->into->arena, &pair->into->relations) = copy;
        }
        return true;
    }
    for (uint32_t i = 0; i < pair->b->relations.count; i++)
        if (!has_relation(pair, &pair->b->relations.data[i]))
            return differ(pair, pair->b->relations.data[i].place,
                          arena_printf(pair->arena, "only one requires `%s`",
                                       pair->b->relations.data[i].text));
    struct pair other = {NULL, pair->b, pair->a, pair->arena, NULL, {0}};
    for (uint32_t i = 0; i < count; i++)
        if (!has_relation(&other, &pair->a->relations.data[i]))
            return differ(pair,
                          pair->b->relations.count != 0 ? pair->b->relations.data[0].place
                                                        : pair->b->place,
                          arena_printf(pair->arena, "only one requires `%s`",
                                       pair->a->relations.data[i].text));
    return true;
}

static bool join_reason(struct pair *pair)
{
    const char *a = pair->a->unchecked_reason, *b = pair->b->unchecked_reason;
    if (pair->into != NULL && a == NULL)
        pair->into->unchecked_reason = b;
    bool same = a == NULL || b == NULL ? a == b || pair->into != NULL : strcmp(a, b) == 0;
    return same || differ(pair, pair->b->place, "LW_UNCHECKED_INDEXING differs");
}

static bool join_all(struct pair *pair)
{
    const struct contract *a = pair->a, *b = pair->b;
    struct contract *into = pair->into;
    struct contract ignored;
    struct contract *to = into != NULL ? into : &ignored;
    bool same =
        same_parameters(pair) && join(pair, "LW_BLOCK", a->block, b->block, 3, to->block) &&
        join(pair, "LW_DOMAIN", a->domain, b->domain, 3, to->domain) &&
        join(pair, "the grid", a->grid, b->grid, 3, to->grid) &&
        join(pair, "LW_BLOCK_MULTIPLE", &a->block_multiple, &b->block_multiple, 1,
             &to->block_multiple) &&
        join(pair, "LW_BLOCK_MAX", &a->block_max, &b->block_max, 1, &to->block_max) &&
        join(pair, "LW_SHARED_BYTES", &a->shared_bytes, &b->shared_bytes, 1, &to->shared_bytes) &&
        join_relations(pair) && join_reason(pair);
    for (uint32_t i = 0; i < b->parameters.count && same; i++)
        same = join_parameter(pair, i);
    return same;
}

bool contract_agrees(const struct contract *a, const struct contract *b, const char **difference)
{
    struct pair pair = {NULL, a, b, a->arena, NULL, {0}};
    bool same = join_all(&pair);
    *difference = pair.difference;
    return same;
}

bool contract_merge(struct contract *contract, const struct contract *from, const char **difference,
                    struct place *place)
{
    struct pair pair = {contract, contract, from, contract->arena, NULL, {0}};
    bool same = join_all(&pair);
    contract->has_annotations |= from->has_annotations;
    *difference = pair.difference;
    *place = pair.place;
    return same;
}
