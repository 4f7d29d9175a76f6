"""Runs the command of a built checkout in a folder of its own, and names the first difference between two runs."""

import json
import os
import re
import shutil
import struct
import subprocess
import threading

SECONDS = 120


class Side:
    """One checkout, with its own copy of the seed's files."""

    def __init__(self, name, checkout, node, world_folder, folder):
        self.name = name
        self.checkout = checkout
        self.command = [node, f"{checkout}/apps/robots-stream/bin/cli.js"]
        self.folder = folder
        shutil.copytree(world_folder, folder, copy_function=os.link)

    def start(self, arguments, stdin=subprocess.DEVNULL, command=None):
        """The outputs go into files, so that nobody has to read pipes at the same time."""
        environment = {**os.environ, "NO_COLOR": "1", "C": self.checkout, "ROBOTS_STREAM_CACHE": f"{self.folder}/no-cache"}
        with open(f"{self.folder}/stdout", "wb") as out, open(f"{self.folder}/stderr", "wb") as err:
            return subprocess.Popen(
                (command or self.command) + arguments, stdin=stdin, stdout=out, stderr=err, cwd=self.folder, env=environment)

    def end(self, process, files=()):
        """Waits for the process, and returns its result: what a user can see of the run."""
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = "time-out"
        return {"exit code": code, "stdout": self.read("stdout"), "stderr": without_times(self.read("stderr")),
                **{name: self.read(name) for name in files}}

    def run(self, arguments, files=(), feed=None, command=None):
        """`feed` writes to the process's stdin; `files` are what the run writes besides stdout and stderr."""
        for name in files:
            remove(f"{self.folder}/{name}")
        process = self.start(arguments, subprocess.PIPE if feed else subprocess.DEVNULL, command)
        if feed:
            feeder = threading.Thread(target=feed_and_close, args=(feed, process.stdin))
            feeder.start()
        result = self.end(process, files)
        if feed:
            feeder.join()
        return result

    def read(self, name):
        try:
            with open(f"{self.folder}/{name}", "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""


def feed_and_close(feed, stdin):
    try:
        feed(stdin)
    except BrokenPipeError:
        pass  # a run that refuses its input does not read it
    try:
        stdin.close()
    except BrokenPipeError:
        pass


def remove(path):
    if os.path.exists(path):
        os.remove(path)


def without_times(stderr):
    """Takes out of stderr what differs between two runs of the same version: times, rates, memory, temporary paths, process ids."""
    for pattern, replacement in [
        (rb"\d[\d.,]* ?(ms|s|min|MiB|GiB|records/s)\b", b"#"),
        (rb"/tmp/[\w./-]+", b"/tmp/#"),
        (rb"\(node:\d+\)", b"(node:#)"),
    ]:
        stderr = re.sub(pattern, replacement, stderr)
    return stderr


OF_THE_CLOCK = ["startedAt", "endedAt", "seconds", "cpuSeconds", "peakMemoryBytes", "recordsPerSecond"]


def stats_of(data):
    """The counts of --stats-json. The order of elements with equal counts is not promised."""
    document = json.loads(data)
    for name in OF_THE_CLOCK:
        del document[name]
    for name in ["agents", "unknownCrawlers", "topOrigins", "topRules"]:
        document[name] = sorted(document[name], key=json.dumps)
    return document


def difference(expected, actual):
    """Names the parts of two results that differ, with their first different line; an empty text if none does."""
    found = []
    for part in expected:
        if expected[part] != actual[part]:
            found.append(f"{part}: {first_difference(expected[part], actual[part])}")
    return "; ".join(found)


def first_difference(expected, actual):
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in expected.keys() | actual.keys():
            if expected.get(name) != actual.get(name):
                return f"{name}: {first_difference(expected.get(name), actual.get(name))}"
    if not isinstance(expected, bytes) or not isinstance(actual, bytes):
        return f"{short(expected)} -> {short(actual)}"
    old, new = expected.split(b"\n"), actual.split(b"\n")
    number = next((at for at, (one, other) in enumerate(zip(old, new)) if one != other), min(len(old), len(new)))
    sides = [side[number] if number < len(side) else b"(end)" for side in (old, new)]
    # A line of a page has thousands of characters.
    start = max(0, len(os.path.commonprefix(sides)) - 60)
    lines = [("…" if start else "") + short(side[start:]) for side in sides]
    return f"{len(old)} lines -> {len(new)} lines; line {number + 1}: {lines[0]} -> {lines[1]}"


def short(value):
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return ascii(text if len(text) <= 240 else text[:240] + "…")


# Frames of `answer --stdio`: docs/SCALE.md describes them.


def frame(columns, rows):
    """A request. A column has one text, bytes or None for each row."""
    parts = [struct.pack("<II", rows, len(columns))]
    for column in columns:
        values = [value.encode() if isinstance(value, str) else value for value in column]
        bitmap = bitmap_of(values)
        offsets = [0]
        for value in values:
            offsets.append(offsets[-1] + len(value or b""))
        parts += [struct.pack("<I", len(bitmap)), bitmap, struct.pack(f"<{len(offsets)}I", *offsets)]
        parts += [value or b"" for value in values]
    body = b"".join(parts)
    return struct.pack("<I", len(body)) + body


def bitmap_of(column):
    bits = bytearray((len(column) + 7) // 8)
    for row, value in enumerate(column):
        if value is not None:
            bits[row // 8] |= 1 << row % 8
    return bytes(bits) if None in column else b""
