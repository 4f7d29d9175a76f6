// The beginning of a source and its name in, its format and line end out; or why it cannot be read as text.
import { extname } from "node:path";
import { lineLogFormats, objectLogFormats } from "@robots-stream/logs";
import { parseTarget } from "@robots-stream/url";
import { UsageError } from "../errors.ts";
import { csv, delimiterOf, firstRowOf } from "../formats/csv/read.ts";
import { inputFormats } from "../formats/registry.ts";
import { lines } from "../formats/lines/read.ts";
import { ndjson } from "../formats/ndjson/format.ts";
import type { InputFormat } from "../records/batch.ts";
import { indexOfUsualField } from "../formats/url-field.ts";

/** What is known besides the beginning. */
export interface DetectOptions {
  /** What `--input` said. */
  readonly named?: InputFormat | undefined;
  /** The file's; otherwise that of its name. */
  readonly ending?: string;
  readonly urlField?: string | undefined;
  /** Whether the source ends there. */
  readonly isAll?: boolean;
}

/** What the beginning shows. */
export interface Detected {
  readonly format: InputFormat;
  readonly lineEnd: "\n" | "\r";
}

/** How what is no text as we read it begins: what it is, and what to do. gzip and zstd were unpacked once before. */
/* oxlint-disable no-control-regex */
const foreign: readonly (readonly [beginning: RegExp, what: string, hint: string])[] = [
  [/^\x1f\x8b/, "compressed twice", "unpack it once: gzip -dc FILE | robots-stream …"],
  [/^\x28\xb5\x2f\xfd/, "compressed twice", "unpack it once: zstd -dc FILE | robots-stream …"],
  [/^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/, "bzip2-compressed", "unpack it first: bzip2 -dc FILE | robots-stream …"],
  [/^\xfd7zXZ\0/, "xz-compressed", "unpack it first: xz -dc FILE | robots-stream …"],
  [
    /^PK\x03\x04/,
    "a ZIP archive or a spreadsheet",
    "unpack it first: unzip -p FILE | robots-stream …; a spreadsheet: save it as CSV",
  ],
  [/^[^\0]{1,100}\0[^]{156,255}ustar/, "a tar archive", "unpack it first: tar -xOf FILE | robots-stream …"],
  [
    /^(?:[\t\n\r\x20-\x7e]\0){3}[\t\n\r\x20-\x7e](?:\0|$)/,
    "UTF-16 text without its byte order mark",
    "convert it first: iconv -f UTF-16LE -t UTF-8 FILE | robots-stream …",
  ],
  [
    /^(?:\0[\t\n\r\x20-\x7e]){4}/,
    "UTF-16 text without its byte order mark",
    "convert it first: iconv -f UTF-16BE -t UTF-8 FILE | robots-stream …",
  ],
];
/* oxlint-enable no-control-regex */

/**
 * Says how to read a source from its first bytes: all of them that `DecidingText` lets decide, and no more. `named` is believed;
 * then content that can be only one thing goes before the file ending, and the ending before a guess. With a `urlField`
 * JSON is plain JSON, whatever log it is of.
 * Throws a `UsageError` for what is no text, and for JSON arrays.
 */
export function detect(source: string, beginning: Uint8Array, options: DetectOptions = {}): Detected {
  const { named, ending = extname(source), urlField, isAll = false } = options;
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const start = startOf(bytes);
  const text = bytes.toString("latin1");
  for (const [beginningOfIt, what, hint] of foreign) {
    if (beginningOfIt.test(text)) throw new UsageError("unusable-input", `${source}: is ${what}`, hint);
  }
  const lineEnd = lineEndOf(text, isAll);
  const [rows, isWhole] = rowsOf(text.slice(start), lineEnd);
  const first = rows[0] ?? "";
  if ((named === undefined || named === ndjson) && first.startsWith("[")) {
    throw new UsageError(
      "unusable-input",
      `${source}: is a JSON array, not one object a line`,
      "turn it into lines first: jq -c '.[]' FILE | robots-stream …",
    );
  }
  return { format: named ?? formatOf(first, rows, isWhole, ending.toLowerCase(), urlField), lineEnd };
}

/** A carriage return at the very end of what is not all may be half of a line end. */
function lineEndOf(text: string, isAll: boolean): Detected["lineEnd"] {
  const isReturn = !text.includes("\n") && (isAll ? text : text.slice(0, -1)).includes("\r");
  return isReturn ? "\r" : "\n";
}

function formatOf(
  first: string,
  rows: readonly string[],
  isWhole: boolean,
  ending: string,
  urlField: string | undefined,
): InputFormat {
  const whole = isWhole || rows.length === 1 ? rows : rows.slice(0, -1);
  const log = first.startsWith("{") && urlField !== undefined ? undefined : logOf(whole);
  if (log !== undefined) return log;
  if (first.startsWith("{")) return ndjson;
  const byEnding = inputFormats.find(({ endings }) => endings.includes(ending));
  if (byEnding !== undefined) return byEnding;
  if (first === "") return ndjson;
  const delimiter = delimiterOf(firstRowOf(rows.join("\n"), "\n"));
  if (parseTarget(first) === undefined) {
    // Not a URL: a header, or a list of something else, which comes back as invalid URLs.
    return delimiter !== "" || indexOfUsualField([first.replaceAll('"', "")]) >= 0 ? csv : lines;
  }
  // A URL may hold a comma; rows hold as many as their neighbours.
  const counts = whole.slice(0, 20).map((row) => row.split(delimiter).length);
  const isTable = delimiter !== "" && counts.length > 1 && counts.every((count) => count === counts[0]);
  return isTable ? csv : lines;
}

/** The log format that the first row names, or that most of the first rows have: one of them may be damaged. */
function logOf(rows: readonly string[]): InputFormat | undefined {
  const first = rows.slice(0, 20);
  const [name] = [...lineLogFormats, ...objectLogFormats]
    .map((log) => {
      const count = first.filter((row) => log.recognizes(row)).length;
      const isNamed = /^(?:#|CDX )/.test(first[0] ?? "") && log.recognizes(first[0] ?? "");
      return { name: log.name, weight: isNamed ? first.length : count };
    })
    .filter(({ weight }) => weight > 0 && weight * 2 >= first.length)
    .toSorted((one, other) => other.weight - one.weight)
    .map((log) => log.name);
  return inputFormats.find((format) => format.name === name);
}

/** Where the text begins, after a byte order mark and empty lines. */
function startOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (isSpace(bytes[at])) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

/** The lines that are not empty, and whether the last one is whole. */
function rowsOf(text: string, lineEnd: string): [rows: string[], isWhole: boolean] {
  const rows = text.split(lineEnd).map((row) => row.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""));
  return [rows.filter((row) => row !== ""), text.endsWith(lineEnd)];
}
