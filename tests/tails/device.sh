#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: device.sh LANEWISE INPUTS
#
# `lanewise test --device cuda` and `--against cuda`: without a driver or a device they say so and exit 2, and pass nothing; with one, a right kernel is
# clean, and a wrong one is not.
set -u
tool=$1 file=$2/device.cu
for option in --device --against; do
    output=$("$tool" test "$file" --kernel right "$option" cuda 2>&1)
    status=$?
    case $status in
    0)
        echo "$option cuda: $output"
        "$tool" test "$file" --kernel wrong "$option" cuda >/dev/null 2>&1
        [ $? -eq 1 ] || { echo "$option cuda: a wrong result passes"; exit 1; }
        ;;
    2)
        echo "$output" | grep -q 'no launch can be made on cuda: ' || { echo "$option cuda: no reason: $output"; exit 1; }
        echo "$output" | grep -q 'clean' && { echo "$option cuda: passes without a device: $output"; exit 1; }
        echo "$output" | head -n 1
        ;;
    *)
        echo "$option cuda: exit $status: $output"
        exit 1
        ;;
    esac
done
exit 0
