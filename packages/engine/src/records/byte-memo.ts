// Caches the results of a function of short byte strings: while a string is in the cache, the function is not called for it again.
import { ByteKeys } from "./byte-keys.ts";
import { type FieldSpans, notInBytes } from "./packed.ts";

/** Limit of remembered strings: a real log has few different ones, but an attacker may send any number. */
const mostKeys = 10_000;
/** Longer strings, in bytes, are not remembered. */
const longestKey = 1_000;

/** Remembers the results of a function of bytes, which it gets as a Latin-1 string. */
export class ByteMemo<Result> {
  readonly #convert: (text: string) => Result;
  #keys = new ByteKeys();
  #results: Result[] = [];
  /** The `reading` of the last field. Another `reading` gives the same bytes another result, so the memo then forgets all results. */
  #reading: FieldSpans["reading"];

  constructor(convert: (text: string) => Result) {
    this.#convert = convert;
  }

  /** The function's result for `bytes[start, end)`. */
  resultOf(bytes: Buffer, start: number, end: number): Result {
    if (end - start > longestKey) return this.#valueOf(bytes.toString("latin1", start, end));
    const key = this.#keys.findFrequent(bytes, start, end);
    if (key >= 0) return this.#results[key]!;
    const result = this.#valueOf(bytes.toString("latin1", start, end));
    if (this.#keys.count === mostKeys) this.#forget();
    this.#results[this.#keys.add(bytes, start, end)] = result;
    return result;
  }

  /** The function's result for a field of a record; a record without the field has an empty one. */
  resultOfField(field: FieldSpans | undefined, bytes: Buffer, record: number): Result {
    if (field === undefined) return this.#convert("");
    const start = field.startOf(record);
    const end = field.endOf(record);
    if (start === notInBytes) return this.#convert(field.decoded[end]!);
    const { reading } = field;
    if (reading !== this.#reading) this.#readBy(reading);
    return this.resultOf(bytes, start, end);
  }

  #readBy(reading: FieldSpans["reading"]): void {
    this.#reading = reading;
    this.#forget();
  }

  #valueOf(text: string): Result {
    const reading = this.#reading;
    return this.#convert(reading === undefined || text === "" ? text : reading(text));
  }

  #forget(): void {
    this.#keys = new ByteKeys();
    this.#results = [];
  }
}
