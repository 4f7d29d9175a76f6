// Caches the results of a function of short byte strings: the function is not called again for a string in the cache.
import { ByteKeys } from "./byte-keys.ts";
import { type FieldSpans, notInBytes } from "./packed.ts";

/** Maximum number of cached strings: a real log has few different ones, but an attacker may send any number. */
const mostKeys = 10_000;
/** Maximum length of a cached string in bytes. */
const longestKey = 1_000;

/** Caches the results of a function (`convert`) whose argument is a byte string as a Latin-1 string. */
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
    const key = this.#keys.findFrequent(bytes, start, end);
    if (key >= 0) return this.#results[key]!;
    const result = this.#convert(bytes.toString("latin1", start, end));
    if (this.#keys.count === mostKeys) {
      this.#keys = new ByteKeys();
      this.#results = [];
    }
    this.#results[this.#keys.add(bytes, start, end)] = result;
    return result;
  }

  /** The function's result for a field of a record. For a record without the field, it is the result for an empty string. */
  resultOfField(field: FieldSpans | undefined, bytes: Buffer, record: number): Result {
    if (field === undefined) return this.#convert("");
    const start = field.startOf(record);
    const end = field.endOf(record);
    if (start === notInBytes) return this.#convert(field.decoded[end]!);
    return this.resultOf(bytes, start, end);
  }
}
