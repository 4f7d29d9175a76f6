// Tracks which messages of an assigned partition are read and complete, and the offset that may be committed.

/**
 * The progress of a partition during one assignment. Each assignment has an object of its own. Responses and messages of an earlier
 * assignment refer to an earlier object and are ignored.
 */
export class Progress {
  readonly partition: number;
  /** The next offset to request. */
  next: bigint;
  /** The last committed offset, possibly of an earlier assignment; undefined if none is known. */
  committed: bigint | undefined;
  /** The offset after the partition's last message, as of the last fetch. */
  end: bigint;
  /** The time until which the partition is not requested, because its leader refused it. */
  refusedUntil = 0;
  /** Whether the assignment has ended. */
  isOver = false;
  /** The offsets of the messages that were read and are not complete, in ascending order. */
  readonly #open = new Set<bigint>();

  constructor(partition: number, start: bigint, committed: bigint | undefined) {
    this.partition = partition;
    this.next = start;
    this.end = start;
    this.committed = committed;
  }

  /** Adds the next message, which has this offset. */
  begin(offset: bigint): void {
    this.#open.add(offset);
    this.next = offset + 1n;
  }

  /** Marks a message as complete. Messages may complete in any order. */
  complete(offset: bigint): void {
    this.#open.delete(offset);
  }

  /** The low watermark: all messages before this offset are complete. A later assignment reads again from this offset. */
  get watermark(): bigint {
    for (const first of this.#open) return first;
    return this.next;
  }

  /** Number of offsets from the first incomplete message to the last one read. */
  get span(): number {
    return Number(this.next - this.watermark);
  }

  /** Whether all messages that were read are complete. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Number of offsets from the watermark to the partition's end, as of the last fetch. */
  get lag(): bigint {
    return this.end > this.watermark ? this.end - this.watermark : 0n;
  }

  /** The offset to commit: the watermark; undefined if `committed` has reached it, so that the committed offset never decreases. */
  get committable(): bigint | undefined {
    const { watermark, committed } = this;
    return committed === undefined || watermark > committed ? watermark : undefined;
  }
}
