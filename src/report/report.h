/* SPDX-License-Identifier: Apache-2.0
 *
 * report: findings as data, and their forms: text in rustc's shape, JSON (schema lanewise/1), SARIF, JUnit, GitHub.
 * A finding's id, kind and default severity come from findings.def; everything else is filled by whoever found it.
 */
#ifndef LANEWISE_REPORT_H
#define LANEWISE_REPORT_H

#include "base/base.h"

/* findings.def: FINDING(name, id number, "kind", severity, family, "title"): severity is ERROR WARNING NOTE, family BOUNDS SYNC
 * RACES RESULT LAUNCH COST PROGRAM.
 * One number may have several kinds (LW102: oob-shared, oob-local, oob-const): each is a row of its own. */
enum finding_family { FAMILY_BOUNDS, FAMILY_SYNC, FAMILY_RACES, FAMILY_RESULT, FAMILY_LAUNCH, FAMILY_COST, FAMILY_PROGRAM };

enum finding_kind {
#define FINDING(name, number, kind, severity, family, title) FINDING_##name,
#include "report/findings.def"
#undef FINDING
    FINDING_KIND_COUNT
};

struct finding_info {
    unsigned number;  /* 101: printed as LW101 */
    const char *kind; /* "oob-global" */
    enum severity severity;
    enum finding_family family;
    const char *title;
};
const struct finding_info *finding_info(enum finding_kind kind);
/* The kind whose text is `kind`, or FINDING_KIND_COUNT. */
enum finding_kind finding_kind_find(const char *kind);

enum finding_status { STATUS_SEEN, STATUS_VIOLATED, STATUS_INFERRED };

/* Another place that belongs to a finding: the other access of a race, who waits where, where a value came from. */
struct finding_note {
    struct place place; /* line 0: none */
    const char *message;
};

/* A thread of a launch. valid bit 0: block is known, bit 1: thread is known. */
struct finding_thread {
    uint32_t block[3], thread[3];
    uint8_t valid;
};

struct report_launch;
struct finding {
    enum finding_kind kind;
    enum severity severity;
    enum finding_status status;
    struct place place;       /* the user's line; else the PTX line */
    struct place ptx_place;   /* where in the PTX; line 0: none */
    const char *kernel;       /* entry name (mangled) */
    const char *kernel_shown; /* for people */
    const char *message;      /* what `kernel_shown` does: "reads 4 bytes past the end of `vals`"; shown after the kernel's name,
                                 after a colon when it begins with something other than a verb: "36 of 64 threads ..." */
    const char *label;        /* short text under the caret, may be NULL */
    const char *array;        /* array or parameter concerned, or NULL */
    struct finding_thread first;  /* the first thread (block order, then thread order) */
    struct finding_thread second; /* the other thread of a pair */
    bool has_index;
    int64_t index;            /* element index, or byte offset when element_size is 1 */
    uint64_t extent;          /* elements */
    uint32_t element_size;
    uint64_t count;           /* how many threads (or times) it was seen; 1 if single */
    VEC(struct finding_note) notes;
    const char *help;         /* what to do; NULL: none */
    const char *condition;    /* a relation that would prove it; NULL */
    const char *reproduce;    /* command line; NULL */
    const struct report_launch *launch; /* the launch that shows it, when it is not the kernel's */
};

/* Verdicts of one kernel, for JSON and the closing lines. */
enum verdict { VERDICT_NONE, VERDICT_PROVED, VERDICT_VIOLATED, VERDICT_UNPROVED };

/* What a proof says of one site: an access, or a division, of one line and array. */
enum site_verdict { SITE_UNREACHABLE, SITE_PROVED, SITE_NOT_ANALYSED, SITE_UNPROVED, SITE_VIOLATED };
struct report_site {
    enum finding_kind kind;
    enum site_verdict verdict;
    struct place place;
    uint32_t ptx_line;
    const char *array;      /* NULL: unknown, or a division */
    uint32_t copies;        /* instructions */
    bool is_read, is_write;
    const char *reason;     /* not proved: what is missing; NULL */
    const char *proof;      /* how it was proved, several lines; NULL */
    const char *condition;  /* a relation that would prove it; NULL */
    const char *suggestion; /* a line of a contract that would help; NULL */
};

/* How long an array must be, as `check --suggest` reads it off the accesses. */
struct report_extent {
    const char *array, *extent; /* NULL: none was found */
    bool is_new;                /* false: the contract had it already */
    uint32_t sites, proved;     /* accesses, with the whole suggestion */
    const char *reason;         /* not all proved; NULL */
};

/* The launch that was run or asked about, for reports. */
struct report_scalar {
    const char *name, *type, *value; /* as text: exact and the same everywhere */
};

struct report_launch {
    bool known;
    uint64_t grid[3], block[3], dynamic_shared;
    VEC(struct report_scalar) scalars;
};

