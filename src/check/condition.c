/* SPDX-License-Identifier: Apache-2.0
 *
 * "Say the condition": the weakest simple relation over scalars, lengths, block and grid that would prove an open site.
 *
 * Requires: a kernel whose sites were asked about, with a contract that names its parameters.  Gives: check_site.condition.  A relation is tried
 * as a fact of each open question of the site; it counts if it answers them and contradicts nothing.  First come those that the questions
 * themselves ask for (condition_bound.c), the easiest to read first, then relations that help often: signs, multiples, products below a limit.
 * Several goals of one site may need a relation each.  Limits: a number of tries for each site and each kernel, so the answer is the same everywhere.
 */
#include "check/suggest.h"

#include <string.h>

enum {
    TRIES_A_SITE = 32,
    TRIES_A_KERNEL = 240,
    EXTENTS_A_KERNEL = 24,
    MOST_RELATIONS = 3,
    GOALS_A_SITE = 48,
    CHEAP_SPLITS = 16,
    CHEAP_RESOURCES = 20000,
    DEAR_TRIES = 3 /* with the solver, when all cheap ones failed */
};

/* ---- what is known at launch ------------------------------------------------------------------------------------- */

static void add_launch_atoms(struct condition_search *search, sym_poly poly)
{
    if (poly != SYM_NONE)
        sym_collect_atoms(search->prove->sym, poly, &search->launch_atoms);
}

void condition_begin(struct condition_search *search, struct prove *prove)
{
    struct sym_environment *environment = prove->environment;
    const struct contract *contract = environment->contract;
    memset(search, 0, sizeof *search);
    search->prove = prove;
    search->tries_left = TRIES_A_KERNEL;
    search->extents_left = EXTENTS_A_KERNEL;
    bitset_init(&search->launch_atoms, prove->arena, prove->sym->atoms.count);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        add_launch_atoms(search, environment->scalars[p]);
        if (environment->extents[p] == environment->lengths[p]) /* the contract speaks of it */
            add_launch_atoms(search, environment->lengths[p]);
    }
    for (int axis = 0; axis < 3; axis++) {
        add_launch_atoms(search, environment->block[axis]);
        add_launch_atoms(search, environment->grid[axis]);
    }
    struct contract *copy = arena_copy(prove->arena, contract, sizeof *contract);
    copy->arena = prove->arena;
    copy->nodes.data = arena_copy(prove->arena, contract->nodes.data, contract->nodes.count * sizeof *contract->nodes.data);
    copy->nodes.capacity = copy->nodes.count;
    search->contract = copy;
    environment->contract = copy; /* the same, and what is parsed from now on */
    diagnostic_list_init(&search->unheard, prove->arena);
}

struct bitset *condition_scratch(struct condition_search *search)
{
    uint32_t count = search->prove->sym->atoms.count;
    if (search->scratch.bits < count)
        bitset_init(&search->scratch, search->prove->arena, count + count / 2 + 64);
    else
        bitset_clear(&search->scratch);
    return &search->scratch;
}

sym_atom condition_scalar_atom(const struct condition_search *search, uint32_t parameter)
{
    const struct sym *sym = search->prove->sym;
    sym_poly scalar = search->prove->environment->scalars[parameter];
    if (scalar == SYM_NONE)
        return SYM_NONE;
    const struct sym_poly_data *data = &sym->polys.data[scalar];
    for (uint32_t i = 0; i < data->count; i++)
        if (sym->monomials.data[data->terms[i].monomial].count == 1)
            return sym->monomials.data[data->terms[i].monomial].atoms[0];
    return SYM_NONE;
}

bool condition_is_of_launch(const struct condition_search *search, sym_poly poly)
{
    const struct sym *sym = search->prove->sym;
    struct sym_poly_data data = sym->polys.data[poly];
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        for (uint32_t k = 0; k < monomial.count; k++) {
            sym_atom at = monomial.atoms[k];
            const struct sym_atom_data *atom = &sym->atoms.data[at];
            bool is_known = at < search->launch_atoms.bits && bitset_has(&search->launch_atoms, at) && atom->kind == SYM_VARIABLE;
            if (!is_known && ((atom->kind != SYM_QUOTIENT && atom->kind != SYM_TRUNCATED) || !condition_is_of_launch(search, atom->a) ||
                              !condition_is_of_launch(search, atom->b)))
                return false;
        }
    }
    return true;
}

/* ---- trying -------------------------------------------------------------------------------------------------------- */

