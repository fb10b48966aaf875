#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# `lanewise cost` beside what run.sh read: compare.py LANEWISE NCU.csv [-v]
import csv, json, os, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))


def number(row, name):
    return float(row[name].replace(",", ""))


def measured(path):
    lines = [line for line in open(path) if line.startswith('"')]
    table = csv.DictReader(lines)
    next(table)  # units
    return {row["Kernel Name"].split("(")[0]: row for row in table}


def counted(lanewise, name, launch):
    environment = dict(os.environ, LANEWISE_PTXAS="none")
    run = subprocess.run([lanewise, "cost", os.path.join(here, "kernels.cu"), "--compiler", "nvcc", "--kernel", "^%s$" % name,
                          "--launch", launch, "--format", "json"], capture_output=True, env=environment, check=True)
    return json.loads(run.stdout)["kernels"][0]


def sums(kernel, kinds):
    picked = [i["count"] for i in kernel["instructions"] if i["kind"] in kinds and "requests" in i["count"]]
    return sum(c["requests"] for c in picked), sum(c["sectors"] for c in picked), sum(c["passes"] for c in picked), sum(c["conflicts"] for c in picked)


def percent(ours, theirs):
    return "%+.1f %%" % (100 * (ours - theirs) / theirs) if theirs else "-"


def main():
    rows = measured(sys.argv[2])
    verbose = "-v" in sys.argv
    print("kernel            warps      threads  issued PTX  machine     lanes on (PTX, estimate, ncu)   efficiency %        loads: sectors/request    stores: sectors/request   shared passes")
    for line in open(os.path.join(here, "launches.txt")):
        name, launch = line.split(None, 1)
        row, kernel = rows[name], counted(sys.argv[1], name, launch.strip())
        total, start = kernel["total"], kernel["launch"]
        issued = number(row, "smsp__inst_executed.sum")
        on = number(row, "smsp__thread_inst_executed_pred_on.sum") / issued
        # What leaves the kernel is an EXIT, and what is predicated no branch: the profiler counts neither.
        conditional = [b for b in kernel["branches"] if not b["is_exit"] and not b["is_predicated"]]
        lanes = kernel["machine"]["lanes_on"]
        executed = sum(b["executed"] for b in conditional)
        divided = sum(b["divided"] for b in conditional)
        targets = number(row, "smsp__sass_branch_targets.sum")
        divergent = number(row, "smsp__sass_branch_targets_threads_divergent.sum")
        loads, stores = sums(kernel, ["global load"]), sums(kernel, ["global store"])
        shared = sums(kernel, ["shared load", "shared store"])

        def ratio(op):
            requests = number(row, "l1tex__t_requests_pipe_lsu_mem_global_op_%s.sum" % op)
            sectors = number(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum" % op)
            return requests, sectors / requests if requests else 0

        wavefronts = sum(number(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum" % op) for op in ("ld", "st"))
        same = start["warps"] == number(row, "smsp__warps_launched.sum") and start["threads"] == number(row, "launch__thread_count")
        ld, st = ratio("ld"), ratio("st")
        print("%-16s %8d %10d%s %10d %10d   %5.2f %5.2f %5.2f %-8s   %6.2f %6.2f  %7d %5.2f | %7d %5.2f   %7d %5.2f | %7d %5.2f   %7d %7d" %
              (name, start["warps"], start["threads"], "=" if same else "!", total["issued"], issued, total["lanes_on"], lanes, on,
               percent(lanes, on), 100 - 100 * divided / executed if executed else 100, 100 - 100 * divergent / targets if targets else 100,
               loads[0], loads[1] / loads[0] if loads[0] else 0, ld[0], ld[1], stores[0], stores[1] / stores[0] if stores[0] else 0, st[0], st[1],
               shared[2], wavefronts))
        if verbose:
            print("    branches:", [(b["line"], b["class"], b["executed"], b["divided"]) for b in conditional], "machine targets", targets, "divergent", divergent,
                  "uniform", number(row, "smsp__sass_branch_targets_threads_uniform.sum"), "threads", number(row, "smsp__thread_inst_executed.sum") / issued, total["active_lanes"])


main()
