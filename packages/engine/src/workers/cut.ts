// The text of one source in, units of whole records out, each of which can be read without those before it; as soon as that
// cannot be told any more, units that have to be read one after another.
import { hasPlainRows } from "../formats/csv/quotes.ts";
import { fingerprintOf } from "../sources/fingerprint.ts";
import { readWithBase } from "../sources/open.ts";
import type { InputFormat, ResumePoint, ReadOptions } from "../records/batch.ts";
import type { Unit, UnitStart } from "./messages.ts";
import { withPauses } from "./pauses.ts";

/** Bytes of a unit, and of a chunk that comes besides. */
export const unitBytes: number = 1_048_576;
export const mostChunkBytes: number = 262_144;
/** Text in which a record is looked for before all is read in order. */
const mostLeadBytes = 4 * 1_048_576;
/** Lines wait no longer than this for others to make a unit with. */
const mostDelayMs = 20;
/** A mark before a line and its end are none of it. */
const slack = 4;

const tooLate = new Error("no record in the first text");
const noBytes = fingerprintOf(new Uint8Array(0));

/** How a source is cut. */
export interface CutOptions extends ReadOptions {
  readonly format: InputFormat;
  /** Says that one worker reads all from this line on. */
  onInOrder(line: number): void;
}

/**
 * Cuts a source. Its first record is read with the writer of the options, which is told the columns. Throws what that
 * throws; and what `chunks` throw, behind the units of what came before. Chunks are copied, units are valid until the next.
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

/** The beginning of a source, up to its first record. */
interface Lead {
  readonly chunks: readonly Uint8Array[];
  /** What its reader found out; undefined when there was no record. */
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
    for await (const { place } of readWithBase(options.format, first(), { ...options, givesPlaces: true })) {
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

/** Holds text until it is a unit. */
class Cutter {
  readonly #options: CutOptions;
  readonly #known: ResumePoint["known"] | undefined;
  readonly #lineEnd: number;
  #held: Buffer = Buffer.allocUnsafeSlow(unitBytes * 1.5);
  /** Where in it what is held begins and ends, and the last line end that was seen. */
  #start = 0;
  #end = 0;
  #lineEndAt = -1;
  /** Where in the source what is held begins; undefined at the source's beginning. */
  #place: ResumePoint | undefined;
  #isInOrder: boolean;
  /** Whether the first of the units to be read in order was given. */
  #hasStarted = false;

  /** `known` is undefined when there was no record; with `isLong` there is more than was looked at. */
  constructor(options: CutOptions, known: ResumePoint["known"] | undefined, isLong: boolean) {
    this.#options = options;
    this.#known = known;
    this.#lineEnd = options.lineEnd.charCodeAt(0);
    this.#isInOrder = known === undefined || options.format.recordsAre === undefined;
    if (this.#isInOrder && isLong) options.onInOrder(1);
  }

  /** Bytes that are held. */
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

  /** The whole lines so far; or all there is, when the rest is read in order. */
  *units(): Generator<Unit> {
    const { maxLineBytes } = this.#options;
    if (!this.#isInOrder && this.#lineEndAt >= 0) {
      const unit = this.#linesTo(this.#lineEndAt + 1);
      if (unit === undefined) this.#readInOrder();
      else yield unit;
    }
    // A line that is longer than units are is no matter, one that is too long is dropped by its reader as it comes.
    if (!this.#isInOrder && this.size > maxLineBytes + slack + unitBytes) this.#readInOrder();
    if (this.#isInOrder && this.size > 0) yield this.#inOrder("more");
  }

  /** What is left. */
  *rest(end: "end" | "cut"): Generator<Unit> {
    // What follows the last line end is a line when the source ends there.
    const to = end === "end" ? this.#end : this.#lineEndAt + 1;
    if (!this.#isInOrder && to > this.#start) {
      const unit = this.#linesTo(to);
      if (unit === undefined) this.#readInOrder();
      else yield unit;
    }
    if (this.#isInOrder && (this.#hasStarted || this.size > 0)) yield this.#inOrder(end);
  }

  /** A unit of what is held up to `to`, a line end; undefined when that need not be whole records. */
  #linesTo(to: number): Unit | undefined {
    const { format, lineEnd } = this.#options;
    const bytes = this.#held.subarray(this.#start, to);
    if (format.recordsAre === "rows") {
      const isMarked = this.#place === undefined && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
      const rows = isMarked ? bytes.subarray(3) : bytes;
      if (!hasPlainRows(rows, String(this.#known?.["delimiter"]), lineEnd)) return undefined;
    }
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
    const { source, format, lineEnd, writer } = this.#options;
    return { source, format: format.name, lineEnd, from: this.#place, columns: writer.known().columns };
  }

  #readInOrder(): void {
    this.#isInOrder = true;
    this.#options.onInOrder((this.#place?.line ?? 0) + 1);
  }

  /** Moves what is held to the beginning, of larger memory when there is not enough. */
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
