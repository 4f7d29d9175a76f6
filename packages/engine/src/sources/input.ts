// Reads the records of all files of a run as one stream of batches. The files are opened, decompressed, detected and read one after
// another.
import type { Base } from "@robots-stream/logs";
import { noLogRows } from "../formats/logs/row.ts";
import { noParts } from "../formats/url-parts.ts";
import { DamagedError, IoError, UsageError } from "../common/errors.ts";
import type { RecordWriter } from "../formats/types.ts";
import { checkUnchanged, type InputPlace, isSeekable, textBehind } from "./behind.ts";
import type { Clock } from "./peek.ts";
import { mostDecidingBytes } from "./detect.ts";
import { decodeText, unpack } from "./unpack.ts";
import {
  type Batch,
  fingerprintOf,
  type InputStream,
  mostFingerprintBytes,
  type ResumePoint,
} from "../records/batch.ts";
import { inputFormatNamed } from "../formats/registry/registry.ts";
import { FormatNotices, type NoticeOptions } from "./format-notices.ts";
import { nulsSkipped, prepare, type PrepareOptions, rowsOf, textOf } from "./prepare.ts";
import { Nuls } from "./nuls.ts";
import { keptHostBeside, withFirstUrl } from "./first-urls.ts";
import { beginningOfFile, bytesOfFile, type FileState, nameOf, openSource, type Source } from "./source.ts";
import type { InputFormat, ReadOptions } from "../formats/input-format.ts";

/** The settings that all sources share. */
export interface InputOptions
  extends
    NoticeOptions,
    Omit<ReadOptions, "source" | "lineEnd" | "from" | "isUnexamined" | "onLayout" | "onHostBeside" | "writer"> {
  readonly format: InputFormat | undefined;
  /** What needs the User-Agent headers, for messages; `agentField` by default. */
  readonly agentsAskedBy?: string | undefined;
  /** The bases of some files, by path, which replace `base` for these files. */
  readonly baseOfFile?: ReadonlyMap<string, Base> | undefined;
  /** The position to continue from; the sources before it are not read. */
  readonly from?: InputPlace | undefined;
  /** Called with the bytes of each source as they are read, each byte once. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
  /** The timers that detect a silent pipe; the process's own timers by default. */
  readonly clock?: Clock | undefined;
}

/** Bytes of a file that are examined before the run: nearly always more than the bytes that decide the format. */
const checkedBytes = 2 * mostDecidingBytes;

/** Thrown through the readers when reading is stopped. */
const stopped = new Error("reading was stopped");

/** The sources of one run. */
export class Input {
  readonly #paths: readonly string[];
  readonly #stdin: InputStream;
  readonly #options: InputOptions;
  readonly #failures: (IoError | UsageError)[] = [];
  #current: Source | undefined;
  /** The members that all positions in the current source have in common. */
  #reached: Omit<InputPlace, keyof ResumePoint> | undefined;
  #stopped = false;
  readonly #notices: FormatNotices;
  #hasToldNuls = false;
  /** The NUL bytes that were removed from the text of the current source. */
  #nuls: Nuls | undefined;
  #readBytes = 0;
  /** Bytes of the current source that are counted in `#readBytes`; bytes that are read again are counted once. */
  #currentBytes = 0;
  #earlierBytes = 0;
  /** Null until `totalBytes` is first read. */
  #totalBytes: number | null = null;

  /** The path "-" means `stdin`. */
  constructor(paths: readonly string[], stdin: InputStream, options: InputOptions) {
    this.#paths = paths;
    this.#stdin = stdin;
    this.#options = options;
    this.#notices = new FormatNotices(options);
  }

  /** Errors that each ended the reading of one source; the sources after it are still read. */
  get failures(): readonly (IoError | UsageError)[] {
    return this.#failures;
  }

  /** Bytes of the sources read so far, before decompression, including the bytes before the start position. */
  get readBytes(): number {
    return this.#readBytes;
  }

  /** The part of `readBytes` before the start position, which another run read. */
  get earlierBytes(): number {
    return this.#earlierBytes;
  }

