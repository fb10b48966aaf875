/* SPDX-License-Identifier: Apache-2.0
 *
 * What the proofs use of the module `witness`, under its former name.
 */
#ifndef LANEWISE_CHECK_WITNESS_H
#define LANEWISE_CHECK_WITNESS_H

#include "witness/witness.h"

#endif
