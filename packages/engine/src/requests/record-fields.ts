// The asked fields of packed records in, their values as numbers out: no string is made for a time or method like the one before.
import { ByteKeys } from "../records/byte-keys.ts";
import { type FieldSpans, type PackedRecords, notInBytes } from "../records/packed.ts";
import { timeMsOf } from "../locate/times.ts";

const zero = 0x30;
const colon = 0x3a;
const letterZ = 0x5a;
/** `2025-12-10T09:00:59Z`: its length, and the offsets of its seconds and of what follows them. */
const instantLength = 20;
const secondsAt = 17;
const afterSeconds = 19;

/** A longer text is no time. */
const longestTime = 64;
/** More digits are no exact number. */
const mostDigits = 15;

/** Reads the times of records as whole seconds since 1970. */
export class TimeReader {
  /** The last instant, and its minute: neighbouring records mostly share it. */
  readonly #last = new Uint8Array(instantLength);
  #minute = -1;
  #text = "";
  #textSeconds = -1;

  /** Seconds since 1970; -1 for a record without a time, and for one before 1970. */
  secondsOf({ fields: { time }, bytes }: PackedRecords, record: number): number {
    if (time === undefined) return -1;
    const start = time.startOf(record);
    const end = time.endOf(record);
    if (start === notInBytes) return this.#secondsOfText(time.decoded[end]!);
    if (end - start === instantLength) return this.#secondsInBytes(bytes, start);
    return end === start || end - start > longestTime ? -1 : this.#secondsOfText(bytes.toString("latin1", start, end));
  }

  #secondsInBytes(bytes: Buffer, start: number): number {
    const tens = bytes[start + secondsAt]! - zero;
    const ones = bytes[start + secondsAt + 1]! - zero;
    const isPlain = tens >= 0 && tens < 6 && ones >= 0 && ones < 10;
    if (isPlain && this.#minute >= 0 && this.#isLastMinute(bytes, start)) return this.#minute + tens * 10 + ones;
    const seconds = this.#secondsOfText(bytes.toString("latin1", start, start + instantLength));
    const isInstant = bytes[start + afterSeconds] === letterZ && bytes[start + secondsAt - 1] === colon;
    if (seconds < 0 || !isPlain || !isInstant) return seconds;
    for (let at = 0; at < instantLength; at++) this.#last[at] = bytes[start + at]!;
    this.#minute = seconds - tens * 10 - ones;
    return seconds;
  }

  #isLastMinute(bytes: Buffer, start: number): boolean {
    const last = this.#last;
    for (let at = secondsAt - 1; at >= 0; at--) if (bytes[start + at] !== last[at]) return false;
    for (let at = afterSeconds; at < instantLength; at++) if (bytes[start + at] !== last[at]) return false;
    return true;
  }

  #secondsOfText(text: string): number {
    if (text === this.#text) return this.#textSeconds;
    const ms = text.length > longestTime ? Number.NaN : timeMsOf(text.trim());
    this.#text = text;
    return (this.#textSeconds = Number.isNaN(ms) || ms < 0 ? -1 : Math.floor(ms / 1_000));
  }
}

/** A field of digits as a number; `otherwise` for a record without it, and for any other text. */
export function numberIn(field: FieldSpans | undefined, bytes: Buffer, record: number, otherwise: number): number {
  if (field === undefined) return otherwise;
  const start = field.startOf(record);
  const end = field.endOf(record);
  if (start === notInBytes) {
    const text = field.decoded[end]!;
    return /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
  }
  if (end === start || end - start > mostDigits) return otherwise;
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - zero;
    if (digit < 0 || digit > 9) return otherwise;
    number = number * 10 + digit;
  }
  return number;
}

/** Limits of what a reader of texts remembers: a real log has few different ones, but an attacker may send any number. */
const mostTexts = 10_000;
const longestText = 1_000;

/** Reads a field whose texts are few as the number that a function makes of each text, called once for a text that is remembered. */
export class TextNumbers {
  readonly #convert: (text: string) => number;
  #keys = new ByteKeys();

  /** `convert` gets the field as bytes in a Latin-1 string, "" for a record without it, and returns an integer of 32 bits. */
  constructor(convert: (text: string) => number) {
    this.#convert = convert;
  }

  /** The number of a record's field. */
  numberOf(field: FieldSpans | undefined, bytes: Buffer, record: number): number {
    const start = field?.startOf(record) ?? 0;
    const end = field?.endOf(record) ?? 0;
    if (field === undefined || start === end) return this.#convert("");
    if (start === notInBytes) return this.#convert(field.decoded[end]!);
    if (end - start > longestText) return this.#convert(bytes.toString("latin1", start, end));
    const hash = this.#keys.hashOf(bytes, start, end);
    const key = this.#keys.find(bytes, start, end, hash);
    if (key >= 0) return this.#keys.valueOf(key);
    const number = this.#convert(bytes.toString("latin1", start, end));
    if (this.#keys.count === mostTexts) this.#keys = new ByteKeys();
    this.#keys.add(bytes, start, end, number);
    return number;
  }
}