  /** Size of all sources in bytes; undefined when one of them is not a regular file. */
  get totalBytes(): number | undefined {
    if (this.#totalBytes === null) {
      this.#totalBytes = this.#paths.reduce((sum, path) => sum + (bytesOfFile(path, this.#stdin) ?? NaN), 0);
    }
    return Number.isNaN(this.#totalBytes) ? undefined : this.#totalBytes;
  }

  /**
   * Examines every regular file, except stdin, before the run. Throws a `UsageError` for a file that is not readable text or has no URL in
   * its first records. With `from`, checks that the file of the position is unchanged, and examines only the files after that file.
   * `createWriter` makes a writer that is then discarded.
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
        // Only the batches up to the first one with records are read, because reading them throws the errors about the source.
        const batches = this.#read(source, onlyChunk(beginning.bytes, beginning.isWhole), writer);
        for await (const batch of batches) if (hasRecords(batch)) break;
      } catch (error) {
        // Damaged data is not reported here: the run decides all records before the damage, and then reports it.
        if (error !== stopped && !(error instanceof IoError)) throw error;
      }
    }
  }

  /**
   * Reads the sources, from the position `from` on. An `IoError`, or a `UsageError` after the first records of the run, ends only its source
   * and is added to `failures`. Throws any other error: a `UsageError` about the first records, or about a source that has changed.
   */
  async *batches(writer: RecordWriter): AsyncGenerator<Batch> {
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
        this.#passOver(start);
        this.#currentBytes = start;
        const chunks = this.#chunksOf(nameOf(path), opened, start);
        const batches =
          place === undefined
            ? this.#read(source, chunks, writer, opened)
            : this.#readBehind(place, chunks, writer, opened);
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
        // After an error, the source is still open. Stdin stays open, because it may be named again.
        if (path !== "-") opened?.destroy();
      }
    }
  }

  /** Ends reading soon; `batches` then ends as at the end of the input. */
  stop(): void {
    this.#stopped = true;
    this.#current?.destroy();
  }

  /** Converts a resume point of the current source to a position in the input. Throws an `Error` when no source is being read. */
  placeOf(place: ResumePoint): InputPlace {
    if (this.#reached === undefined) throw new Error("no source is read");
    // The position counts the bytes of the text, which are then not those of the file.
    const isPlain = this.#reached.isPlain && (this.#nuls?.count ?? 0) === 0;
    return { ...this.#reached, ...place, isPlain };
  }

  async *#read(
    source: number,
    chunks: AsyncIterable<Uint8Array>,
    writer: RecordWriter,
    opened?: Source,
  ): AsyncGenerator<Batch> {
    const path = this.#paths[source]!;
    const { givesPlaces } = this.#options;
    try {
      // Only a source that is not a regular file can be silent.
      const isLive = opened !== undefined && bytesOfFile(path, this.#stdin) === undefined;
      const again = this.#againOf(path, opened);
      const base = this.#baseOf(path);
      const onNuls = (): void => this.#tellNuls(path);
      const parts = this.#partsOf(path);
      const prepared = await prepare(path, chunks, { ...this.#options, base, isLive, again, onNuls, ...parts });
      const { format, lineEnd, isUnexamined, chunks: text, compression, encoding } = prepared;
      this.#nuls = prepared.nuls;
      this.#notices.tell(nameOf(path), base !== undefined, format, prepared.lines);
      if (givesPlaces === true) {
        const isPlain = compression === undefined && encoding === undefined && prepared.rest === undefined;
        const beginning = fingerprintOf(prepared.beginning.subarray(0, mostFingerprintBytes));
        this.#reached = { source, format: format.name, lineEnd, beginning, file: opened?.file ?? null, isPlain };
      }
      const options = { ...this.#optionsOf(path, writer), lineEnd, isUnexamined, ...keptHostBeside() };
      yield* withFirstUrl(readWithBase(format, text, options), { ...options, format }, this.#options.clock);
      if (prepared.rest !== undefined && opened?.file !== undefined) await this.#passRest(prepared.rest, opened.file);
    } catch (error) {
      throw error instanceof DamagedError ? new IoError("input", nameOf(path), error) : error;
    }
  }

  /** The batches after a position. `chunks` begin at the position if it is seekable, otherwise at the beginning of the source. */
  async *#readBehind(
    from: InputPlace,
    chunks: AsyncIterable<Uint8Array>,
    writer: RecordWriter,
    opened: Source,
  ): AsyncGenerator<Batch> {
    const path = this.#paths[from.source]!;
    const { lineEnd } = from;
    this.#reached = from;
    const { format: asked } = this.#options;
    const format = asked?.name === from.format ? asked : inputFormatNamed(from.format)!;
    try {
      const again = this.#againOf(path, opened);
      const nuls = new Nuls(() => this.#tellNuls(path));
      this.#nuls = nuls;
      const text = isSeekable(from)
        ? textOf(format, chunks, nuls)
        : textBehind(textOf(format, nuls.withoutFirst(await this.#textOf(path, chunks, again)), nuls), path, from);
      yield* readWithBase(format, text, { ...this.#optionsOf(path, writer), lineEnd, givesPlaces: true, from });
    } catch (error) {
      throw error instanceof DamagedError ? new IoError("input", nameOf(path), error) : error;
    }
  }

  /** The text of a source from its beginning. */
  async #textOf(
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    again: (() => AsyncIterable<Uint8Array>) | undefined,
  ): Promise<AsyncIterable<Uint8Array>> {
    const unpacked = await unpack(chunks, again);
    if (unpacked.isParquet) return rowsOf(path, { ...this.#options, base: this.#baseOf(path), ...this.#partsOf(path) });
    return (await decodeText(unpacked.chunks)).chunks;
  }

  /** The options for reading a source by offset, which only a regular file allows. */
  #partsOf(path: string): Pick<PrepareOptions, "filePath" | "onPiece"> {
    return {
      filePath: path === "-" || bytesOfFile(path, this.#stdin) === undefined ? undefined : path,
      onPiece: () => {
        if (this.#stopped) throw stopped;
      },
    };
  }

  /** Counts the bytes of a file that was read by offset. With `onBytes`, reads `rest`, so that `onBytes` receives all bytes. */
  async #passRest(rest: AsyncIterable<Uint8Array>, { bytes }: FileState): Promise<void> {
    if (this.#options.onBytes === undefined) {
      this.#readBytes += Math.max(0, bytes - this.#currentBytes);
      this.#currentBytes = Math.max(bytes, this.#currentBytes);
      return;
    }
    for await (const _chunk of rest) if (this.#stopped) return;
  }

  #optionsOf(path: string, writer: RecordWriter): Omit<ReadOptions, "lineEnd"> {
    const base = this.#baseOf(path);
    return { ...this.#options, from: undefined, source: nameOf(path), base, writer };
  }

  #baseOf(path: string): Base | undefined {
    return this.#options.baseOfFile?.get(path) ?? this.#options.base;
  }

  #tellNuls(path: string): void {
    if (!this.#hasToldNuls) this.#options.onAssumed?.(...nulsSkipped(nameOf(path)));
    this.#hasToldNuls = true;
  }

  #passOver(bytes: number): void {
    this.#readBytes += bytes;
    this.#earlierBytes += bytes;
  }

  /** A function that reads a source once more, from its beginning; undefined when the source can be read only once. */
  #againOf(path: string, opened: Source | undefined): (() => AsyncIterable<Uint8Array>) | undefined {
    const again = opened?.again;
    return again && (() => this.#chunksOf(nameOf(path), { ...opened, chunks: again() }, 0));
  }

  /** Yields the chunks of a stream that begins at offset `start` of its source, and counts their bytes. */
  async *#chunksOf(source: string, { chunks, file }: Source, start: number): AsyncGenerator<Uint8Array> {
    const size = file?.bytes ?? 0;
    let length = start;
    try {
      for await (const chunk of chunks) {
        if (this.#stopped) break;
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        length += bytes.length;
        if (length > this.#currentBytes) {
          const added = length - this.#currentBytes;
          this.#readBytes += added;
          this.#options.onBytes?.(bytes.subarray(bytes.length - added));
          this.#currentBytes = length;
        }
        yield bytes;
      }
    } catch (error) {
      // stop() has destroyed the source during the loop.
      if (!this.#stopped) throw new IoError("input", source, error);
    }
    // Stopping is not the end of the input: an incomplete last line is not a line.
    if (this.#stopped) throw stopped;
    // The last line of a file that was truncated while it was read is not a line either.
    if (length < size) {
      const problem = `was truncated while it was read: ${length} of ${size} bytes were read`;
      throw new IoError("input", source, new Error(problem));
    }
  }
}

/**
 * Reads the records of a source. With `base`, a URL that begins with one or more slashes is a target of that origin: in a log, two slashes
 * do not begin a link to another host. Throws a `UsageError` for options that `format` does not support.
 */
export async function* readWithBase(
  format: Pick<InputFormat, "name" | "makesLogRows" | "hasFields" | "read">,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Batch> {
  const { base, logRows, source, urlField } = options;
  if (typeof urlField === "object" && format.hasFields !== true) throw noParts(source, format.name);
  if (logRows !== undefined && format.makesLogRows !== true) throw noLogRows(source, format.name);
  for await (const batch of format.read(chunks, options)) {
    if (base !== undefined) addOrigin(batch, `${base.scheme}://${base.host}`);
    yield batch;
  }
}

function addOrigin({ records }: Batch, origin: string): void {
  records.decodeUrls(slash);
  const texts = records.decoded;
  for (const [index, url] of texts.entries()) if (url.startsWith("/")) texts[index] = origin + url;
}

const slash = 0x2f;

function hasRecords({ records }: Batch): boolean {
  return records.count > 0;
}

/** The beginning of a source. Unless it is the whole source, it ends with the error of reading that was stopped. */
export async function* onlyChunk(bytes: Uint8Array, isWhole: boolean): AsyncGenerator<Uint8Array> {
  yield bytes;
  if (!isWhole) throw stopped;
}
