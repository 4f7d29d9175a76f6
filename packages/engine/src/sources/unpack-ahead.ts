// Decompresses the chunks of gzip or zstd data in other threads, ahead of the reader.
import { FrameSplitter, openZstdDecoder } from "./unpack-zstd.ts";
import type { Compression } from "../common/errors.ts";
import { NodeDecoder } from "./decoder.ts";

/** Size of the decoder's buffers in bytes. It is large, because each buffer costs turns of the event loop and of the thread pool. */
const bufferBytes = 524_288;
/** Maximum number of decompressed buffers that wait for the reader. The decoder fills them while the reader is busy. */
const mostBuffersAhead = 4;
/**
 * Maximum size of the yielded chunks in bytes, the same as for a file or a pipe. Readers create strings of this size, which are garbage
 * collected early.
 */
const chunkBytes = 65_536;
/** When this number of compressed bytes waits for the decoder, no further chunk is requested. */
const mostBytesAhead = 65_536;

/**
 * Thrown for data that is damaged, truncated, or followed by padding, and for a source that failed: Node's decoder may have dropped
 * text, and the slower unpackers have to read the data again from its beginning.
 */
export class IrregularError extends Error {}

/**
 * Decodes with one decoder of Node, which handles gzip's members and checksums itself. The chunks must arrive without delay, as from a
 * file, because they are requested before text that is already decompressed is yielded. Throws only `IrregularError`.
 */
export async function* unpackAhead(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  const input = chunks[Symbol.asyncIterator]();
  const decoder = new AheadDecoder(compression);
  let isFed = false;
  let failure: { readonly error: unknown } | undefined;
  const feed = async (): Promise<void> => {
    const next = await input.next();
    isFed = next.done === true;
    if (next.done === true) decoder.finish();
    else decoder.add(next.value);
  };
  try {
    for (;;) {
      while (!isFed && failure === undefined && decoder.waitingBytes < mostBytesAhead) {
        await feed().catch((error: unknown) => void (failure = { error }));
      }
      const text = decoder.read();
      if (text !== null) yield* chunksOf(text);
      else if (decoder.isAtEnd) return;
      // The failure is thrown only after all bytes are decoded, so that a run that was stopped still gets the text of all bytes that were
      // read.
      else if (failure !== undefined && decoder.waitingBytes === 0) throw failure.error;
      else await decoder.change();
    }
  } catch (error) {
    throw new IrregularError("not decoded to the end", { cause: error });
  } finally {
    decoder.destroy();
    await input.return?.();
  }
}

function* chunksOf(text: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at += chunkBytes) yield text.subarray(at, at + chunkBytes);
}

/** A decoder that decodes up to `mostBuffersAhead` buffers ahead of the reader. */
class AheadDecoder extends NodeDecoder {
  /** Node's zstd decoder stops at the end of a frame, so no piece may extend beyond a frame. */
  readonly #splitter: FrameSplitter | undefined;
  /** A buffer for added bytes that the decoder no longer reads. */
  #spare: Buffer | undefined;
  #addedBytes = 0;

  constructor(compression: Compression) {
    const options = { chunkSize: bufferBytes, readableObjectMode: true, readableHighWaterMark: mostBuffersAhead };
    const isZstd = compression === "zstd";
    const { createGunzip } = process.getBuiltinModule("node:zlib");
    super(compression, isZstd ? openZstdDecoder(options) : createGunzip(options));
    this.#splitter = isZstd ? new FrameSplitter() : undefined;
  }

  /** Whether all text was read. Throws when the decoder ended before the last added byte, as it does at padding between gzip members. */
  get isAtEnd(): boolean {
    if (this.hasEnded && this.taken !== this.#addedBytes) throw new Error("bytes after the data");
    return this.hasEnded;
  }

  /** Adds a copy of bytes. */
  add(bytes: Uint8Array): void {
    this.#addedBytes += bytes.length;
    if (this.#splitter === undefined) {
      const memory = this.#memoryFor(bytes.length);
      memory.set(bytes);
      // Once the decoder has read the copy, the next bytes can replace it.
      this.write(memory.subarray(0, bytes.length), () => (this.#spare = memory));
      return;
    }
    for (const part of this.#splitter.split(Buffer.from(bytes))) this.write(part.bytes);
  }

  #memoryFor(bytes: number): Buffer {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare !== undefined && spare.length >= bytes ? spare : Buffer.allocUnsafeSlow(bytes);
  }

  /** Marks the end of the bytes. Throws when the last zstd frame is not complete, or when bytes that are not a frame follow. */
  finish(): void {
    if (this.#splitter?.whole === false || this.#splitter?.hasGarbage === true) throw new Error("a frame is not whole");
    this.end();
  }
}
