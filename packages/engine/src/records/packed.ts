// Stores the records of one block as byte ranges: the spans of their heads, URLs and requested fields. No string is created per record.
import { urlTextOf } from "../common/text.ts";

/** How many numbers of `PackedRecords.spans` belong to one record, and the index of each of them. */
export const spanSize = 4;
export const headStartAt = 0;
export const headEndAt = 1;
export const urlStartAt = 2;
export const urlEndAt = 3;
/** Indexes of the start and the end of the target, with which `locate` replaces the URL. */
export const targetStartAt = 2;
export const targetEndAt = 3;

/** The value of a span's start when the text is not a range of the bytes. The span's end is then an index into a list of texts. */
export const notInBytes = -1;

/** The value of a time's start when its end is the time itself, in whole seconds since 1970: where nothing needs the time as a text. */
export const inSeconds = -2;

const zero = 0x30;

/** Maximum number of digits of a number, because a longer number would not be exact. */
const mostDigits = 15;

/**
 * A field that a run may need in addition to the URL: the User-Agent header, the time, the number of bytes of the response, the Referer
 * header, a further text of the record, or (for members only) the target as the record has it, if `parseTarget` writes it otherwise. A
 * reader adds two fields without being asked: `otherTarget`, the target that the client may have sent instead (`LogRequest.otherTarget`),
 * and `serverPath`, a text if the path is that after the server's rewrites. Beside `agent`: `noAgentField` is a text if the record's part
 * of the log has no field for the User-Agent header.
 */
export type AskedField =
  | "agent"
  | "noAgentField"
  | "time"
  | "bytes"
  | "referer"
  | TextField
  | "sent"
  | "otherTarget"
  | "serverPath";

/** A text of a record on which members of its rows, or counts, may depend: see `AskedText`. */
export type TextField = "address" | "xRobotsTag" | "robotsMeta" | "html" | "canonical" | "method" | "status" | "group";

/** All names of `TextField`, in the order in which readers search for them. */
export const textFields: readonly TextField[] = [
  "address",
  "xRobotsTag",
  "robotsMeta",
  "html",
  "canonical",
  "method",
  "status",
  "group",
];

/** Records whose heads and URLs are ranges of byte buffers. */
export class PackedRecords {
  /** The buffer that contains the heads. */
  heads: Buffer;
  /** The buffer that contains URLs and requested fields. */
  bytes: Buffer;
  count = 0;
  /** Call once, after the last use of heads and URLs: both buffers may then be reused. */
  recycle: (() => void) | undefined;
  /** `spanSize` numbers per record: start and end of its head, start and end of its URL. */
  spans: Int32Array;
  /** Decoded URLs of the records whose URL starts at `notInBytes`. */
  readonly decoded: string[] = [];
  /** The requested fields. A field is absent until a record has it. A record without the field has an empty span. */
  readonly fields: { [field in AskedField]?: FieldSpans } = {};
  /** By record: 1 if its origin comes from the base, because the log names no host. Records behind the end have 0. */
  #assumedOrigins: Uint8Array = noBytes;

  /** Room for about `expected` records. */
  constructor(heads: Buffer, bytes: Buffer, expected: number) {
    this.heads = heads;
    this.bytes = bytes;
    this.spans = new Int32Array((expected + 16) * spanSize);
  }

  /** Removes all records, but keeps the memory for others. */
  clear(): void {
    for (const spans of Object.values(this.fields)) spans.clear(this.count);
    this.#assumedOrigins.fill(0, 0, this.count);
    this.decoded.length = 0;
    this.count = 0;
  }

  /** Adds a record whose URL is a range of the bytes. */
  push(headStart: number, headEnd: number, urlStart: number, urlEnd: number): void {
    const at = this.count++ * spanSize;
    if (at === this.spans.length) this.spans = largerOf(this.spans, at * 2);
    const { spans } = this;
    spans[at + headStartAt] = headStart;
    spans[at + headEndAt] = headEnd;
    spans[at + urlStartAt] = urlStart;
    spans[at + urlEndAt] = urlEnd;
  }

