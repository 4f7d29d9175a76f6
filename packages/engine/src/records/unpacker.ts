// Defines the interface of decoders, which decompress data piece by piece and throw an error when the data is damaged.
import type { Transform } from "node:stream";

export type Compression = "gzip" | "zstd";

/**
 * The error for compressed data, or a Parquet file, that is truncated or wrong. All text before the damage in compressed data was yielded,
 * except when the error is a `DroppedTextError`.
 */
export class DamagedError extends Error {
  constructor(kind: Compression | "parquet", reason: string) {
    super(`the ${kind} data is ${reason}`);
    this.name = "DamagedError";
  }
}

/** A gzip member or zstd frame is small if it has at most this many bytes, and its text at most this many. */
export const smallBytes = 4_096;
export const smallTextBytes = 262_144;

/** The error for damage that Node's decoder reported. The decoder may have dropped text that it decoded from the current piece. */
export class DroppedTextError extends DamagedError {}

/** Decodes compressed data in pieces of any size. */
export interface Unpacker {
  /** Whether the data is complete if it ends after the pieces so far. */
  readonly isWhole: boolean;
  /** Decodes the next piece, and yields all text that the pieces so far determine. Throws a `DamagedError`, or a `DroppedTextError`. */
  decode(piece: Uint8Array): AsyncGenerator<Uint8Array>;
  destroy(): void;
}

/**
 * Decodes pieces with a decoder of Node. Memory is limited to the decoder's buffer, however large the decompressed text of a piece is.
 */
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

  /** Whether the decoder has seen the end of its data. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Number of bytes that the decoder has consumed, without bytes after the end of the data. */
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
