// Cuts the text of one source into units of whole records. Each unit can be read without the units before it. As soon as this cannot be
// guaranteed, one worker has to read the remaining units in order.
import { hasPlainRows } from "../formats/csv/quotes.ts";
import type { Clock } from "../sources/arrivals.ts";
import { fingerprintOf } from "../sources/fingerprint.ts";
import { withFirstUrl } from "../sources/first-urls.ts";
import { readWithBase } from "../sources/open.ts";
import type { InputFormat, ResumePoint, ReadOptions } from "../records/batch.ts";
import type { Unit, UnitStart } from "./messages.ts";
import { withPauses } from "./pauses.ts";

/** Target size of a unit, and the size of the largest chunk of a source. */
export const unitBytes: number = 1_048_576;
export const mostChunkBytes: number = 262_144;
/** Maximum number of bytes that are searched for the first record. When they contain no record, all units are read in order. */
const mostLeadBytes = 4 * 1_048_576;
/** When no chunk has arrived for this time, or at the latest for twice this time, the buffered lines become a unit. */
const mostDelayMs = 20;
/** Bytes of a byte order mark and a line end, which `maxLineBytes` does not count. */
const slack = 4;

const tooLate = new Error("no record in the first text");
const noBytes = fingerprintOf(new Uint8Array(0));

/** How a source is cut. */
export interface CutOptions extends ReadOptions {
  readonly format: InputFormat;
  /** Called when one worker has to read the source in order from this line on. */
  onInOrder(line: number): void;
}

/**
 * Cuts a source into units. Reads the source up to its first record with `options.writer`, so that the writer gets its columns. Throws the
 * errors of this reading. An error of `chunks` is thrown after the units of the text before it. Chunks are copied; a unit is valid until
 * the next one is requested.
 */
export async function* cut(chunks: AsyncIterable<Uint8Array>, options: CutOptions): AsyncGenerator<Unit> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const lead = await readLead(iterator, options);
    const cutter = new Cutter(options, lead.known, !lead.isDone && lead.failure === undefined);
    try {
      for await (const chunk of withPauses(goOn(lead, iterator), mostDelayMs)) {
        if (chunk !== undefined) cutter.add(chunk);
        if (chunk === undefined || cutter.size >= unitBytes) yield* cutter.units();
      }
    } catch (error) {
      yield* cutter.rest("cut");
      throw error;
    }
    yield* cutter.rest("end");
  } finally {
    await iterator.return?.();
  }
}

/** A clock that never reports silence: a reader that stops at a silence would lose the chunk that it has requested. */
const neverSilent: Clock = { after: () => () => undefined };

/** The beginning of a source, up to its first record with a URL. */
interface Lead {
  readonly chunks: readonly Uint8Array[];
  /** The state of the reader after the first record; undefined when there was no record. */
  readonly known: ResumePoint["known"] | undefined;
  readonly failure: { readonly error: unknown } | undefined;
  readonly isDone: boolean;
}

async function readLead(iterator: AsyncIterator<Uint8Array>, options: CutOptions): Promise<Lead> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let failure: Lead["failure"];
  let isDone = false;
  let known: Lead["known"];
  async function* first(): AsyncGenerator<Uint8Array> {
    while (bytes < mostLeadBytes) {
      let next: IteratorResult<Uint8Array>;
      try {
        next = await iterator.next();
      } catch (error) {
        failure = { error };
        throw error;
      }
      isDone = next.done === true;
      if (next.done === true) return;
      chunks.push(Buffer.from(next.value));
      bytes += next.value.length;
      yield next.value;
    }
    throw tooLate;
  }
  try {
    const batches = readWithBase(options.format, first(), { ...options, givesPlaces: true });
    for await (const { place } of withFirstUrl(batches, options, neverSilent)) {
      known = place?.known;
      if (known !== undefined) break;
    }
  } catch (error) {
    if (error !== tooLate && failure === undefined) throw error;
  }
  return { chunks, known, failure, isDone };
}

