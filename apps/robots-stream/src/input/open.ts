// File names in, one stream of batches of all of them out: opened, unpacked, detected, read one after another.
import { extname } from "node:path";
import type { Readable } from "node:stream";
import type { Base } from "@robots-stream/logs";
import { IoError, UsageError } from "../exit.ts";
import type { RecordWriter } from "../output/types.ts";
import { detect } from "./detect.ts";
import { decodeText } from "./encoding.ts";
import { peek } from "./peek.ts";
import { beginningOfFile, nameOf, openSource } from "./source.ts";
import type { Batch, InputFormat, ReadOptions } from "./types.ts";
import { DamagedError, unpack } from "./unpack.ts";

/** Bytes looked at before anything is decided; empty lines before them do not count, up to `maxBlankBytes`. */
const beginningBytes = 64 * 1_024;
const maxBlankBytes = 1_048_576;

/** What all sources have in common. */
export interface InputOptions {
  readonly format: InputFormat | undefined;
  readonly maxLineBytes: number;
  readonly urlField: string | undefined;
  readonly base: Base | undefined;
}

/** Thrown through the readers when reading is stopped. */
const stopped = new Error("reading was stopped");

/** The sources of one run. */
export class Input {
  readonly #paths: readonly string[];
  readonly #stdin: Readable;
  readonly #options: InputOptions;
  readonly #failures: (IoError | UsageError)[] = [];
  #current: Readable | undefined;
  #stopped = false;

  /** "-" stands for `stdin`. */
  constructor(paths: readonly string[], stdin: Readable, options: InputOptions) {
    this.#paths = paths;
    this.#stdin = stdin;
    this.#options = options;
  }

  /** What ended a source before its end, after records had come. The sources after it were read nevertheless. */
  get failures(): readonly (IoError | UsageError)[] {
    return this.#failures;
  }

  /**
   * Looks at every regular file before the run: that it can be read, is text, and has a URL in its first record.
   * Throws a `UsageError` otherwise. `createWriter` gives a writer to throw away.
   */
  async check(createWriter: () => RecordWriter): Promise<void> {
    const writer = createWriter();
    for (const path of this.#paths) {
      const beginning = path === "-" ? undefined : beginningOfFile(path, beginningBytes);
      if (beginning === undefined) continue;
      try {
        // The first batch is enough: a source says by then what is wrong with it.
        for await (const _batch of this.#read(path, onlyChunk(beginning.bytes, beginning.isWhole), writer)) break;
      } catch (error) {
        // What is damaged is told when all before it is decided.
        if (error !== stopped && !(error instanceof IoError)) throw error;
      }
    }
  }

  /**
   * Reads all sources. A source that fails ends there, and is one of the `failures`; only what is wrong with the first
   * records of all is thrown, as a `UsageError`.
   */
  async *batches(writer: RecordWriter): AsyncGenerator<Batch> {
    let hasBegun = false;
    for (const path of this.#paths) {
      if (this.#stopped) return;
      try {
        const stream = openSource(path, this.#stdin);
        this.#current = stream;
        for await (const batch of this.#read(path, this.#chunksOf(nameOf(path), stream), writer)) {
          hasBegun = true;
          yield batch;
        }
      } catch (error) {
        if (error === stopped) return;
        const isOfSource = error instanceof IoError || (error instanceof UsageError && hasBegun);
        if (!isOfSource) throw error;
        this.#failures.push(error);
      }
    }
  }

  /** Ends reading soon; `batches` then ends as if the input did. */
  stop(): void {
    this.#stopped = true;
    this.#current?.destroy();
  }

  async *#read(path: string, chunks: AsyncIterable<Uint8Array>, writer: RecordWriter): AsyncGenerator<Batch> {
    const { format: named, maxLineBytes, urlField, base } = this.#options;
    const source = nameOf(path);
    try {
      const unpacked = await unpack(chunks);
      const decoded = await decodeText(unpacked.chunks);
      const peeked = await peek(decoded.chunks, createLineSearch());
      const { format, lineEnd } = detect(source, peeked.beginning, named, endingOf(path), urlField);
      const options: ReadOptions = { source, lineEnd, maxLineBytes, urlField, base, writer };
      const batches = format.read(peeked.chunks, options);
      if (base === undefined) yield* batches;
      else yield* withBase(batches, `${base.scheme}://${base.host}`);
    } catch (error) {
      throw error instanceof DamagedError ? new IoError("input", source, error) : error;
    }
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

/** What begins with a slash is a target of the origin, also with two: in a log that is no link to another host. */
async function* withBase(batches: AsyncIterable<Batch>, origin: string): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    for (const [index, url] of batch.urls.entries()) if (url.startsWith("/")) batch.urls[index] = origin + url;
    yield batch;
  }
}

/** The file's ending, without that of its compression. */
function endingOf(path: string): string {
  return extname(path.replace(/\.(?:gz|zst)$/i, ""));
}

async function* onlyChunk(bytes: Uint8Array, isWhole: boolean): AsyncGenerator<Uint8Array> {
  yield bytes;
  if (!isWhole) throw stopped;
}

/**
 * Says of chunk after chunk whether a whole line that is not empty has come, or enough of one. A carriage return at the
 * very end may be half of a line end, and tells nothing yet.
 */
function createLineSearch(): (chunk: Uint8Array) => boolean {
  let blank = 0;
  let begun = 0;
  let afterReturn = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (begun === 0 && (byte <= 0x20 || isMark(byte, blank))) {
        blank++;
        continue;
      }
      begun++;
      if (byte === 0x0a || afterReturn) return true;
      afterReturn = byte === 0x0d;
      if (begun >= beginningBytes) return true;
    }
    return blank >= maxBlankBytes;
  };
}

/** Whether a byte at a place is one of UTF-8's byte order mark. */
function isMark(byte: number, at: number): boolean {
  return at < 3 && byte === [0xef, 0xbb, 0xbf][at];
}
