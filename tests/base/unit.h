/* SPDX-License-Identifier: Apache-2.0
 *
 * What every unit test of base includes: cmocka with the headers that it wants first.
 */
#ifndef LANEWISE_TESTS_BASE_UNIT_H
#define LANEWISE_TESTS_BASE_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"

#endif
