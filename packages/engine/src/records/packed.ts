// The records of one block as byte ranges: the spans of their heads, URLs and User-Agent headers. No string is created per record.
import { urlTextOf } from "../text.ts";

/** Numbers of one record in `PackedRecords.spans`, and which of them is which. */
export const spanSize = 4;
export const headStartAt = 0;
export const headEndAt = 1;
export const urlStartAt = 2;
export const urlEndAt = 3;
/** Positions of the target, which replaces the URL once a batch is located. */
export const targetStartAt = 2;
export const targetEndAt = 3;

/** Numbers of one record in `PackedRecords.agentSpans`. */
const agentSpanSize = 2;

/** The start of a text that is not in the bytes; the text's end is then an index into a list of texts. */
export const notInBytes = -1;

/** Records whose heads and URLs are ranges of byte buffers. */
export class PackedRecords {
  /** The buffer that contains the heads. */
  heads: Buffer;
  /** The buffer that contains URLs and User-Agent headers. */
  readonly bytes: Buffer;
  count = 0;
  /** Call once, after the last use of heads and URLs: both buffers are then reused. */
  recycle: (() => void) | undefined;
  /** `spanSize` numbers per record: start and end of its head, start and end of its URL. */
  spans: Int32Array;
  /** Decoded URLs of the records whose URL starts at `notInBytes`. */
  readonly decoded: string[] = [];
  /** Start and end of each record's User-Agent header; undefined when records have no such header. */
  agentSpans: Int32Array | undefined;
  /** Headers, as bytes, of records whose header starts at `notInBytes`. */
  readonly decodedAgents: string[] = [];

  /** Room for about `expected` records. */
  constructor(heads: Buffer, bytes: Buffer, expected: number) {
    this.heads = heads;
    this.bytes = bytes;
    this.spans = new Int32Array((expected + 16) * spanSize);
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

  /** Sets the User-Agent header span of the last added record. Either all records of a batch have a header, or none has. */
  pushAgent(start: number, end: number): void {
    const records = this.spans.length / spanSize;
    this.agentSpans ??= new Int32Array(records * agentSpanSize);
    if (this.agentSpans.length < records * agentSpanSize) {
      this.agentSpans = largerOf(this.agentSpans, records * agentSpanSize);
    }
    const at = (this.count - 1) * agentSpanSize;
    this.agentSpans[at] = start;
    this.agentSpans[at + 1] = end;
  }

  /** Sets a header that is not a range of the bytes; `header` is its bytes as a Latin-1 string. */
  pushDecodedAgent(header: string): void {
    this.pushAgent(notInBytes, this.decodedAgents.length);
    this.decodedAgents.push(header);
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
    return start === notInBytes ? this.decoded[end]! : urlTextOf(this.bytes.toString("latin1", start, end));
  }

  /** The bytes of a User-Agent header as a Latin-1 string; "" when records have no such header. */
  agentOf(record: number): string {
    if (this.agentSpans === undefined) return "";
    const start = this.agentSpans[record * agentSpanSize]!;
    const end = this.agentSpans[record * agentSpanSize + 1]!;
    return start === notInBytes ? this.decodedAgents[end]! : this.bytes.toString("latin1", start, end);
  }
}

function largerOf(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
