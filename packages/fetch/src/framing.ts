// The bytes of a response, and those of them that are content → whether the rest, its framing, is longer than its bound.

/** A chunk of one byte has five bytes around it, and its size may be written with leading zeros. */
const framingPerByte = 16;

/**
 * The framing of one response. Parsers measure names and values of fields; a status line, interim responses, sizes and extensions of
 * chunks and trailers may be endless.
 */
export class Framing {
  /** Bytes of the connection. Invariant: content <= received. */
  #received = 0;
  #content = 0;
  readonly #maxHeaderBytes: number;

  constructor(maxHeaderBytes: number) {
    this.#maxHeaderBytes = maxHeaderBytes;
  }

  /** Counts from zero: another connection, or the next one in a tunnel. */
  restart(): void {
    this.#received = this.#content = 0;
  }

  /** Counts bytes before the parser has them. */
  receive(length: number): void {
    this.#received += length;
  }

  /** Counts bytes that the parser has found to be content. */
  takeContent(length: number): void {
    this.#content += length;
  }

  /** To be asked before each `receive`: the parser then has all bytes so far but the `unread` ones. */
  isTooLong(unread: number, isInBody: boolean): boolean {
    const framing = this.#received - unread - this.#content;
    if (!isInBody) return framing > this.#maxHeaderBytes;
    return framing > 2 * this.#maxHeaderBytes + framingPerByte * this.#content;
  }
}
