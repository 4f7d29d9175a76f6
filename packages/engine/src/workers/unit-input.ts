// Reads the records of units of text, in the order in which the units arrive, and yields them in batches.
import type { LogClock } from "@robots-stream/logs";
import type { RecordInput } from "../engine.ts";
import { readWithBase } from "../sources/open.ts";
import type { Batch, InputFormat } from "../records/batch.ts";
import type { RecordWriter } from "../formats/types.ts";
import type { SentUnit, WorkerSettings } from "./messages.ts";

/** Maximum size in bytes of the pieces in which a reader receives the text of a unit. */
const pieceBytes = 65_536;

/** The error that a reader gets instead of further text when the source has failed or the run was stopped. */
const cut = new Error("the text ends here");

export interface UnitInputOptions {
  readonly settings: WorkerSettings;
  readonly logClock: LogClock | undefined;
  /** Returns the input format with this name. `UnitStart.format` of a unit is such a name. */
  formatNamed(name: string): InputFormat | undefined;
  /** The shared memory that holds the text of most units. */
  readonly slots: readonly SharedArrayBuffer[];
  /** Called when all batches of a unit were taken. */
  onUnitRead(): void;
  /** Called when the text in a slot was read. */
  onSlotFree(slot: number): void;
}

/** The input of one worker. */
export class UnitInput implements RecordInput {
  readonly #options: UnitInputOptions;
  readonly #units: SentUnit[] = [];
  readonly #memory: readonly Buffer[];
  #isEnded = false;
  #isStopped = false;
  #onUnit: (() => void) | undefined;

  constructor(options: UnitInputOptions) {
    this.#options = options;
    this.#memory = options.slots.map((slot) => Buffer.from(slot));
  }

  add(unit: SentUnit): void {
    this.#units.push(unit);
    this.#onUnit?.();
  }

  /** Call after the last unit was added. */
  end(): void {
    this.#isEnded = true;
    this.#onUnit?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.#onUnit?.();
  }

  async *batches(writer: RecordWriter): AsyncGenerator<Batch> {
    for (let unit = await this.#next(); unit !== undefined; unit = await this.#next()) yield* this.#read(unit, writer);
  }

  /** Reads a unit and the units that continue its text. */
  async *#read(unit: SentUnit, writer: RecordWriter): AsyncGenerator<Batch> {
    const { settings, logClock } = this.#options;
    const { maxLineBytes, urlField, agentField, time, logRows, hostBases } = settings;
    const { source, format, lineEnd, base, from, columns } = unit.start!;
    if (columns !== undefined) writer.startRows(columns, undefined);
    const input = this.#options.formatNamed(format)!;
    const options = {
      source,
      lineEnd,
      maxLineBytes,
      urlField,
      agentField,
      time,
      base,
      hostBases,
      logRows,
      logClock,
      from,
      writer,
    };
    try {
      yield* readWithBase(input, this.#chunksFrom(unit, lineEnd), options);
    } catch (error) {
      if (error !== cut) throw error;
    }
    if (!this.#isStopped) this.#options.onUnitRead();
  }

  async *#chunksFrom(first: SentUnit, lineEnd: string): AsyncGenerator<Uint8Array> {
    for (let unit: SentUnit | undefined = first; ; unit = await this.#next()) {
      if (unit === undefined) throw cut;
      const { text } = unit;
      if (text instanceof Uint8Array) {
        yield* piecesOf(Buffer.from(text.buffer, text.byteOffset, text.byteLength), lineEnd);
      } else {
        yield* piecesOf(this.#memory[text.slot]!.subarray(0, text.length), lineEnd);
        this.#options.onSlotFree(text.slot);
      }
      if (this.#isStopped || unit.end === "cut") throw cut;
      if (unit.end === "end") return;
      // The reader requests more text only after all batches of the previous text were taken.
      this.#options.onUnitRead();
    }
  }

  /** Waits for the next unit; undefined after the last unit and after `stop`. */
  async #next(): Promise<SentUnit | undefined> {
    while (this.#units.length === 0 && !this.#isEnded && !this.#isStopped) {
      await new Promise<void>((resolve) => (this.#onUnit = resolve));
    }
    return this.#isStopped ? undefined : this.#units.shift();
  }
}

/** Splits text into pieces of at most `pieceBytes`, at line ends if possible: strings of this size are allocated and collected fast. */
function* piecesOf(all: Buffer, lineEnd: string): Generator<Uint8Array> {
  for (let from = 0; from < all.length;) {
    const last = from + pieceBytes >= all.length ? all.length : all.lastIndexOf(lineEnd, from + pieceBytes - 1) + 1;
    const to = last > from ? last : Math.min(from + pieceBytes, all.length);
    yield all.subarray(from, to);
    from = to;
  }
}
