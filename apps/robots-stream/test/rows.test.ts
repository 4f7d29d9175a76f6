// Tests --rows record, which writes one row per record with the answers for all agents: the answers, counts and exit code are the same as
// with one row per agent.
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type RecordAnswers, type UrlRecord, createSavedRobots, decideStream } from "../src/index.ts";
import { runHere } from "./here.ts";
import { root } from "./run.ts";

const agents = ["bingbot", "GPTBot", "Googlebot-Image", "ChatGPT-User", "AdsBot-Google", "nobody"];
const asked = ["--agent", agents.join(","), "--robots", "examples/robots", "--stats-json"];
const record = ["--rows", "record"];
const hosts = ["shop.example", "news.example", "docs.example:8443", "wiki.example", "down.example", "unknown.example"];
const paths = ["/", "/cart/1", "/cart/help", "/archive/1999/", "/robots.txt"];
const lines = Array.from({ length: 1_000 }, (_, at) => {
  if (at % 500 === 77) return at % 1_000 === 77 ? "no record" : '{"url":"mailto:x"}';
  return `{"n":${at},"url":"https://${hosts[at % hosts.length]}${paths[at % paths.length]}"}`;
});
const input = `${lines.join("\n")}\n`;

interface Row {
  readonly n?: number;
  readonly robots: Readonly<Record<string, unknown>>;
}

const rowsOf = (output: string): Row[] =>
  output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

/** Joins a record's rows for single agents to its one row. */
function joined(rows: readonly Row[]): Row {
  const answers = rows.map(({ robots: { agent, origin: _origin, ...answer } }) => [String(agent), answer] as const);
  const { origin } = rows[0]!.robots;
  const robots = { ...(origin === undefined ? {} : { origin }), agents: Object.fromEntries(answers) };
  return { ...rows[0]!, robots };
}

/** The counts of a run, without its times and memory. */
function countsIn(stderr: string): unknown {
  const line = stderr.split("\n").findLast((each) => each.startsWith("{"))!;
  const { records, agents: counts, topOrigins, topRules } = JSON.parse(line) as Record<string, unknown[]>;
  return { records, counts, topOrigins, topRules: topRules!.map((rule) => JSON.stringify(rule)).toSorted() };
}

test.each([
  ["by default", []],
  ["with little memory for rules", ["--matcher-bytes", "1000"]],
  ["with normalized targets", ["--target", "normalized"]],
])("the same answers as with a row for each agent: %s", async (_what, args) => {
  const all = [...asked, "--fail-on", "disallowed", ...args];
  const each = await runHere(all, input);
  const one = await runHere([...all, ...record], input);
  const rows = rowsOf(each.stdout);
  const expected = rows.filter((_, at) => at % agents.length === 0);
  expect(rowsOf(one.stdout)).toEqual(
    expected.map((_, at) => joined(rows.slice(at * agents.length, (at + 1) * agents.length))),
  );
  expect(expected).toHaveLength(lines.filter((line) => line !== "no record").length);
  expect([one.code, countsIn(one.stderr)]).toEqual([each.code, countsIn(each.stderr)]);
  expect(one.code).toBe(1);
  // The agents must keep the order of the command line.
  for (const { robots } of rowsOf(one.stdout)) expect(Object.keys(robots["agents"] as object)).toEqual(agents);
});

test("the row has the run's dialect beside the origin", async () => {
  const { stdout } = await runHere([...asked, ...record, "--dialect", "rfc9309"], lines[0]);
  expect(Object.keys(rowsOf(stdout)[0]!.robots)).toEqual(["origin", "dialect", "agents"]);
});

test.each<[what: string, args: readonly string[], message: RegExp]>([
  ["another form", ["--rows", "all"], /--rows all: must be one of agent, record/],
  ["CSV", [...record, "--output", "csv"], /--rows record needs --output ndjson/],
  ["TSV", [...record, "--output", "tsv"], /--rows record needs --output ndjson/],
  [
    "several dialects",
    [...record, "--dialect", "google,rfc9309"],
    /--rows record and several dialects cannot be combined/,
  ],
  [
    "differences",
    [...record, "--dialect", "google,rfc9309", "--only-differences"],
    /--rows record and several dialects/,
  ],
])("wrong usage: %s", async (_what, args, message) => {
  const { code, stdout, stderr } = await runHere([...asked, ...args], input);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
});

test("wrong usage: with --agent-field each record has its own crawler", async () => {
  const args = ["--agent-field", "agent", ...record, "--robots", "examples/robots"];
  const { code, stderr } = await runHere(args, input);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--rows record and --agent-field cannot be combined")]);
});

const robots = createSavedRobots(`${root}examples/robots`);
const examples = readFileSync(`${root}examples/urls.ndjson`);

test("decideStream: bytes as the command writes them, and a decision for each record", async () => {
  const { stdout } = await runHere([...asked, ...record], examples);
  const options = { agents, robots, rows: "record", inputFormat: "ndjson" } as const;
  expect(await text(Readable.from([examples]).pipe(decideStream(options)))).toBe(stdout);
  const decisions: RecordAnswers<UrlRecord>[] = [];
  const records = rowsOf(stdout).map(({ robots: _robots, ...given }) => given as UrlRecord);
  for await (const batch of decideStream({ agents, robots, rows: "record", input: records })) decisions.push(...batch);
  const given = decisions.map(({ record: own, url: _url, ...answers }) => ({ ...(own as object), robots: answers }));
  expect(given).toEqual(rowsOf(stdout));
  expect(decisions.every(({ record: own }, at) => own === records[at])).toBe(true);
  expect(decisions.every(({ agents: each }) => Object.isFrozen(each) && Object.isFrozen(each["GPTBot"]))).toBe(true);
});

test.each<[options: object, message: RegExp]>([
  [{ agents, rows: "all" }, /rows: must be one of agent, record, not all/],
  [{ agentField: "agent", rows: "record" }, /rows: cannot be record with agentField/],
  [{ agents, rows: "record", dialects: ["google", "rfc9309"] }, /rows: cannot be record with several dialects/],
  [{ agents, rows: "record", output: "csv" }, /rows: cannot be record with csv/],
])("decideStream: wrong options: %j", (options, message) => {
  expect(() => decideStream({ ...options, robots } as Parameters<typeof decideStream>[0])).toThrow(message);
});