sym_cond condition_parse(struct condition_search *search, const char *text)
{
    struct prove *prove = search->prove;
    struct contract_relation relation;
    struct place place = {.file = "condition", .line = 1, .column = 1};
    search->unheard.items.count = 0;
    if (!contract_parse_relation(search->contract, text, strlen(text), place, &relation, &search->unheard))
        return SYM_FALSE;
    uint32_t before = prove->environment->facts.count;
    sym_cond meaning = sym_of_relation(prove->environment, &relation);
    for (uint32_t i = before; i < prove->environment->facts.count; i++)
        meaning = sym_and(prove->sym, meaning, prove->environment->facts.data[i]);
    prove->environment->facts.count = before;
    return meaning;
}

static void gather(struct condition_search *search, const struct prove_open *open, const sym_facts *extra, sym_facts *facts)
{
    struct sym_kernel *kernel = search->prove->kernel;
    for (uint32_t i = 0; i < open->facts.count; i++)
        *vec_push(search->prove->arena, facts) = open->facts.data[i];
    for (uint32_t i = 0; i < search->held.count; i++)
        sym_facts_add(kernel, facts, search->held.data[i]);
    for (uint32_t i = 0; extra != NULL && i < extra->count; i++)
        sym_facts_add(kernel, facts, extra->data[i]);
}

static struct sym_limits limits_of(const struct condition_search *search, bool cheap)
{
    struct sym_limits limits = search->prove->kernel->limits;
    if (cheap)
        limits = (struct sym_limits){.z3_resources = CHEAP_RESOURCES, .max_splits = CHEAP_SPLITS};
    return limits;
}

bool condition_answers(struct condition_search *search, const struct prove_open *open, sym_cond goal, const sym_facts *extra, bool cheap)
{
    struct sym_limits limits = limits_of(search, cheap);
    sym_facts facts = {0};
    gather(search, open, extra, &facts);
    return sym_prove(search->prove->sym, facts.data, facts.count, goal, &limits) == SYM_PROVED;
}

bool condition_is_possible(struct condition_search *search, const struct prove_open *open, const sym_facts *extra)
{
    struct sym_limits limits = {.z3_resources = 0};
    sym_facts facts = {0};
    gather(search, open, extra, &facts);
    return sym_contradict(search->prove->sym, facts.data, facts.count, &limits) != SYM_PROVED;
}

/* ---- what to try ---------------------------------------------------------------------------------------------------- */

struct proposal_list {
    VEC(const char *) texts;
    VEC(uint32_t) weights;
};

static void propose(struct condition_search *search, struct proposal_list *list, const char *text, uint32_t weight)
{
    struct arena *arena = search->prove->arena;
    if (text == NULL)
        return;
    for (uint32_t i = 0; i < list->texts.count; i++)
        if (strcmp(list->texts.data[i], text) == 0)
            return;
    uint32_t at = list->texts.count;
    *vec_push(arena, &list->texts) = text;
    *vec_push(arena, &list->weights) = weight;
    for (; at > 0 && list->weights.data[at - 1] > weight; at--) {
        list->texts.data[at] = list->texts.data[at - 1];
        list->weights.data[at] = list->weights.data[at - 1];
        list->texts.data[at - 1] = text;
        list->weights.data[at - 1] = weight;
    }
}

/* "h <= 32": it would do, but sizes are what callers choose. */
static bool caps_a_size(const struct condition_search *search, sym_poly poly)
{
    const struct sym *sym = search->prove->sym;
    struct sym_poly_data data = sym->polys.data[poly];
    bool is_small = false, has_size = false;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        if (monomial.count == 0) {
            is_small = data.terms[i].coefficient < (sym_integer)1 << 30;
            continue;
        }
        const char *name = sym->atoms.data[monomial.atoms[0]].name;
        if (data.terms[i].coefficient > 0)
            return false;
        has_size |= name != NULL && !text_starts_with(name, "block.") && !text_starts_with(name, "grid.") && name[0] != '(';
    }
    return is_small && has_size;
}

static void propose_bounds(struct condition_search *search, struct proposal_list *list, const struct prove_open *open, sym_cond goal)
{
    struct sym_cond_data data = search->prove->sym->conds.data[goal];
    condition_bounds bounds = {0};
    if (data.kind != SYM_GE)
        return;
    sym_facts facts = {0};
    gather(search, open, NULL, &facts);
    condition_find_bounds(search, data.poly, &facts, &bounds);
    for (uint32_t i = 0; i < bounds.count; i++) {
        sym_poly value = bounds.data[i].value;
        uint32_t weight = condition_weight(search, value) + (caps_a_size(search, value) ? 20 : 0);
        propose(search, list, condition_relation(search, value), weight);
    }
}

