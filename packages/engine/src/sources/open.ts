// File names in, one stream of batches of all of them out: opened, unpacked, detected, read one after another.
import type { Base } from "@robots-stream/logs";
import { IoError, UsageError } from "../errors.ts";
import type { RecordWriter } from "../formats/types.ts";
import { type InputPlace, checkUnchanged, isSeekable, textBehind } from "./behind.ts";
import type { Clock } from "./arrivals.ts";
import { mostDecidingBytes } from "./deciding.ts";
import { decodeText } from "./encoding.ts";
import { fingerprintOf, mostFingerprintBytes } from "./fingerprint.ts";
import { inputFormats } from "../formats/registry.ts";
import { prepare } from "./prepare.ts";
import { type Source, beginningOfFile, bytesOfFile, nameOf, openSource } from "./source.ts";
import type { Batch, InputFormat, InputStream, ResumePoint, ReadOptions } from "../records/batch.ts";
import { DamagedError, unpack } from "./unpack.ts";

/** What all sources have in common. */
export interface InputOptions {
  readonly format: InputFormat | undefined;
  readonly maxLineBytes: number;
  readonly urlField: string | undefined;
  readonly agentField?: string | undefined;
  readonly base: Base | undefined;
  /** Whether batches tell the places behind them. */
  readonly givesPlaces?: boolean;
  /** Where to go on; the sources before it are not read. */
  readonly from?: InputPlace | undefined;
  /** Tells when a pipe is silent; the process's own otherwise. */
  readonly clock?: Clock | undefined;
  /** Is told when the format of a silent pipe was assumed, and what helps. */
  readonly onAssumed?: ((assumed: string, hint: string) => void) | undefined;
}

/** Bytes of a file that are looked at before the run: nearly always more than what decides. */
const checkedBytes = 2 * mostDecidingBytes;

/** Reads one source that is ready to be read. */
export type ReadSource = (
  format: InputFormat,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
) => AsyncGenerator<Batch>;

/** Thrown through the readers when reading is stopped. */
const stopped = new Error("reading was stopped");

/** The sources of one run. */
export class Input {
  readonly #paths: readonly string[];
  readonly #stdin: InputStream;
  readonly #options: InputOptions;
  readonly #failures: (IoError | UsageError)[] = [];
  #current: Source | undefined;
  /** What places in the source that is read have in common. */
  #reached: Omit<InputPlace, keyof ResumePoint> | undefined;
  #stopped = false;
  #readBytes = 0;
  #earlierBytes = 0;
  /** Null: not looked at yet. */
  #totalBytes: number | null = null;

  /** "-" stands for `stdin`. */
  constructor(paths: readonly string[], stdin: InputStream, options: InputOptions) {
    this.#paths = paths;
    this.#stdin = stdin;
    this.#options = options;
  }

  /** Errors that ended a source early, after it gave records. The sources after it were read. */
  get failures(): readonly (IoError | UsageError)[] {
    return this.#failures;
  }

  /** Bytes of the sources that were read so far, compressed as they are; those before the place where reading began included. */
  get readBytes(): number {
    return this.#readBytes;
  }

  /** Those of them before the place where reading began, which another run read. */
  get earlierBytes(): number {
    return this.#earlierBytes;
  }

