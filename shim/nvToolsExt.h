// SPDX-License-Identifier: Apache-2.0
//
// The older place of the profiler's markers.

#include "nvtx3/nvToolsExt.h"
