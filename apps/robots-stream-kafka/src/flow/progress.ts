// Tracks which messages of an assigned partition are read and complete, and the offset that may be committed.

/** A message under way. */
export interface Step {
  readonly offset: bigint;
  isDone: boolean;
}

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
  /** Whether the assignment has ended. */
  isOver = false;
  #steps: Step[] = [];
  #first = 0;

  constructor(partition: number, start: bigint, committed: bigint | undefined) {
    this.partition = partition;
    this.next = start;
    this.end = start;
    this.committed = committed;
  }

  /** Adds the next message, which has this offset. */
  begin(offset: bigint): Step {
    const step = { offset, isDone: false };
    this.#steps.push(step);
    return step;
  }

  /** Marks a message as complete. Messages may complete in any order. */
  complete(step: Step): void {
    step.isDone = true;
    while (this.#first < this.#steps.length && this.#steps[this.#first]!.isDone) this.#first++;
    if (this.#first === this.#steps.length) {
      this.#steps = [];
      this.#first = 0;
    } else if (this.#first >= 1_024 && this.#first * 2 >= this.#steps.length) {
      this.#steps = this.#steps.slice(this.#first);
      this.#first = 0;
    }
  }

  /** The low watermark: all messages before this offset are complete. A later assignment reads again from this offset. */
  get watermark(): bigint {
    return this.#steps[this.#first]?.offset ?? this.next;
  }

  /** Number of messages from the first incomplete one to the last one read. */
  get span(): number {
    return this.#steps.length - this.#first;
  }

  /** Whether all messages that were read are complete. */
  get isIdle(): boolean {
    return this.#steps.length === this.#first;
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
