// Chunks of a source in, the chunks that were compressed in it out: gzip of one member or several (RFC 1952), zstd of one
// frame or several (RFC 8878), anything else as it is. Told by the first bytes, never by the name.
import type { Transform } from "node:stream";
import { FrameSplitter, type Segment } from "@robots-stream/fetch/zstd";
import { nodeZlib } from "../node-parts.ts";
import { peek } from "./peek.ts";

/** How a source is compressed. */
export type Compression = "gzip" | "zstd";

/** A source without its compression. */
export interface Unpacked {
  readonly compression: Compression | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Looks at the first bytes and unpacks what they announce. Reading throws a `DamagedError` where the data is cut or wrong. */
export async function unpack(chunks: AsyncIterable<Uint8Array>): Promise<Unpacked> {
  let seen = 0;
  const peeked = await peek(chunks, (chunk) => (seen += chunk.byteLength) >= 4);
  const compression = compressionOf(peeked.beginning);
  if (compression === "gzip") return { compression, chunks: decode(peeked.chunks, new Gzip()) };
  if (compression === "zstd") return { compression, chunks: decode(peeked.chunks, new Zstd()) };
  return { compression: undefined, chunks: peeked.chunks };
}

/** Compressed data that is cut short or wrong; all that came before it was given. */
export class DamagedError extends Error {
  constructor(compression: Compression, reason: string) {
    super(`the ${compression} data is ${reason}`);
    this.name = "DamagedError";
  }
}

function compressionOf(bytes: Uint8Array): Compression | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x1f && b === 0x8b) return "gzip";
  // A frame, or a skippable frame before one.
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return "zstd";
  return a !== undefined && a >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18 ? "zstd" : undefined;
}

/** What differs between the two. */
interface Packing {
  readonly name: Compression;
  /** Pieces for one decoder, in order; a decoder ends where a segment says so. */
  segmentsOf(piece: Uint8Array): Iterable<Segment>;
  /** Whether the end of the data may come here; false: it is cut short. Undefined: the decoder knows. */
  readonly isWhole: boolean | undefined;
  open(): Transform;
}

class Gzip implements Packing {
  readonly name = "gzip";
  readonly isWhole = undefined;

  *segmentsOf(piece: Uint8Array): Iterable<Segment> {
    yield { bytes: piece, endsFrame: false };
  }

  open(): Transform {
    return nodeZlib().createGunzip({ chunkSize: 32 * 1_024 });
  }
}

/** Node's decoder alone loses frames after the first one, and takes a frame cut short for a whole one. */
class Zstd implements Packing {
  readonly name = "zstd";
  readonly #splitter: FrameSplitter = new FrameSplitter();

  get isWhole(): boolean {
    return this.#splitter.whole;
  }

  segmentsOf(piece: Uint8Array): Iterable<Segment> {
    return this.#splitter.split(piece);
  }

  open(): Transform {
    // As far as the zstd command goes without being asked: a window of 128 MiB.
    const { constants, createZstdDecompress } = nodeZlib();
    return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 27 } });
  }
}

/**
 * Pieces for the decoder. It drops what it decoded of a piece in which the data goes wrong, so pieces are small, at the
 * beginning smaller still: what is lost before a fault is little of what came.
 */
function* piecesOf(chunk: Uint8Array, before: number): Generator<Uint8Array> {
  for (let at = 0; at < chunk.byteLength;) {
    const length = Math.min(Math.max((before + at) >> 4, 64), 2_048);
    yield chunk.subarray(at, at + length);
    at += length;
  }
}

/** What comes of small pieces goes on in large chunks. */
const chunkBytes = 256 * 1_024;

async function* decode(chunks: AsyncIterable<Uint8Array>, packing: Packing): AsyncGenerator<Uint8Array> {
  let decoder: Decoder | undefined;
  let before = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const takeHeld = (): Uint8Array[] => {
    const taken = heldBytes === 0 ? [] : [Buffer.concat(held)];
    held = [];
    heldBytes = 0;
    return taken;
  };
  try {
    for await (const chunk of chunks) {
      for (const piece of piecesOf(chunk, before)) {
        for (const { bytes, endsFrame } of packing.segmentsOf(piece)) {
          decoder ??= new Decoder(packing);
          for await (const decoded of decoder.decode(bytes, endsFrame)) {
            held.push(decoded);
            heldBytes += decoded.byteLength;
            if (heldBytes >= chunkBytes) yield* takeHeld();
          }
          if (endsFrame) decoder = undefined;
        }
      }
      before += chunk.byteLength;
      // Not kept until more comes: that may take long.
      yield* takeHeld();
    }
    if (packing.isWhole === undefined) yield* (decoder ?? new Decoder(packing)).decode(new Uint8Array(0), true);
    else if (!packing.isWhole) throw new DamagedError(packing.name, "cut short");
  } catch (error) {
    yield* takeHeld();
    throw error;
  } finally {
    decoder?.destroy();
  }
}

/** One decoder of Node's, read piece by piece: it holds no more than its buffer, however much a piece expands to. */
class Decoder {
  readonly #stream: Transform;
  readonly #name: Compression;
  #wake: () => void = () => undefined;
  #failure: Error | undefined;
  #hasEnded = false;

  constructor(packing: Packing) {
    this.#name = packing.name;
    this.#stream = packing.open();
    this.#stream.on("readable", () => this.#wake());
    this.#stream.on("end", () => {
      this.#hasEnded = true;
      this.#wake();
    });
    this.#stream.on("error", (error: Error) => {
      this.#failure = error;
      this.#wake();
    });
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
      else if (this.#failure !== undefined) throw this.#damageOf(this.#failure);
      else if (isLast ? this.#hasEnded : isTaken) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #damageOf(error: Error): DamagedError {
    if (/unexpected end/i.test(error.message)) return new DamagedError(this.#name, "cut short");
    return new DamagedError(this.#name, `damaged: ${error.message}`);
  }
}
