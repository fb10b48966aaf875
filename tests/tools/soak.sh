#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: soak.sh FOLDER MINUTES JOBS      (from the root of the source tree)
#
# Two things that a single run of the suite can miss: tests that pass most of the time, and reports that depend on the
# number of worker threads.  Round after round until the time is over: every example's JSON report with different --jobs,
# compared byte by byte; then the suite in random order.

set -u
folder=$1
end=$(($(date +%s) + $2 * 60))
jobs=$3
lanewise=$folder/lanewise
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
rounds=0
bad=0

compare_jobs() {
    for file in examples/*.cu tests/cases/run/*.cu; do
        for threads in 1 2 7 "$jobs"; do
            "$lanewise" run --jobs "$threads" --format json "$file" >"$scratch/$threads.json" 2>&1
            echo "exit status $?" >>"$scratch/$threads.json"
            cmp -s "$scratch/1.json" "$scratch/$threads.json" && continue
            echo "$file: the report with --jobs $threads differs from that with --jobs 1"
            diff "$scratch/1.json" "$scratch/$threads.json" | head -n 20
            bad=$((bad + 1))
        done
    done
}

while [ "$(date +%s)" -lt "$end" ]; do
    compare_jobs
    ctest --test-dir "$folder" -j "$jobs" --timeout 300 --schedule-random --output-on-failure \
        --output-log "$folder/soak.log" >/dev/null 2>&1 || {
        awk -f tests/tools/summarise_tests.awk -v what=failures "$folder/soak.log"
        bad=$((bad + 1))
    }
    rounds=$((rounds + 1))
    echo "round $rounds: $bad things wrong so far"
done
[ "$bad" -eq 0 ]
