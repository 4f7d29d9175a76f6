// What decoders of compressed data have in common: pieces in, what was compressed in them out, or that the data is damaged.
import type { Transform } from "node:stream";

/** How a source is compressed. */
export type Compression = "gzip" | "zstd";

/** Compressed data that is cut short or wrong; all that came before it was given. */
export class DamagedError extends Error {
  constructor(compression: Compression, reason: string) {
    super(`the ${compression} data is ${reason}`);
    this.name = "DamagedError";
  }
}

/** One that a decoder of Node's told of: it has dropped the text of the piece that it was given. */
export class DroppedTextError extends DamagedError {}

/** Decodes compressed data that comes in any pieces. */
export interface Unpacker {
  /** Whether the data may end here. */
  readonly isWhole: boolean;
  /** The text of the next piece, all that is known by its last byte. Throws a `DamagedError`, perhaps a `DroppedTextError`. */
  decode(piece: Uint8Array): AsyncGenerator<Uint8Array>;
  destroy(): void;
}

/** One decoder of Node's, read piece by piece: it holds no more than its buffer, however much a piece expands to. */
export class NodeDecoder {
  readonly #stream: Transform & { readonly bytesWritten?: number };
  readonly #name: Compression;
  #wake: () => void = () => undefined;
  #failure: Error | undefined;
  #hasEnded = false;

  constructor(name: Compression, stream: Transform) {
    this.#name = name;
    this.#stream = stream;
    stream.on("readable", () => this.#wake());
    stream.on("end", () => {
      this.#hasEnded = true;
      this.#wake();
    });
    stream.on("error", (error: Error) => {
      this.#failure = error;
      this.#wake();
    });
  }

  /** Whether it has seen the end of the data it is for. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Bytes that it took; those behind the end of the data are not among them. */
  get taken(): number {
    return this.#stream.bytesWritten ?? 0;
  }

  async *decode(bytes: Uint8Array, isLast: boolean): AsyncGenerator<Uint8Array> {
    let isTaken = false;
    const taken = (): void => {
      isTaken = true;
      this.#wake();
    };
    if (isLast) this.#stream.end(bytes);
    else this.#stream.write(bytes, taken);
    for (;;) {
      const chunk = this.#stream.read() as Uint8Array | null;
      if (chunk !== null) yield chunk;
      else if (this.#failure !== undefined) throw new DroppedTextError(this.#name, `damaged: ${this.#failure.message}`);
      else if (this.#hasEnded || (isTaken && !isLast)) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  destroy(): void {
    this.#stream.destroy();
  }
}
