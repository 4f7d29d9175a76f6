// What the worker asks of a Kafka client: join, fetch, produce, commit, lag, leave. No name of the client library is known outside this folder.

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** A header. Names may repeat, and their order counts. */
export type Header = readonly [name: Buffer, value: Buffer | null];

/** A message as it was read. */
export interface InputRecord {
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly key: Buffer | null;
  /** Null: a tombstone. */
  readonly value: Buffer | null;
  readonly headers: readonly Header[];
}

/** A message to be written. */
export interface OutputRecord {
  readonly topic: string;
  readonly key: Buffer | null;
  /** The value, or its parts in order; null: none. It must not change before the message is acknowledged. */
  readonly value: Buffer | readonly Buffer[] | null;
  readonly headers: readonly Header[];
  readonly timestamp: bigint;
  /** The partition of a message without a key, modulo the number of partitions. */
  readonly partition: number;
}

/** What a fetch gave of one partition. */
export interface Fetched extends TopicPartition {
  readonly records: readonly InputRecord[];
  /** The offset to continue with: behind the records, and behind offsets that have none (compaction, transactions). */
  readonly next: bigint;
  /** The offset behind the last message that can be read. */
  readonly end: bigint;
  /** Set when the asked offset does not exist: the first one that does. */
  readonly outOfRange?: bigint | undefined;
}

/** A position to read from. */
export interface Position extends TopicPartition {
  readonly offset: bigint;
}

/** Called by a group. The methods that return a promise are awaited before the group goes on. */
export interface GroupListener {
  /**
   * Before each request to join. Partitions in `revoked` will be another member's: finish and commit what is under way, within `limitMs`;
   * 0 when the membership is lost, and nothing can be committed.
   */
  onJoining(revoked: readonly TopicPartition[], limitMs: number): Promise<void>;
  /** The partitions from now on. */
  onAssigned(partitions: readonly TopicPartition[]): Promise<void>;
  /** Something went wrong that the group repairs itself. */
  onTrouble(sentence: string): void;
}
