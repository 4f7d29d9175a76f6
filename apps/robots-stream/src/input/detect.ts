// The beginning of a source and its name in, its format and line end out; or why it cannot be read as text.
import { extname } from "node:path";
import { parseTarget } from "@robots-stream/url";
import { UsageError } from "../exit.ts";
import { csv, delimiterOf, firstRowOf } from "./csv.ts";
import { inputFormats } from "./formats.ts";
import { lines } from "./lines.ts";
import { ndjson } from "./ndjson.ts";
import type { InputFormat } from "./types.ts";
import { indexOfUsualField } from "./url-field.ts";

/** What the beginning shows. */
export interface Detected {
  readonly format: InputFormat;
  readonly lineEnd: "\n" | "\r";
}

/** First bytes of what is no text as we read it: what it is, and what to do. */
const foreign: readonly (readonly [bytes: string, what: string, hint: string])[] = [
  ["\x1f\x8b", "gzip-compressed", "unpack it first: gzip -dc FILE | robots-stream …"],
  ["\x28\xb5\x2f\xfd", "zstd-compressed", "unpack it first: zstd -dc FILE | robots-stream …"],
  ["BZh", "bzip2-compressed", "unpack it first: bzip2 -dc FILE | robots-stream …"],
  ["\xfd7zXZ\0", "xz-compressed", "unpack it first: xz -dc FILE | robots-stream …"],
  ["PK\x03\x04", "a ZIP archive or a spreadsheet", "unpack it, or save it as CSV"],
  ["\xff\xfe", "UTF-16 text", "convert it first: iconv -f UTF-16 -t UTF-8 FILE | robots-stream …"],
  ["\xfe\xff", "UTF-16 text", "convert it first: iconv -f UTF-16 -t UTF-8 FILE | robots-stream …"],
];

/**
 * Says how to read a source from its first bytes. `named` is what `--input` said and is believed; then content that
 * can be only one thing goes before the file ending, and the ending before a guess.
 * Throws a `UsageError` for compressed files, UTF-16 and JSON arrays.
 */
export function detect(
  source: string,
  beginning: Uint8Array,
  named: InputFormat | undefined,
  ending: string = extname(source),
): Detected {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, Math.min(beginning.byteLength, 65_536));
  const text = bytes.toString("latin1");
  for (const [magic, what, hint] of foreign) {
    if (text.startsWith(magic)) throw new UsageError("unusable-input", `${source}: is ${what}`, hint);
  }
  const lineEnd = text.includes("\r") && !text.includes("\n") ? "\r" : "\n";
  const [rows, isWhole] = rowsOf(text, lineEnd);
  const first = rows[0] ?? "";
  if ((named === undefined || named === ndjson) && first.startsWith("[")) {
    throw new UsageError(
      "unusable-input",
      `${source}: is a JSON array, not one object a line`,
      "turn it into lines first: jq -c '.[]' FILE | robots-stream …",
    );
  }
  return { format: named ?? formatOf(first, rows, isWhole, ending.toLowerCase()), lineEnd };
}

function formatOf(first: string, rows: readonly string[], isWhole: boolean, ending: string): InputFormat {
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
  const whole = isWhole ? rows : rows.slice(0, -1);
  const counts = whole.slice(0, 20).map((row) => row.split(delimiter).length);
  const isTable = delimiter !== "" && counts.length > 1 && counts.every((count) => count === counts[0]);
  return isTable ? csv : lines;
}

/** The lines that are not empty, and whether the last one is whole. */
function rowsOf(text: string, lineEnd: string): [rows: string[], isWhole: boolean] {
  const start = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  const rows = text
    .slice(start)
    .split(lineEnd)
    .map((row) => row.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""));
  return [rows.filter((row) => row !== ""), text.endsWith(lineEnd)];
}
