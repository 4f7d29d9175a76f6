// The stages of a run after locating: one takes located batches, and pushes output rows when the robots.txt of their records is loaded; the
// last one writes pieces of rows to the output stream, and takes the next piece only when the stream has taken the last one.
import { Transform, type TransformCallback, Writable } from "node:stream";
import type { LocatedBatch } from "../locate/locate.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { RowMemory } from "../records/row-memory.ts";
import { Rows, type Turn } from "../records/rows.ts";
import type { RecordQueue, Taken, WaitingQueue } from "../decide/waiting-queue.ts";
import { IoError } from "../common/errors.ts";

/** Maximum time that rows wait for further rows, to be written together with them. */
const mostDelayMs = 10;

/** Pause before the next call of `take` after it returned "later". */
const laterMs = 100;

/** Time limit for writing ready rows when the run is stopped. */
const mostMsOfReady = 800;

interface GroupStageOptions {
  readonly queue: RecordQueue;
  /** Whether so many origins wait for their load that the stage should take no more records. */
  readonly isCrowded: () => boolean;
  readonly memory?: RowMemory | undefined;
  readonly turn?: Turn | undefined;
}

/** The stage. It takes no batch while too many origins wait for their load, or while the next stage takes no rows. */
export class GroupStage extends Transform {
  readonly #queue: RecordQueue;
  readonly #isCrowded: () => boolean;
  readonly #rows: Rows;
  /** The last result of the queue's `take`. */
  #taken: Taken = "empty";
  #soon: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #ready: NodeJS.Timeout | undefined;
  /** Set from the first `#pump` of a turn of the event loop until the next turn. */
  #turnEnd: NodeJS.Immediate | undefined;
  /**
   * Whether building rows pauses until the next turn of the event loop, so that signals and timers run: the rows of one batch may take
   * minutes.
   */
  #isResting = false;
  /** Whether the next stage takes rows: the last `push` returned true, or `_read` was called since. */
  #isWanted = true;
  /** `#goOn`: the callback of `_transform` for the last batch. `#finish`: the callback of `_flush`. Each is undefined after its call. */
  #goOn: TransformCallback | undefined;
  #finish: TransformCallback | undefined;
  #isStopped = false;

  constructor({ queue, isCrowded, memory, turn }: GroupStageOptions) {
    super({ objectMode: true, writableHighWaterMark: 1, readableHighWaterMark: 2 });
    this.#queue = queue;
    this.#isCrowded = isCrowded;
    this.#rows = new Rows({ memory, turn });
  }

  /** Call when `state` becomes ready. `queue` is the queue with the records of `state`, that of a generation. */
  release(state: OriginState, queue: Pick<WaitingQueue, "release">): void {
    queue.release(state);
    this.#pump();
  }

