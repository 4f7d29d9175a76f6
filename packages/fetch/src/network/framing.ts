// Bounds the framing of a response: the bytes received that are not content.

/**
 * Allowed framing bytes per byte of content. A chunk with one byte of content has at least five framing bytes, and more when its size has
 * leading zeros.
 */
const framingPerByte = 16;

/**
 * The framing of one response. HTTP parsers limit only field names and values; without this bound, a status line, interim responses,
 * chunk sizes, chunk extensions and trailers could be endless.
 */
export class Framing {
  /** Bytes received over the connection. Invariant: `#content` <= `#received`. */
  #received = 0;
  #content = 0;
  readonly #maxHeaderBytes: number;

  constructor(maxHeaderBytes: number) {
    this.#maxHeaderBytes = maxHeaderBytes;
  }

  /** Resets the counters, for a new connection or for the TLS connection inside a tunnel. */
  restart(): void {
    this.#received = this.#content = 0;
  }

  /** Counts received bytes, before the parser reads them. */
  receive(length: number): void {
    this.#received += length;
  }

  /** Counts bytes that the parser has returned as content. */
  takeContent(length: number): void {
    this.#content += length;
  }

  /**
   * Whether the framing exceeds its bound. Call it before each `receive`. `unread`: the number of received bytes that the parser has not
   * yet read.
   */
  isTooLong(unread: number, isInBody: boolean): boolean {
    const framing = this.#received - unread - this.#content;
    if (!isInBody) return framing > this.#maxHeaderBytes;
    return framing > 2 * this.#maxHeaderBytes + framingPerByte * this.#content;
  }
}