async function* goOn({ chunks, failure, isDone }: Lead, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
  if (failure !== undefined) throw failure.error;
  if (isDone) return;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Buffers text and cuts units from it. */
class Cutter {
  readonly #options: CutOptions;
  readonly #known: ResumePoint["known"] | undefined;
  readonly #lineEnd: number;
  #held: Buffer = Buffer.allocUnsafeSlow(unitBytes * 1.5);
  /**
   * The buffered text is `#held[#start, #end)`. `#lineEndAt` is the index in `#held` of the last line end in this text, -1 if there is
   * none.
   */
  #start = 0;
  #end = 0;
  #lineEndAt = -1;
  /** The source position of `#start`; undefined at the beginning of the source. */
  #place: ResumePoint | undefined;
  #isInOrder: boolean;
  /** Whether the first unit to be read in order was yielded. */
  #hasStarted = false;

  /**
   * `known`: the reader's state after the first record, undefined if there is none. `isLong`: the source continues after the searched text.
   */
  constructor(options: CutOptions, known: ResumePoint["known"] | undefined, isLong: boolean) {
    this.#options = options;
    this.#known = known;
    this.#lineEnd = options.lineEnd.charCodeAt(0);
    this.#isInOrder = known === undefined || options.format.recordsAre === undefined;
    if (this.#isInOrder && isLong) options.onInOrder(1);
  }

  /** Bytes that are buffered. */
  get size(): number {
    return this.#end - this.#start;
  }

  add(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#held.length) this.#makeRoom(chunk.length);
    this.#held.set(chunk, this.#end);
    const last = chunk.lastIndexOf(this.#lineEnd);
    if (last >= 0) this.#lineEndAt = this.#end + last;
    this.#end += chunk.length;
  }

  /** Yields a unit of the whole lines in the buffer, or, once the source is read in order, a unit of all buffered text. */
  *units(): Generator<Unit> {
    const { maxLineBytes } = this.#options;
    if (!this.#isInOrder && this.#lineEndAt >= 0) {
      const unit = this.#linesTo(this.#lineEndAt + 1);
      if (unit === undefined) this.#readInOrder();
      else yield unit;
    }
    // A line may be longer than a unit. A line longer than `maxLineBytes` is not buffered as a whole: the rest of the source is read in
    // order, so that the worker's reader rejects the line while it arrives.
    if (!this.#isInOrder && this.size > maxLineBytes + slack + unitBytes) this.#readInOrder();
    if (this.#isInOrder && this.size > 0) yield this.#inOrder("more");
  }

  /** The units of the remaining text. */
  *rest(end: "end" | "cut"): Generator<Unit> {
    // At the end of the source, the text after the last line end is a line.
    const to = end === "end" ? this.#end : this.#lineEndAt + 1;
    if (!this.#isInOrder && to > this.#start) {
      const unit = this.#linesTo(to);
      if (unit === undefined) this.#readInOrder();
      else yield unit;
    }
    if (this.#isInOrder && (this.#hasStarted || this.size > 0)) yield this.#inOrder(end);
  }

  /** The unit of the whole lines before index `to`; undefined when it is not certain that these lines are whole records. */
  #linesTo(to: number): Unit | undefined {
    const { format, lineEnd } = this.#options;
    const bytes = this.#held.subarray(this.#start, to);
    if (format.recordsAre === "rows") {
      const isMarked = this.#place === undefined && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
      const rows = isMarked ? bytes.subarray(3) : bytes;
      if (!hasPlainRows(rows, String(this.#known?.["delimiter"]), lineEnd)) return undefined;
    }
    if (format.mayContainParts?.(bytes, this.#lineEnd) === true) return undefined;
    const start = this.#unitStart();
    const { offset = 0, line = 0 } = this.#place ?? {};
    this.#place = {
      offset: offset + bytes.length,
      line: line + linesIn(bytes, this.#lineEnd),
      before: noBytes,
      known: this.#known!,
    };
    this.#start = to;
    this.#lineEndAt = -1;
    return { bytes, start, end: "end" };
  }

  #inOrder(end: Unit["end"]): Unit {
    const bytes = this.#held.subarray(this.#start, this.#end);
    this.#start = this.#end;
    this.#lineEndAt = -1;
    const start = this.#hasStarted ? undefined : this.#unitStart();
    this.#hasStarted = true;
    return { bytes, start, end };
  }

  #unitStart(): UnitStart {
    const { source, format, lineEnd, base, writer } = this.#options;
    return { source, format: format.name, lineEnd, base, from: this.#place, columns: writer.known().columns };
  }

  #readInOrder(): void {
    this.#isInOrder = true;
    this.#options.onInOrder((this.#place?.line ?? 0) + 1);
  }

  /** Moves the buffered text to the beginning of the buffer, or into a larger buffer when there is too little room. */
  #makeRoom(more: number): void {
    const { size } = this;
    const held = size + more > this.#held.length ? Buffer.allocUnsafeSlow((size + more) * 2) : this.#held;
    this.#held.copy(held, 0, this.#start, this.#end);
    this.#held = held;
    this.#lineEndAt = Math.max(-1, this.#lineEndAt - this.#start);
    this.#start = 0;
    this.#end = size;
  }
}

function linesIn(bytes: Buffer, lineEnd: number): number {
  let count = 0;
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) count++;
  return count;
}
