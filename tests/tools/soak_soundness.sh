#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: soak_soundness.sh FOLDER MINUTES JOBS SEED      (from the root of the source tree)
#
# Random kernels, proved and run, every tenth also as CUDA C.  Goes on behind the last seed of the run before: the numbers of all
# runs stand in FOLDER/soundness.txt (one file for each first seed), kernels that failed in FOLDER/soundness-failed/.

set -u
folder=$1
results=$folder/soundness.txt
[ "$4" = 1 ] || results=$folder/soundness-$4.txt
mkdir -p "$folder/soundness-failed" || exit 2
"$folder/tests/soundness/soundness" --seed "$4" --minutes "$2" --jobs "$3" --cuda-every 10 --wanted 90 --idioms \
    --results "$results" --keep "$folder/soundness-failed"
status=$?
echo "all numbers so far: $results"
exit "$status"
