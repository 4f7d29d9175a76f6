// Compares every count of a census with a second computation that shares no code with the packages (slow.ts).
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { crawlers } from "@robots-stream/agents";
import { describe, expect, test } from "vitest";
import { CrawlerIndex } from "../src/crawlers.ts";
import { factsOf } from "../src/file-facts.ts";
import { Census, type CensusDocument, documentOf } from "../src/index.ts";
import { stateOf } from "../src/states.ts";
import { generatedCaptures } from "./generated.ts";
import { fileOf, groupedBy, quarterOf, type SlowCapture, type SlowFile } from "./slow.ts";

const shared = process.env["ROBOTS_STREAM_SHARED"] ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const government = join(shared, "corpora/robots-history/gov-2020-2025.warc.gz");
const selection = join(shared, "corpora/robots/real-robots-selection.tar.gz");
const pairs = join(shared, "corpora/robots/real-pairs-google.ndjson.gz");

/** Generous, for a busy machine: the slow computation takes some seconds of a free one. */
const timeout = 300_000;

const settings = {
  registry: "x",
  by: "quarter",
  mostSteps: 1_000_000,
  maxBytes: 512_000,
  groupList: null,
  groupField: null,
} as const;

function documentFor(captures: readonly SlowCapture[]): CensusDocument {
  const census = new Census({ crawlers, by: "quarter" });
  const bodies = new Map<string, Uint8Array>();
  for (const [, own] of groupedBy(captures, ({ origin }) => origin)) {
    census.addOrigin({
      captures: own.map(({ seconds, body }) => {
        const version = createHash("sha256").update(body).digest("hex");
        bodies.set(version, body);
        return { atSeconds: seconds, result: "robots-txt", version };
      }),
      bytesOf: (version) => bodies.get(version)!,
      isCut: () => false,
    });
  }
  return documentOf(census, { settings, parts: [], groups: [], rejects: 0 });
}

/** Counts by the JSON text of a key. */
class Counts extends Map<string, number> {
  add(...key: readonly string[]): void {
    const name = JSON.stringify(key);
    this.set(name, (this.get(name) ?? 0) + 1);
  }
}

/** The counts of all quarters, computed slowly: for each quarter and origin, the newest capture that is not after the quarter. */
function slowCountsOf(captures: readonly SlowCapture[]): Counts {
  const counts = new Counts();
  const quarters = [...new Set(captures.map(({ seconds }) => quarterOf(seconds)))].toSorted();
  for (const [, own] of groupedBy(captures, ({ origin }) => origin)) {
    const inOrder = own.toSorted((one, other) => one.seconds - other.seconds);
    let before: SlowFile | undefined;
    const named = new Set<string>();
    for (const quarter of quarters) {
      const inForce = inOrder.findLast(({ seconds }) => quarterOf(seconds) <= quarter);
      if (inForce === undefined) continue;
      const file = fileOf(inForce.body, crawlers);
      counts.add(quarter, "totals", file.isRobotsTxt ? "robots-txt" : "no-robots-txt");
      if (inOrder.some(({ seconds }) => quarterOf(seconds) === quarter)) counts.add(quarter, "totals", "captured");
      if (before === undefined) counts.add(quarter, "totals", "entered");
      for (const [table, keys] of file.keys) for (const key of keys) counts.add(quarter, table, key);
      for (const { productToken } of crawlers) {
        const [state, ground] = file.cells.get(productToken) ?? ["open", "none"];
        if (file.isRobotsTxt) counts.add(quarter, "crawlers", productToken, state, ground);
        const isFirst = ground === "own" && !named.has(productToken);
        if (isFirst) named.add(productToken);
        if (before === undefined) continue;
        if (isFirst) counts.add(quarter, "changes", productToken, "first-named");
        const [old] = before.cells.get(productToken) ?? ["open"];
        if (old !== "closed" && state === "closed") counts.add(quarter, "changes", productToken, "closed");
        if (old === "closed" && state !== "closed") counts.add(quarter, "changes", productToken, "opened");
      }
      before = file;
    }
  }
  return counts;
}

const comparedTables = ["sizes", "lines", "sitemaps", "names", "crawl-delays"] as const;

function countsIn({ slices }: CensusDocument): Counts {
  const counts = new Counts();
  const set = (count: number, ...key: readonly string[]): unknown =>
    count !== 0 && counts.set(JSON.stringify(key), count);
  for (const { period, totals, tables, ...rows } of slices) {
    for (const [name, count] of Object.entries(totals)) set(count, period, "totals", name);
    for (const name of ["crawlers", "changes"] as const) {
      for (const row of rows[name]) set(row.at(-1) as number, period, name, ...(row.slice(0, -1) as string[]));
    }
    for (const name of comparedTables) {
      for (const row of tables[name].rows) set(row.at(-1) as number, period, name, ...(row.slice(0, -1) as string[]));
    }
  }
  return counts;
}

