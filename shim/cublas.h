// SPDX-License-Identifier: Apache-2.0
//
// The first cuBLAS interface is not here; programs that include its header mostly call the second.

#include "cublas_v2.h"