struct operands {
    const char *names[10];
    uint32_t parameters[10];
    sym_integer low[10];
    uint32_t count;
};

/* Scalars that the question speaks of: of the goal first, then of the guards. */
static void add_operands(struct condition_search *search, struct operands *operands, sym_cond cond)
{
    const struct sym *sym = search->prove->sym;
    const struct contract *contract = search->contract;
    struct bitset *set = condition_scratch(search);
    sym_collect_cond_atoms(sym, cond, set);
    for (uint32_t p = 0; p < contract->parameters.count && operands->count < COUNT_OF(operands->names); p++) {
        sym_atom atom = condition_scalar_atom(search, p);
        bool known = atom == SYM_NONE || !bitset_has(set, atom);
        for (uint32_t i = 0; i < operands->count && !known; i++)
            known = operands->parameters[i] == p;
        if (known)
            continue;
        operands->parameters[operands->count] = p;
        operands->low[operands->count] = sym->atoms.data[atom].low;
        operands->names[operands->count++] = contract->parameters.data[p].name;
    }
}

/* Numbers that something may have to be a multiple of: coefficients of the goal. */
static void propose_multiples(struct condition_search *search, struct proposal_list *list, const struct operands *operands, sym_cond goal)
{
    struct sym *sym = search->prove->sym;
    struct sym_cond_data data = sym->conds.data[goal];
    sym_integer block, high, largest = 1;
    sym_interval(sym, search->prove->environment->block[0], &block, &high);
    if (data.kind == SYM_GE || data.kind == SYM_EQ) {
        struct sym_poly_data poly = sym->polys.data[data.poly];
        for (uint32_t i = 0; i < poly.count; i++) {
            sym_integer c = poly.terms[i].coefficient < 0 ? -poly.terms[i].coefficient : poly.terms[i].coefficient;
            if (sym->monomials.data[poly.terms[i].monomial].count != 0 && c > largest && c <= 65536)
                largest = c;
        }
    }
    for (uint32_t i = 0; i < operands->count && i < 3; i++) {
        const char *name = operands->names[i];
        struct arena *arena = search->prove->arena;
        if (block != high)
            propose(search, list, arena_printf(arena, "%s %% block.x == 0", name), 40);
        else if (block > 1)
            propose(search, list, arena_printf(arena, "%s %% %d == 0", name, (int)block), 40);
        for (sym_integer k = largest; k > 1 && k * 8 > largest; k /= 2)
            if (block != high || k != block)
                propose(search, list, arena_printf(arena, "%s %% %d == 0", name, (int)k), 41);
    }
}

static void propose_templates(struct condition_search *search, struct proposal_list *list, const struct prove_open *open, sym_cond goal,
                              enum finding_kind kind)
{
    const struct sym_environment *environment = search->prove->environment;
    struct arena *arena = search->prove->arena;
    struct operands operands = {.count = 0};
    add_operands(search, &operands, goal);
    for (uint32_t i = environment->facts.count; i < open->facts.count; i++)
        add_operands(search, &operands, open->facts.data[i]);
    for (uint32_t i = 0; i < operands.count && i < 5; i++)
        propose(search, list, arena_printf(arena, operands.low[i] < 0 ? "%s >= 0" : "%s >= 1", operands.names[i]), 30);
    for (uint32_t i = 0; i < operands.count && i < 5; i++)
        propose(search, list, arena_printf(arena, "%s >= 1", operands.names[i]), 31);
    if (kind == FINDING_INDEX_WRAP) {
        /* With a domain the sizes make the grid. */
        bool has_domain = search->contract->domain[0].root != CONTRACT_NONE;
        for (uint32_t i = 0; i < operands.count && i < 3 && has_domain; i++)
            propose(search, list, arena_printf(arena, "%s <= 2147483647", operands.names[i]), 33);
        for (int sign = 1; sign >= 0; sign--) {
            const char *limit = sign ? "4294967295" : "2147483647";
            for (uint32_t i = 0; i < operands.count && i < 3; i++)
                for (uint32_t k = i + 1; k < operands.count && k < 4; k++) {
                    bool in_order = operands.parameters[i] < operands.parameters[k];
                    propose(search, list,
                            arena_printf(arena, "%s * %s <= %s", operands.names[in_order ? i : k], operands.names[in_order ? k : i], limit), 35);
                }
        }
        propose(search, list, "grid.x * block.x <= 2147483647", 34);
        propose(search, list, "grid.y * block.y <= 2147483647", 36);
    } else {
        propose_multiples(search, list, &operands, goal);
        for (uint32_t i = 0; i < operands.count && i < 3; i++)
            for (uint32_t k = 0; k < operands.count && k < 3; k++)
                if (i != k)
                    propose(search, list, arena_printf(arena, "%s <= %s", operands.names[i], operands.names[k]), 45);
    }
}