function differencesOf(one: Counts, other: Counts): readonly string[] {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys]
    .filter((key) => one.get(key) !== other.get(key))
    .map((key) => `${key}: ${one.get(key)} ${other.get(key)}`);
}

test("generated origins: every count equals the slow computation", () => {
  const captures = generatedCaptures(1, 120);
  const slow = slowCountsOf(captures);
  expect(differencesOf(countsIn(documentFor(captures)), slow).slice(0, 20)).toEqual([]);
  const states = new Set([...slow.keys()].map((key) => (JSON.parse(key) as string[])[3]));
  for (const state of ["closed", "mostly-closed", "partly-closed", "open"]) expect(states).toContain(state);
});

/** The captures in the file of government hosts: the blocks of its response records. */
function governmentCaptures(): readonly SlowCapture[] {
  const text = gunzipSync(readFileSync(government)).toString("latin1");
  const captures: SlowCapture[] = [];
  for (let at = 0; at < text.length;) {
    const headEnd = text.indexOf("\r\n\r\n", at);
    if (headEnd < 0) break;
    const head = text.slice(at, headEnd);
    const fieldOf = (name: string): string => new RegExp(`^${name}: (.*?)\r?$`, "im").exec(head)?.[1] ?? "";
    const end = headEnd + 4 + Number(fieldOf("Content-Length"));
    const block = text.slice(headEnd + 4, end);
    if (fieldOf("WARC-Type") === "response") {
      const body = block.slice(block.indexOf("\r\n\r\n") + 4);
      const { origin } = new URL(fieldOf("WARC-Target-URI").replace(/^<|>$/g, ""));
      captures.push({ origin, seconds: Date.parse(fieldOf("WARC-Date")) / 1_000, body: Buffer.from(body, "latin1") });
    }
    at = end + 4;
  }
  return captures;
}

describe.skipIf(!existsSync(government))("hosts of the government (needs ../shared)", () => {
  test("every count equals the slow computation", { timeout }, () => {
    const captures = governmentCaptures();
    expect(captures.length).toBe(7_698);
    expect(differencesOf(countsIn(documentFor(captures)), slowCountsOf(captures)).slice(0, 20)).toEqual([]);
  });
});

/** The files of a tar archive. */
function filesInTar(path: string): readonly Uint8Array[] {
  const tar = gunzipSync(readFileSync(path));
  const files: Uint8Array[] = [];
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8);
    if (
      tar
        .toString("latin1", at, at + 100)
        .replace(/\0.*$/s, "")
        .endsWith(".txt")
    )
      files.push(tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

describe.skipIf(!existsSync(selection))("real files with oddities (needs ../shared)", () => {
  test("every count equals the slow computation", { timeout }, () => {
    const captures = filesInTar(selection).map((body, at) => ({
      origin: `https://host${at}.example`,
      seconds: 0,
      body,
    }));
    expect(captures.length).toBeGreaterThan(230);
    expect(differencesOf(countsIn(documentFor(captures)), slowCountsOf(captures)).slice(0, 20)).toEqual([]);
  });
});

interface Recorded {
  readonly robots: string | undefined;
  readonly robots_b64: string | undefined;
  readonly urls: readonly string[];
  /** By agent, one character for each URL: "1" if Google's parser allows it. */
  readonly allowed: Readonly<Record<string, string>>;
}

describe.skipIf(!existsSync(pairs))("Google's recorded decisions (needs ../shared)", () => {
  test('about "/" agree with the state of each crawler', () => {
    const agents = ["Googlebot", "bingbot", "GPTBot", "robots-stream-test"];
    const named = agents.map((name) => ({ productToken: name, names: [name], boundByEverybody: true, bound: "yes" }));
    let compared = 0;
    const wrong: string[] = [];
    for (const line of gunzipSync(readFileSync(pairs)).toString("utf8").trim().split("\n")) {
      const { robots = "", robots_b64, urls, allowed } = JSON.parse(line) as Recorded;
      const body = robots_b64 === undefined ? Buffer.from(robots) : Buffer.from(robots_b64, "base64");
      const at = urls.findIndex((url) => new URL(url).pathname === "/" && !url.includes("?"));
      if (at < 0) continue;
      const { cells } = factsOf(body, { index: new CrawlerIndex(named), mostSteps: 1_000_000, isCut: false });
      for (const [number, agent] of agents.entries()) {
        const state = cells.length === 0 ? "open" : stateOf(cells[number]!);
        const isAllowed = state === "open" || state === "partly-closed";
        if (isAllowed !== (allowed[agent]![at] === "1")) wrong.push(`${agent} ${state} ${urls[at]}`);
        compared++;
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(1_000);
  });
});
