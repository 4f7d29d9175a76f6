"""The ways of running: each function runs commands with both versions, and compares the ways of the new version with one another."""

import collections
import csv
import gzip
import io
import json
import os
import random
import re
import signal
import subprocess
import time

from running import frame, remove, stats_of
from world import DAY, HOSTS, PATHS, Request, iso_time

EVIDENCE = ["rejects", "stats"]
PLAIN_ANSWERS = (0, 1, 3)


# Decisions


def compare_decisions(seed):
    """Decides the inputs in every way. `seed.rows` is the result of the plain run; None if the flags are refused."""
    seed.saved = ["--robots-history", "history"] if "--as-of-record" in seed.flags else ["--robots", "robots"]
    if "--verify" in seed.flags:
        ranges = f"{seed.new.checkout}/examples/ranges/gptbot.json"
        seed.run("ranges import", ["ranges", "import", "openai-gptbot", ranges, "--ranges", "ranges", "--at", "2026-06-01"])
    files = seed.world.files
    seed.evidence_flags = seed.flags + ["--ordered", "--rejects", "rejects", "--stats-json=stats"]
    plain = seed.run("decide", seed.evidence_flags + seed.saved + files, EVIDENCE, {"stats": stats_of})
    seed.rows = plain if plain["exit code"] in PLAIN_ANSWERS and plain["stats"] else None
    for_people = [flag for flag in without(seed.flags, "--output") if flag != "--csv-safe"] + ["--output", "table", "--summary"]
    if "record" not in seed.flags:
        # The widths of columns follow the pieces in which rows arrive.
        seed.run("decide for people", for_people + ["--ordered"] + seed.saved + files, parse={"stdout": without_widths})
    if seed.rows is None:
        return
    read_counts_add_up(seed, plain["stats"]["records"])
    compare_checkpoint(seed)
    compare_shards(seed)
    compare_compressed(seed)
    if len(files) == 1:
        compare_pipe(seed)
        compare_library(seed)


def without(flags, name):
    at = flags.index(name)
    return flags[:at] + flags[at + 2:]


def without_widths(table):
    return re.sub(rb" +", b" ", table)


def read_counts_add_up(seed, records):
    parts = ["decided", "rejects", "notDecided", "elsewhere", "outside"]
    if records["read"] != sum(records[part] for part in parts):
        seed.tell("sum of records", str(records))


def compare_checkpoint(seed):
    """Kills the run twice, and continues it from its checkpoint. `--ordered` is not allowed with it."""
    for name in ("checkpoint", "rows", *EVIDENCE):
        remove(f"{seed.new.folder}/{name}")
    arguments = [flag for flag in seed.evidence_flags if flag != "--ordered"] + seed.saved
    arguments += ["--checkpoint", "checkpoint", "--resume", "--output-file", "rows"] + seed.world.files
    for _ in range(2):
        process = seed.new.start(arguments)
        try:
            process.wait(seed.rng.uniform(0.12, 0.6))
            break
        except subprocess.TimeoutExpired:
            process.send_signal(seed.rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
            process.wait()
    else:
        process = seed.new.start(arguments)
    result = seed.new.end(process, ["rows", *EVIDENCE])
    seed.count("checkpoint", result)
    found = {"exit code": result["exit code"], "rows": result["rows"], "rejects": result["rejects"],
             "counts": counts_after_kills(stats_of(result["stats"]) if result["stats"] else None)}
    expected = {"exit code": seed.rows["exit code"], "rows": seed.rows["stdout"], "rejects": seed.rows["rejects"],
                "counts": counts_after_kills(seed.rows["stats"])}
    seed.expect("checkpoint", expected, found, arguments)


def counts_after_kills(stats):
    """The counts that every checkpoint contains. `earlier` counts the records of the killed processes, which `because` leaves out."""
    if stats is None:
        return None
    records = {name: count for name, count in stats["records"].items() if name != "earlier"}
    agents = [{name: value for name, value in agent.items() if name != "because"} for agent in stats["agents"]]
    return {"records": records, "agents": sorted(agents, key=json.dumps)}


def compare_shards(seed):
    """The shards together give the rows of one run, whatever their order; each shard reports every reject."""
    shards = seed.rng.choice([2, 3])
    results = []
    for number in range(1, shards + 1):
        result = seed.run_new("shard", seed.evidence_flags + ["--shard", f"{number}/{shards}"] + seed.saved + seed.world.files, EVIDENCE)
        seed.expect(f"shard {number}/{shards}", {part: seed.rows[part] for part in ("exit code", "rejects")}, result)
        if not result["stats"]:
            return
        results.append(result)
    form = seed.flags[seed.flags.index("--output") + 1]
    rows = sum((rows_of(result["stdout"], form) for result in results), collections.Counter())
    expected = rows_of(seed.rows["stdout"], form)
    if rows != expected:
        seed.tell("shards", f"missing {list(expected - rows)[:2]}, added {list(rows - expected)[:2]}")
    seed.expect("shards", counts_of_shards([seed.rows["stats"]]), counts_of_shards([stats_of(result["stats"]) for result in results]))


def rows_of(data, form):
    """The rows as a multiset, without the heading of tables."""
    if form == "ndjson" or not data:
        return collections.Counter(data.splitlines())
    text = io.StringIO(data.decode("latin1"), newline="")
    reader = csv.reader(text) if form == "csv" else csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE)
    return collections.Counter(map(tuple, list(reader)[1:]))


