#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: tails_pages.sh LANEWISE FOLDER
#
# The page of an example is its test: each `$ ` command of the fenced blocks of FOLDER/README.md runs in a copy of the folder, and must
# print what stands below it there.

set -u
lanewise=$1 example=$2
tests=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cp -R "$example" "$scratch/inputs" || exit 2
awk '
    /^```/ { fenced = !fenced; shown = 0; next }
    fenced && /^\$ / { shown = 1 }
    fenced && shown { print; count++ }
    END { exit count == 0 }
' "$example/README.md" >"$scratch/page.test" || {
    echo "$example/README.md shows no command"
    exit 1
}
sh "$tests/cli/run_test.sh" "$lanewise" "$scratch/page.test"