  /**
   * Gives up all records whose robots.txt is not loaded. The rows of ready records are still written; after a time limit, the remaining
   * records are given up too.
   */
  stop(): void {
    this.#isStopped = true;
    this.#queue.dropWaiting();
    this.#ready ??= setTimeout(() => {
      this.#queue.dropAll();
      this.#pump();
    }, mostMsOfReady).unref();
    this.#pump();
  }

  override _transform(batch: LocatedBatch, _encoding: BufferEncoding, callback: TransformCallback): void {
    try {
      this.#queue.add(batch);
    } catch (error) {
      callback(error as Error);
      return;
    }
    this.#taken = "waiting";
    this.#goOn = callback;
    this.#pump();
  }

  override _flush(callback: TransformCallback): void {
    this.#finish = callback;
    this.#pump();
  }

  override _read(size: number): void {
    this.#isWanted = true;
    this.#pump();
    super._read(size);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#soon);
    clearTimeout(this.#later);
    clearTimeout(this.#ready);
    clearImmediate(this.#turnEnd);
    callback(error);
  }

  /** Takes rows from the queue, pushes them, and calls the callbacks that are due. */
  #pump(): void {
    this.#beginTurn();
    while (this.#isWanted && !this.#isResting) {
      try {
        this.#taken = this.#queue.take(this.#rows);
      } catch (error) {
        this.destroy(error as Error);
        return;
      }
      if (this.#taken !== "taken" && !this.#rows.isFull) break;
      this.#pushRows();
    }
    if (this.#taken === "later") {
      this.#later ??= setTimeout(() => {
        this.#later = undefined;
        this.#pump();
      }, laterMs);
    }
    if (!this.#isResting) this.#callBack();
  }

  #callBack(): void {
    // A stopped run loads nothing more, so the number of waiting origins does not fall.
    if (this.#goOn !== undefined && this.#isWanted && (this.#isStopped || !this.#isCrowded())) {
      const goOn = this.#goOn;
      this.#goOn = undefined;
      goOn();
    }
    if (this.#finish !== undefined && this.#taken === "empty") {
      const finish = this.#finish;
      this.#finish = undefined;
      this.#pushNow();
      finish();
    }
  }

  /**
   * Pushes the rows built so far: at once when they reached the size limit or the time limit, otherwise after `mostDelayMs`, together with
   * the rows that are built until then.
   */
  #pushRows(): void {
    if (this.#rows.isFull) {
      this.#pushNow();
      this.#isResting = true;
    } else if (!this.#rows.isEmpty) this.#soon ??= setTimeout(() => this.#pushNow(), mostDelayMs);
  }

  #pushNow(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    for (const piece of this.#rows.take()) this.#isWanted = this.push(piece);
    const answers = this.#rows.takeAnswers();
    if (answers.length > 0) this.#isWanted = this.push(answers);
  }

  /** Starts the time limit of the current turn of the event loop, unless it is running: all batches of a turn share one limit. */
  #beginTurn(): void {
    if (this.#turnEnd !== undefined) return;
    this.#rows.turn.begin();
    this.#turnEnd = setImmediate(() => {
      this.#turnEnd = undefined;
      if (!this.#isResting) return;
      this.#isResting = false;
      this.#pump();
    });
  }
}

export interface WriteStageOptions {
  /** Bytes before the first row. */
  readonly headerOf: () => string;
  /** Whether the header is already in the output, from an earlier part of the run. */
  readonly hasHeader?: boolean;
  /** Aborts when the reader of the output is gone. From then on, the stage drops the pieces, and no longer waits for pending writes. */
  readonly givesUp?: AbortSignal;
  /** The pool that row buffers are returned to; undefined: the buffers are not reused. */
  readonly memory?: RowMemory | undefined;
  /** Called for each piece whose rows may not have been written because of `givesUp`. */
  readonly onLoss?: () => void;
}

/** The last stage: writes the header and then the pieces of rows to `output`. Does not end `output`. */
export function createWriteStage(
  output: Writable,
  { headerOf, hasHeader = false, givesUp, memory, onLoss }: WriteStageOptions,
): Writable {
  let begun = hasHeader;
  const write = (rows: Buffer, callback: (error?: Error) => void): void => {
    const bytes = begun ? rows : Buffer.concat([Buffer.from(headerOf(), "latin1"), rows]);
    begun = true;
    if (bytes.length === 0) {
      callback();
      return;
    }
    const giveUp = (): void => {
      onLoss?.();
      callback();
    };
    if (givesUp?.aborted === true) {
      giveUp();
      return;
    }
    givesUp?.addEventListener("abort", giveUp, { once: true });
    output.write(bytes, (error) => {
      if (givesUp?.aborted === true) return;
      givesUp?.removeEventListener("abort", giveUp);
      if (error === null || error === undefined) {
        memory?.giveBack(rows);
        callback();
      } else {
        // An `IoError` comes from work before the write, such as writing the checkpoint; it is passed on unchanged.
        callback(error instanceof IoError ? error : new IoError("output", "output", error));
      }
    });
  };
  return new Writable({
    objectMode: true,
    highWaterMark: 2,
    write: (rows: Buffer, _encoding, callback) => write(rows, callback),
    // A run without records still writes the header of its input.
    final: (callback) => (begun ? callback() : write(Buffer.alloc(0), callback)),
  });
}
