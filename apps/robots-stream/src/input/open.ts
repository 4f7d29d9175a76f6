// File names in, one stream of batches of all of them out: opened, detected, read one after another.
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from "node:fs";
import { extname } from "node:path";
import type { Readable } from "node:stream";
import { IoError, UsageError, reasonOf } from "../exit.ts";
import type { RecordWriter } from "../output/types.ts";
import { printableOf } from "../text.ts";
import { detect } from "./detect.ts";
import type { Batch, InputFormat, ReadOptions } from "./types.ts";

/** Larger chunks than Node's own: fewer rounds through the stages for the same bytes. */
const chunkBytes = 256 * 1_024;

/** Bytes looked at before anything is decided. */
const beginningBytes = 64 * 1_024;

/** What all sources have in common. */
export interface InputOptions {
  readonly format: InputFormat | undefined;
  readonly maxLineBytes: number;
  readonly urlField: string | undefined;
}

/** Thrown through the readers when reading is stopped. */
const stopped = new Error("reading was stopped");

/** The sources of one run. */
export class Input {
  readonly #paths: readonly string[];
  readonly #stdin: Readable;
  readonly #options: InputOptions;
  #current: Readable | undefined;
  #stopped = false;

  /** "-" stands for `stdin`. */
  constructor(paths: readonly string[], stdin: Readable, options: InputOptions) {
    this.#paths = paths;
    this.#stdin = stdin;
    this.#options = options;
  }

  /**
   * Looks at every regular file before the run: that it can be read, is text, and has a URL in its first record.
   * Throws a `UsageError` otherwise. `createWriter` gives a writer to throw away.
   */
  async check(createWriter: () => RecordWriter): Promise<void> {
    const writer = createWriter();
    for (const path of this.#paths) {
      const beginning = path === "-" ? undefined : beginningOf(path);
      if (beginning === undefined) continue;
      const records = this.#read(path, oneChunk(beginning), writer);
      // The first batch is enough: a source says by then what is wrong with it.
      for await (const _batch of records) break;
    }
  }

  /** Reads all sources. Throws `UsageError` as the formats do, and `IoError` when a source fails. */
  async *batches(writer: RecordWriter): AsyncGenerator<Batch> {
    for (const path of this.#paths) {
      if (this.#stopped) return;
      const stream = path === "-" ? this.#stdin : createReadStream(path, { highWaterMark: chunkBytes });
      this.#current = stream;
      try {
        yield* this.#read(path, this.#chunksOf(nameOf(path), stream), writer);
      } catch (error) {
        if (error !== stopped) throw error;
      }
    }
  }

  /** Ends reading soon; `batches` then ends as if the input did. */
  stop(): void {
    this.#stopped = true;
    this.#current?.destroy();
  }

  async *#read(path: string, chunks: AsyncIterable<Uint8Array>, writer: RecordWriter): AsyncGenerator<Batch> {
    const { format: named, maxLineBytes, urlField } = this.#options;
    const source = nameOf(path);
    const iterator = chunks[Symbol.asyncIterator]();
    const held: Uint8Array[] = [];
    let beginning: Uint8Array = new Uint8Array(0);
    while (beginning.byteLength < beginningBytes && !hasLine(beginning)) {
      const { value, done } = await iterator.next();
      if (done === true) break;
      held.push(value);
      beginning = held.length === 1 ? value : Buffer.concat(held);
    }
    const { format, lineEnd } = detect(source, beginning, named, extname(path));
    const options: ReadOptions = { source, lineEnd, maxLineBytes, urlField, writer };
    yield* format.read(goOn(beginning, iterator), options);
  }

  async *#chunksOf(source: string, stream: Readable): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream) {
        if (this.#stopped) break;
        yield typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array);
      }
    } catch (error) {
      // stop() destroys the stream under the loop.
      if (!this.#stopped) throw new IoError("input", source, error);
    }
    // Not an end of input: what came of a line that goes on must not be taken for a line.
    if (this.#stopped) throw stopped;
  }
}

/** A source's name in messages. */
function nameOf(path: string): string {
  return path === "-" ? "stdin" : printableOf(path);
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* goOn(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.byteLength > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Whether a whole line that is not empty has come; a carriage return at the very end may be half of a line end. */
function hasLine(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at++;
  while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
  return bytes[at] === 0x0d ? at + 1 < bytes.length : at < bytes.length;
}

/** The first bytes of a regular file; undefined for a pipe or a device, which can be read only once. */
function beginningOf(path: string): Uint8Array | undefined {
  const name = printableOf(path);
  let handle: number | undefined;
  try {
    const kind = statSync(path);
    // Not even opened: whoever writes into a named pipe would see its reader leave.
    if (!kind.isFile() && !kind.isDirectory()) return undefined;
    handle = openSync(path, "r");
    const stat = fstatSync(handle);
    if (stat.isDirectory()) throw new UsageError("unreadable-input", `${name}: is a directory`);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stat.size, beginningBytes));
    const length = readSync(handle, bytes, 0, bytes.length, 0);
    return bytes.subarray(0, length);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unreadable-input", `${name}: ${reasonOf(error)}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
