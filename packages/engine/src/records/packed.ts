// Records of one block in, where their heads and URLs stand in its bytes kept: no string a record is made.
import { urlTextOf } from "../text.ts";

const spanSize = 4;

/** Records whose heads and URLs are pieces of some bytes. */
export class PackedRecords {
  /** What heads are pieces of. */
  heads: Buffer;
  /** What URLs are pieces of. */
  readonly bytes: Buffer;
  count = 0;
  /** To be called once, when nobody needs heads and URLs any more: the memory of both may then be used again. */
  recycle: (() => void) | undefined;
  /** Four numbers a record: where its head begins and ends, where its URL begins and ends. */
  spans: Int32Array;
  /** Decoded URLs of the records whose URL begins at -1; where it ends is the place in this list. */
  readonly decoded: string[] = [];

  /** Room for about `expected` records. */
  constructor(heads: Buffer, bytes: Buffer, expected: number) {
    this.heads = heads;
    this.bytes = bytes;
    this.spans = new Int32Array((expected + 16) * spanSize);
  }

  /** Adds a record whose URL stands in the bytes as it is. */
  push(headStart: number, headEnd: number, urlStart: number, urlEnd: number): void {
    const at = this.count++ * spanSize;
    if (at === this.spans.length) {
      const larger = new Int32Array(at * 2);
      larger.set(this.spans);
      this.spans = larger;
    }
    const { spans } = this;
    spans[at] = headStart;
    spans[at + 1] = headEnd;
    spans[at + 2] = urlStart;
    spans[at + 3] = urlEnd;
  }

  /** Adds a record whose URL had to be decoded. */
  pushDecoded(headStart: number, headEnd: number, url: string): void {
    this.push(headStart, headEnd, -1, this.decoded.length);
    this.decoded.push(url);
  }

  /** The bytes of a head, as a Latin-1 string. */
  headOf(record: number): string {
    return this.heads.toString("latin1", this.spans[record * spanSize], this.spans[record * spanSize + 1]);
  }

  /** A URL, decoded. */
  urlOf(record: number): string {
    const start = this.spans[record * spanSize + 2]!;
    const end = this.spans[record * spanSize + 3]!;
    return start < 0 ? this.decoded[end]! : urlTextOf(this.bytes.toString("latin1", start, end));
  }
}
