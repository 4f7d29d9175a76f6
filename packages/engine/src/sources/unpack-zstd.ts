// Decompresses the frames of zstd data (RFC 8878 §3.1). Node's decoder loses the second frame in a chunk (Node 22 and 24) and accepts a
// truncated frame as whole (Node 22.19), so the bytes are split into pieces of one frame each, and each frame gets a decoder of its own.
import type { ZstdDecompress, ZstdOptions } from "node:zlib";
import { DamagedError } from "../common/errors.ts";
import { NodeDecoder, smallBytes, smallTextBytes, type Unpacker } from "./decoder.ts";

/** Binary logarithm of the largest window size, 128 MiB: the limit of the zstd command without `--long`. */
const mostWindowLog = 27;

/** Decodes each frame with its own decoder. */
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

/** A part of one frame, and whether it is the frame's last part. */
interface Segment {
  readonly bytes: Uint8Array;
  readonly endsFrame: boolean;
}

/** Finds the ends of frames in chunks of any size. */
export class FrameSplitter {
  private step: "magic" | "skippable" | "descriptor" | "block" | "garbage" = "magic";
  private collected: number[] = [];
  private need = 4;
  private skip = 0;
  private checksum = 0;
  private isLast = false;
  private frames = 0;

  /** Whether the bytes so far are one or more whole frames, perhaps followed by bytes that are not a frame (garbage). */
  get whole(): boolean {
    return this.frames > 0 && (this.step === "garbage" || (this.step === "magic" && !this.mayBeMagic()));
  }

  /** Whether bytes that are not a frame were read. */
  get hasGarbage(): boolean {
    return this.step === "garbage";
  }

  /** The segments of a chunk; garbage after the last frame is left out. */
  *split(chunk: Uint8Array): Generator<Segment> {
    let start = 0;
    let at = 0;
    while (at < chunk.length && this.step !== "garbage") {
      if (this.skip > 0) {
        const step = Math.min(this.skip, chunk.length - at);
        this.skip -= step;
        at += step;
      } else {
        this.collected.push(chunk[at++] ?? 0);
        if (this.collected.length === this.need) this.advance();
      }
      if (this.isLast && this.skip === 0) {
        this.begin("magic", 4);
        this.isLast = false;
        yield { bytes: chunk.subarray(start, at), endsFrame: true };
        start = at;
      }
    }
    const isGarbage = this.step === "garbage" && this.frames > 0;
    if (start < chunk.length && !isGarbage) yield { bytes: chunk.subarray(start), endsFrame: false };
  }

  private begin(step: typeof this.step, need: number): void {
    this.step = step;
    this.need = need;
    this.collected = [];
  }

  private advance(): void {
    const [a = 0, b = 0, c = 0, d = 0] = this.collected.slice(-4);
    switch (this.step) {
      case "magic": {
        const isSkippable = a >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18;
        const isFrame = a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd;
        if (isSkippable || isFrame) this.frames++;
        if (isSkippable) this.begin("skippable", 4);
        else if (isFrame) this.begin("descriptor", 1);
        else this.begin("garbage", 0);
        return;
      }
      case "skippable":
        this.skip = (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
        this.isLast = true;
        return;
      case "descriptor": {
        const isSingleSegment = (a & 0x20) !== 0;
        const contentSize = [isSingleSegment ? 1 : 0, 2, 4, 8][a >> 6] ?? 0;
        const dictionaryId = [0, 1, 2, 4][a & 3] ?? 0;
        this.checksum = (a & 4) === 0 ? 0 : 4;
        this.begin("block", 3);
        this.skip = (isSingleSegment ? 0 : 1) + dictionaryId + contentSize;
        return;
      }
      case "block": {
        const header = a | (b << 8) | (c << 16);
        const isRepeated = ((header >> 1) & 3) === 1; // one octet, repeated
        this.begin("block", 3);
        this.isLast = (header & 1) === 1;
        this.skip = (isRepeated ? 1 : header >>> 3) + (this.isLast ? this.checksum : 0);
        return;
      }
      case "garbage":
    }
  }

  /** Whether the one to three collected bytes may begin a magic number; if so, the last frame is truncated. */
  private mayBeMagic(): boolean {
    const [first] = this.collected;
    return first !== undefined && (first === 0x28 || first >> 4 === 5);
  }
}
