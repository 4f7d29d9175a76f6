// Keeps, for each asked name of a member, the span of its value in the last object that a walk covered.

/** Most names: a set of names is the bits of one number. */
const mostNames = 31;
/** Stands for "no name" where an index of a name is expected. */
export const noName = 0xff;
const quote = 0x22;

/** The members that walks look for. One of these serves all walks of a reader. */
export class AskedMembers {
  readonly names: readonly Uint8Array[];
  /** By name: the start and end of its raw value, quotes included; -1 without such a member. Of several, the last one counts. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The first name with each signature (see `signatureOf`), or `noName`: most members of an object need no comparison. */
  readonly signatures: Uint8Array = new Uint8Array(256).fill(noName);
  /** By name: the next name with the same signature, or `noName`. */
  readonly nextNames: Uint8Array;
  /** The names whose value is a string with a backslash, one bit for each. */
  #escaped = 0;

  constructor(names: readonly Uint8Array[]) {
    if (names.length > mostNames) throw new RangeError(`more than ${mostNames} names`);
    this.names = names;
    this.starts = new Int32Array(names.length).fill(-1);
    this.ends = new Int32Array(names.length);
    this.nextNames = new Uint8Array(names.length);
    names.forEach((name, index) => {
      const signature = signatureOf(name.length, name[0] ?? quote);
      this.nextNames[index] = this.signatures[signature]!;
      this.signatures[signature] = index;
    });
  }

  /** Removes the values of the last object. */
  reset(): void {
    const { starts } = this;
    for (let index = 0; index < starts.length; index++) starts[index] = -1;
    this.#escaped = 0;
  }

  /** Sets the value of each name in `set`, which has one bit for each name. */
  setValue(set: number, start: number, end: number, isEscaped: boolean): void {
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const index = 31 - Math.clz32(rest & -rest);
      this.starts[index] = start;
      this.ends[index] = end;
    }
    this.#escaped = isEscaped ? this.#escaped | set : this.#escaped & ~set;
  }

  /** Whether the last object has a member of a name. */
  has(index: number): boolean {
    return this.starts[index]! >= 0;
  }

  /** Whether the value of a name is a string with a backslash. */
  isEscaped(index: number): boolean {
    return ((this.#escaped >> index) & 1) !== 0;
  }
}

/** For walks that look for no member. */
export const noMembers: AskedMembers = new AskedMembers([]);

/** A number below 256 that equal names share; `first` is the first byte after the opening quote. */
export function signatureOf(length: number, first: number): number {
  return (length + first) & 0xff;
}
