// Decompresses the frames of zstd data (RFC 8878 §3.1).
import type { ZstdDecompress, ZstdOptions } from "node:zlib";
import { FrameSplitter } from "./zstd.ts";
import { nodeZlib } from "../node-parts.ts";
import { DamagedError, NodeDecoder, type Unpacker } from "./unpacker.ts";

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

/** Creates Node's decoder with `options` and the limit of the window size. */
export function openZstdDecoder(options: ZstdOptions = {}): ZstdDecompress {
  const { constants, createZstdDecompress } = nodeZlib();
  return createZstdDecompress({ ...options, params: { [constants.ZSTD_d_windowLogMax]: mostWindowLog } });
}
