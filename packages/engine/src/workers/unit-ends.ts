// Finds the offset at which the rows of each unit end: the end of the rows of the unit's last batch.

/** Finds the ends of units in an ordered run. */
export class UnitEnds {
  readonly #onEnd: (rowBytes: number) => void;
  /** Number of batches that were read, number of batches that were decided, and bytes of the rows of all decided batches. */
  #read = 0;
  #decided = 0;
  #rowBytes = 0;
  /** The number of the last batch of each unit whose end was not reported yet. */
  readonly #last: number[] = [];

  constructor(onEnd: (rowBytes: number) => void) {
    this.#onEnd = onEnd;
  }

  /**
   * Counts a batch as read. Returns a function that counts the batch as decided: call it once for each batch, in the order of the batches,
   * with the number of bytes of all rows so far.
   */
  read(): (rowBytes: number) => void {
    const number = ++this.#read;
    return (rowBytes) => {
      this.#decided = number;
      this.#rowBytes = rowBytes;
      this.#tell();
    };
  }

  /** Marks the batch that was read last as the last batch of its unit. */
  endUnit(): void {
    this.#last.push(this.#read);
    this.#tell();
  }

  #tell(): void {
    while (this.#last.length > 0 && this.#last[0]! <= this.#decided) {
      this.#last.shift();
      this.#onEnd(this.#rowBytes);
    }
  }
}
