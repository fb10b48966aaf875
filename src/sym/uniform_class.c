/* SPDX-License-Identifier: Apache-2.0
 *
 * How a condition differs between threads, in a word: for explanations and for the price of branches.
 *
 * Requires: what is uniform in each scope.  Gives: the widest scope in which the condition is the same; else `data` if memory decides,
 * `tail guard` if it compares a thread's place with a size, `lane pattern` if the thread's number alone decides.  The scopes are proved,
 * the three other words are a description of form.
 */
#include "sym/uniform.h"

#include "sym/table.h"

const char *sym_class_name(enum sym_class class)
{
    static const char *const names[] = {"launch", "block", "warp", "lane pattern", "tail guard", "data"};
    return names[class];
}

static bool is_one_of(const struct sym_kernel *kernel, const sym_poly *axes, sym_atom atom)
{
    for (int axis = 0; axis < 3; axis++)
        if (axes[axis] == sym_of_atom(kernel->sym, atom))
            return true;
    return false;
}

static bool mentions_thread(struct sym_kernel *kernel, sym_atom atom)
{
    for (int axis = 0; axis < 3; axis++) {
        sym_atom thread = sym_single_atom(kernel->sym, kernel->environment->thread[axis]);
        if (thread != SYM_NONE && sym_mentions(kernel->sym, sym_of_atom(kernel->sym, atom), thread))
            return true;
    }
    return false;
}

/* The thread's number against something that is no part of the thread: a sum with the thread in it, without remainders of it. */
static bool is_size_test(struct sym_kernel *kernel, sym_poly poly)
{
    const struct sym_environment *environment = kernel->environment;
    struct sym *sym = kernel->sym;
    struct sym_poly_data data = sym->polys.data[poly];
    bool has_thread = false, has_size = false;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        for (uint32_t k = 0; k < monomial.count; k++) {
            sym_atom atom = monomial.atoms[k];
            uint8_t kind = sym->atoms.data[atom].kind;
            if (kind == SYM_WRAP_SIGNED || kind == SYM_WRAP_UNSIGNED) /* of the whole index */
                return is_size_test(kernel, sym->atoms.data[atom].a) || has_size;
            bool is_thread = is_one_of(kernel, environment->thread, atom);
            if (kind != SYM_VARIABLE && mentions_thread(kernel, atom))
                return false; /* a remainder: the lane's pattern */
            has_thread |= is_thread;
            has_size |= !is_thread && !is_one_of(kernel, environment->block, atom);
        }
    }
    return has_thread && has_size;
}

static bool is_tail_guard(struct sym_kernel *kernel, sym_cond condition)
{
    struct sym_cond_data data = kernel->sym->conds.data[condition];
    if (data.kind == SYM_AND || data.kind == SYM_OR)
        return is_tail_guard(kernel, data.left) || is_tail_guard(kernel, data.right);
    return data.kind == SYM_GE && is_size_test(kernel, data.poly);
}

enum sym_class sym_classify(struct sym_uniform *const by_scope[SYM_SCOPE_COUNT], uint32_t predicate, uint32_t block)
{
    struct sym_kernel *kernel = by_scope[SYM_SCOPE_BLOCK]->kernel;
    sym_cond condition = sym_truth(kernel, predicate);
    if (!sym_differs(by_scope[SYM_SCOPE_LAUNCH], predicate, block))
        return SYM_CLASS_LAUNCH;
    if (!sym_differs(by_scope[SYM_SCOPE_BLOCK], predicate, block))
        return SYM_CLASS_BLOCK;
    if (sym_depends_on_data(kernel, condition))
        return sym_differs(by_scope[SYM_SCOPE_WARP], predicate, block) ? SYM_CLASS_DATA : SYM_CLASS_WARP;
    if (sym_same_condition(by_scope[SYM_SCOPE_BLOCK], block, condition, NULL))
        return SYM_CLASS_BLOCK;
    if (sym_same_condition(by_scope[SYM_SCOPE_WARP], block, condition, NULL))
        return SYM_CLASS_WARP;
    return is_tail_guard(kernel, condition) ? SYM_CLASS_TAIL : SYM_CLASS_LANE;
}
