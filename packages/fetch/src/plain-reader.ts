// The octets that come over one connection → the response in them, told to its hop as it comes (RFC 9112 §6, §7.1). Whatever is
// not as plain as nearly every response is goes, from there on, to a whole parser.
import type { Failure } from "./failures.ts";
import type { Flow, HopHandler } from "./hop.ts";
import { type Framing, plainHeadOf } from "./plain.ts";

/** Who hears what is read. */
export interface PlainEvents extends HopHandler {
  settle(failure: Failure): void;
  /**
   * Somebody else reads on: `bytes` begin with the head, and what was told of the body is not in them. All that comes
   * goes there, too.
   */
  handOver(bytes: Buffer): void;
}

const CR = 0x0d;
const LF = 0x0a;
/** Digits of a chunk's size where it is plain. */
const maxDigits = 8;
/** The value of a hexadecimal digit; 255 for what is none. */
const digits = new Uint8Array(256).fill(255);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  digits[digit.charCodeAt(0)] = digits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Reads one response. Call `onBytes` for what comes, `onClose` when the other side has ended. */
export class PlainReader {
  readonly #events: PlainEvents;
  readonly #flow: Flow;
  readonly #maxHeadBytes: number;
  #framing: Framing | undefined;
  /** Octets of the body, or of this chunk, that are still to come. */
  #left = 0;
  /** In chunks: the head, for whoever must read on; and what came of a line that is not whole. */
  #head: Buffer | undefined;
  #rest: Buffer | undefined;
  #place: "size" | "data" | "after" = "size";
  #isOver = false;

  /** A head that may be over `maxHeadBytes` is for another to measure. */
  constructor(events: PlainEvents, flow: Flow, maxHeadBytes: number) {
    this.#events = events;
    this.#flow = flow;
    this.#maxHeadBytes = maxHeadBytes;
  }

  /** `bytes` may be used again when this returns. */
  onBytes(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#framing === undefined) return this.#begin(bytes);
    if (this.#framing === "chunked") return this.#readChunks(bytes, 0);
    this.#readBody(bytes, 0);
  }

  /** The other side says nothing more. */
  onClose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#framing === "close") this.#events.onResponseEnd();
    else if (this.#framing === undefined) this.#events.fail(new Error("the other side closed the connection"));
    else this.#events.fail(new Error("the other side closed the connection before the body was whole"));
  }

  #begin(bytes: Buffer): void {
    // A head in several pieces is rare, and may be a slow one that another must watch.
    const head = plainHeadOf(bytes);
    if (head === undefined || head.bodyAt > this.#maxHeadBytes) return this.#handOver(Buffer.from(bytes));
    const { framing, bodyAt } = head;
    this.#framing = framing;
    if (framing === "chunked") this.#head = Buffer.from(bytes.subarray(0, bodyAt));
    else if (framing !== "close") this.#left = framing;
    this.#events.onResponseStart(this.#flow, head.status, head.headers);
    if (framing === "chunked") this.#readChunks(bytes, bodyAt);
    else this.#readBody(bytes, bodyAt);
  }

  #readBody(bytes: Buffer, from: number): void {
    const isCounted = this.#framing !== "close";
    const to = isCounted ? Math.min(bytes.length, from + this.#left) : bytes.length;
    if (isCounted) this.#left -= to - from;
    if (to > from) this.#events.onResponseData(copyOf(bytes, from, to));
    if (isCounted && this.#left === 0) this.#end();
  }

  /** All data of one read is told at once, in however small chunks it comes. */
  #readChunks(read: Buffer, from: number): void {
    const bytes = this.#rest === undefined ? read : Buffer.concat([this.#rest, read]);
    const data = new Uint8Array(bytes.length - from);
    let length = 0;
    let at = from;
    this.#rest = undefined;
    const tell = (): void => {
      if (length > 0) this.#events.onResponseData(data.subarray(0, length));
    };
    while (at < bytes.length) {
      if (this.#place === "data") {
        const to = Math.min(bytes.length, at + this.#left);
        bytes.copy(data, length, at, to);
        length += to - at;
        this.#left -= to - at;
        at = to;
        if (this.#left === 0) this.#place = "after";
      } else if (this.#place === "after") {
        if (bytes[at] !== CR || (at + 1 < bytes.length && bytes[at + 1] !== LF)) {
          this.#isOver = true;
          return this.#events.settle({ code: "protocol", message: "a chunk is longer than it says", strict: true });
        }
        if (at + 1 === bytes.length) break;
        at += 2;
        this.#place = "size";
      } else {
        let size = 0;
        let next = at;
        for (let digit; next < at + maxDigits && (digit = digits[bytes[next]!]!) < 16; next++) size = size * 16 + digit;
        // What is not there yet may still be a plain line.
        if (next + 1 >= bytes.length && next < at + maxDigits) break;
        const isPlain = next > at && bytes[next] === CR && bytes[next + 1] === LF;
        next += 2;
        if (isPlain && size > 0) {
          this.#left = size;
          this.#place = "data";
          at = next;
          continue;
        }
        if (isPlain && bytes.length < next + 2) break;
        tell();
        // Trailers, extensions and what is no size are for another to judge.
        if (isPlain && bytes[next] === CR && bytes[next + 1] === LF) return this.#end();
        return this.#handOver(Buffer.concat([this.#head!, bytes.subarray(at)]));
      }
    }
    tell();
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
  }

  #end(): void {
    this.#isOver = true;
    this.#events.onResponseEnd();
  }

  #handOver(bytes: Buffer): void {
    this.#isOver = true;
    this.#events.handOver(bytes);
  }
}

/** Octets of their own: those that came are in a buffer that is used again, and a pool would keep them alive. */
function copyOf(bytes: Buffer, from: number, to: number): Uint8Array {
  const copy = new Uint8Array(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
}
