// Computes what a census counts of one file a second time, slowly and without the code of the packages (the linter's codes excepted).
import { createHash } from "node:crypto";
import { findingSeverities, lint } from "@robots-stream/core/lint";
import { dialects, groupsOf, pairsOf, type SlowCrawler, statesOf } from "./slow-rules.ts";

/** What the census says about one file. */
export interface SlowFile {
  readonly isRobotsTxt: boolean;
  /** By product token: state and ground. */
  readonly pairs: ReadonlyMap<string, readonly [state: string, ground: string]>;
  /** By table: the JSON texts of the keys, each once. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
}

const files = new Map<string, SlowFile>();

export function fileOf(body: Uint8Array, crawlers: readonly SlowCrawler[]): SlowFile {
  const key = createHash("sha256").update(body).digest("hex");
  let file = files.get(key);
  if (file === undefined) files.set(key, (file = readFile(body, crawlers)));
  return file;
}

const utf8Of = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");

function readFile(body: Uint8Array, crawlers: readonly SlowCrawler[]): SlowFile {
  const keys = new Map<string, Set<string>>();
  const add = (table: string, ...parts: readonly string[]): void => {
    const key = JSON.stringify(parts.map((part) => (part.length > 100 ? `${part.slice(0, 100)}…` : part)));
    const own = keys.get(table) ?? new Set();
    if (own.size < 1_000) keys.set(table, own.add(key));
  };
  const text = Buffer.from(body).toString("utf8");
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  add("sizes", classOf(body.length, [0, 1, 100, 1_000, 10_000, 100_000, 512_001]));
  add("lines", classOf(lines.length, [0, 1, 10, 100, 1_000, 10_000]));
  add("encodings", encodingOf(body));
  const pairs = pairsOf(body, dialects.google);
  const groups = groupsOf(pairs, dialects.google);
  const format = groups.length > 0 ? undefined : formatOf(body);
  if (format !== undefined) {
    add("no-robots-txt", format);
    return { isRobotsTxt: false, pairs: new Map(), keys };
  }
  const states = statesOf(groups, crawlers, dialects.google);
  const standard = groupsOf(pairsOf(body, dialects.rfc9309), dialects.rfc9309);
  const others = statesOf(standard, crawlers, dialects.rfc9309).pairs;
  for (const { productToken } of crawlers) {
    const [one, other] = [states.pairs.get(productToken)!.join(" "), others.get(productToken)!.join(" ")];
    if (one !== other) add("dialects", productToken, one, other);
  }
  for (const row of states.closing) add("closing", ...row);
  const values = groups.flatMap((group) => group.values);
  for (const value of values) {
    const name = utf8Of(/^[^\s/*;(]*/.exec(value)![0]).toLowerCase();
    if (dialects.google.isEverybody(value)) add("names", "*");
    else if (name !== "" && name.length <= 100) add("names", name);
  }
  for (const [key, value] of pairs) {
    if (key === "crawl-delay" || key === "crawldelay") {
      const isNumber = /^(?:\d+|\d*\.\d+)$/.test(value);
      add("crawl-delays", isNumber ? String(Math.min(300, Number(value))) : "no number");
    } else if (key === "license") add("preferences", key, "", utf8Of(value));
    else if (key === "content-signal") for (const row of signalsIn(statementIn(value))) add("preferences", key, ...row);
    else if (key === "content-usage") for (const row of usagesIn(statementIn(value))) add("preferences", key, ...row);
  }
  add("sitemaps", classOf(pairs.filter(([key]) => /^site-?map/.test(key)).length, [0, 1, 2, 6, 51]));
  const first = (line: string): boolean =>
    lines.some((each) => each.replace(/^[ \t]+|[ \t]+$/g, "").toLowerCase() === line);
  if (first("# begin cloudflare managed content")) add("managed", "Cloudflare");
  if (first("# start yoast block")) add("managed", "Yoast SEO");
  for (const { code } of lint(body)) add("lint", findingSeverities[code], code);
  return { isRobotsTxt: true, pairs: states.pairs, keys };
}

/** The value of a line about the use of content, without its path. */
function statementIn(value: string): string {
  return value.replace(/^\/[^ \t]*[ \t]*/, "");
}

