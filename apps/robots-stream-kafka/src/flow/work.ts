// Defines the state of a message from its arrival to the acknowledgement of all of its output.
import type { InputRecord } from "../kafka/types.ts";
import type { Fate } from "./counts.ts";
import type { BadLine, Source } from "./letters.ts";
import type { Progress, Step } from "./progress.ts";

/** A message under way. */
export interface Work extends Source {
  record: InputRecord;
  readonly progress: Progress;
  readonly step: Step;
  readonly bytes: number;
  readonly arrivedAt: number;
  /** The bytes that the engine decides. */
  value: Buffer;
  /** Rows that have not been passed on. */
  rows: Buffer[];
  allowed: Buffer[];
  disallowed: Buffer[];
  rowCount: number;
  readonly bad: BadLine[];
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
  readonly fates: Set<Fate>;
}

/** The state of a newly arrived message. */
export function workOf(topic: string, progress: Progress, step: Step, record: InputRecord, bytes: number): Work {
  return {
    topic,
    partition: progress.partition,
    record,
    progress,
    step,
    bytes,
    arrivedAt: Date.now(),
    value: record.value ?? none,
    rows: [],
    allowed: [],
    disallowed: [],
    rowCount: 0,
    bad: [],
    hasRows: false,
    partAtMs: 0,
    isDecided: false,
    isPassed: false,
    isCopied: false,
    unsent: 0,
    fates: new Set<Fate>(),
  };
}

/** Copies a message's bytes out of the broker's response, which can then be freed. */
export function copyBytes(work: Work): void {
  const { key, value, headers, offset, timestamp } = work.record;
  const isOwn = work.value !== value;
  const copied = value === null ? null : Buffer.from(value);
  const names = headers.map(([name, text]) => [Buffer.from(name), text === null ? null : Buffer.from(text)] as const);
  work.record = { offset, timestamp, key: key === null ? null : Buffer.from(key), value: copied, headers: names };
  if (!isOwn && copied !== null) work.value = copied;
  work.isCopied = true;
}

/**
 * Frees the value of a message whose output is acknowledged, if no other bytes share its memory; the value is then empty. Without this
 * function, V8 would have to mark the whole heap to find that the memory is garbage. Values of less than `leastFreed` bytes are not freed,
 * because all empty values of the client library share one buffer.
 */
export function freeValue({ record: { value } }: Work): void {
  if (value === null || value.byteLength < leastFreed) return;
  if (value.byteLength === value.buffer.byteLength) (value.buffer as Transferable).transfer(0);
}

/** Least size in bytes of a value whose memory is freed. */
const leastFreed = 4_096;

/** `transfer` is ES2024, supported by Node from version 21; the checkout's `lib` is ES2023. */
type Transferable = ArrayBufferLike & { transfer(newByteLength: number): ArrayBuffer };

const none = Buffer.alloc(0);