/* ---- a site ------------------------------------------------------------------------------------------------------------- */

struct site_goal {
    const struct prove_open *open;
    sym_cond goal;
    sym_cond others[2];
    bool done;
};

struct site_search {
    struct condition_search *search;
    enum finding_kind kind;
    struct site_goal goals[GOALS_A_SITE];
    uint32_t count, tries_left;
    sym_facts taken;
    const char *texts[MOST_RELATIONS];
    uint32_t text_count;
};

static bool answers(struct site_search *site, const struct site_goal *goal, const sym_facts *extra, bool cheap)
{
    if (condition_answers(site->search, goal->open, goal->goal, extra, cheap))
        return true;
    for (int i = 0; i < 2; i++)
        if (goal->others[i] != SYM_FALSE && condition_answers(site->search, goal->open, goal->others[i], extra, cheap))
            return true;
    return false;
}

static bool add_goal(struct site_search *site, const struct prove_open *open, sym_cond goal)
{
    struct sym_cond_data data = site->search->prove->sym->conds.data[goal];
    bool is_whole = open->others[0] != SYM_FALSE || open->others[1] != SYM_FALSE;
    if (data.kind == SYM_AND && !is_whole)
        return add_goal(site, open, data.left) && add_goal(site, open, data.right);
    if (site->count == GOALS_A_SITE)
        return false;
    site->goals[site->count++] = (struct site_goal){.open = open, .goal = goal, .others = {open->others[0], open->others[1]}};
    return true;
}

/* One candidate for one goal. */
static bool try_text(struct site_search *site, struct site_goal *goal, const char *text, bool cheap)
{
    struct condition_search *search = site->search;
    if (site->tries_left == 0 || search->tries_left == 0)
        return false;
    sym_cond meaning = condition_parse(search, text);
    if (meaning == SYM_FALSE || meaning == SYM_TRUE)
        return false;
    for (uint32_t i = 0; i < goal->open->facts.count; i++)
        if (goal->open->facts.data[i] == meaning)
            return false; /* known already */
    sym_facts extra = {0};
    for (uint32_t i = 0; i < site->taken.count; i++)
        *vec_push(search->prove->arena, &extra) = site->taken.data[i];
    sym_facts_add(search->prove->kernel, &extra, meaning);
    site->tries_left--;
    search->tries_left--;
    if (!answers(site, goal, &extra, cheap) || !condition_is_possible(search, goal->open, &extra))
        return false;
    site->taken = extra;
    site->texts[site->text_count++] = text;
    return true;
}

/* Goals with alternatives are conjunctions: both halves ask for something. */
static void propose_for(struct site_search *site, struct proposal_list *list, const struct site_goal *goal, sym_cond part)
{
    struct sym_cond_data data = site->search->prove->sym->conds.data[part];
    if (data.kind == SYM_AND) {
        propose_for(site, list, goal, data.left);
        propose_for(site, list, goal, data.right);
        return;
    }
    propose_bounds(site->search, list, goal->open, part);
}

static bool solve_goal(struct site_search *site, struct site_goal *goal)
{
    struct proposal_list list = {0};
    uint32_t own;
    if (site->text_count == MOST_RELATIONS)
        return false;
    propose_for(site, &list, goal, goal->goal);
    for (int i = 0; i < 2; i++)
        if (goal->others[i] != SYM_FALSE)
            propose_for(site, &list, goal, goal->others[i]);
    own = list.texts.count;
    propose_templates(site->search, &list, goal->open, goal->goal, site->kind);
    for (uint32_t i = 0; i < site->search->texts.count; i++) /* what helped elsewhere */
        propose(site->search, &list, site->search->texts.data[i], 29);
    for (uint32_t i = 0; i < list.texts.count; i++)
        if (try_text(site, goal, list.texts.data[i], true))
            return true;
    for (uint32_t i = 0; i < own && i < DEAR_TRIES && i < list.texts.count; i++)
        if (try_text(site, goal, list.texts.data[i], false))
            return true;
    return false;
}

