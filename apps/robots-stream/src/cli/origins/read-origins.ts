// Reads files in any input format, and files of counted origins (the output of the command `origins`). Passes the origin of every record to
// a counter, and counts the records without an origin.
import { IoError, type UsageError } from "@robots-stream/engine";
import {
  nameOf,
  openSource,
  peekUnpacked,
  printableOf,
  RequestPlaces,
  locateUrl,
} from "@robots-stream/engine/internal";
import type { InputStream } from "@robots-stream/engine/start";
import type { InputRun } from "../command-body.ts";
import { plainCountText } from "../figures.ts";
import type { Source } from "../read-all.ts";
import { findBases } from "../file-bases.ts";
import { longestCounted, type OriginCounter } from "./counter.ts";
import type { InputSettings } from "../input-settings.ts";
import { readRecords } from "../read-records.ts";
import { firstTold } from "../terminal.ts";

interface ReadOrigins {
  /** Number of records with or without an origin, plus the sum of the counts in files of counted origins. */
  records: number;
  /** Number of records whose URL has no origin, or an origin longer than `longestCounted`. */
  withoutOrigin: number;
  /** Number of lines that are not records. */
  rejects: number;
  /** Errors that ended the reading of a file after some of its lines. */
  readonly failures: Error[];
}

/** Reads all files, one after another. Rejects with a `UsageError` for a file that cannot be read, and with the signal's reason. */
export async function readOrigins(
  { files, ...settings }: InputSettings & { readonly files: readonly string[] },
  counter: OriginCounter,
  { stdin, say, signal }: InputRun,
): Promise<ReadOrigins> {
  const read: ReadOrigins = { records: 0, withoutOrigin: 0, rejects: 0, failures: [] };
  const { baseOfFile, notes } = findBases(settings.fileBases, files);
  for (const note of notes) say(note);
  const rejected = firstTold(say, "rejected lines");
  const reject = (source: string, line: number, why: string): void => {
    read.rejects++;
    rejected.tell(`${source}:${line}: ${why}`);
  };
  for (const path of files) {
    const told = await beginningOf(path, stdin, signal);
    try {
      if (told.counted === undefined) {
        const base = baseOfFile.get(path) ?? settings.base;
        const own = { ...settings, base };
        await addRecords(own, { path, stdin: told.stdin, counter, read, reject, say, signal });
      } else await readCounted(told.counted, { path, counter, read, reject, signal });
    } finally {
      told.close();
    }
  }
  return read;
}

interface Told {
  /** The decompressed chunks of the file if it has counted origins; undefined for any other file. */
  readonly counted: AsyncIterable<Uint8Array> | undefined;
  /**
   * The stream to read as stdin. If `path` is "-" and stdin has no counted origins, this stream contains all bytes of stdin, decompressed,
   * including the bytes that `beginningOf` has read. Otherwise it is stdin itself.
   */
  readonly stdin: InputStream;
  close(): void;
}

/** Examines the beginning of a file or of stdin to find out whether it has counted origins. The caller must call `close` of the result. */
async function beginningOf(path: string, stdin: InputStream, signal: AbortSignal): Promise<Told> {
  const source = openedOf(path, stdin);
  // The file cannot be opened. `addRecords` opens it again and reports the error.
  if (source === undefined) return { counted: undefined, stdin, close: () => undefined };
  const stop = (): void => source.destroy();
  signal.addEventListener("abort", stop, { once: true });
  const close = (): void => {
    signal.removeEventListener("abort", stop);
    if (path !== "-") source.destroy();
  };
  try {
    let seen = 0;
    // Waits only for the first line, because the next line of a pipe may come much later.
    const peeked = await peekUnpacked(
      bytesOf(source.chunks),
      (chunk) => (seen += chunk.byteLength) >= tellingBytes || chunk.includes(lineFeed),
    );
    signal.throwIfAborted();
    if (isCounted(peeked.beginning.subarray(0, tellingBytes))) return { counted: peeked.chunks, stdin, close };
    if (path !== "-") {
      close();
      return { counted: undefined, stdin, close: () => undefined };
    }
    const { chunks: text } = peeked;
    const looked: InputStream = { [Symbol.asyncIterator]: () => text[Symbol.asyncIterator]() as never, destroy: stop };
    return { counted: undefined, stdin: looked, close };
  } catch (error) {
    close();
    throw error;
  }
}

