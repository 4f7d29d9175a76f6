#!/usr/bin/env python3
"""The same input, decided in every way and by two versions, must give the same answers, counts and messages.

    python3 tooling/differential/differential.py --old CHECKOUT [--new CHECKOUT] [--node NODE] FIRST LAST

Each seed from FIRST to LAST makes robots.txt files, a history, inputs (eleven formats, damaged lines among them), a log and random
command lines. Every command below runs with both versions; exit code, stdout, stderr and files are compared. Besides, the runs of the
new version are compared with one another: a run from a checkpoint after kills, shards, compressed files, a slow pipe, decideStream,
each kind of saved robots.txt files, and the merged audits of the parts of a log.

A line that begins with DIFF tells each difference; the files of its seed are kept. A version that alone refuses an input, a time-out
and a failure of this program are differences, too. The exit code is 1 if there was one. Both checkouts must be built. Without --old,
only the ways of the new version are compared. A seed takes about 15 seconds of CPU time.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import sys
import tempfile
import time
import traceback

from running import Side, difference
from ways import compare_audits, compare_decisions, compare_questions, compare_sources
from world import World, decide_flags


class Seed:
    """The runs of one seed. `differences` collects what is found."""

    def __init__(self, number, options):
        self.number = number
        self.rng = random.Random(number)
        self.folder = f"{options.keep}/{number}"
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(f"{self.folder}/world")
        self.world = World(self.rng, f"{self.folder}/world")
        self.flags = decide_flags(self.world)
        checkouts = {"new": options.new, **({"old": options.old} if options.old else {})}
        self.sides = [
            Side(name, checkout, options.node, f"{self.folder}/world", f"{self.folder}/{name}") for name, checkout in checkouts.items()]
        self.new = self.sides[0]
        self.exit_codes = collections.Counter()
        self.differences = 0

    def run(self, way, arguments, files=(), parse=None, **more):
        """Runs a command with each version at the same time, compares the results, and returns that of the new one."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            results = list(pool.map(lambda side: side.run(arguments, files, **more), self.sides))
        for result in results:
            self.count(way, result)
        for result in results:
            for name in parse or {}:
                result[name] = parse[name](result[name]) if result[name] else None
        if results[0]["exit code"] == "time-out":
            self.tell(way, "time-out", arguments)
        if len(results) == 2:
            self.expect(f"old and new: {way}", results[1], results[0], arguments)
        return results[0]

    def run_new(self, way, arguments, files=(), **more):
        result = self.new.run(arguments, files, **more)
        self.count(way, result)
        return result

    def count(self, way, result):
        """Refusals are counted with their message: a way whose runs are all refused compares nothing."""
        code = result["exit code"]
        message = result["stderr"].decode("utf-8", "replace").split("\n")[0] if code == 2 else ""
        self.exit_codes[way, code, message] += 1

    def expect(self, way, expected, actual, arguments=()):
        """Compares the parts that `expected` has."""
        found = difference(expected, actual)
        if found:
            self.tell(way, found, arguments)

    def tell(self, way, found, arguments=()):
        self.differences += 1
        print(f"DIFF seed {self.number} | {way} | {found} | {self.world.kinds} {' '.join(arguments)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--new", default=os.path.dirname(os.path.dirname(here)), help="a built checkout [the one of this program]")
    parser.add_argument("--old", help="a built checkout of another version")
    parser.add_argument("--node", default="node", help="the Node that runs both")
    parser.add_argument("--keep", help="the folder for the files of seeds with a difference [a temporary one]")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    options = parser.parse_args()
    options.new = os.path.abspath(options.new)
    options.old = options.old and os.path.abspath(options.old)
    options.keep = os.path.abspath(options.keep or tempfile.mkdtemp(prefix="differential-"))

    started = time.time()
    exit_codes = collections.Counter()
    bad = []
    for number in range(options.first, options.last + 1):
        seed = None
        try:
            seed = Seed(number, options)
            for compare in (compare_decisions, compare_sources, compare_audits, compare_questions):
                compare(seed)
            is_bad = seed.differences > 0
        except Exception:
            traceback.print_exc()
            print(f"DIFF seed {number} | this program failed", flush=True)
            is_bad = True
        exit_codes.update(seed.exit_codes if seed else {})
        if is_bad:
            bad.append(number)
        else:
            shutil.rmtree(seed.folder)
    count = options.last - options.first + 1
    for (way, code, message), runs in sorted(exit_codes.items(), key=str):
        print(f"{runs} x {way}: exit code {code} {message[:120]}")
    print(f"{count} seeds, {exit_codes.total()} runs, {len(bad)} seeds with differences {bad or ''} in {time.time() - started:.0f} s")
    if bad:
        print(f"their files are in {options.keep}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