def counts_of_shards(all_stats):
    counts = collections.Counter()
    for stats in all_stats:
        for name in ("decided", "alike", "noCrawler", "furtherCrawlers", "timeless", "zoneless"):
            counts[name] += stats["records"].get(name) or 0
        for agent in stats["agents"]:
            for answer in ("allowed", "disallowed", "undecided"):
                counts[(agent["agent"], agent["dialect"], answer)] += agent[answer]
        for origin in stats["topOrigins"]:
            counts[origin["origin"]] += origin["records"]
    return {"counts": {str(name): count for name, count in counts.items() if count}}


def nameless(result):
    """What does not depend on the names and sizes of the input files."""
    stats = result["stats"]
    kept = ["records", "agents", "rowsLeftOut", "unknownCrawlers", "topOrigins", "topRules", "ended", "origins"]
    return {"exit code": result["exit code"], "stdout": result["stdout"],
            "rejects": re.sub(rb'(?m)^\{"source":"[^"]*"', b"", result["rejects"]),
            "stats": stats and {name: stats[name] for name in kept}}


def compare_with_rows(seed, way, result, arguments):
    result["stats"] = stats_of(result["stats"]) if result["stats"] else None
    seed.expect(way, nameless(seed.rows), nameless(result), arguments)


def compare_compressed(seed):
    ending = seed.rng.choice(["gz", "zst"])
    files = []
    for name in seed.world.files:
        data = seed.new.read(name)
        files.append(f"{name}.{ending}")
        with open(f"{seed.new.folder}/{files[-1]}", "wb") as file:
            file.write(gzip.compress(data) if ending == "gz" else
                       subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout)
    arguments = seed.evidence_flags + seed.saved + files
    compare_with_rows(seed, f"compressed as {ending}", seed.run_new("compressed", arguments, EVIDENCE), arguments)


def compare_pipe(seed):
    """Sends the input in pieces of odd sizes, with pauses."""
    data = seed.new.read(seed.world.files[0])
    pieces = seed.rng.choice(["tiny", "odd", "line", "big"])

    def feed(stdin):
        rng = random.Random(seed.number)
        at = 0
        while at < len(data):
            size = {"tiny": rng.randint(1, 7) if at < 4000 else rng.randint(1, 5000),
                    "odd": rng.choice([1, 3, 4095, 4097, 65_535, 65_537]),
                    "line": (data.find(b"\n", at) + 1 or len(data)) - at,
                    "big": 131_072}[pieces]
            stdin.write(data[at:at + size])
            stdin.flush()
            at += size
            if rng.random() < (0.002 if pieces == "line" else 0.01):
                time.sleep(0.01)

    arguments = seed.evidence_flags + seed.saved
    compare_with_rows(seed, f"pipe, {pieces} pieces", seed.run_new("pipe", arguments, EVIDENCE, feed=feed), arguments)


OPTIONS = {"--agent": "agents", "--agent-field": "agentField", "--dialect": "dialects", "--rows": "rows", "--only": "only",
           "--base": "base", "--output": "output", "--target": "target", "--max-line-bytes": "maxLineBytes"}