  /** Adds a record whose URL had to be decoded. */
  pushDecoded(headStart: number, headEnd: number, url: string): void {
    this.push(headStart, headEnd, notInBytes, this.decoded.length);
    this.decoded.push(url);
  }

  /**
   * Moves each URL that is a range of the bytes and begins with `firstByte` to `decoded`, where the caller can change the string.
   */
  decodeUrls(firstByte: number): void {
    const { bytes, spans } = this;
    for (let record = 0; record < this.count; record++) {
      const start = spans[record * spanSize + urlStartAt]!;
      if (start === notInBytes || bytes[start] !== firstByte || start === spans[record * spanSize + urlEndAt]) continue;
      const url = this.urlOf(record);
      spans[record * spanSize + urlStartAt] = notInBytes;
      spans[record * spanSize + urlEndAt] = this.decoded.push(url) - 1;
    }
  }

  /** Replaces all heads. Each new head is a Latin-1 string of bytes. */
  replaceHeads(heads: readonly string[]): void {
    this.heads = Buffer.from(heads.join(""), "latin1");
    const { spans } = this;
    let start = 0;
    for (let record = 0; record < this.count; record++) {
      spans[record * spanSize + headStartAt] = start;
      start += heads[record]!.length;
      spans[record * spanSize + headEndAt] = start;
    }
  }

  /** Sets the span of a field of the last added record. */
  pushField(field: AskedField, start: number, end: number): void {
    this.spansOf(field).set(this.count - 1, start, end);
  }

  /** The spans of a field; created when no record has the field yet. */
  spansOf(field: AskedField): FieldSpans {
    return (this.fields[field] ??= new FieldSpans(this.spans.length / spanSize));
  }

  /** Notes that the origin of the last added record comes from the base, because the log names no host. */
  assumeOrigin(): void {
    const record = this.count - 1;
    if (record >= this.#assumedOrigins.length) {
      const longer = new Uint8Array(Math.max(record + 1, this.spans.length / spanSize));
      longer.set(this.#assumedOrigins);
      this.#assumedOrigins = longer;
    }
    this.#assumedOrigins[record] = 1;
  }

  /** Whether the origin of a record comes from the base. */
  isOriginAssumed(record: number): boolean {
    return this.#assumedOrigins[record] === 1;
  }

  /** Sets a field of the last added record that is not a range of the bytes; `value` is its bytes as a Latin-1 string. */
  pushDecodedField(field: AskedField, value: string): void {
    this.spansOf(field).setDecoded(this.count - 1, value);
  }

  /** Whether the part of the log with a record has no field for the User-Agent header, if a reader was asked for the header. */
  lacksAgentField(record: number): boolean {
    return (this.fields.noAgentField?.sizeOf(record) ?? 0) > 0;
  }

  /** The bytes of a head, as a Latin-1 string. */
  headOf(record: number): string {
    const at = record * spanSize;
    return this.heads.toString("latin1", this.spans[at + headStartAt], this.spans[at + headEndAt]);
  }

  /** A URL, decoded. */
  urlOf(record: number): string {
    const start = this.spans[record * spanSize + urlStartAt]!;
    const end = this.spans[record * spanSize + urlEndAt]!;
    if (start === notInBytes) return this.decoded[end]!;
    return urlTextOf(this.bytes.toString("latin1", start, end));
  }

  /**
   * The status of a record, also if it is written with decimals ("404.0"): 0 if its text is `-` or a negative number, which logs write for
   * a request without an answer; -1 if the record has no status.
   */
  statusOf(record: number): number {
    const { status } = this.fields;
    if (status === undefined) return -1;
    const number = status.numberOf(this.bytes, record);
    if (number >= 0) return number;
    const text = status.textOf(this.bytes, record);
    // Programs that store statuses as floating-point numbers, because some are missing, write them so.
    return /^\d{3}\.0+$/.test(text) ? Number(text) : text.startsWith("-") ? 0 : -1;
  }

  /** The bytes of a record's field as a Latin-1 string; "" for a record without the field. */
  fieldOf(field: AskedField, record: number): string {
    return this.fields[field]?.textOf(this.bytes, record) ?? "";
  }
}

/** How many numbers of `FieldSpans.spans` belong to one record. */
const fieldSpanSize = 2;

/** The spans of one field in the records of a block. */
export class FieldSpans {
  /** Start and end for each record; 0 and 0 for a record without the field. */
  spans: Int32Array;
  /** Values of the records whose field starts at `notInBytes`, as Latin-1 strings of bytes. */
  readonly decoded: string[] = [];
  /** Room for about `expected` records. */
  constructor(expected: number) {
    this.spans = new Int32Array(expected * fieldSpanSize);
  }

