/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside `lanewise cost`: values for fields of struct parameters and lengths of arrays in --launch.
 */
#ifndef LANEWISE_CLI_COST_FIELDS_H
#define LANEWISE_CLI_COST_FIELDS_H

#include "cli/cli.h"

struct cost_field {
    const char *name; /* "x.length"; of len(x) "x" */
    bool is_length;   /* len(NAME)=VALUE */
    struct launch_text value;
    struct place place;
};
struct cost_fields {
    VEC(struct cost_field) items;
};

/* Takes `x.length=1000` and `len(x)=1000` out of the text of --launch.  Gives the rest, each place in it where it was. */
const char *cost_take_fields(struct arena *arena, const char *text, struct cost_fields *fields);

/* The value that the text gives a parameter of the contract, or NULL: by its own name, or len(x) for the field x.length.  With `is_length`: the
 * number of elements of an array, by len(x) of the array itself or of the struct whose only array it is. */
const struct cost_field *cost_find_field(const struct cost_fields *fields, const struct contract *contract, uint32_t parameter, bool is_length);

#endif
