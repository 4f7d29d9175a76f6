// Starts one worker thread, and exchanges units and rows with it through shared memory.
import { Worker } from "node:worker_threads";
import { IoError } from "../errors.ts";
import { pieceBytes } from "../records/row-memory.ts";
import { mostChunkBytes, unitBytes } from "./cut.ts";
import type {
  Findings,
  FromWorker,
  SentRows,
  SentUnit,
  ToWorker,
  Unit,
  WorkerData,
  WorkerReport,
  WorkerSettings,
} from "./messages.ts";

/** Maximum number of units in flight for one worker: one that the worker reads, and others that it can read next without waiting. */
export const unitSlots = 3;
const unitSlotBytes = unitBytes + mostChunkBytes;
/** Number of row slots of one worker. They limit the rows that the worker may send before the output has written earlier ones. */
const rowSlots = 16;
/**
 * Limit of the young generation of a worker's heap, in MB. V8's default depends on the machine's memory. With the default, each worker
 * takes 100 MB more and is not faster.
 */
const youngGenerationMb = 16;

export interface WorkerListener {
  onMessage(message: FromWorker): void;
  /** Called when the worker thread ended or failed before its last message. */
  onFailure(error: IoError): void;
}

/** A worker thread, from its start to its end. */
export class WorkerThread {
  /** The newest report of the worker. */
  report: WorkerReport | undefined;
  /** The content of the worker's last message. */
  findings: Findings | undefined;
  readonly #worker: Worker;
  readonly #unitMemory: readonly Buffer[];
  readonly #rowMemory: readonly Buffer[];
  readonly #freeUnits: number[];

  /** Starts the thread. `number` names it in messages. */
  constructor(settings: WorkerSettings, number: number, { onMessage, onFailure }: WorkerListener) {
    // The worker's file has the same ending as this one: .ts in sources, .js when compiled.
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
    const data: WorkerData = {
      settings,
      unitSlots: Array.from({ length: unitSlots }, () => new SharedArrayBuffer(unitSlotBytes)),
      rowSlots: Array.from({ length: rowSlots }, () => new SharedArrayBuffer(pieceBytes)),
    };
    this.#worker = new Worker(new URL(file, import.meta.url), {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    this.#unitMemory = data.unitSlots.map((slot) => Buffer.from(slot));
    this.#rowMemory = data.rowSlots.map((slot) => Buffer.from(slot));
    this.#freeUnits = data.unitSlots.map((_slot, index) => index);
    const died = (error: unknown): void => {
      if (this.findings === undefined) onFailure(new IoError("worker", `worker ${number} ended unexpectedly`, error));
    };
    this.#worker.on("message", onMessage);
    this.#worker.on("error", died);
    this.#worker.on("exit", (code) => died(new Error(`exit code ${code}`)));
  }

  /** Units in the shared memory that the worker has not freed; at most `unitSlots`. */
  get unitsInFlight(): number {
    return unitSlots - this.#freeUnits.length;
  }

  /**
   * Sends a unit to the worker. The text is copied into a free slot of the shared memory, or into the message when it is longer than a
   * slot. The caller ensures that a slot is free.
   */
  sendUnit({ bytes, start, end }: Unit): void {
    const { length } = bytes;
    let text: SentUnit["text"];
    if (length > unitSlotBytes) text = new Uint8Array(bytes);
    else {
      const slot = this.#freeUnits.pop()!;
      bytes.copy(this.#unitMemory[slot]!);
      text = { slot, length };
    }
    this.post({ type: "unit", unit: { text, start, end } });
  }

  /** Marks a slot as free after the worker has read its text. */
  freeUnit(slot: number): void {
    this.#freeUnits.push(slot);
  }

  /** The rows of a message; valid until "taken" is posted for their slot. */
  rowsOf({ slot, length, long }: SentRows): Buffer {
    return long === undefined ? this.#rowMemory[slot]!.subarray(0, length) : Buffer.from(long.buffer);
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message, []);
  }

  terminate(): Promise<number> {
    return this.#worker.terminate();
  }
}
