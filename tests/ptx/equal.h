/* SPDX-License-Identifier: Apache-2.0
 *
 * Do two modules mean the same, places in the text apart?  And: does a module survive printing?
 */
#ifndef LANEWISE_TESTS_PTX_EQUAL_H
#define LANEWISE_TESTS_PTX_EQUAL_H

#include "ptx/ptx.h"

/* NULL if they are equal, else the first difference in words. */
const char *modules_differ(struct arena *arena, const struct ptx_module *a,
                           const struct ptx_module *b);
/* Prints, parses, compares, prints again; NULL if all is well, else what went wrong.  The module must be free of errors. */
const char *roundtrip_fails(struct arena *arena, const struct ptx_module *module);

#endif
