// Reads the records of a decompressed WARC file (ISO 28500:2017): the fields, and the block unless it is too large.

export interface WarcRecord {
  /** The header fields, with names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** The block, or its first bytes; undefined when it was longer than `maxBlockBytes` and therefore skipped. */
  readonly block: Uint8Array | undefined;
  /** Offset of the record's end in the file. */
  readonly end: number;
  /** True when the chunks so far do not contain the whole header of the next record. */
  readonly isLast: boolean;
}

/** The error for bytes that are not a WARC record; the rest of the file cannot be read. */
export class WarcError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WarcError";
  }
}

/** Maximum size of a record's header. */
const maxHeadBytes = 65_536;
/** Maximum size of a block. A robots.txt with its HTTP header is far smaller in any transfer coding. */
const maxBlockBytes = 32 * 1_048_576;

/** How records are read. */
interface ReadWarcOptions {
  /** Number of bytes kept of each block. Default: the whole block, or nothing of a block over `maxBlockBytes`. */
  readonly keptBytes?: number;
  /** Offset of the first chunk in the file. */
  readonly offset?: number;
}

/** Yields the records one by one, with one record at a time in memory. Throws a `WarcError` at bytes that are not a record. */
export async function* readWarc(
  chunks: AsyncIterable<Uint8Array>,
  { keptBytes, offset = 0 }: ReadWarcOptions = {},
): AsyncGenerator<WarcRecord> {
  const bytes = new ByteReader(chunks, offset);
  for (;;) {
    const head = await bytes.head();
    if (head === undefined) return;
    const fields = fieldsOf(head);
    const length = Number(/^\d{1,15}$/.exec(fields.get("content-length") ?? "")?.[0] ?? Number.NaN);
    if (Number.isNaN(length)) throw new WarcError("has no length");
    const kept = keptBytes === undefined ? (length > maxBlockBytes ? undefined : length) : Math.min(length, keptBytes);
    const block = await bytes.take(length, kept ?? 0);
    const end = bytes.offset;
    yield { fields, block: kept === undefined ? undefined : block, end, isLast: bytes.findHead() === undefined };
  }
}

function fieldsOf(head: string): ReadonlyMap<string, string> {
  const [version = "", ...lines] = head.split(/\r?\n/);
  if (!/^WARC\/1\.\d$/.test(version)) throw new WarcError("is not a WARC record");
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return fields;
}

/** Reads pieces of any size from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  /** Offset of the end of the bytes received so far. */
  #end: number;

  constructor(chunks: AsyncIterable<Uint8Array>, offset: number) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#end = offset;
  }

  /** Offset of the next byte. */
  get offset(): number {
    return this.#end - this.#held.byteLength;
  }

  /** Skips empty lines, and finds the end of the header and of the empty line behind it; undefined unless the buffered bytes have both. */
  findHead(): readonly [end: number, next: number] | undefined {
    let start = 0;
    while (this.#held[start] === 0x0d || this.#held[start] === 0x0a) start++;
    this.#held = this.#held.subarray(start);
    const crlf = this.#held.indexOf("\r\n\r\n");
    const lf = this.#held.subarray(0, crlf === -1 ? undefined : crlf).indexOf("\n\n");
    if (lf !== -1) return [lf, lf + 2];
    return crlf === -1 ? undefined : [crlf, crlf + 4];
  }

  /** Reads the next header, without the empty line after it; undefined at the end of the file. */
  async head(): Promise<string | undefined> {
    for (;;) {
      const found = this.findHead();
      if (found !== undefined) {
        const head = this.#held.toString("utf8", 0, found[0]);
        this.#held = this.#held.subarray(found[1]);
        return head;
      }
      if (this.#held.byteLength > maxHeadBytes) throw new WarcError("has a header that does not end");
      if (!(await this.#more())) {
        if (this.#held.byteLength === 0) return undefined;
        throw new WarcError("is cut short");
      }
    }
  }

  /** Reads `length` bytes, and returns the first `kept` of them. */
  async take(length: number, kept: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < length;) {
      if (this.#held.byteLength === 0 && !(await this.#more())) throw new WarcError("is cut short");
      const piece = this.#held.subarray(0, length - at);
      if (at < kept) pieces.push(piece.subarray(0, kept - at));
      at += piece.byteLength;
      this.#held = this.#held.subarray(piece.byteLength);
    }
    return Buffer.concat(pieces);
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) return false;
    this.#end += value.byteLength;
    this.#held = this.#held.byteLength === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
    return true;
  }
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes without padding, because the 20 bytes of a SHA-1 digest need none. */
export function base32Of(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += digits[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + digits[(value << (5 - bits)) & 31];
}