const lineFeed = 0x0a;

function openedOf(path: string, stdin: InputStream): Source | undefined {
  try {
    return openSource(path, stdin);
  } catch (error) {
    if (error instanceof IoError) return undefined;
    throw error;
  }
}

async function* bytesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

interface Reading {
  readonly path: string;
  readonly counter: OriginCounter;
  readonly read: ReadOrigins;
  readonly reject: (source: string, line: number, why: string) => void;
  readonly signal: AbortSignal;
}

async function addRecords(
  settings: InputSettings,
  { path, counter, read, reject, signal, stdin, say }: Reading & Pick<InputRun, "stdin" | "say">,
): Promise<void> {
  const places = new RequestPlaces();
  const options = { ...settings, format: settings.inputFormat, asksRequest: true };
  const { failures } = await readRecords(
    [path],
    options,
    { stdin, say, signal, isChecked: path !== "-" },
    (packed, rejects) => {
      read.records += packed.count;
      for (let record = 0; record < packed.count; record++) {
        places.locate(packed, record);
        if (places.origin === "" || places.origin.length > longestCounted) read.withoutOrigin++;
        else counter.add(places.origin, 1);
      }
      for (const { source, line, message } of rejects) reject(source, line, printableOf(message));
    },
  );
  read.failures.push(...failures);
}

/** Maximum length in bytes of a line with a counted origin. Longer lines are rejected. */
const mostLineBytes = 65_536;

async function readCounted(
  chunks: AsyncIterable<Uint8Array>,
  { path, counter, read, reject, signal }: Reading,
): Promise<void> {
  const source = nameOf(path);
  let number = 0;
  let unfinished = "";
  const take = (line: string): void => {
    number++;
    if (line.trim() === "") return;
    const counted = line.length > mostLineBytes ? undefined : countedOf(line);
    if (counted === undefined) {
      reject(source, number, "is not a line of counted origins");
      return;
    }
    read.records += counted.count;
    counter.add(counted.origin, counted.count);
  };
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
      const lines = text.split("\n");
      lines[0] = unfinished + lines[0]!;
      unfinished = lines.pop()!;
      // Keeps only the beginning of a line that is too long, so that memory is bounded.
      if (unfinished.length > mostLineBytes) unfinished = unfinished.slice(0, mostLineBytes + 1);
      for (const line of lines) take(line);
    }
    if (unfinished !== "") take(unfinished);
  } catch (error) {
    signal.throwIfAborted();
    if (number === 0) throw error;
    read.failures.push(error as IoError | UsageError);
  }
}

/** Converts the counts of the records that were read to a text for messages. */
export function recordsText({ records, withoutOrigin, rejects }: ReadOrigins): string {
  return [
    plainCountText(records, "record"),
    ...(withoutOrigin === 0 ? [] : [`${withoutOrigin} without an origin`]),
    ...(rejects === 0 ? [] : [plainCountText(rejects, "line that is not a record", "lines that are not records")]),
  ].join(", ");
}

/** Returns the line for an origin and its count. */
export function lineOfOrigin(origin: string, count: number): string {
  return `{"origin":${JSON.stringify(origin)},"count":${count}}\n`;
}

/** Matches the first line of a file that the command `origins` wrote. */
const beginning = /^\s*\{\s*"origin"\s*:\s*"[^"\\]{1,8192}"\s*,\s*"count"\s*:\s*\d{1,16}\s*\}\s*(?:\r?\n|$)/;

/** Number of bytes at the beginning of a file that are examined for such a line. */
const tellingBytes = 16_384;

function isCounted(bytes: Uint8Array): boolean {
  return beginning.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/** Returns the origin and the count in a line; undefined for any other line. */
function countedOf(line: string): { readonly origin: string; readonly count: number } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { origin, count } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof origin !== "string" || origin.length > longestCounted || !isCount(count)) return undefined;
  const located = locateUrl(`${origin}/`);
  return typeof located !== "string" && located.origin === origin ? { origin, count } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
