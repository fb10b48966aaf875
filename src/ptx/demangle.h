/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ptx: the parts of a demangled name.
 */
#ifndef LANEWISE_PTX_DEMANGLE_H
#define LANEWISE_PTX_DEMANGLE_H

#include "ptx/ptx.h"

struct demangled {
    const char *text;           /* void a::scale<float>(float*, int) */
    const char *without_result; /* a::scale<float>(float*, int) */
    const char *name;           /* a::scale<float> */
};

/* False if `name` is not a mangled function or variable that is understood. */
bool demangle_parts(struct arena *arena, const char *name, struct demangled *parts);

#endif
