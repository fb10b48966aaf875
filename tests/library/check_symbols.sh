#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check_symbols.sh LIBLANEWISE.SO LIBLANEWISE.A
#
# Both libraries show lw_* and nothing else; the shared one needs libc, libm and the loader, and neither Z3 nor libclang.

set -u
shared=$1 archive=$2
bad=0
shown=$(nm -D --defined-only "$shared" | awk '{ print $NF }' | grep -v '^lw_')
[ -n "$shown" ] && { echo "the shared library shows: $shown"; bad=1; }
shown=$(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | grep -v '^lw_')
[ -n "$shown" ] && { echo "the static library shows: $shown"; bad=1; }
for name in lw_device_open lw_module_load lw_request_launch lw_prepared_launch lw_buffer_read lw_test_run; do
    nm -D --defined-only "$shared" | grep -q " $name\$" || { echo "the shared library lacks $name"; bad=1; }
    nm -g --defined-only "$archive" | grep -q " $name\$" || { echo "the static library lacks $name"; bad=1; }
done
needed=$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -E '^(libc|libm|libdl|libpthread|ld-linux.*)\.so')
[ -n "$needed" ] && { echo "the shared library needs: $needed"; bad=1; }
ldd "$shared" | grep -E 'libz3|libclang|libLLVM|libcuda' && bad=1
exit "$bad"