struct report_kernel {
    const char *name;  /* entry name */
    const char *shown; /* demangled */
    struct place place;
    enum verdict bounds, sync, races;
    uint64_t sites_proved, sites_violated, sites_unproved, sites_not_analysed, sites_unreachable;
    bool has_run;            /* executed by the emulator */
    uint64_t blocks, threads_per_block, blocks_run;
    uint64_t warp_instructions;
    uint64_t launches;         /* of a test: how many were run; 0: it is none */
    uint64_t launches_planned; /* by all parts together */
    VEC(const char *) parts;   /* "2/8": which parts these were; none: the whole */
    uint64_t launches_unfinished; /* of these, how many reached a limit; `unfinished_why` of the first */
    const char *unfinished_why;
    VEC(const char *) missed;  /* of a test: transitions that the user's sizes leave out, sentences */
    uint64_t results_compared; /* elements compared with what the launch comment wants */
    double seconds;          /* kernel time; printed only with --stats */
    const char *stopped;     /* why it did not finish (limit, unsupported instruction), or NULL */
    struct place stopped_at; /* line 0: unknown */
    struct report_launch launch;
    VEC(struct finding) findings;
    /* of a proof: */
    bool has_proof;
    bool has_contract;        /* false: nothing was said of its parameters */
    VEC(struct report_site) sites; /* sorted by report_finish */
    VEC(const char *) assumptions; /* sentences */
    VEC(const char *) assumed;     /* relations that the command line adds to the contract */
    const char *not_analysed; /* why the whole kernel was not; NULL */
    const char *admitted;     /* a launch that the contract admits; NULL: none known */
    const char *suggested;    /* a contract to paste, several lines; NULL: none was asked for */
    VEC(struct report_extent) extents;
    double proof_seconds;     /* printed only with --stats, as are the next two */
    uint64_t queries, solver_calls;
};

struct report {
    struct arena *arena;
    const char *command;    /* "run", "check", "verify"... */
    VEC(struct report_kernel) kernels;
    VEC(struct diagnostic) diagnostics; /* input errors */
    const char *version;    /* of the tool, for the machine formats; NULL: left out */
    const char *root;       /* folder that SARIF and GitHub paths are relative to; NULL: paths as they stand */
    uint32_t errors, warnings, notes; /* findings, counted by report_finish */
    uint32_t stopped;       /* kernels that did not finish, counted by report_finish */
};

void report_init(struct report *report, struct arena *arena, const char *command);
struct report_kernel *report_add_kernel(struct report *report);
/* Sorts findings (place, id, array), joins those of one (id, line pair, array), counts severities. */
void report_finish(struct report *report);

struct report_style {
    bool colour;
    bool quiet;        /* no verdict lines when clean */
    bool stats;
    bool proofs;           /* also how sites were proved */
    bool with_diagnostics; /* input errors first */
    uint32_t max_findings; /* 0: all */
    /* Reads a source file for the excerpt; NULL: no excerpts. Text must outlive the call. */
    const char *(*read_source)(void *context, const char *path);
    void *context;
};

void report_print_text(const struct report *report, const struct report_style *style, struct buffer *out);
void report_print_json(const struct report *report, struct buffer *out);
void report_print_sarif(const struct report *report, struct buffer *out);
void report_print_junit(const struct report *report, struct buffer *out);
void report_print_github(const struct report *report, struct buffer *out);
/* One diagnostic in the same shape. */
void report_print_diagnostic(const struct diagnostic *diagnostic, const struct report_style *style,
                             struct buffer *out);

/* ---- for other forms of a finding --------------------------------------------------------------- */

const char *report_severity_name(enum severity severity);
/* Bytes of the character that `text` begins with; 0 if it is no valid UTF-8.  `text` is zero-terminated. */
unsigned report_utf8_size(const char *text);

/* Adds what a JSON report of ours says to `report`.  False when the text is none: `trouble` at `line`. */
bool report_merge_json(struct report *report, const char *text, size_t size, const char **trouble, uint32_t *line);
/* After the last report: a part that never came is as unfinished as one that reached a limit. */
void report_merge_finish(struct report *report);

/* ---- JSON reading ------------------------------------------------------------------------------- */

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };
struct json_node {
    enum json_kind kind;
    uint32_t line;
    const char *key;  /* of a member of an object */
    const char *text; /* STRING; NUMBER as written */
    double number;
    struct json_node *first, *next; /* members */
};
/* NULL when the text is no JSON: `trouble` at `line`. */
struct json_node *json_read(struct arena *arena, const char *text, size_t size, const char **trouble, uint32_t *line);
/* The member of an object, or NULL. */
const struct json_node *json_find(const struct json_node *object, const char *key);

/* ---- JSON writing ------------------------------------------------------------------------------- */

struct json_writer {
    struct buffer *out;
    uint32_t depth;
    bool pretty;
    bool needs_comma, after_key;
};
void json_init(struct json_writer *json, struct buffer *out, bool pretty);
void json_object_begin(struct json_writer *json);
void json_object_end(struct json_writer *json);
void json_array_begin(struct json_writer *json);
void json_array_end(struct json_writer *json);
void json_key(struct json_writer *json, const char *key);
void json_string(struct json_writer *json, const char *text); /* NULL: null */
void json_integer(struct json_writer *json, int64_t value);
void json_unsigned(struct json_writer *json, uint64_t value);
/* A key with its value. */
void json_add_text(struct json_writer *json, const char *key, const char *text);
void json_add_number(struct json_writer *json, const char *key, uint64_t value);
void json_add_boolean(struct json_writer *json, const char *key, bool value);
void json_add_optional(struct json_writer *json, const char *key, const char *text); /* NULL: nothing */
/* What a finding is, where and how often: members of an object that is begun.  `kernel`: its entry, where the finding does not say. */
void json_add_finding(struct json_writer *json, const struct finding *finding, const char *kernel);
/* The places beside it, and what to do about it. */
void json_add_finding_advice(struct json_writer *json, const struct finding *finding);
void json_number(struct json_writer *json, double value);
void json_boolean(struct json_writer *json, bool value);

#endif
