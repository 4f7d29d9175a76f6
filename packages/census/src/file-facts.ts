// Reads what a census counts from the bytes of one robots.txt: the state of every crawler, and the keys of all tables.
import type { OtherRecord, RobotsTxt } from "@robots-stream/core";
import {
  CrawlerGroups,
  parseDictionary,
  parseUnchanging,
  signalMembersOf,
  statementPlaceOf,
  textOf,
} from "@robots-stream/core/internal";
import { findingSeverities, lint } from "@robots-stream/core/lint";
import { crawlDelayIn } from "@robots-stream/core/records";
import { namesIn } from "@robots-stream/diff";
import { answersOf } from "./answers.ts";
import { encodingOf, lineClassOf, managedBlocksOf, otherKindOf, sitemapClassOf, sizeClassOf } from "./contents.ts";
import type { CrawlerIndex } from "./crawlers.ts";
import { groundOf, stateOf } from "./states.ts";
import { keyPartOf, mostKeysOfFile, type TableName } from "./tables.ts";

/** A row of a table that a file adds 1 to. `key`: the JSON text of the key's parts. */
interface CountedKey {
  readonly table: TableName;
  readonly key: string;
}

/** What a census counts of one file. */
export interface FileFacts {
  readonly isRobotsTxt: boolean;
  /** The pair of state and ground of each crawler in the dialect google (`cellOf`); empty for a file that is no robots.txt. */
  readonly cells: Uint8Array;
  /** Each key once. */
  readonly keys: readonly CountedKey[];
}

/** Settings of `factsOf`. */
export interface FactsOptions {
  readonly index: CrawlerIndex;
  /** Limit of the work for the proof about one class of crawlers, in steps. */
  readonly mostSteps: number;
  /** Whether only the beginning of the file is known. */
  readonly isCut: boolean;
}

/** The facts about a file. Never throws for the bytes of a file. The caller does not change the bytes afterwards. */
export function factsOf(bytes: Uint8Array, { index, mostSteps, isCut }: FactsOptions): FileFacts {
  const keys = new Keys();
  const robots = parseUnchanging(bytes);
  const groups = new CrawlerGroups(robots);
  const hasNames = [...groups.names].length > 0;
  keys.add("sizes", sizeClassOf(bytes.length, isCut));
  keys.add("lines", lineClassOf(bytes));
  keys.add("encodings", encodingOf(bytes));
  const kind = otherKindOf(bytes, robots, hasNames || groups.groupNameOf([]) !== undefined);
  if (kind !== undefined) {
    keys.add("no-robots-txt", kind);
    return { isRobotsTxt: false, cells: new Uint8Array(), keys: keys.list };
  }
  const google = answersOf(robots, groups, index, { dialect: "google", mostSteps, hasNames });
  const literal = parseUnchanging(bytes, { dialect: "rfc9309" });
  const rfc9309 = answersOf(literal, new CrawlerGroups(literal), index, { dialect: "rfc9309", mostSteps, hasNames });
  for (let crawler = 0; crawler < index.crawlers.length; crawler++) {
    const one = google.cells[crawler]!;
    const other = rfc9309.cells[crawler]!;
    if (one !== other) keys.add("dialects", index.crawlers[crawler]!.productToken, wordsOf(one), wordsOf(other));
  }
  for (const row of google.closing) keys.add("closing", ...row);
  addNames(keys, robots, groups.groupNameOf([]) !== undefined);
  addRecords(keys, robots.records);
  for (const block of managedBlocksOf(textOf(bytes, 0, bytes.length))) keys.add("managed", block);
  for (const { code } of lint(bytes)) keys.add("lint", findingSeverities[code], code);
  return { isRobotsTxt: true, cells: google.cells, keys: keys.list };
}

/** A pair of state and ground in a key of the table "dialects". */
function wordsOf(cell: number): string {
  return `${stateOf(cell)} ${groundOf(cell)}`;
}

/** The keys of a file, each once; of one table, the first `mostKeysOfFile`. */
class Keys {
  readonly list: CountedKey[] = [];
  readonly #seen = new Map<TableName, Set<string>>();

  add(table: TableName, ...parts: readonly string[]): void {
    const key = JSON.stringify(parts.map(keyPartOf));
    let seen = this.#seen.get(table);
    if (seen === undefined) this.#seen.set(table, (seen = new Set()));
    if (seen.has(key) || seen.size === mostKeysOfFile) return;
    seen.add(key);
    this.list.push({ table, key });
  }
}

function addNames(keys: Keys, robots: RobotsTxt, hasEverybody: boolean): void {
  if (hasEverybody) keys.add("names", "*");
  for (const name of namesIn(robots)) keys.add("names", name.toLowerCase());
}

function addRecords(keys: Keys, records: readonly OtherRecord[]): void {
  let sitemaps = 0;
  for (const record of records) {
    if (record.name === "sitemap") sitemaps++;
    else if (record.name === "crawl-delay") {
      const delay = crawlDelayIn([{ records: [record] }]);
      keys.add("crawl-delays", delay === undefined ? "no number" : String(delay.seconds));
    } else if (record.name === "license") keys.add("preferences", "license", "", record.value);
    else if (record.name === "content-signal" || record.name === "content-usage") addStatement(keys, record);
  }
  keys.add("sitemaps", sitemapClassOf(sitemaps));
}

/** The keys and values of a Content-Usage or Content-Signal line, without regard to the path that the line may name. */
function addStatement(keys: Keys, { name, value }: OtherRecord): void {
  const bytes = bytesOf(value);
  const { statementStart } = statementPlaceOf(bytes, 0, bytes.length);
  if (name === "content-signal") {
    for (const { key, value: said } of signalMembersOf(bytes, statementStart, bytes.length)) {
      keys.add("preferences", name, key, said ?? "");
    }
    return;
  }
  const { members } = parseDictionary(bytes, statementStart);
  if (members === undefined) keys.add("preferences", name, "", "not a dictionary");
  for (const { key, text } of members?.values() ?? []) keys.add("preferences", name, key, text);
}

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
const encoder = new TextEncoder();

function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}
