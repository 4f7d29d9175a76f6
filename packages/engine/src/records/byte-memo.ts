// Short byte strings in, what a function makes of each out, as words to write: it is called once for a string, as long as that is remembered.
import { ByteKeys } from "./byte-keys.ts";
import { type Words, wordsOf } from "./words.ts";

/** Limit of remembered strings: a real log has few different ones, but an attacker may send any number. Longer ones are not remembered. */
const mostKeys = 10_000;
const longestKey = 1_000;

/** Remembers the results of a function from Latin-1 string to Latin-1 string. */
export class ByteMemo {
  readonly #convert: (text: string) => string | undefined;
  #keys = new ByteKeys();
  #results: (Words | undefined)[] = [];

  constructor(convert: (text: string) => string | undefined) {
    this.#convert = convert;
  }

  /** The function's result for `bytes[start, end)`. */
  resultOf(bytes: Buffer, start: number, end: number): Words | undefined {
    if (end - start > longestKey) return this.#make(bytes, start, end);
    const hash = this.#keys.hashOf(bytes, start, end);
    const key = this.#keys.find(bytes, start, end, hash);
    if (key >= 0) return this.#results[key];
    const result = this.#make(bytes, start, end);
    if (this.#keys.count === mostKeys) {
      this.#keys = new ByteKeys();
      this.#results = [];
    }
    this.#results[this.#keys.add(bytes, start, end)] = result;
    return result;
  }

  #make(bytes: Buffer, start: number, end: number): Words | undefined {
    const text = this.#convert(bytes.toString("latin1", start, end));
    return text === undefined ? undefined : wordsOf(text);
  }
}
