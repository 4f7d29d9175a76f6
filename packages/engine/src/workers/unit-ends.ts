// Batches as they are read and decided in, the end of a unit's rows out: that of the last batch that was read before the unit ended.

/** Finds the ends of units, where the order is kept. */
export class UnitEnds {
  readonly #onEnd: (rowBytes: number) => void;
  /** Batches that were read; which of them was decided last, and the bytes of all rows by then. */
  #read = 0;
  #decided = 0;
  #rowBytes = 0;
  /** The last batches of units whose end was not told. */
  readonly #last: number[] = [];

  constructor(onEnd: (rowBytes: number) => void) {
    this.#onEnd = onEnd;
  }

  /** Counts a batch; what it gives is to be called when the batch was decided, and no later one. */
  read(): (rowBytes: number) => void {
    const number = ++this.#read;
    return (rowBytes) => {
      this.#decided = number;
      this.#rowBytes = rowBytes;
      this.#tell();
    };
  }

  /** Says that the unit ends with the batches so far. */
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
