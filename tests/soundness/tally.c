/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting, printing, and the file that a long run leaves.
 */
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH_FOR_SHARES = 4000 };

void tally_idiom_add(struct tally *tally, const char *name, bool proved, uint64_t seed,
                     uint32_t line)
{
    struct tally_idiom *idiom = NULL;
    for (uint32_t i = 0; i < tally->idiom_count && idiom == NULL; i++)
        if (strcmp(tally->idioms[i].name, name) == 0)
            idiom = &tally->idioms[i];
    if (idiom == NULL) {
        if (tally->idiom_count == TALLY_IDIOMS)
            return;
        idiom = &tally->idioms[tally->idiom_count++];
        snprintf(idiom->name, sizeof idiom->name, "%s", name);
    }
    idiom->sites++;
    if (!proved) {
        if (idiom->unproved < TALLY_EXAMPLES) {
            idiom->examples[idiom->unproved] = seed;
            idiom->lines[idiom->unproved] = line;
        }
        idiom->unproved++;
    }
}

void tally_slow_add(struct tally *tally, uint64_t seed, uint64_t microseconds)
{
    uint32_t at = TALLY_SLOW;
    while (at > 0 && tally->slow[at - 1].microseconds < microseconds)
        at--;
    if (at == TALLY_SLOW)
        return;
    memmove(&tally->slow[at + 1], &tally->slow[at], (TALLY_SLOW - 1 - at) * sizeof tally->slow[0]);
    tally->slow[at].seed = seed;
    tally->slow[at].microseconds = microseconds;
}

bool tally_save(const struct tally *tally, const char *path)
{
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.new", path) >= (int)sizeof temporary)
        return false;
    FILE *file = fopen(temporary, "w");
    if (file == NULL)
        return false;
#define NUMBER(name) fprintf(file, #name " %llu\n", (unsigned long long)tally->name);
    TALLY_NUMBERS(NUMBER)
#undef NUMBER
    for (uint32_t i = 0; i < FEATURE_COUNT; i++)
        fprintf(file, "feature: %s %llu\n", feature_text(i),
                (unsigned long long)tally->features[i]);
    return fclose(file) == 0 && rename(temporary, path) == 0;
}

/* "feature: signed guard 12": splits off the number. */
static char *split(char *line, uint64_t *number)
{
    char *blank = strrchr(line, ' ');
    if (blank == NULL)
        return NULL;
    *number = strtoull(blank + 1, NULL, 10);
    *blank = '\0';
    return line;
}

bool tally_load(struct tally *tally, const char *path)
{
    char line[256];
    memset(tally, 0, sizeof *tally);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL) {
        uint64_t number;
        if (split(line, &number) == NULL)
            continue;
#define NUMBER(name)                                                                               \
    if (strcmp(line, #name) == 0)                                                                  \
        tally->name = number;
        TALLY_NUMBERS(NUMBER)
#undef NUMBER
        for (uint32_t i = 0; i < FEATURE_COUNT; i++)
            if (strncmp(line, "feature: ", 9) == 0 && strcmp(line + 9, feature_text(i)) == 0)
                tally->features[i] = number;
    }
    fclose(file);
    return true;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

static int worse(const void *left, const void *right)
{
    const struct tally_idiom *a = left, *b = right;
    return a->unproved != b->unproved ? (a->unproved < b->unproved ? 1 : -1)
                                      : strcmp(a->name, b->name);
}

static void print_idioms(const struct tally *tally)
{
    struct tally_idiom *sorted = malloc(sizeof tally->idioms);
    if (sorted == NULL)
        return;
    memcpy(sorted, tally->idioms, sizeof tally->idioms);
    qsort(sorted, tally->idiom_count, sizeof *sorted, worse);
    printf("sites of never-faulting kernels that are not proved, by what they come from "
           "(seed:line):\n");
    for (uint32_t i = 0; i < tally->idiom_count && sorted[i].unproved != 0; i++) {
        printf("  %6llu of %6llu  %-46s", (unsigned long long)sorted[i].unproved,
               (unsigned long long)sorted[i].sites, sorted[i].name);
        for (uint32_t k = 0; k < TALLY_EXAMPLES && k < sorted[i].unproved; k++)
            printf(" %llu:%u", (unsigned long long)sorted[i].examples[k], sorted[i].lines[k]);
        printf("\n");
    }
    free(sorted);
}

static bool print_features(const struct tally *tally)
{
    uint64_t kernels = tally->kernels - tally->cuda_kernels;
    bool good = true;
    printf("features (share of the kernels written as PTX):\n");
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
        double share = percent(tally->features[i], kernels);
        bool rare = share < 10.0 && kernels >= ENOUGH_FOR_SHARES;
        printf("  %5.1f %%  %s%s\n", share, feature_text(i), rare ? "   <-- less than 10 %" : "");
        good &= !rare;
    }
    return good;
}

bool tally_print(const struct tally *tally, double wanted_percent, bool with_idioms)
{
    const struct tally *t = tally;
    bool good = print_features(t);
    if (with_idioms)
        print_idioms(t);
    printf("%llu kernels (%llu of them CUDA C), %llu right by construction; %llu faulted in some "
           "launch\n",
           (unsigned long long)t->kernels, (unsigned long long)t->cuda_kernels,
           (unsigned long long)t->right_kernels, (unsigned long long)t->faulted);
    printf("%llu launches, %llu ended by the step limit\n", (unsigned long long)t->launches,
           (unsigned long long)t->step_limit);
    printf("%llu sites, %.1f %% proved\n", (unsigned long long)t->sites,
           percent(t->sites_proved, t->sites));
    printf("right by construction: %llu sites, %.1f %% proved\n",
           (unsigned long long)t->right_sites, percent(t->right_proved, t->right_sites));
    printf("never faulting: %llu sites, %.1f %% proved\n", (unsigned long long)t->still_sites,
           percent(t->still_proved, t->still_sites));
    printf("prover: %.1f ms a kernel, %llu queries, %llu calls of the solver; launches: %.1f ms a "
           "kernel\n",
           t->kernels == 0 ? 0 : (double)t->prove_microseconds / 1e3 / (double)t->kernels,
           (unsigned long long)t->queries, (unsigned long long)t->solver_calls,
           t->kernels == 0 ? 0 : (double)t->run_microseconds / 1e3 / (double)t->kernels);
    for (uint32_t i = 0; i < TALLY_SLOW && t->slow[i].microseconds > 1000000; i++)
        printf("slow: seed %llu, %.1f s\n", (unsigned long long)t->slow[i].seed,
               (double)t->slow[i].microseconds / 1e6);
    if (t->faulted_right != 0) {
        printf("%llu kernels that were meant to be right faulted: the generator is wrong\n",
               (unsigned long long)t->faulted_right);
        good = false;
    }
    printf("%llu unsound, %llu failed (crash, time limit, unreadable)\n",
           (unsigned long long)t->unsound, (unsigned long long)t->failures);
    if (t->still_sites != 0 && percent(t->still_proved, t->still_sites) < wanted_percent) {
        printf("fewer than %.0f %% of the sites of never-faulting kernels are proved\n",
               wanted_percent);
        good = false;
    }
    return good && t->unsound == 0 && t->failures == 0 && t->kernels != 0;
}
