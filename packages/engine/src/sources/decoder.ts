// Defines the interface of decoders, which decompress data piece by piece and throw an error when the data is damaged; and wraps those of
// Node.
import type { Transform } from "node:stream";
import { type Compression, DamagedError } from "../common/errors.ts";

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

/** A decoder of Node, which runs in the thread pool. Memory is limited to its buffers, however large the decompressed text of a piece is. */
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

  /** Number of bytes that were written and not decoded; Infinity after an error of the decoder. */
  get waitingBytes(): number {
    return this.#failure === undefined ? this.#stream.writableLength : Infinity;
  }

  /** Writes bytes, which must not change before `onTaken` is called. */
  write(bytes: Uint8Array, onTaken?: () => void): void {
    this.#stream.write(bytes, () => {
      onTaken?.();
      this.#wake();
    });
  }

  /** Marks the end of the data, whose last bytes may be given. */
  end(bytes?: Uint8Array): void {
    this.#stream.end(bytes);
  }

  /** The next chunk of text; null when none is decoded. Throws a `DroppedTextError` for an error of the decoder. */
  read(): Uint8Array | null {
    const text = this.#stream.read() as Uint8Array | null;
    if (text === null && this.#failure !== undefined)
      throw new DroppedTextError(this.#name, `damaged: ${this.#failure.message}`);
    return text;
  }

  /** Resolves when there may be text to read or room for bytes. */
  change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  /** Writes bytes, and yields their text. */
  async *decode(bytes: Uint8Array, isLast: boolean): AsyncGenerator<Uint8Array> {
    let isTaken = false;
    if (isLast) this.end(bytes);
    else this.write(bytes, () => (isTaken = true));
    for (;;) {
      const text = this.read();
      if (text !== null) yield text;
      else if (this.#hasEnded || (isTaken && !isLast)) return;
      else await this.change();
    }
  }

  destroy(): void {
    this.#stream.destroy();
  }
}
