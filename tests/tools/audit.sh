#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: audit.sh MINUTES JOBS      (from the root of the source tree)
#
# The long checks, by hand: the unit tests and some examples under valgrind (in a build without AVX-512, which valgrind does
# not know), clang-tidy over src/, the page of cost in Chromium, and each fuzzer for MINUTES.

set -u
minutes=$1
jobs=$2
passed=0
failed=0

count() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
    fi
}

build() {
    folder=$1
    shift
    cmake -S . -B "$folder" -G Ninja "$@" >/dev/null && ninja -C "$folder" --quiet
}

# An error of the program and an error of memory both make valgrind's exit status differ from the expected one.
check_valgrind() {
    expected=$1
    shift
    valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        "$@" >build/valgrind.log 2>&1
    status=$?
    [ "$status" -eq "$expected" ] || {
        tail -n 40 build/valgrind.log
        return 1
    }
}

echo "---- valgrind ----"
build build
count $? "the build in build/"
# valgrind always rounds to nearest, so that directed rounding comes out wrong: no lane operations.
for name in $(ctest --test-dir build -N -R '^unit/' | sed -n 's,^ *Test *#[0-9]*: unit/,,p' | grep -v '^lanes'); do
    program=$(find build/tests -name "test_$name" -type f)
    check_valgrind 0 "$program"
    count $? "valgrind $program"
done
for stem in scale_tail copy_2d transpose stencil_2d; do
    for file in examples/${stem}_good.cu examples/${stem}_bad.cu; do
        [ -f "$file" ] || continue
        # The first run says what the status should be.
        build/lanewise run --isa avx2 --jobs 1 "$file" >/dev/null 2>&1
        check_valgrind $? build/lanewise run --isa avx2 --jobs 1 "$file"
        count $? "valgrind on $file"
    done
done

echo "---- clang-tidy ----"
find src -name '*.c' | sort | xargs -n 1 -P "$jobs" clang-tidy-19 --quiet -p build >build/tidy.log 2>/dev/null
grep -E '(warning|error): ' build/tidy.log | sort -u >build/tidy.txt
[ ! -s build/tidy.txt ]
count $? "clang-tidy: $(wc -l <build/tidy.txt) complaints, in build/tidy.txt"

echo "---- browser ----"
ctest --test-dir build -R '^cost/html_browser$' --no-tests=error --output-on-failure >build/browser.log 2>&1
count $? "the page of cost in Chromium: see build/browser.log"

echo "---- fuzzers ----"
build build-fuzz -DCMAKE_C_COMPILER=clang-19 -DLANEWISE_FUZZ=ON -DLANEWISE_SANITIZE=ON
count $? "the build in build-fuzz/"
for fuzzer in build-fuzz/tests/fuzz/fuzz_*; do
    if [ ! -x "$fuzzer" ] || [ -d "$fuzzer" ]; then
        continue
    fi
    name=$(basename "$fuzzer")
    mkdir -p "build-fuzz/corpus/$name"
    "$fuzzer" -max_total_time=$((minutes * 60)) -artifact_prefix="build-fuzz/$name-" -print_final_stats=1 \
        "build-fuzz/corpus/$name" >"build-fuzz/$name.log" 2>&1
    count $? "$name: see build-fuzz/$name.log"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
