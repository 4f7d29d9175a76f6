// Defines the messages that a worker reads and writes. Only this folder uses names of the client library.

/** A header. Names may repeat, and the order matters. */
export type Header = readonly [name: Buffer, value: Buffer | null];

/** A message that was read. */
export interface InputRecord {
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly key: Buffer | null;
  /** The value; null: a tombstone. */
  readonly value: Buffer | null;
  readonly headers: readonly Header[];
}

/** A message to write. */
export interface OutputRecord extends Omit<InputRecord, "offset"> {
  readonly topic: string;
  /** The partition for a message without a key, modulo the number of partitions. */
  readonly partition: number;
}

/** The offset of the next message to read, or to commit, for each partition of the topic. */
export type Offsets = ReadonlyMap<number, bigint>;
