// Decompresses the frames of zstd data (RFC 8878 §3.1).
import type { ZstdDecompress, ZstdOptions } from "node:zlib";
import { FrameSplitter } from "./zstd.ts";
import { DamagedError, NodeDecoder, smallBytes, smallTextBytes, type Unpacker } from "../records/unpacker.ts";

/** Binary logarithm of the largest window size, 128 MiB: the limit of the zstd command without `--long`. */
const mostWindowLog = 27;

/** Decodes each frame with its own decoder: Node's decoder loses frames after the first one, and accepts a truncated frame as whole. */
export class ZstdUnpacker implements Unpacker {
  readonly #splitter: FrameSplitter = new FrameSplitter();
  #decoder: NodeDecoder | undefined;

  get isWhole(): boolean {
    return this.#splitter.whole;
  }

  async *decode(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    for (const { bytes, endsFrame } of this.#splitter.split(piece)) {
      const text = this.#decoder === undefined && endsFrame ? textOfSmall(bytes) : undefined;
      if (text !== undefined) {
        if (text.length > 0) yield text;
        continue;
      }
      this.#decoder ??= new NodeDecoder("zstd", openZstdDecoder());
      yield* this.#decoder.decode(bytes, endsFrame);
      if (endsFrame) this.#decoder = undefined;
    }
    if (this.#splitter.hasGarbage) throw new DamagedError("zstd", "damaged: Unknown frame descriptor");
  }

  destroy(): void {
    this.#decoder?.destroy();
  }
}

/** Decodes a whole frame if it is small, without a stream, which would take longer. Undefined if it is not small, or damaged. */
function textOfSmall(frame: Uint8Array): Uint8Array | undefined {
  if (frame.length > smallBytes) return undefined;
  try {
    const { zstdDecompressSync } = process.getBuiltinModule("node:zlib");
    return zstdDecompressSync(frame, { params: limits(), chunkSize: smallBytes, maxOutputLength: smallTextBytes });
  } catch {
    return undefined;
  }
}

/** Creates Node's decoder with `options` and the limit of the window size. */
export function openZstdDecoder(options: ZstdOptions = {}): ZstdDecompress {
  return process.getBuiltinModule("node:zlib").createZstdDecompress({ ...options, params: limits() });
}

function limits(): NonNullable<ZstdOptions["params"]> {
  return { [process.getBuiltinModule("node:zlib").constants.ZSTD_d_windowLogMax]: mostWindowLog };
}
