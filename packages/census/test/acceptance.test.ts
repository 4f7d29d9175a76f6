// Compares every count of a census with a second computation that shares no code with the packages (slow-rules.ts, slow-file.ts).
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { crawlers } from "@robots-stream/agents";
import { describe, expect, test } from "vitest";
import { CrawlerIndex } from "../src/answers.ts";
import { factsOf } from "../src/file-facts.ts";
import { Census, type CensusDocument } from "../src/index.ts";
import { countedTables, pairs } from "../src/tables.ts";
import { generatedCaptures, type SlowCapture } from "./generated.ts";
import { fileOf, type SlowFile } from "./slow-file.ts";

const shared = process.env["ROBOTS_STREAM_SHARED"] ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const government = join(shared, "corpora/robots-history/gov-2020-2025.warc.gz");
const selection = join(shared, "corpora/robots/real-robots-selection.tar.gz");
const recorded = join(shared, "corpora/robots/real-pairs-google.ndjson.gz");

/** Generous, for a busy machine: the slow computation takes some seconds of a free one. */
const timeout = 300_000;

const settings = { registry: "x", maxBytes: 512_000, groupList: null, groupField: null };
const groups = ["one", "two", "three"];

function documentFor(captures: readonly SlowCapture[]): CensusDocument {
  const census = new Census({ crawlers, by: "quarter", groups: groups.length });
  const bodies = new Map<string, Uint8Array>();
  for (const [, own] of groupedBy(captures, ({ origin }) => origin)) {
    census.addOrigin({
      captures: own.map(({ seconds, result, body }) => {
        const version = createHash("sha256").update(body).digest("hex");
        bodies.set(version, body);
        return { atSeconds: seconds, result, version };
      }),
      group: own[0]!.group,
      bytesOf: (version) => bodies.get(version)!,
      isCut: () => false,
    });
  }
  const listed = groups.map((value) => ({ value, listed: 0, found: 0 }));
  return census.document({ settings, parts: [], groups: listed });
}

/** Counts by the JSON text of a key. */
class Counts extends Map<string, number> {
  add(...key: readonly (string | null)[]): void {
    const name = JSON.stringify(key);
    this.set(name, (this.get(name) ?? 0) + 1);
  }
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return found;
}

function quarterOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return `${date.getUTCFullYear()}-Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
}

/** The counts of all quarters, computed slowly: for each quarter and origin, the newest capture that is not after the quarter. */
function slowCountsOf(captures: readonly SlowCapture[]): Counts {
  const counts = new Counts();
  const quarters = [...new Set(captures.map(({ seconds }) => quarterOf(seconds)))].toSorted();
  for (const group of [null, ...groups, ""]) {
    const ofGroup = captures.filter((each) => group === null || group === (groups[each.group ?? -1] ?? ""));
    for (const quarter of quarters) {
      const known = ofGroup.map(({ seconds }) => seconds).filter((seconds) => quarterOf(seconds) <= quarter);
      if (known.length > 0) counts.set(JSON.stringify([group, quarter, "last"]), Math.max(...known));
    }
    for (const [, own] of groupedBy(ofGroup, ({ origin }) => origin)) addSlowly(counts, group, own, quarters);
  }
  return counts;
}

/** Adds the counts of an origin. */
function addSlowly(
  counts: Counts,
  group: string | null,
  own: readonly SlowCapture[],
  quarters: readonly string[],
): void {
  const inOrder = own.toSorted((one, other) => one.seconds - other.seconds);
  const nothing: SlowFile = { isRobotsTxt: false, pairs: new Map(), keys: new Map() };
  let before: SlowFile | undefined;
  const named = new Set<string>();
  for (const quarter of quarters) {
    const add = (...key: readonly string[]): void => counts.add(group, quarter, ...key);
    const inForce = inOrder.findLast(({ seconds }) => quarterOf(seconds) <= quarter);
    if (inForce === undefined) continue;
    const { result, body } = inForce;
    const file = result === "robots-txt" ? fileOf(body, crawlers) : nothing;
    add("totals", result === "robots-txt" && !file.isRobotsTxt ? "no-robots-txt" : result);
    if (inOrder.some(({ seconds }) => quarterOf(seconds) === quarter)) add("totals", "captured");
    for (const [table, keys] of file.keys) for (const key of keys) add(table, ...(JSON.parse(key) as string[]));
    for (const [token, pair] of file.pairs) add("crawlers", token, ...pair);
    if (result === "unreachable" || result === "unread") continue;
    if (before === undefined) add("totals", "entered");
    for (const { productToken } of crawlers) {
      const [state, ground] = file.pairs.get(productToken) ?? ["open", "none"];
      const isFirst = ground === "own" && !named.has(productToken);
      if (isFirst) named.add(productToken);
      if (before === undefined) continue;
      if (isFirst) add("changes", productToken, "first-named");
      const [old] = before.pairs.get(productToken) ?? ["open"];
      if (old !== "closed" && state === "closed") add("changes", productToken, "closed");
      if (old === "closed" && state !== "closed") add("changes", productToken, "opened");
    }
    before = file;
  }
}

function countsIn({ slices }: CensusDocument): Counts {
  const counts = new Counts();
  for (const { group, period, lastCapture, totals, tables } of slices) {
    const set = (count: number, ...key: readonly string[]): unknown =>
      count !== 0 && counts.set(JSON.stringify([group, period, ...key]), count);
    set(lastCapture ?? 0, "last");
    for (const [name, count] of Object.entries(totals)) set(count, "totals", name);
    for (const [name, { rows, other, below }] of Object.entries(tables)) {
      expect([other, below]).toEqual([0, null]);
      for (const row of rows) set(row.at(-1) as number, name, ...(row.slice(0, -1) as string[]));
    }
  }
  return counts;
}

function differencesOf(captures: readonly SlowCapture[]): readonly string[] {
  const [counted, slow] = [countsIn(documentFor(captures)), slowCountsOf(captures)];
  expect(slow.size).toBeGreaterThan(1_000);
  return [...new Set([...counted.keys(), ...slow.keys()])]
    .filter((key) => counted.get(key) !== slow.get(key))
    .map((key) => `${key}: ${counted.get(key)} ${slow.get(key)}`);
}

test("generated origins: every count equals the slow computation", { timeout }, () => {
  const captures = generatedCaptures(1, 80, groups.length);
  expect(differencesOf(captures).slice(0, 20)).toEqual([]);
  const { slices } = documentFor(captures);
  const states = new Set(slices.flatMap(({ tables }) => tables.crawlers.rows.map(([, state]) => state)));
  for (const state of ["closed", "mostly-closed", "partly-closed", "open"]) expect(states).toContain(state);
  for (const name of countedTables) expect(slices.some(({ tables }) => tables[name].rows.length > 0)).toBe(true);
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
      const seconds = Date.parse(fieldOf("WARC-Date")) / 1_000;
      const group = [undefined, 0, 1, 2][origin.length % 4];
      captures.push({ origin, group, seconds, result: "robots-txt", body: Buffer.from(body, "latin1") });
    }
    at = end + 4;
  }
  return captures;
}

describe.skipIf(!existsSync(government))("hosts of the government (needs ../shared)", () => {
  test("every count equals the slow computation", { timeout }, () => {
    const captures = governmentCaptures();
    expect(captures.length).toBe(7_698);
    expect(differencesOf(captures).slice(0, 20)).toEqual([]);
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
    const captures = filesInTar(selection).map((body, at): SlowCapture => ({
      origin: `https://host${at}.example`,
      group: undefined,
      seconds: 1,
      result: "robots-txt",
      body,
    }));
    expect(captures.length).toBeGreaterThan(230);
    expect(differencesOf(captures).slice(0, 20)).toEqual([]);
  });
});

interface Recorded {
  readonly robots: string | undefined;
  readonly robots_b64: string | undefined;
  readonly urls: readonly string[];
  /** By agent, one character for each URL: "1" if Google's parser allows it. */
  readonly allowed: Readonly<Record<string, string>>;
}

describe.skipIf(!existsSync(recorded))("Google's recorded decisions (needs ../shared)", () => {
  test('about "/" agree with the state of each crawler', () => {
    const agents = ["Googlebot", "bingbot", "GPTBot", "robots-stream-test"];
    const named = agents.map((name) => ({ productToken: name, names: [name], boundByEverybody: true, bound: "yes" }));
    let compared = 0;
    const wrong: string[] = [];
    for (const line of gunzipSync(readFileSync(recorded)).toString("utf8").trim().split("\n")) {
      const { robots = "", robots_b64, urls, allowed } = JSON.parse(line) as Recorded;
      const body = robots_b64 === undefined ? Buffer.from(robots) : Buffer.from(robots_b64, "base64");
      const at = urls.findIndex((url) => new URL(url).pathname === "/" && !url.includes("?"));
      if (at < 0) continue;
      const { pairs: found } = factsOf(body, false, new CrawlerIndex(named, 1_000_000));
      for (const [number, agent] of agents.entries()) {
        const [state] = found.length === 0 ? ["open"] : pairs[found[number]!]!;
        const isAllowed = state === "open" || state === "partly-closed";
        if (isAllowed !== (allowed[agent]![at] === "1")) wrong.push(`${agent} ${state} ${urls[at]}`);
        compared++;
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(1_000);
  });
});
