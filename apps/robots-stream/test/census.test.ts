// Tests the command census: its sources, the groups of a list, parts and merge, formats and exit codes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CensusDocument } from "@robots-stream/census";
import { lineOfEntry, SnapshotWriter } from "@robots-stream/engine/archives";
import type { StoredRobots } from "@robots-stream/fetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "./here.ts";

let folder = "";

function entryOf(origin: string, day: string, text: string): StoredRobots {
  const fetchedAt = Date.parse(day);
  const hops = [{ url: `${origin}/robots.txt`, status: 200 }];
  const body = new TextEncoder().encode(text);
  return { origin, fetchedAt, freshUntil: fetchedAt, access: "successful", code: "ok", status: 200, body, hops };
}

const closed = "User-agent: GPTBot\nDisallow: /\n";
const entries = [
  entryOf("https://a.example", "2024-01-05", "User-agent: *\nDisallow: /x\n"),
  entryOf("https://a.example", "2024-04-05", closed),
  entryOf("https://b.example", "2024-02-05", "User-agent: *\nDisallow: /\n"),
  entryOf("http://c.example", "2024-02-05", "<html>"),
];
const lines = entries.map(lineOfEntry);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "census-"));
  const path = (name: string): string => join(folder, name);
  writeFileSync(path("all.ndjson"), lines.join(""));
  for (const [at, line] of lines.entries()) writeFileSync(path(`part-${at}.ndjson`), line);
  writeFileSync(path("damaged.ndjson"), `${lines.join("")}${lines[0]!.replace("Disallow", "Allow")}`);
  mkdirSync(path("snapshot"));
  const writer = new SnapshotWriter(path("snapshot"), { parts: 2 });
  for (const entry of entries) writer.add(entry);
  await writer.finish();
  writer.close();
  writeFileSync(path("hosts.csv"), "host,country\na.example,US\nc.example,DE\nmissing.example,DE\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const census = (...argv: readonly string[]): ReturnType<typeof runHere> =>
  runHere(["census", "--agent", "GPTBot,CCBot", ...argv.map((word) => word.replace(/^@/, `${folder}/`))]);

async function documentOf(...argv: readonly string[]): Promise<CensusDocument> {
  const { code, stdout, stderr } = await census(...argv, "-o", "json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as CensusDocument;
}

test.each(["--robots", "--robots-history"])(
  "%s: a snapshot, an export and a pattern give the same sums",
  async (flag) => {
    const exported = await documentOf(flag, "@all.ndjson", "--by", "quarter");
    expect(
      exported.slices.map(({ period, totals }) => [period, totals["robots-txt"], totals["no-robots-txt"]]),
    ).toEqual([
      ["2024-Q1", 2, 1],
      ["2024-Q2", 2, 1],
    ]);
    expect(exported.slices[1]!.tables.changes.rows).toContainEqual(["GPTBot", "closed", 1]);
    expect((await documentOf(flag, "@snapshot", "--by", "quarter")).slices).toEqual(exported.slices);
    expect((await documentOf(flag, "@part-?.ndjson", "--by", "quarter")).slices).toEqual(exported.slices);
    // Two sources with the same entries count each origin once.
    expect((await documentOf(flag, "@snapshot", flag, "@all.ndjson", "--by", "quarter")).slices).toEqual(
      exported.slices,
    );
  },
);

test.each([
  ["--robots", ""],
  ["--robots-history", "@2024-01-01"],
])("%s: a file of a folder whose name has no scheme counts one origin", async (flag, time) => {
  const names = [`a.example${time}.txt`, `https@b.example${time}.txt`, `http@b.example${time}.txt`];
  const files = join(folder, `files${time}`);
  mkdirSync(files);
  for (const name of names) writeFileSync(join(files, name), closed);
  const { slices } = await documentOf(flag, files);
  expect(slices.map(({ totals }) => totals["robots-txt"])).toEqual([3]);
});

test("without --by, the newest entry of each origin counts", async () => {
  const { slices } = await documentOf("--robots", "@snapshot");
  expect(slices.map(({ period, totals }) => [period, totals["robots-txt"]])).toEqual([["", 2]]);
  expect(slices[0]!.tables.crawlers.rows.filter(([crawler]) => crawler === "GPTBot")).toEqual([
    ["GPTBot", "closed", "everybody", 1],
    ["GPTBot", "closed", "own", 1],
  ]);
});

test("shards merge to the census of all origins, whatever their order", async () => {
  const whole = await documentOf("--robots", "@snapshot", "--by", "year");
  const paths: string[] = [];
  for (const shard of ["1/3", "2/3", "3/3"]) {
    const { stdout } = await census("--robots", "@snapshot", "--by", "year", "--shard", shard, "-o", "json");
    paths.push(join(folder, `shard-${shard[0]}.json`));
    writeFileSync(paths.at(-1)!, stdout);
  }
  const merged = await runHere(["merge", ...paths, "-o", "json"]);
  expect((JSON.parse(merged.stdout) as CensusDocument).slices).toEqual(whole.slices);
  expect((await runHere(["merge", ...paths.toReversed(), "-o", "json"])).stdout).toBe(merged.stdout);
  expect(await runHere(["merge", paths[0]!, paths[0]!])).toMatchObject({ code: 2 });
  expect(await runHere(["merge", paths[0]!, "--compare", paths[0]!])).toMatchObject({ code: 2 });
  expect((await runHere(["merge", ...paths, "-o", "csv", "--table", "totals"])).stdout).toContain(
    "2024,2024-04-05,robots-txt,2,3",
  );
});

test("a list gives groups; what the list lacks and what the sources lack is counted", async () => {
  const list = ["--group", "@hosts.csv", "--group-field", "country", "--url-template", "https://{host}"];
  const { groups, slices } = await documentOf("--robots", "@snapshot", ...list);
  expect(groups).toEqual([
    { value: "US", listed: 1, found: 1 },
    { value: "DE", listed: 2, found: 1 },
  ]);
  expect(slices.map(({ group, totals }) => [group, totals["robots-txt"], totals["no-robots-txt"]])).toEqual([
    [null, 2, 1],
    ["US", 1, 0],
    ["DE", 0, 1],
    ["", 1, 0],
  ]);
});

test("damaged entries are told and counted; the others are counted, and the exit code is 3", async () => {
  const sentence = "Damaged entries of the sources: 1. Their origins are missing, or counted by another capture.";
  const paths: string[] = [];
  for (const shard of ["1/2", "2/2"]) {
    const { code, stdout, stderr } = await census("--robots", "@damaged.ndjson", "--shard", shard, "-o", "json");
    expect([code, (JSON.parse(stdout) as CensusDocument).parts[0]!.rejects]).toEqual([3, 1]);
    expect(stderr).toContain("its checksum does not match its content");
    expect(stderr).toContain(sentence);
    paths.push(join(folder, `damaged-${shard[0]}.json`));
    writeFileSync(paths.at(-1)!, stdout);
  }
  const { code, stdout, stderr } = await runHere(["merge", ...paths]);
  expect([code, stdout.replaceAll(/\s+/g, " ").includes(sentence), stderr.includes(sentence)]).toEqual([3, true, true]);
});

describe("exit codes", () => {
  test.each<readonly [code: number, argv: readonly string[]]>([
    [0, ["--robots", "@snapshot", "--fail-on", "closed>2"]],
    [1, ["--robots", "@snapshot", "--fail-on", "closed>1"]],
    [3, ["--robots", "@damaged.ndjson", "--fail-on", "closed>0"]],
    [2, []],
    [2, ["--robots", "@none"]],
    [2, ["--robots", "@snapshot", "--robots-history", "@snapshot"]],
    [2, ["--robots", "@snapshot", "--by", "week"]],
    [2, ["--robots", "@snapshot", "--fail-on", "open>1"]],
    [2, ["--robots", "@snapshot", "--table", "names"]],
    [2, ["--robots", "@snapshot", "--group", "@hosts.csv"]],
    [2, ["--robots", "@snapshot", "--group-field", "country"]],
    [2, ["--robots", "@snapshot", "@all.ndjson"]],
  ])("%i: %j", async (code, argv) => {
    expect(await census(...argv)).toMatchObject({ code });
  });
});

test("a signal between two files ends the census", async () => {
  const files = join(folder, "large");
  mkdirSync(files);
  const rules = Array.from({ length: 15_000 }, (_, at) => `Allow: /*${at}*a b*c$`).join("\n");
  for (const host of ["a", "b"])
    writeFileSync(join(files, `${host}.example.txt`), `User-agent: *\nDisallow: /${host}\n${rules}`);
  const stopping = new AbortController();
  setTimeout(() => stopping.abort("SIGINT"), 1);
  const { code, stdout } = await runHere(["census", "--robots", files], "", {}, { signal: stopping.signal });
  expect([code, stdout]).toEqual([130, ""]);
});

test("the page of --output-file loads nothing", async () => {
  expect(await census("--robots", "@snapshot", "--by", "quarter", "--output-file", "@page.html")).toMatchObject({
    code: 0,
  });
  const page = readFileSync(join(folder, "page.html"), "utf8");
  expect(page).toContain("default-src 'none'");
  expect(page).toContain("Closed over time");
});
