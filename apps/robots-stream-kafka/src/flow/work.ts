// One message under way, from its arrival to the acknowledgement of all its output.
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
  /** The bytes that are decided. */
  value: Buffer;
  /** Rows that are not passed on. */
  rows: Buffer[];
  allowed: Buffer[];
  disallowed: Buffer[];
  rowCount: number;
  readonly bad: BadLine[];
  /** Whether there are rows that are not passed on. */
  hasRows: boolean;
  /** The age, in milliseconds, at which rows are passed on although others wait. */
  partAtMs: number;
  isDecided: boolean;
  /** Whether all its output was passed on. */
  isPassed: boolean;
  isCopied: boolean;
  /** Output messages that are not acknowledged. */
  unsent: number;
  readonly fates: Set<Fate>;
}

/** A message that has arrived. */
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

/** Copies the bytes of a message, so that the broker's answer that they are a part of can be freed. */
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
 * Frees the value of a message whose output is acknowledged, unless its memory has other bytes, too. Without this, V8 has to mark the whole heap to
 * find that the memory is garbage. The value is empty from then on. Small values stay: all empty values of the client library are one buffer.
 */
export function freeValue({ record: { value } }: Work): void {
  if (value === null || value.byteLength < leastFreed) return;
  if (value.byteLength === value.buffer.byteLength) (value.buffer as Transferable).transfer(0);
}

/** Bytes of a value from which on its memory is freed. */
const leastFreed = 4_096;

/** ES2024, which Node has from version 21 on; the checkout's `lib` is that of ES2023. */
type Transferable = ArrayBufferLike & { transfer(newByteLength: number): ArrayBuffer };

const none = Buffer.alloc(0);