  /** Removes the field from the first `count` records. */
  clear(count: number): void {
    this.spans.fill(0, 0, count * fieldSpanSize);
    this.decoded.length = 0;
  }

  /** Sets the field of a record. */
  set(record: number, start: number, end: number): void {
    const at = record * fieldSpanSize;
    if (at >= this.spans.length) this.spans = largerOf(this.spans, at * 2 + fieldSpanSize);
    this.spans[at] = start;
    this.spans[at + 1] = end;
  }

  /** Sets the field of a record to a value that is not a range of the bytes. */
  setDecoded(record: number, value: string): void {
    this.set(record, notInBytes, this.decoded.length);
    this.decoded.push(value);
  }

  /** Whether a record's field is not a range of the bytes but in `decoded`. */
  isDecoded(record: number): boolean {
    return this.startOf(record) === notInBytes;
  }

  /** The start of a record's field; `notInBytes` for a field in `decoded`. */
  startOf(record: number): number {
    return this.spans[record * fieldSpanSize] ?? 0;
  }

  /** The end of a record's field, or its index in `decoded`. */
  endOf(record: number): number {
    return this.spans[record * fieldSpanSize + 1] ?? 0;
  }

  /** The number of bytes of a record's field. */
  sizeOf(record: number): number {
    const start = this.startOf(record);
    const end = this.endOf(record);
    return start === notInBytes ? this.decoded[end]!.length : end - start;
  }

  /** Copies a record's field from `bytes`, or from its decoded value, to `at` in `to`; returns the number of bytes. */
  copy(bytes: Buffer, record: number, to: Buffer, at: number): number {
    const start = this.startOf(record);
    const end = this.endOf(record);
    return start === notInBytes ? to.write(this.decoded[end]!, at, "latin1") : bytes.copy(to, at, start, end);
  }

  /** A record's field of 1 to `mostDigits` digits as a number, without making a string; -1 for any other field. */
  numberOf(bytes: Buffer, record: number): number {
    const start = this.startOf(record);
    const end = this.endOf(record);
    if (start === notInBytes) return /^\d{1,15}$/.test(this.decoded[end]!) ? Number(this.decoded[end]) : -1;
    if (end === start || end - start > mostDigits) return -1;
    let number = 0;
    for (let at = start; at < end; at++) {
      const digit = bytes[at]! - zero;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }

  /** The value of a record's field, as a Latin-1 string of bytes. */
  textOf(bytes: Buffer, record: number): string {
    const start = this.startOf(record);
    const end = this.endOf(record);
    return start === notInBytes ? this.decoded[end]! : bytes.toString("latin1", start, end);
  }
}

/** The records of a batch that has only rejects. */
export function noRecords(): PackedRecords {
  return new PackedRecords(noMemory, noMemory, 0);
}

const noMemory = Buffer.alloc(0);
const noBytes = new Uint8Array(0);

function largerOf(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

/** A record: the head is `heads[headStart, headEnd)`, the target is `targets[targetStart, targetEnd)`. */
export interface RecordRange {
  heads: Buffer;
  headStart: number;
  headEnd: number;
  targets: Buffer;
  targetStart: number;
  targetEnd: number;
}

/** Creates an object that is filled in again for each record, so that no object is allocated per record. */
export function createRecordRange(): RecordRange {
  const none = Buffer.alloc(0);
  return { heads: none, headStart: 0, headEnd: 0, targets: none, targetStart: 0, targetEnd: 0 };
}
