/* SPDX-License-Identifier: Apache-2.0
 *
 * What the unit tests of launch share: cmocka with the headers that it wants first, and an arena a test.
 */
#ifndef LANEWISE_TESTS_LAUNCH_UNIT_H
#define LANEWISE_TESTS_LAUNCH_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch/launch.h"

#include <stdlib.h>
#include <string.h>

static int setup(void **state)
{
    struct arena *arena = malloc(sizeof *arena);
    arena_init(arena);
    *state = arena;
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    free(*state);
    return 0;
}

#endif
