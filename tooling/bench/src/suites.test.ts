// Runs every suite except bridge and kafka as a process on small data, and checks that all rows appear; measured values are not compared
// with bounds. Only for `npm run proof`.
import { describe, expect, test } from "vitest";
import { createHostileFiles } from "./data/hostile-files.ts";
import { rowsOf } from "./run-bench.ts";
import { appInputs } from "./suites/app-inputs.ts";

describe("rows", () => {
  test("core: every row of parsing and matching, with equal decisions", { timeout: 600_000 }, () => {
    const [core] = rowsOf("core");
    expect(core!.rows.map(({ work }) => work)).toEqual([
      "parse, mixed files (mean 2 KB)",
      "parse, mixed files, both from text",
      "parse and read every group, mixed files",
      "parse, 500 KB, many groups",
      "parse, 500 KB, one group",
      "parse, build, decide once, mixed files (mean 2 KB)",
      "parse, build, decide once, 500 KB, many groups",
      "parse, build, decide once, 500 KB, one group",
      ...["10", "100", "1,000", "10,000"].flatMap((count) =>
        ["plain", "mixed", "wildcards"].map((mix) => `match, ${count} rules, ${mix}`),
      ),
      "match, 10,000 wildcard rules, 2 KB paths",
      "match, /*a*a*a*a*a*a*a*a*a*b, 2,000 characters",
      "match, /*a*a*a*a*a*a*a*a*a*b, 8,000 characters",
    ]);
    for (const row of core!.rows) {
      expect(row["ratio"]).toBeGreaterThan(0);
      if (row["compared"] !== undefined) expect(row).toMatchObject({ different: 0, ourAllowed: row["theirAllowed"] });
    }
  });

  test("fetch: http and https, against node:http and, if installed, curl", { timeout: 600_000 }, () => {
    const [fetching] = rowsOf("fetch");
    const rows = fetching!.rows.map(({ name, other }) => `${name} ${other}`);
    expect(rows.filter((row) => !row.includes("curl"))).toEqual([
      "http, 500 at 256 node:http(s), agent: false",
      "http, 500 at 256 1 in 11 fails",
      "https, 500 at 256 node:http(s), agent: false",
    ]);
    for (const { ratio, peakMb } of fetching!.rows) expect(ratio ?? peakMb).toBeGreaterThan(0);
  });

  test("hostile: ordinary files, fixed shapes, and files found by the search", { timeout: 600_000 }, () => {
    const [hostile] = rowsOf("hostile");
    const files = hostile!.rows.map(({ file }) => String(file));
    expect(files.slice(0, -3)).toEqual([
      "ordinary, many groups",
      "ordinary, one group",
      "ordinary, hostile paths",
      ...createHostileFiles(1).map(({ name }) => name),
    ]);
    expect(files.slice(-3).map((file) => file.split(": ").slice(0, 2))).toEqual(
      ["parse", "build", "decide"].map((goal) => ["worst found by search", goal]),
    );
    for (const row of hostile!.rows) expect(row["parseMs"]).toBeGreaterThan(0);
  });

  test("url: both lists, with equal origins", () => {
    const [url] = rowsOf("url");
    expect(url!.rows).toMatchObject([
      { urls: "URLs of 5,000 hosts", differentOrigins: 0 },
      { urls: "URLs of one host", differentOrigins: 0 },
    ]);
  });

  test("verify: log addresses and spread addresses, as numbers and as text", () => {
    const [verify] = rowsOf("verify");
    const rows = [
      "IPv4 as numbers",
      "IPv6 as numbers",
      "IPv4 from text",
      "IPv6 from text",
      "claims with product token and text",
    ];
    expect(verify!.rows.map(({ check }) => check)).toEqual([...rows, ...rows.map((row) => `${row}, spread`)]);
    for (const row of verify!.rows) {
      expect(row["found"]).toBeGreaterThan(0);
      expect(row["found"]).toBeLessThan(1_000);
    }
  });

  test("app: every input, compressed and divided inputs, with equal decisions", { timeout: 1_200_000 }, () => {
    const [app] = rowsOf("app", "--records", "500");
    const names = appInputs.filter(({ origins }) => origins <= 1000).map(({ name }) => name);
    const inputs = ["NDJSON thin", "NDJSON wide"];
    expect(app!.rows.map(({ input }) => input)).toEqual([
      ...names,
      ...["gz", "zst"].flatMap((ending) => inputs.map((input) => `${input}, .${ending}`)),
      ...inputs.map((input) => `${input}, two processes`),
    ]);
    for (const row of app!.rows) {
      expect(row["wall"]).toBeGreaterThan(0);
      expect(row["allowed"]).toBe(row["plainAllowed"]);
      expect(row["allowed"]).toBeGreaterThan(0);
    }
  });

  test("audit: a compressed log, two processes, dense logs, every kind of history", { timeout: 600_000 }, () => {
    const [audit] = rowsOf("audit", "--records", "2000");
    expect(audit!.rows.map(({ name }) => name)).toEqual([
      "combined log, .gz",
      "combined log, .gz, history, candidate, verification, HTML",
      "two halves in two processes, merged",
      "dense log, 1 robots.txt for each host",
      "dense log, 5 robots.txt for each host",
      ...["folder", "cache", "NDJSON", "snapshot", "WARC"].map((kind) => `history from a ${kind}`),
    ]);
    for (const { ourCpuMs } of audit!.rows) expect(ourCpuMs).toBeGreaterThan(0);
  });

  test("cache: cost of put and get, and bytes on disk", { timeout: 600_000 }, () => {
    const [cache] = rowsOf("cache");
    expect(cache!.rows.map(({ work }) => work)).toEqual(["put and get", "on disk"]);
    expect(cache!.rows[0]!["ofFetch"]).toBeGreaterThan(0);
    expect(cache!.rows[1]!["megabytes"]).toBeGreaterThan(0);
  });

  test("bounded: saved, requested, single and dead origins; every record gets its rows", { timeout: 600_000 }, () => {
    const [bounded] = rowsOf("bounded", "--records", "1000");
    expect(bounded!.rows.map(({ name, records, origins }) => [name, records, origins])).toEqual([
      ["saved, many origins", 1_000, 100],
      ["network, many origins", 300, 100],
      ["saved, one origin", 5_000, 1],
      ["many crawlers, many origins", 5, 5],
      ["many crawlers, many origins, --matcher-bytes 16M", 5, 5],
      ["many crawlers, many origins, --ordered", 5, 5],
      ["many crawlers, one origin", 5, 1],
      ["many crawlers, one origin, --matcher-bytes 16M", 5, 1],
      ["one in ten dead", 200, 10],
      ["one in ten dead, --ordered", 200, 10],
    ]);
    for (const { peakMb } of bounded!.rows) expect(peakMb).toBeGreaterThan(0);
  });

  test("agents: one, several, and one per record", { timeout: 600_000 }, () => {
    const [agents] = rowsOf("agents", "--records", "500");
    expect(agents!.rows.map(({ asked, rows }) => [asked, rows])).toEqual([
      ["1 agent", 500],
      ["8 agents", 4_000],
      ["41 agents", 20_500],
      ["8 agents, --rows record", 500],
      ["41 agents, --rows record", 500],
      ["1 agent, wide records", 500],
      ["the agent of each record", 500],
    ]);
    for (const row of agents!.rows) expect(row["cpu"]).toBeGreaterThan(0);
  });

  test("memory: bytes held per file", { timeout: 600_000 }, () => {
    const [memory] = rowsOf("memory", "--only", "10,000 origins");
    expect(memory!.rows.map(({ holding }) => holding)).toEqual([
      "parsed file",
      "parsed file, groups read",
      "matcher, decided once",
      "matcher, hot",
      "robots-parser",
    ]);
    // With so few origins, uncollected garbage outweighs the objects, so the test only checks that there is a number.
    for (const row of memory!.rows) expect(Number.isFinite(row["heldBytes"])).toBe(true);
  });
});
