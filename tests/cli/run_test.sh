#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs one .test file: run_test.sh LANEWISE FILE.test
#
# A .test file is a transcript.  A line that begins with `$ ` is a command (with `> ` lines that continue it); the lines up to the
# next command are its output, both streams together; a last line `[exit N]` is its exit status when that is not 0.  Lines before the
# first command say what the test is about.  Commands run in a fresh folder that holds a copy of inputs/, with `lanewise` in the PATH.
#
# With UPDATE=1 in the environment the transcript is written anew from what happens now: read the difference before it is committed.

set -u
tool=$1
test_file=$2
inputs=$(dirname "$test_file")/inputs

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/work" "$folder/tmp" || exit 2
ln -s "$tool" "$folder/bin/lanewise" || exit 2
cp -R "$inputs/." "$folder/work/" || exit 2
PATH=$folder/bin:$PATH
TMPDIR=$folder/tmp
export PATH TMPDIR
unset NO_COLOR GITHUB_ACTIONS LANEWISE_CLANG LANEWISE_NVCC LANEWISE_DATA
TERM=xterm
export TERM

actual=$folder/actual
: >"$actual"

# Runs the command that was read and adds what it does to the transcript.
flush() {
    [ -n "$command" ] || return 0
    printf '%s\n' "$shown" >>"$actual"
    (cd "$folder/work" && sh -c "$command") >"$folder/output" 2>&1 </dev/null
    status=$?
    cat "$folder/output" >>"$actual"
    # An output that does not end its last line would run into what follows.
    [ -s "$folder/output" ] && [ -n "$(tail -c 1 "$folder/output")" ] && echo >>"$actual"
    [ "$status" -eq 0 ] || echo "[exit $status]" >>"$actual"
    command=
}

newline='
'
command=
shown=
state=head
while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    '$ '*)
        flush
        command=${line#'$ '}
        shown=$line
        state=command
        ;;
    '> '*)
        if [ "$state" = command ]; then
            command=$command$newline${line#'> '}
            shown=$shown$newline$line
        fi
        ;;
    *)
        if [ "$state" = head ]; then
            printf '%s\n' "$line" >>"$actual"
        else
            state=output
        fi
        ;;
    esac
done <"$test_file"
flush

if [ -n "${UPDATE:-}" ]; then
    cp "$actual" "$test_file"
    exit 0
fi
if [ -n "$(ls -A "$folder/tmp")" ]; then
    echo "temporary files were left behind:"
    ls -lA "$folder/tmp"
    exit 1
fi
diff -u "$test_file" "$actual"
