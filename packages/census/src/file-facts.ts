// Reads what a census counts from the bytes of one robots.txt: the state of every crawler, and the keys of all tables.
import type { OtherRecord } from "@robots-stream/core";
import {
  formatInsteadOf,
  isUtf16,
  parseDictionary,
  signalMembersOf,
  statementPlaceOf,
  textOf,
  utf8Of,
} from "@robots-stream/core/internal";
import { findingSeverities, lint } from "@robots-stream/core/lint";
import { crawlDelayIn } from "@robots-stream/core/records";
import { namesIn } from "@robots-stream/diff";
import { answersOf, type CrawlerIndex } from "./answers.ts";
import { pairs, type CountedTable, keyPartOf, mostKeysOfFile } from "./tables.ts";

/** What a census counts of one file. */
export interface FileFacts {
  readonly isRobotsTxt: boolean;
  /** The number of the pair of state and ground of each crawler in the dialect google; empty for a file that is no robots.txt. */
  readonly pairs: Uint8Array;
  /** The rows of tables to which the file adds 1, each once. `key`: the JSON text of the key's parts. */
  readonly keys: readonly { readonly table: CountedTable; readonly key: string }[];
}

/**
 * The facts about a file, of which only the beginning is known if `isCut`. Never throws for the bytes of a file. The caller does not change
 * the bytes afterwards.
 */
export function factsOf(bytes: Uint8Array, isCut: boolean, index: CrawlerIndex): FileFacts {
  const keys = new Keys();
  const text = textOf(bytes, 0, bytes.length);
  keys.addClass("sizes", isCut ? Math.max(bytes.length, leastReadBytes + 1) : bytes.length);
  // The last line needs no line end.
  keys.addClass("lines", text === "" ? 0 : text.replace(/(?:\r\n?|\n)$/, "").split(/\r\n?|\n/).length);
  keys.add("encodings", encodingOf(bytes, text));
  const format = formatInsteadOf(bytes);
  if (format !== undefined) {
    keys.add("no-robots-txt", format);
    return { isRobotsTxt: false, pairs: new Uint8Array(), keys: keys.list };
  }
  const { robots, groups, ...google } = answersOf(bytes, text, "google", index);
  const rfc9309 = answersOf(bytes, text, "rfc9309", index);
  for (const [crawler, { productToken }] of index.crawlers.entries()) {
    const [one, other] = [google.pairs[crawler]!, rfc9309.pairs[crawler]!];
    keys.list.push({ table: "crawlers", key: index.keys[crawler * pairs.length + one]! });
    if (one !== other) keys.add("dialects", productToken, pairs[one]!.join(" "), pairs[other]!.join(" "));
  }
  for (const row of google.closing) keys.add("closing", ...row);
  if (groups.groupNameOf([]) !== undefined) keys.add("names", "*");
  for (const name of namesIn(robots)) keys.add("names", name.toLowerCase());
  addRecords(keys, robots.records);
  for (const [block, line] of markers) if (line.test(text)) keys.add("managed", block);
  for (const { code } of lint(bytes)) keys.add("lint", findingSeverities[code], code);
  return { isRobotsTxt: true, pairs: google.pairs, keys: keys.list };
}

/** The size up to which every crawler reads a file (RFC 9309 §2.5). */
const leastReadBytes = 512_000;

/** The least value of each class of numbers. */
const classes = {
  sizes: [0, 1, 100, 1_000, 10_000, 100_000, leastReadBytes + 1],
  lines: [0, 1, 10, 100, 1_000, 10_000],
  sitemaps: [0, 1, 2, 6, 51],
} as const;

/** The keys of a file, each once; of one table, the first `mostKeysOfFile`. */
class Keys {
  readonly list: { readonly table: CountedTable; readonly key: string }[] = [];
  readonly #seen = new Map<CountedTable, Set<string>>();

  add(table: CountedTable, ...parts: readonly string[]): void {
    const key = JSON.stringify(parts.map(keyPartOf));
    let seen = this.#seen.get(table);
    if (seen === undefined) this.#seen.set(table, (seen = new Set()));
    if (seen.has(key) || seen.size === mostKeysOfFile) return;
    seen.add(key);
    this.list.push({ table, key });
  }

  /** Adds the class of a number, such as "100–999" or "512001 or more". */
  addClass(table: keyof typeof classes, count: number): void {
    const at = classes[table].findLastIndex((least) => count >= least);
    const [from, next] = [classes[table][at]!, classes[table][at + 1]];
    const isOne = next === from + 1;
    this.add(table, next === undefined ? `${from} or more` : isOne ? String(from) : `${from}–${next - 1}`);
  }
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
  keys.addClass("sitemaps", sitemaps);
}

/** The keys and values of a Content-Usage or Content-Signal line, without regard to the path that the line may name. */
function addStatement(keys: Keys, { name, value }: OtherRecord): void {
  const bytes = utf8Of(value);
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

declare const TextDecoder: new (label: string, options: { fatal: boolean }) => { decode(bytes: Uint8Array): string };
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** The encoding that the bytes show. `text`: the bytes as UTF-8. */
function encodingOf(bytes: Uint8Array, text: string): string {
  if (isUtf16(bytes)) return "utf-16";
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (!isMarked && /^[\0-\x7f]*$/.test(text)) return "ascii";
  try {
    strictUtf8.decode(bytes);
    return isMarked ? "utf-8 with a byte order mark" : "utf-8";
  } catch {
    return "other";
  }
}

/** The line that begins a managed block, as the service or the program writes it. Only this line counts, not the rules in the block. */
const markers: readonly (readonly [block: string, line: RegExp])[] = [
  ["Cloudflare", /^[ \t]*# begin cloudflare managed content[ \t]*$/im],
  ["Yoast SEO", /^[ \t]*# start yoast block[ \t]*$/im],
];
