// The messages of one assigned partition as they are read and completed in; the offset that may be committed out.

/** A message under way. */
export interface Step {
  readonly offset: bigint;
  isDone: boolean;
}

/**
 * The progress of a partition during one assignment. The object itself is the fence: after a rebalance there is another one, so answers to
 * earlier requests and messages of an earlier assignment do not count.
 */
export class Progress {
  readonly partition: number;
  /** The next offset to ask for. */
  next: bigint;
  /** The offset that was committed last; undefined before the first commit. */
  committed: bigint | undefined;
  /** The offset behind the last message of the partition, as far as known. */
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

  /** Adds the message with the next offset. */
  begin(offset: bigint): Step {
    const step = { offset, isDone: false };
    this.#steps.push(step);
    return step;
  }

  /** Completes a message, in any order. */
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

  /** The low watermark: this message and all later ones may be read again, all before it are complete. */
  get watermark(): bigint {
    return this.#steps[this.#first]?.offset ?? this.next;
  }

  /** Messages from the first incomplete one on. */
  get span(): number {
    return this.#steps.length - this.#first;
  }

  /** Whether all messages read are complete. */
  get isIdle(): boolean {
    return this.#steps.length === this.#first;
  }

  /** Messages that were not read yet, as far as known. */
  get lag(): bigint {
    return this.end > this.watermark ? this.end - this.watermark : 0n;
  }

  /** The offset to commit; undefined when there is nothing new. Offsets never go backwards. */
  get committable(): bigint | undefined {
    const { watermark, committed } = this;
    return committed === undefined || watermark > committed ? watermark : undefined;
  }
}
