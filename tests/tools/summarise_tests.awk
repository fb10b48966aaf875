# SPDX-License-Identifier: Apache-2.0
#
# Reads the log of ctest --output-on-failure and prints, by `what`:
#   counts    passed, failed and skipped, in one line
#   times     seconds and name of each test that ran
#   failures  for each failed test its line and what it printed, at most 60 lines of it

/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
    name = $0
    sub(/^[^#]*#[0-9]+: /, "", name)
    sub(/ .*/, "", name)
    shown = 0
    showing = 0
    if ($0 ~ /\*\*\*Skipped|\*\*\*Not Run \(Disabled\)/) {
        skipped++
    } else if ($0 ~ / Passed +[0-9.]+ sec/) {
        passed++
    } else {
        failed++
        showing = 1
    }
    if ($(NF) == "sec" && what == "times")
        printf "%9.2f s  %s\n", $(NF - 1), name
}

/^ +Start +[0-9]+: / { next }
/^[0-9]+% tests passed, / { showing = 0 }

what == "failures" && showing && shown < 60 {
    print
    if (++shown == 60)
        print "[more of it in the log]"
}

END {
    if (what == "counts")
        print passed + 0, failed + 0, skipped + 0
}
