// Stores, for each requested member name, the span of the member's value in the last object of a walk.

/** The index that means "no name". */
export const noName = 0xff;
const quote = 0x22;

/** The members that walks look for, and the spans of their values in the last object. A reader uses one object for all its walks. */
export class AskedMembers {
  /** The distinct names, at most 255. */
  readonly names: readonly Uint8Array[];
  /** By signature (see `signatureOf`): the index of the first name, or `noName`. Most members then need no comparison with a name. */
  readonly signatures: Uint8Array = new Uint8Array(256).fill(noName);
  /** By name: the index of the next name with the same signature, or `noName`. */
  readonly nextNames: Uint8Array;
  /** By requested name: the index of its name in `names`. */
  readonly #indexes: Uint8Array;
  /** By name: start and end of the raw value, quotes included; the start is -1 without such a member. Of several members, the last is used. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  /** By name: 1 for a value that is a string with a backslash. */
  readonly #escaped: Uint8Array;

  /** Names may be equal: they then have the same value. */
  constructor(asked: readonly Uint8Array[]) {
    const names = asked.filter((name, at) => asked.findIndex((other) => isEqual(other, name)) === at);
    if (names.length > noName) throw new RangeError(`more than ${noName} names`);
    this.names = names;
    this.#indexes = Uint8Array.from(asked, (name) => names.findIndex((other) => isEqual(other, name)));
    this.#starts = new Int32Array(names.length).fill(-1);
    this.#ends = new Int32Array(names.length);
    this.#escaped = new Uint8Array(names.length);
    this.nextNames = new Uint8Array(names.length);
    names.forEach((name, index) => {
      const signature = signatureOf(name.length, name[0] ?? quote);
      this.nextNames[index] = this.signatures[signature]!;
      this.signatures[signature] = index;
    });
  }

  /** Removes the values of the last object. */
  reset(): void {
    const starts = this.#starts;
    for (let index = 0; index < starts.length; index++) starts[index] = -1;
  }

  /** Sets the value of the name at `index` of `names`. */
  setValue(index: number, start: number, end: number, isEscaped: boolean): void {
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.#escaped[index] = isEscaped ? 1 : 0;
  }

  /** The start of a requested name's value, -1 without such a member. */
  startOf(asked: number): number {
    return this.#starts[this.#indexes[asked]!]!;
  }

  /** The end of a requested name's value; valid only with such a member. */
  endOf(asked: number): number {
    return this.#ends[this.#indexes[asked]!]!;
  }

  /** Whether the last object has a member of a requested name. */
  has(asked: number): boolean {
    return this.startOf(asked) >= 0;
  }

  /** Whether the value of a requested name is a string with a backslash; valid only with such a member. */
  isEscaped(asked: number): boolean {
    return this.#escaped[this.#indexes[asked]!] === 1;
  }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Used in walks that look for no member. */
export const noMembers: AskedMembers = new AskedMembers([]);

/** A number from 0 to 255, equal for equal names. `length`: bytes of the name; `first`: its first byte, or the quote of an empty name. */
export function signatureOf(length: number, first: number): number {
  return (length + first) & 0xff;
}