static bool mark_answered(struct site_search *site)
{
    bool all = true;
    for (uint32_t i = 0; i < site->count; i++) {
        if (!site->goals[i].done)
            site->goals[i].done = answers(site, &site->goals[i], &site->taken, true);
        all &= site->goals[i].done;
    }
    return all;
}

/* Without one of several relations, do the rest do? */
static void drop_needless(struct site_search *site)
{
    for (uint32_t drop = 0; drop < site->text_count && site->text_count > 1; drop++) {
        sym_facts rest = {0};
        bool enough = true;
        for (uint32_t i = 0; i < site->text_count; i++)
            if (i != drop)
                sym_facts_add(site->search->prove->kernel, &rest, condition_parse(site->search, site->texts[i]));
        for (uint32_t i = 0; i < site->count && enough; i++)
            enough = answers(site, &site->goals[i], &rest, true);
        if (!enough)
            continue;
        for (uint32_t i = drop; i + 1 < site->text_count; i++)
            site->texts[i] = site->texts[i + 1];
        site->text_count--;
        site->taken = rest;
        drop--;
    }
}

const char *condition_of_site(struct condition_search *search, uint32_t index, sym_facts *meaning)
{
    struct site_search *site = ARENA_NEW(search->prove->arena, struct site_search);
    struct buffer text;
    site->search = search;
    site->kind = search->prove->result->sites.data[index].kind;
    site->tries_left = TRIES_A_SITE;
    for (uint32_t i = 0; i < search->prove->opens.count; i++) {
        const struct prove_open *open = &search->prove->opens.data[i];
        if (open->site == index && open->goal != SYM_TRUE && !add_goal(site, open, open->goal))
            return NULL;
    }
    if (site->count == 0)
        return NULL;
    while (!mark_answered(site)) {
        uint32_t next = 0;
        while (site->goals[next].done)
            next++;
        if (!solve_goal(site, &site->goals[next]))
            return NULL;
        site->goals[next].done = true;
    }
    drop_needless(site);
    if (site->text_count == 0)
        return NULL; /* with what is held already */
    buffer_init(&text, search->prove->arena);
    for (uint32_t i = 0; i < site->text_count; i++) {
        buffer_printf(&text, "%s%s", i == 0 ? "" : ", ", site->texts[i]);
        bool known = false;
        for (uint32_t k = 0; k < search->texts.count; k++)
            known |= strcmp(search->texts.data[k], site->texts[i]) == 0;
        if (!known)
            *vec_push(search->prove->arena, &search->texts) = site->texts[i];
    }
    for (uint32_t i = 0; i < site->taken.count; i++)
        sym_facts_add(search->prove->kernel, meaning, site->taken.data[i]);
    return text.data;
}

/* Shapes for pointers that have none, if wraps are seen to. */
static void suggest_shapes(struct condition_search *search)
{
    struct prove *prove = search->prove;
    for (uint32_t p = 0; p < search->contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &search->contract->parameters.data[p];
        if (parameter->kind != CONTRACT_POINTER || prove->environment->extents[p] != SYM_NONE)
            continue;
        const char *text = suggest_extent_of(search, p, true, &search->held);
        for (uint32_t i = 0; i < prove->result->sites.count && text != NULL; i++) {
            struct check_site *site = &prove->result->sites.data[i];
            if (site->verdict == CHECK_NOT_ANALYSED && site->array != NULL && strcmp(site->array, parameter->name) == 0)
                site->suggestion = arena_printf(prove->arena, "LW_SHAPE(%s) on `%s`", text, parameter->name);
        }
    }
}

void prove_conditions(struct prove *prove)
{
    const struct contract *contract = prove->environment->contract;
    struct condition_search search;
    if (contract == NULL || contract->is_launch || prove->result->contract_contradicts)
        return;
    sym_facts of_wraps = {0};
    condition_begin(&search, prove);
    for (uint32_t i = 0; i < prove->result->sites.count; i++) {
        struct check_site *site = &prove->result->sites.data[i];
        sym_facts meaning = {0};
        if (site->verdict == CHECK_UNPROVED && finding_info(site->kind)->family == FAMILY_BOUNDS)
            site->condition = condition_of_site(&search, i, &meaning);
        if (site->verdict == CHECK_UNPROVED && site->depends_on_data && site->condition == NULL)
            site->suggestion = suggest_values_of(&search, i);
        for (uint32_t k = 0; k < meaning.count && site->kind == FINDING_INDEX_WRAP; k++)
            sym_facts_add(prove->kernel, &of_wraps, meaning.data[k]);
    }
    search.held = of_wraps;
    suggest_shapes(&search);
}
