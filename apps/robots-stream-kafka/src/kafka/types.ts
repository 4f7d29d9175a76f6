// Defines the types of a Kafka client that the worker uses. Only this folder uses names of the client library.

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

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
export interface OutputRecord {
  readonly topic: string;
  readonly key: Buffer | null;
  /** The value; null: no value. The bytes must not change before the message is acknowledged. */
  readonly value: Buffer | null;
  readonly headers: readonly Header[];
  readonly timestamp: bigint;
  /** The partition for a message without a key, modulo the number of partitions. */
  readonly partition: number;
}

/** The result of a fetch for one partition. */
export interface Fetched extends TopicPartition {
  readonly records: readonly InputRecord[];
  /**
   * The offset of the next request. It is after the records, and after offsets that have no record (because of compaction or transactions).
   */
  readonly next: bigint;
  /** The offset after the last readable message. */
  readonly end: bigint;
  /** Set if the requested offset does not exist: the first offset that exists. */
  readonly outOfRange?: bigint | undefined;
}

/** A position to read from. */
export interface Position extends TopicPartition {
  readonly offset: bigint;
}

/** Callbacks of a group. The group awaits the returned promises before it continues. */
export interface GroupListener {
  /**
   * Called before each join request. The partitions in `revoked` will belong to another member: complete and commit their messages within
   * `limitMs`. A limit of 0 means that the membership is lost and that nothing can be committed.
   */
  onJoining(revoked: readonly TopicPartition[], limitMs: number): Promise<void>;
  /** Called with all partitions that this member owns from now on. */
  onAssigned(partitions: readonly TopicPartition[]): Promise<void>;
  /** Reports a failure that the group recovers from by itself. */
  onTrouble(sentence: string): void;
}
