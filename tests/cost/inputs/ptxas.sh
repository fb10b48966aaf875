#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Says what ptxas -v would, for tests on machines without it.
cat >&2 <<'END'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5scalePfPKffj' for 'sm_80'
ptxas info    : Function properties for _Z5scalePfPKffj
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 72 registers, used 0 barriers, 1024 bytes smem, 376 bytes cmem[0]
END
