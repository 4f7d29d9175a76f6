// Stores, for each requested member name, the span of the member's value in the last object of a walk.

/** Largest number of names: a set of names is one number with one bit for each name. */
const mostNames = 31;
/** The index that means "no name". */
export const noName = 0xff;
const quote = 0x22;

/** The members that walks look for, and the spans of their values in the last object. A reader uses one object for all its walks. */
export class AskedMembers {
  readonly names: readonly Uint8Array[];
  /** By name: the start of the raw value, quotes included; -1 without such a member. Of several members of one name, the last is used. */
  readonly starts: Int32Array;
  /** By name: the end of the raw value; valid only if `starts` is not -1. */
  readonly ends: Int32Array;
  /** By signature (see `signatureOf`): the index of the first name, or `noName`. Most members then need no comparison with a name. */
  readonly signatures: Uint8Array = new Uint8Array(256).fill(noName);
  /** By name: the index of the next name with the same signature, or `noName`. */
  readonly nextNames: Uint8Array;
  /** One bit for each name whose value is a string with a backslash. */
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

/** Used in walks that look for no member. */
export const noMembers: AskedMembers = new AskedMembers([]);

/** A number from 0 to 255, equal for equal names. `length`: bytes of the name; `first`: its first byte, or the quote of an empty name. */
export function signatureOf(length: number, first: number): number {
  return (length + first) & 0xff;
}
