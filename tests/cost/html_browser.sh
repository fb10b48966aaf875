#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: html_browser.sh TEST_PROGRAM LANEWISE
#
# Opens pages of `lanewise cost --html` in a headless Chromium, at the width of a phone and of a desk, light and dark, with script and
# without: nothing may stick out, text must have contrast, marking must work, and hostile inputs must stay text.  html_browser.html has the
# checks.  Without Chromium the test is skipped.

set -u
program=$1
tool=$2
here=$(cd "$(dirname "$0")" && pwd)
browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && browser=$name && break
done
[ -n "$browser" ] || {
    echo "skipped: no Chromium (Debian: chromium)"
    exit 66
}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
"$program" --write "$folder" || exit 1
"$tool" cost "$here/inputs/branches.cu" --launch 'n=10000; k=5' --html "$folder/real.html" >/dev/null || exit 1
cp "$here/html_browser.html" "$folder/"

sandbox=
[ "$(id -u)" = 0 ] && sandbox=--no-sandbox # Chromium refuses to sandbox itself as root
status=0
for scheme in 1 0; do # light, dark
    # shellcheck disable=SC2086 # one word or none
    HOME=$folder timeout 100 "$browser" --headless $sandbox --disable-gpu --hide-scrollbars --window-size=1400,1000 \
        --user-data-dir="$folder/profile$scheme" --allow-file-access-from-files --blink-settings=preferredColorScheme=$scheme \
        --dump-dom "file://$folder/html_browser.html?dark=$((1 - scheme))" \
        >"$folder/dom" 2>"$folder/log"
    sed -n 's/^check: //p' "$folder/dom"
    if ! grep -q '^check: all done' "$folder/dom" || grep -q '^check: FAILED' "$folder/dom"; then
        status=1
        grep -q '^check: all done' "$folder/dom" || grep -v dbus "$folder/log" | tail -n 5
    fi
done
exit "$status"