function signalsIn(statement: string): readonly (readonly string[])[] {
  const words = (text: string): string =>
    text
      .replace(/^[ \t]+|[ \t]+$/g, "")
      .slice(0, 64)
      .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  // A file that is not UTF-8 was decoded before its values are read.
  const members = Buffer.from(utf8Of(statement)).toString("latin1").split(",");
  return members
    .filter((member) => /[^ \t]/.test(member))
    .map((member) => member.split(/=(.*)/s, 2))
    .map(([key = "", value = ""]) => [words(key), words(value)]);
}

// RFC 9651: a dictionary as expressions.
const item = [
  String.raw`-?\d{1,12}\.\d{1,3}`,
  String.raw`-?\d{1,15}`,
  String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`,
  "[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*",
  ":(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?:",
  String.raw`\?[01]`,
  String.raw`@-?\d{1,15}`,
].join("|");
const name = "[a-z*][a-z0-9_.*-]*";
const parameters = `(?:; *${name}(?:=(?:${item}))?)*`;
const list = String.raw`\( *(?:(?:${item})${parameters}(?: +(?:${item})${parameters})*)? *\)`;
const member = `(${name})(?:=(${list}|${item}))?${parameters}`;

function usagesIn(statement: string): readonly (readonly string[])[] {
  const text = statement.replace(/^ +|[ \t]+$/g, "");
  const plain = member.replaceAll(/\((?!\?)/g, "(?:").replaceAll(String.raw`\(?:`, String.raw`\(`);
  if (!new RegExp(`^(?:${plain}(?:[ \t]*,[ \t]*${plain})*)?$`).test(text)) return [["", "not a dictionary"]];
  const found = new Map<string, string>();
  for (const [, key, value = ""] of text.matchAll(new RegExp(`(?<=^|,)[ \t]*${member}[ \t]*(?=,|$)`, "g")))
    found.set(key!, value);
  return [...found];
}

function encodingOf(body: Uint8Array): string {
  if (isUtf16(body)) return "utf-16";
  const isMarked = Buffer.from(body.subarray(0, 3)).toString("hex") === "efbbbf";
  if (!isMarked && body.every((byte) => byte < 0x80)) return "ascii";
  if (!Buffer.from(Buffer.from(body).toString("utf8")).equals(body)) return "other";
  return isMarked ? "utf-8 with a byte order mark" : "utf-8";
}

function isUtf16(body: Uint8Array): boolean {
  const start = [...body.subarray(0, 1_024 & ~1)];
  if (/^(?:fffe|feff)/.test(Buffer.from(body.subarray(0, 2)).toString("hex"))) return true;
  const half = Math.floor(start.length / 2);
  const nuls = [0, 1].map(
    (side) => start.slice(0, half * 2).filter((byte, at) => byte === 0 && at % 2 === side).length,
  );
  return half >= 4 && nuls.some((count, side) => count >= half * 0.8 && nuls[1 - side]! <= half * 0.1);
}

/** The format of a file that looks like no robots.txt. */
function formatOf(body: Uint8Array): string | undefined {
  if (isUtf16(body)) return "UTF-16";
  const start = Buffer.from(body.subarray(0, 1_024)).toString("latin1");
  const text = start.replace(/^\xef\xbb\xbf/, "").replace(/^[ \t\n\v\f\r]+/, "");
  const found = (
    [
      ["gzip", "\x1f\x8b"],
      ["PDF", "%PDF-"],
      ["PNG", "\x89PNG"],
      ["JPEG", "\xff\xd8\xff"],
      ["GIF", "GIF8"],
      ["ZIP", "PK\x03\x04"],
    ] as const
  ).find(([, signature]) => start.startsWith(signature));
  if (found !== undefined) return found[0];
  if (text.startsWith("<?")) return "XML";
  if (/^<[!A-Za-z]/.test(text)) return "HTML";
  if (text.startsWith("{\\")) return "RTF";
  if (/^[{[]/.test(text)) return "JSON";
  // oxlint-disable-next-line no-control-regex
  const controls = start.match(/[\0-\x08\x0e-\x1f]/g)?.length ?? 0;
  return start.length >= 16 && controls * 10 > start.length ? "binary data" : undefined;
}

function classOf(count: number, least: readonly number[]): string {
  const at = least.findLastIndex((each) => count >= each);
  const next = least[at + 1];
  if (next === undefined) return `${least[at]} or more`;
  return next === least[at]! + 1 ? String(least[at]) : `${least[at]}–${next - 1}`;
}
