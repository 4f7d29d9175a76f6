// Prepares an input format for messages, marks the rows of messages with their answers, and groups rows by these marks.
import type { Answer, RecordWriter } from "../formats/types.ts";
import { inputFormatNamed } from "../formats/registry/registry.ts";
import { fingerprintOf, type ResumePoint } from "../records/batch.ts";
import { readWithBase } from "../sources/input.ts";
import type { InputFormat, ReadOptions } from "../formats/input-format.ts";
import { shownWordOf } from "../common/text.ts";
import { wrong } from "./options.ts";

/** The input format with this name. Throws a `UsageError` for a format whose records are not lines, and for an unknown name. */
export function lineFormatNamed(name: string): InputFormat {
  const format = inputFormatNamed(name);
  if (format?.recordsAreLines !== true || format.samples === undefined)
    throw wrong("inputFormat", `${shownWordOf(name, 60)} cannot be in messages: its records are not lines`);
  return format;
}

const openBrace = 0x7b;

/**
 * Creates a test for messages of one line. The test returns true when the first byte shows that the line is one record or one reject. It
 * returns false for a blank line, for a line with a byte order mark, and for every line of a format other than "ndjson" and "lines".
 */
export function joinsOf({ name }: InputFormat): (value: Uint8Array) => boolean {
  if (name === "ndjson") return ([first]) => first === openBrace;
  if (name === "lines") return ([first = 0]) => first > 0x20 && first < 0x7f;
  return () => false;
}

/**
 * Reads a sample record with all requested fields, and returns the state of the reader after it. A reader that resumes from this state
 * knows these fields. Rejects with a `UsageError` when the format does not have them.
 */
export async function pointAfterFirst(format: InputFormat, options: ReadOptions): Promise<ResumePoint> {
  const line = `${format.name === "ndjson" ? firstObject(options) : filled(format.samples!.record)}\n`;
  const read = readWithBase(format, one(Buffer.from(line)), { ...options, givesPlaces: true });
  let known: ResumePoint["known"] = {};
  for await (const batch of read) {
    known = batch.place?.known ?? known;
    batch.records.recycle?.();
  }
  return { offset: 0, line: 0, before: fingerprintOf(Buffer.alloc(0)), known };
}

/** A JSON object with the fields that `options` name; a name with dots is a path through nested objects. */
function firstObject({ urlField, agentField, texts = [] }: ReadOptions): string {
  const record: Record<string, unknown> = {};
  const fields = [typeof urlField === "string" ? urlField : "url", agentField, ...texts.map(({ field }) => field)];
  for (const field of fields) {
    const path = field?.split(".") ?? [];
    let to = record;
    for (const [at, name] of path.entries()) {
      if (at === path.length - 1) to[name] = "https://robots-stream.example/";
      else to = (to[name] ??= {}) as Record<string, unknown>;
    }
  }
  return JSON.stringify(record);
}

/** Replaces the placeholders of a format's sample record ("{url}", "{host}" …) with values. */
function filled(record: string): string {
  const parts: Readonly<Record<string, string>> = {
    scheme: "https",
    host: "a.example",
    target: "/",
    path: "/",
    query: "-",
    other: "x",
  };
  return record.replace(
    /\{(url|scheme|host|target|path|query|other)\}/g,
    (_all, name: string) => parts[name] ?? "https://a.example/",
  );
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Rows by their answers. */
export interface RowsByAnswer {
  readonly allowed: readonly Buffer[];
  readonly disallowed: readonly Buffer[];
  /** No robots.txt applies to the URL, or no crawler made the request. */
  readonly undecided: readonly Buffer[];
}

/** The byte before a row's line end, by answer; JSON texts contain no such bytes. */
const marks = { allowed: 0x01, disallowed: 0x02, undecided: 0x03 } as const;
const newline = 0x0a;

/** Wraps a writer of rows: before its line end, each row has the mark of its answer. */
export function markingWriter(writer: RecordWriter): RecordWriter {
  const markOf = ({ allowed }: Answer): number =>
    allowed === null ? marks.undecided : allowed ? marks.allowed : marks.disallowed;
  const tailOf = (answer: Answer): string => {
    const tail = writer.tailOf(answer);
    return `${tail.slice(0, -1)}${String.fromCharCode(markOf(answer))}\n`;
  };
  const { members } = writer;
  return {
    ...writer,
    tailOf,
    ...(members === undefined ? {} : { members: { ...members, tailEnd: members.tailEnd + 1 } }),
  };
}

/** Groups the rows of a `markingWriter` by their answers. Removes the marks in place: the returned rows share the memory of `rows`. */
export function sortedRows(rows: Buffer): RowsByAnswer {
  const sorted = { allowed: [] as Buffer[], disallowed: [] as Buffer[], undecided: [] as Buffer[] };
  for (let start = 0; start < rows.length;) {
    const end = rows.indexOf(newline, start);
    const mark = rows[end - 1];
    const row = rows.subarray(start, end);
    // The mark becomes the line end.
    row[row.length - 1] = newline;
    sorted[mark === marks.allowed ? "allowed" : mark === marks.disallowed ? "disallowed" : "undecided"].push(row);
    start = end + 1;
  }
  return sorted;
}
