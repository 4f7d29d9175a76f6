// Defines the state of a message from its arrival to the acknowledgement of all of its output.
import type { InputRecord } from "../kafka/types.ts";
import type { Fate } from "./counts.ts";
import type { BadLine, Source } from "./letters.ts";
import type { Progress } from "./progress.ts";

/** A message under way. */
export interface Work extends Source {
  record: InputRecord;
  readonly progress: Progress;
  readonly bytes: number;
  readonly arrivedAt: number;
  /** The bytes that the engine decides. */
  value: Buffer;
  /** Rows that have not been passed on, by their topic's answer; `rows` if all rows have the same topic. */
  rows: Buffer[];
  allowed: Buffer[];
  disallowed: Buffer[];
  /** Give back the memory of rows that have been passed on. Called when their output is acknowledged. */
  readonly giveBacks: (() => void)[];
  /** Number of records in `rows`. */
  rowCount: number;
  bad: readonly BadLine[];
  /** Whether there are rows that have not been passed on. */
  hasRows: boolean;
  /** The message's age, in milliseconds, at which rows are passed on although other lines are still undecided. */
  partAtMs: number;
  isDecided: boolean;
  /** Whether all output of the message has been passed on. */
  isPassed: boolean;
  isCopied: boolean;
  /** Number of output messages that are not acknowledged yet. */
  unsent: number;
  /** The fate of the message: the first of the fates of its lines, in the order of `fates`; undefined before its first line has one. */
  fate: Fate | undefined;
}

/** The state of a newly arrived message. */
export function workOf(topic: string, progress: Progress, record: InputRecord, bytes: number): Work {
  return {
    topic,
    partition: progress.partition,
    record,
    progress,
    bytes,
    arrivedAt: Date.now(),
    value: record.value ?? none,
    rows: [],
    allowed: [],
    disallowed: [],
    giveBacks: [],
    rowCount: 0,
    bad: noBad,
    hasRows: false,
    partAtMs: 0,
    isDecided: false,
    isPassed: false,
    isCopied: false,
    unsent: 0,
    fate: undefined,
  };
}

/** Copies a message's bytes out of the broker's response, which can then be freed. */
export function copyBytes(work: Work): void {
  const { key, value, headers, offset, timestamp } = work.record;
  const copied = copyOf(value);
  if (work.value === value && copied !== null) work.value = copied;
  const copies = headers.map(([name, text]) => [Buffer.from(name), copyOf(text)] as const);
  work.record = { offset, timestamp, key: copyOf(key), value: copied, headers: copies };
  work.isCopied = true;
}

function copyOf(bytes: Buffer | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes);
}

/**
 * Frees bytes that are no longer read, if they are large and have their memory for themselves; they are then empty. Without this, V8 marks
 * the whole heap after every few tens of megabytes, to find that such memory is garbage.
 */
export function freeMemory(bytes: Buffer | null): void {
  if (bytes === null || bytes.length < leastFreed || bytes.length !== bytes.buffer.byteLength) return;
  // `transfer` is ES2024, which the checkout's `lib` does not have.
  (bytes.buffer as ArrayBufferLike & { transfer(length: number): ArrayBuffer }).transfer(0);
}

const leastFreed = 4_096;
const none = Buffer.alloc(0);
const noBad: readonly BadLine[] = [];
