#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# How long `lanewise cost` takes for kernels of a folder of PTX files without a launch: cost_static.py LANEWISE FOLDER [FILES [SEED]]
# A random sample of files (400), at most two kernels of each; processor time of the whole process, the parsing of the file included.
import os, random, subprocess, sys

lanewise, folder = sys.argv[1], sys.argv[2]
count, seed = int(sys.argv[3]) if len(sys.argv) > 3 else 400, int(sys.argv[4]) if len(sys.argv) > 4 else 1
files = sorted(os.path.join(path, name) for path, _, names in os.walk(folder) for name in names if name.endswith(".ptx"))
random.Random(seed).shuffle(files)
times, failed = [], []


def spent():
    return os.times().children_user + os.times().children_system


for path in files[:count]:
    entries = [line.split("(")[0].split()[-1] for line in open(path, errors="replace") if ".entry" in line][:2]
    for entry in entries:
        before = spent()
        run = subprocess.run([lanewise, "cost", path, "--kernel", "^%s$" % entry], capture_output=True)
        times.append((spent() - before, os.path.relpath(path, folder), entry))
        if run.returncode != 0:
            failed.append((path, entry, run.returncode))
times.sort(reverse=True)
print("%d kernels of %d files: mean %.3f s, median %.3f s, longest %.3f s, over 0.3 s: %d" %
      (len(times), min(count, len(files)), sum(t[0] for t in times) / len(times), times[len(times) // 2][0], times[0][0], sum(t[0] > 0.3 for t in times)))
for seconds, path, entry in times[:10]:
    print("  %.2f s  %s  %s" % (seconds, path, entry))
for failure in failed:
    print("  failed: %s %s, exit status %d" % failure)
