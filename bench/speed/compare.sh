#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Times the four kernels with Lanewise (all checks on), Oclgrind (plain, and with race and initialisation checks) and pocl, all with
# the same number of threads, kernel time alone, median of ROUNDS; prints the ratios.  Debian packages: oclgrind pocl-opencl-icd
# ocl-icd-opencl-dev opencl-c-headers gcc time.
#
#   bench/speed/compare.sh [--lanewise PATH] [--threads N] [--rounds N] [--only NAME]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
lanewise=$here/../../build/lanewise threads=2 rounds=3 only=
while [ $# -gt 0 ]; do
    case $1 in
    --lanewise) lanewise=$2 ;;
    --threads) threads=$2 ;;
    --rounds) rounds=$2 ;;
    --only) only=$2 ;;
    *) sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
for tool in oclgrind gcc "$lanewise"; do
    command -v "$tool" >/dev/null || { echo "compare.sh: $tool is not here" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O2 "$here/opencl.c" -lOpenCL -o "$work/opencl"
"$lanewise" run "$here/kernels.cu" --keep-ptx "$work/kernels.ptx" --launch "$(sed -n '/^stencil/s/^[^|]*| //p' "$here/launches.txt")" -q

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
repeat() { # repeat COMMAND...: median seconds
    for _ in $(seq "$rounds"); do "$@"; done | median
}
time_lanewise() { # a `--stats` line ends in "in S s, ..."
    "$lanewise" run "$work/kernels.ptx" --jobs "$threads" --stats --launch "$1" | sed -n 's/.* warp instructions in \([0-9.]*\) s.*/\1/p'
}
time_oclgrind() {
    options=$1 kernel=$2 size=$3
    # shellcheck disable=SC2086
    oclgrind --num-threads "$threads" $options "$work/opencl" "$here/kernels.cl" "$kernel" "$size" 2>/dev/null | tail -n 1
}
time_pocl() { POCL_MAX_PTHREAD_COUNT=$threads "$work/opencl" "$here/kernels.cl" "$1" "$2" warm; }
memory_of() { # peak of the tool alone, in KiB
    /usr/bin/time -f %M "$lanewise" run "$work/kernels.ptx" --jobs "$threads" -q --launch "$1" 2>&1 >/dev/null | tail -n 1
}

echo "threads: $threads; median of $rounds; seconds of the kernel alone"
printf '%-8s %9s %10s %10s %12s %9s %9s %9s\n' kernel size lanewise oclgrind '+checks' 'x plain' 'x checks' 'pocl'
while IFS='|' read -r head launch; do
    # shellcheck disable=SC2086
    set -- $head
    [ -z "$only" ] || [ "$only" = "$1" ] || continue
    ours=$(repeat time_lanewise "$launch")
    plain=$(repeat time_oclgrind "" "$1" "$2")
    checks=$(repeat time_oclgrind "--data-races --uninitialized" "$1" "$2")
    pocl=$(repeat time_pocl "$1" "$2")
    awk -v k="$1" -v n="$2" -v a="$ours" -v p="$plain" -v c="$checks" -v q="$pocl" \
        'BEGIN { printf "%-8s %9s %10.4f %10.3f %12.3f %9.1f %9.1f %9.6f\n", k, n, a, p, c, p / a, c / a, q }'
    [ ! -x /usr/bin/time ] || printf '%-18s peak memory %s KiB\n' '' "$(memory_of "$launch")"
done <"$here/launches.txt"
big="kernel: reduce; grid: 62501; block: 256; arg out: buf f32 len=62501 io=out; arg x: buf f32 len=16000001 io=in init=i%7; arg n: i32 16000001"
if [ -z "$only" ] || [ "$only" = reduce ]; then
    printf 'block reduction of 16,000,001: %s s (racecheck on an H200: 1.41 s)\n' "$(repeat time_lanewise "$big")"
    [ ! -x /usr/bin/time ] || printf '%-18s peak memory %s KiB\n' '' "$(memory_of "$big")"
fi
