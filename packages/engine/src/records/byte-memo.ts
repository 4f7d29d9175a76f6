// Short byte strings in, the result of a function for each out: it is called once for a string, as long as the string is cached.
import { ByteKeys } from "./byte-keys.ts";
import { type FieldSpans, notInBytes } from "./packed.ts";

/** Limit of remembered strings: a real log has few different ones, but an attacker may send any number. Longer ones are not remembered. */
const mostKeys = 10_000;
const longestKey = 1_000;

/** Remembers the results of a function of bytes, which it gets as a Latin-1 string. */
export class ByteMemo<Result> {
  readonly #convert: (text: string) => Result;
  #keys = new ByteKeys();
  #results: Result[] = [];

  constructor(convert: (text: string) => Result) {
    this.#convert = convert;
  }

  /** The function's result for `bytes[start, end)`. */
  resultOf(bytes: Buffer, start: number, end: number): Result {
    if (end - start > longestKey) return this.#convert(bytes.toString("latin1", start, end));
    const hash = this.#keys.hashOf(bytes, start, end);
    const key = this.#keys.find(bytes, start, end, hash);
    if (key >= 0) return this.#results[key]!;
    const result = this.#convert(bytes.toString("latin1", start, end));
    if (this.#keys.count === mostKeys) {
      this.#keys = new ByteKeys();
      this.#results = [];
    }
    this.#results[this.#keys.add(bytes, start, end)] = result;
    return result;
  }

  /** The function's result for a field of a record; a record without the field has an empty one. */
  resultOfField(field: FieldSpans | undefined, bytes: Buffer, record: number): Result {
    if (field === undefined) return this.#convert("");
    const start = field.startOf(record);
    const end = field.endOf(record);
    return start === notInBytes ? this.#convert(field.decoded[end]!) : this.resultOf(bytes, start, end);
  }
}
