// File names in, one stream of batches of all of them out: opened, unpacked, detected, read one after another.
import type { Readable } from "node:stream";
import type { Base } from "@robots-stream/logs";
import { IoError, UsageError } from "../exit.ts";
import type { RecordWriter } from "../output/types.ts";
import { beginningBytes, prepare } from "./prepare.ts";
import { type Source, beginningOfFile, nameOf, openSource } from "./source.ts";
import type { Batch, InputFormat, ReadOptions } from "./types.ts";
import { DamagedError } from "./unpack.ts";

/** What all sources have in common. */
export interface InputOptions {
  readonly format: InputFormat | undefined;
  readonly maxLineBytes: number;
  readonly urlField: string | undefined;
  readonly agentField?: string | undefined;
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
        const opened = openSource(path, this.#stdin);
        this.#current = opened.stream;
        for await (const batch of this.#read(path, this.#chunksOf(nameOf(path), opened), writer)) {
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
    const { maxLineBytes, urlField, agentField, base } = this.#options;
    const source = nameOf(path);
    try {
      const { format, lineEnd, chunks: text } = await prepare(path, chunks, this.#options);
      yield* readWithBase(format, text, { source, lineEnd, maxLineBytes, urlField, agentField, base, writer });
    } catch (error) {
      throw error instanceof DamagedError ? new IoError("input", source, error) : error;
    }
  }

  async *#chunksOf(source: string, { stream, bytes: size = 0 }: Source): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for await (const chunk of stream) {
        if (this.#stopped) break;
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array);
        length += bytes.length;
        yield bytes;
      }
    } catch (error) {
      // stop() destroys the stream under the loop.
      if (!this.#stopped) throw new IoError("input", source, error);
    }
    // Not an end of input: what came of a line that goes on must not be taken for a line.
    if (this.#stopped) throw stopped;
    // Nor is the last line of a file that was cut while it was read.
    if (length < size) {
      throw new IoError("input", source, new Error(`was cut while it was read: ${length} of ${size} bytes came`));
    }
  }
}

/**
 * Reads a source. With a base, a URL that begins with a slash is a target of that origin, also with two slashes: in a log
 * that is no link to another host.
 */
export async function* readWithBase(
  format: InputFormat,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Batch> {
  const { base } = options;
  for await (const batch of format.read(chunks, options)) {
    if (base !== undefined) {
      const origin = `${base.scheme}://${base.host}`;
      for (const [index, url] of batch.urls.entries()) if (url.startsWith("/")) batch.urls[index] = origin + url;
    }
    yield batch;
  }
}

async function* onlyChunk(bytes: Uint8Array, isWhole: boolean): AsyncGenerator<Uint8Array> {
  yield bytes;
  if (!isWhole) throw stopped;
}