def compare_library(seed):
    """Decides with decideStream, if it has an option for each flag."""
    options = {}
    flags = list(seed.flags)
    while flags:
        flag = flags.pop(0)
        if flag == "--no-fallback":
            options["fallback"] = False
        elif flag == "--csv-safe":
            options["csvSafe"] = True
        elif flag in ("--matcher-bytes", "--park-bytes"):
            flags.pop(0)
        elif flag in OPTIONS:
            value = flags.pop(0)
            is_list = flag in ("--agent", "--dialect", "--only")
            options[OPTIONS[flag]] = value.split(",") if is_list else int(value) if value.isdigit() else value
        else:
            return
    program = [seed.new.command[0], f"{os.path.dirname(os.path.abspath(__file__))}/library.mjs"]
    arguments = [json.dumps(options), seed.world.files[0], "robots", "rows", "counts"]
    result = seed.run_new("decideStream", arguments, ["rows", "counts"], command=program)
    # A program has no exit code for an input without a URL; decideStream reports an error.
    if seed.rows["exit code"] != 0:
        return
    seed.expect("decideStream", {"exit code": 0, "rows": seed.rows["stdout"]}, result, arguments)
    if result["counts"]:
        records = seed.rows["stats"]["records"]
        expected = {"decided": records["decided"], "rejects": records["rejects"], "reported": records["rejects"]}
        seed.expect("decideStream", {"counts": expected}, {"counts": json.loads(result["counts"])}, arguments)


# Saved robots.txt files


def compare_sources(seed):
    """Makes every kind of archive of the same robots.txt files. All must decide alike; `seed.sources` is what --robots can name."""
    folder = seed.saved[1]
    lines = "observations.ndjson" if folder == "history" else "entries.ndjson"
    newest = [] if folder == "history" else ["--newest"]
    seed.run("cache import", ["cache", "import", lines, "--cache", "cache"])
    seed.run("export", ["cache", "export", "--cache", "cache", "--output-file", "saved.ndjson"], ["saved.ndjson"])
    seed.run("export", ["cache", "export", "--cache", "cache", "--output", "warc", "--output-file", "saved.warc.gz"], ["saved.warc.gz"],
             {"saved.warc.gz": without_ids})
    seed.run("export", ["cache", "export", "--cache", "cache", "--snapshot", "snapshot", *newest])
    seed.run("fetch --add", ["fetch", "--snapshot", "parts", "--parts", "3", "--add", "snapshot"])
    seed.run("cache import", ["cache", "import", "saved.warc.gz", "--cache", "second"])
    seed.run("cache ls", ["cache", "ls", "--cache", "cache", "--output", seed.rng.choice(["text", "ndjson"])])
    seed.run("cache sitemaps", ["cache", "sitemaps", "--cache", "second"])
    host = seed.rng.choice(HOSTS)
    more = seed.rng.choice([[], ["--history"], ["--output", "ndjson"], ["--body"], ["--at", "2026-06-01"]])
    seed.run("cache show", ["cache", "show", f"https://{host}", "--cache", "second", *more])
    seed.sources = [folder, "saved.ndjson", "saved.warc.gz", "snapshot", "parts", "cache", "second"]
    if seed.rows is None:
        return
    for source in seed.rng.sample(seed.sources[1:], 3):
        arguments = seed.evidence_flags + [seed.saved[0], source] + seed.world.files
        result = seed.run(f"decide by {source}", arguments, EVIDENCE, {"stats": stats_of})
        seed.expect(f"{folder} and {source}", {part: seed.rows[part] for part in ("exit code", "stdout", "rejects")}, result, arguments)


def without_ids(archive):
    """A WARC without its records' ids and the time of the export, which its first record has."""
    text = re.sub(rb"<urn:uuid:[^>]*>", b"<#>", gzip.decompress(archive))
    return re.sub(rb"WARC-Date: [^\r]*", b"WARC-Date: #", text, count=1)


# Audits