  /** Bytes of all sources; undefined when one of them is no regular file. */
  get totalBytes(): number | undefined {
    if (this.#totalBytes === null) {
      this.#totalBytes = this.#paths.reduce((sum, path) => sum + (bytesOfFile(path, this.#stdin) ?? NaN), 0);
    }
    return Number.isNaN(this.#totalBytes) ? undefined : this.#totalBytes;
  }

  /**
   * Looks at every regular file before the run: that it can be read, is text, and has a URL in its first record; or that it
   * is the same as before, where reading goes on. Throws a `UsageError` otherwise. `createWriter` gives a writer to throw away.
   */
  async check(createWriter: () => RecordWriter): Promise<void> {
    const writer = createWriter();
    const { from } = this.#options;
    for (const [source, path] of this.#paths.entries()) {
      if (from !== undefined && source <= from.source) {
        if (source === from.source) checkUnchanged(path, from);
        continue;
      }
      const beginning = path === "-" ? undefined : beginningOfFile(path, checkedBytes);
      if (beginning === undefined) continue;
      try {
        // The first record is enough: a source says by then what is wrong with it.
        const batches = this.#read(source, onlyChunk(beginning.bytes, beginning.isWhole), writer);
        for await (const batch of batches) if (hasRecords(batch)) break;
      } catch (error) {
        // Damage is reported by the run, when all records before it are decided.
        if (error !== stopped && !(error instanceof IoError)) throw error;
      }
    }
  }

  /**
   * Reads all sources. A source that fails ends there, and is one of the `failures`; only what is wrong with the first
   * records of all is thrown, as a `UsageError`. `read` reads each.
   */
  async *batches(writer: RecordWriter, read: ReadSource = readWithBase): AsyncGenerator<Batch> {
    const { from } = this.#options;
    let hasBegun = from !== undefined;
    for (const [source, path] of this.#paths.entries()) {
      if (this.#stopped) return;
      if (from !== undefined && source < from.source) {
        this.#passOver(bytesOfFile(path, this.#stdin) ?? 0);
        continue;
      }
      let opened: Source | undefined;
      try {
        const place = from?.source === source ? from : undefined;
        const start = place !== undefined && isSeekable(place) ? place.offset : 0;
        opened = openSource(path, this.#stdin, start);
        this.#current = opened;
        const chunks = this.#chunksOf(nameOf(path), opened, start);
        const batches =
          place === undefined
            ? this.#read(source, chunks, writer, opened, read)
            : this.#readBehind(place, chunks, writer);
        let hasCome = false;
        for await (const batch of batches) {
          hasCome = true;
          hasBegun ||= hasRecords(batch);
          yield batch;
        }
        hasBegun ||= hasCome;
      } catch (error) {
        if (error === stopped) return;
        const isOfSource =
          error instanceof IoError || (error instanceof UsageError && error.code !== "ERR_CHANGED_INPUT" && hasBegun);
        if (!isOfSource) throw error;
        this.#failures.push(error);
      } finally {
        // An error in its beginning leaves the rest unread. Stdin may be named again.
        if (path !== "-") opened?.destroy();
      }
    }
  }

  /** Ends reading soon; `batches` then ends as if the input did. */
  stop(): void {
    this.#stopped = true;
    this.#current?.destroy();
  }

  /** The place in the input that is one of the source that is read now. */
  placeOf(place: ResumePoint): InputPlace {
    if (this.#reached === undefined) throw new Error("no source is read");
    return { ...this.#reached, ...place };
  }

  async *#read(
    source: number,
    chunks: AsyncIterable<Uint8Array>,
    writer: RecordWriter,
    opened?: Source,
    read: ReadSource = readWithBase,
  ): AsyncGenerator<Batch> {
    const path = this.#paths[source]!;
    const { givesPlaces } = this.#options;
    try {
      // A disk may be slow, but a file is never silent.
      const isLive = opened !== undefined && bytesOfFile(path, this.#stdin) === undefined;
      const prepared = await prepare(path, chunks, { ...this.#options, isLive });
      const { format, lineEnd, chunks: text, compression, encoding } = prepared;
      if (givesPlaces === true) {
        const isPlain = compression === undefined && encoding === undefined;
        const beginning = fingerprintOf(prepared.beginning.subarray(0, mostFingerprintBytes));
        this.#reached = { source, format: format.name, lineEnd, beginning, file: opened?.file ?? null, isPlain };
      }
      yield* read(format, text, {
        ...this.#optionsOf(path, writer),
        lineEnd,
        ...(givesPlaces === true ? { givesPlaces } : {}),
      });
    } catch (error) {
      throw error instanceof DamagedError ? new IoError("input", nameOf(path), error) : error;
    }
  }

  /** The batches behind a place; the chunks begin there, or at the source's beginning. */
  async *#readBehind(from: InputPlace, chunks: AsyncIterable<Uint8Array>, writer: RecordWriter): AsyncGenerator<Batch> {
    const path = this.#paths[from.source]!;
    const { lineEnd } = from;
    this.#reached = from;
    const format = inputFormats.find(({ name }) => name === from.format)!;
    try {
      const text = isSeekable(from)
        ? chunks
        : textBehind((await decodeText((await unpack(chunks)).chunks)).chunks, path, from);
      yield* readWithBase(format, text, { ...this.#optionsOf(path, writer), lineEnd, givesPlaces: true, from });
    } catch (error) {
      throw error instanceof DamagedError ? new IoError("input", nameOf(path), error) : error;
    }
  }

  #optionsOf(path: string, writer: RecordWriter): Omit<ReadOptions, "lineEnd"> {
    const { maxLineBytes, urlField, agentField, base } = this.#options;
    return { source: nameOf(path), maxLineBytes, urlField, agentField, base, writer };
  }

  #passOver(bytes: number): void {
    this.#readBytes += bytes;
    this.#earlierBytes += bytes;
  }

  /** The chunks of a stream that begins at `start` of its source. */
  async *#chunksOf(source: string, { chunks, file }: Source, start: number): AsyncGenerator<Uint8Array> {
    const size = file?.bytes ?? 0;
    let length = start;
    this.#passOver(start);
    try {
      for await (const chunk of chunks) {
        if (this.#stopped) break;
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        length += bytes.length;
        this.#readBytes += bytes.length;
        yield bytes;
      }
    } catch (error) {
      // stop() destroys the source under the loop.
      if (!this.#stopped) throw new IoError("input", source, error);
    }
    // Not an end of input: the part of the last line that has come is no line.
    if (this.#stopped) throw stopped;
    // Nor is the last line of a file that was cut while it was read.
    if (length < size) {
      throw new IoError(
        "input",
        source,
        new Error(`was truncated while it was read: ${length} of ${size} bytes were read`),
      );
    }
  }
}

/**
 * Reads a source. With a base, a URL that begins with a slash is a target of that origin, also with two slashes: in a log
 * that is no link to another host.
 */
export async function* readWithBase(
  format: Pick<InputFormat, "read">,
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

function hasRecords({ heads, packed }: Batch): boolean {
  return heads.length > 0 || (packed?.count ?? 0) > 0;
}

async function* onlyChunk(bytes: Uint8Array, isWhole: boolean): AsyncGenerator<Uint8Array> {
  yield bytes;
  if (!isWhole) throw stopped;
}
