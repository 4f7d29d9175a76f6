// How messages of an input format are read, and how their rows are marked with the answer.
import type { Answer, RecordWriter } from "../formats/types.ts";
import { inputFormatNamed } from "../formats/registry.ts";
import { fingerprintOf } from "../sources/fingerprint.ts";
import { readWithBase } from "../sources/open.ts";
import type { InputFormat, ReadOptions, ResumePoint } from "../records/batch.ts";
import { shownWordOf } from "../text.ts";
import { wrong } from "./options.ts";

/** The format of a name. Throws a `UsageError` for one whose records are not lines. */
export function lineFormatNamed(name: string): InputFormat {
  const format = inputFormatNamed(name);
  if (format?.recordsAre !== "lines" || format.samples === undefined)
    throw wrong("inputFormat", `${shownWordOf(name, 60)} cannot be in messages: its records are not lines`);
  return format;
}

const openBrace = 0x7b;

/** Whether the first byte of a line shows that the line is one record or one reject: not blank, not a comment, no byte order mark. */
export function joinsOf({ name }: InputFormat): (value: Uint8Array) => boolean {
  if (name === "ndjson") return ([first]) => first === openBrace;
  if (name === "lines") return ([first = 0]) => first > 0x20 && first < 0x7f;
  return () => false;
}

/** The state of a reader after a record with all asked fields. Rejects with a `UsageError` when the format has none of them. */
export async function pointAfterFirst(format: InputFormat, options: ReadOptions): Promise<ResumePoint> {
  const line = `${format.name === "ndjson" ? firstObject(options) : filled(format.samples!.record)}\n`;
  const read = readWithBase(format, one(Buffer.from(line)), { ...options, givesPlaces: true });
  let known: ResumePoint["known"] = {};
  for await (const batch of read) {
    known = batch.place?.known ?? known;
    batch.packed?.recycle?.();
  }
  return { offset: 0, line: 0, before: fingerprintOf(Buffer.alloc(0)), known };
}

/** A JSON object with the named fields; dots are paths. */
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

/** A sample record with values in the places of its parts. */
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

/** Bytes in place of the line end, one for each answer; JSON texts contain no such bytes. */
const marks = { allowed: 0x01, disallowed: 0x02, undecided: 0x03 } as const;
const newline = 0x0a;

/** A writer whose rows end with a mark of the answer before the line end. */
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

/** Sorts rows of such a writer, and removes the marks. */
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