def compare_audits(seed):
    """Audits the log in every output; the merged audits of its parts are the audit of the whole."""
    rng = seed.rng
    world = seed.world
    source = rng.choice(seed.sources)
    flags = [seed.saved[0], source]
    # A file is for one origin.
    needs_base = world.log_kind in ("combined", "w3c") or (flags[0] == "--robots" and source.startswith("saved."))
    if needs_base or rng.random() < 0.3:
        flags += ["--base", "https://h1.example"]
    for share, more in [
        (0.2, ["--candidate", "robots"]),
        (0.2, ["--query-values"]),
        (0.2, ["--from", "2026-02-15"]),
        (0.2, ["--to", "2026-11-15"]),
        (0.2, ["--log-timezone", "Asia/Tokyo"]),
        (0.1, ["--sample-rate", "1/10"]),
    ]:
        if rng.random() < share:
            flags += more
    of_output = rng.choice([[], ["--timezone", "Europe/Berlin"], ["--title", "A title"], ["--fail-on", "violations>3"]])
    table = rng.choice(["times", "decisions", "directories", "crossings", "flips", "parameters", "methods", "fetches", "sizes",
                        "firstFetches", "graceMinutes", "pace", "referrals", "otherAgents"])
    outputs = {"json": [], "text": of_output, "html": of_output, "csv": ["--table", table]}
    whole = {}
    for form, more in outputs.items():
        arguments = ["audit", *world.log_parts, *flags, "--output", form, *more]
        whole[form] = seed.run(f"audit as {form}", arguments)
    if whole["json"]["exit code"] != 0:
        return
    parts = []
    for file in world.log_parts:
        parts.append(f"{file}.json")
        seed.run("audit of a part", ["audit", file, *flags, "--output", "json", "--output-file", parts[-1]], [parts[-1]])
    rng.shuffle(parts)
    for form in ["json", rng.choice(["text", "html", "csv"])]:
        merged = seed.run(f"merge as {form}", ["merge", *parts, "--output", form, *outputs[form]])
        seed.expect(f"merge as {form}", {part: whole[form][part] for part in ("exit code", "stdout")}, merged, flags)


# Questions: lint, explain, diff, detect, origins, answer


def compare_questions(seed):
    rng = seed.rng
    saved = sorted(os.listdir(f"{seed.new.folder}/robots"))
    texts = [f"robots/{name}" for name in saved if name.endswith(".txt")]
    seed.run("lint", ["lint", *texts, "--output", rng.choice(["text", "ndjson", "sarif", "github"])])
    urls = [f"{rng.choice(['http', 'https'])}://{rng.choice(HOSTS)}{rng.choice(['', ':8443'])}{rng.choice(PATHS)}" for _ in range(6)]
    agent = rng.choice([["--agent", "Googlebot-Image,bingbot"], ["--agent", "AcmeBot"], ["--agents", "ads"]])
    dialect = rng.choice([[], ["--dialect", "google,rfc9309"], ["--target", "normalized"]])
    source = ["--robots", rng.choice([name for name in seed.sources if name != "history"])]
    origins = [f"https://{name[:-4]}" for name in saved if name.endswith(".txt") and "@" not in name]
    seed.run("lint of saved files", ["lint", *origins, *source])
    seed.run("explain", ["explain", *urls, *agent, *dialect, *source, "--output", rng.choice(["text", "ndjson"])])
    if len(texts) > 1:
        seed.run("diff", ["diff", *texts[:2], *seed.world.log_parts, "--base", "https://h1.example"])
    seed.run("detect", ["detect", *seed.world.files, *seed.world.log_parts])
    seed.run("origins", ["origins", *seed.world.log_parts])
    compare_answers(seed, agent, source)


def compare_answers(seed, agent, source):
    rng = seed.rng
    dialect = rng.choice([[], ["--dialect", "rfc9309"], ["--target", "normalized"]])
    requests = [Request(rng, number, [1_767_225_600 + day * DAY for day in (5, 150, 300)]) for number in range(300)]
    urls = [rng.choice([None, "", b"\xff\x00\n", "mailto:x"]) if rng.random() < 0.05 else request.url for request in requests]
    user_agents = [request.user_agent or None for request in requests]
    for flags, frames in [
        ([*agent, *dialect, *source], frame([urls], 300) + frame([[]], 0)),
        (["--user-agents", *dialect, *source], frame([urls, user_agents], 300)),
        (["--origins"], frame([urls], 300)),
        ([*agent, *source], frame([urls], 300)[:-rng.randint(1, 4000)]),
    ]:
        seed.run("answer", ["answer", "--stdio", *flags], feed=lambda stdin: stdin.write(frames))
