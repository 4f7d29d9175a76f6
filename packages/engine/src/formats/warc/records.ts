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
    const block = kept === undefined ? undefined : await bytes.take(kept);
    await bytes.skip(length - (kept ?? 0));
    yield { fields, block, end: bytes.offset, isLast: !bytes.hasHead };
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

  /** Whether the buffered bytes contain a whole header. */
  get hasHead(): boolean {
    const text = this.#held.subarray(0, maxHeadBytes);
    const first = text.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
    return first >= 0 && (text.includes("\r\n\r\n", first) || text.includes("\n\n", first));
  }

  /** Reads the next header, without the empty line after it; undefined at the end of the file. Skips empty lines before the header. */
  async head(): Promise<string | undefined> {
    for (;;) {
      let start = 0;
      while (this.#held[start] === 0x0d || this.#held[start] === 0x0a) start++;
      this.#held = this.#held.subarray(start);
      const crlf = this.#held.indexOf("\r\n\r\n");
      const lf = this.#held.subarray(0, crlf === -1 ? undefined : crlf).indexOf("\n\n");
      const [end, gap] = lf === -1 ? [crlf, 4] : [lf, 2];
      if (end !== -1) {
        const head = this.#held.toString("utf8", 0, end);
        this.#held = this.#held.subarray(end + gap);
        return head;
      }
      if (this.#held.byteLength > maxHeadBytes) throw new WarcError("has a header that does not end");
      if (!(await this.#more())) {
        if (this.#held.byteLength === 0) return undefined;
        throw new WarcError("is cut short");
      }
    }
  }

  async take(length: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let left = length; left > 0;) {
      if (this.#held.byteLength === 0 && !(await this.#more())) throw new WarcError("is cut short");
      const piece = this.#held.subarray(0, left);
      pieces.push(piece);
      left -= piece.byteLength;
      this.#held = this.#held.subarray(piece.byteLength);
    }
    return Buffer.concat(pieces);
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      if (this.#held.byteLength === 0 && !(await this.#more())) throw new WarcError("is cut short");
      const skipped = Math.min(left, this.#held.byteLength);
      left -= skipped;
      this.#held = this.#held.subarray(skipped);
    }
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
