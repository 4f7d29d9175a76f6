// Decodes a response body as its bytes arrive and keeps its beginning, at most `maxBytes` (RFC 9110 §8.4.1, RFC 7932).
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import type { Coding } from "./codings.ts";
import type { Failure } from "../common/failures.ts";
import { type BodyBeginning, Pieces } from "../common/body.ts";

export type BodyEnd = BodyBeginning | { readonly failure: Failure };

/** Reads a body piece by piece. A reader that has called `onEnd` ignores all calls. */
export interface BodyReader {
  /** Returns false when the caller must wait for `onDrain` before the next write. */
  write(chunk: Uint8Array): boolean;
  /** The caller calls this function when the whole body has arrived. */
  end(): void;
  /** Frees buffers and decoders; `onEnd` is not called afterwards. */
  destroy(): void;
}

export interface BodyReaderOptions {
  /** The content codings in the order in which the server applied them, as `codingsOf` returns them. */
  readonly codings: readonly Coding[];
  readonly maxBytes: number;
  readonly onEnd: (end: BodyEnd) => void;
  readonly onDrain: () => void;
}

/** Makes the reader of a body. A decoded body that is longer than `maxBytes` is cut there and marked `truncated`. */
export function createBodyReader(options: BodyReaderOptions): BodyReader {
  return options.codings.length === 0 ? new Collector(options.maxBytes, options.onEnd) : createDecoder(options);
}

function createDecoder(options: BodyReaderOptions): BodyReader {
  const stages: Stage[] = [];
  let done = false;
  // A decoder may buffer two pieces of 64 KiB before it returns its first byte.
  const maxCodedBytes = options.maxBytes * 2 + 262_144;

  function finish(end: BodyEnd): void {
    if (done) return;
    done = true;
    for (const stage of stages) stage.destroy();
    options.onEnd(end);
  }

  let sink: Sink = new Collector(options.maxBytes, finish);
  // The server applied `codings` in order, so the last coding is decoded first: each stage writes into the stage made before it.
  for (const coding of options.codings) {
    const fed = stages.at(-1);
    const stage = createStage(coding, { next: sink, maxCodedBytes, fail: (failure) => finish({ failure }) });
    if (fed !== undefined) fed.onDrain = stage.resume;
    stages.push(stage);
    sink = stage;
  }
  const outermost = stages.at(-1);
  if (outermost !== undefined) outermost.onDrain = options.onDrain;

  return {
    write(chunk) {
      return done || sink.write(chunk);
    },
    end() {
      if (!done) sink.end();
    },
    destroy() {
      done = true;
      for (const stage of stages) stage.destroy();
    },
  };
}

interface Sink {
  write(chunk: Uint8Array): boolean;
  end(): void;
}

interface Stage extends Sink {
  /** Called when the stage accepts input again. The producer that writes into this stage sets this function. */
  onDrain: () => void;
  resume(): void;
  destroy(): void;
}

/** Joins the decoded pieces up to `maxBytes`, and passes the body to `onEnd`. */
class Collector implements BodyReader {
  readonly #maxBytes: number;
  readonly #onEnd: (end: BodyEnd) => void;
  #pieces: Pieces | undefined = new Pieces();

  constructor(maxBytes: number, onEnd: (end: BodyEnd) => void) {
    this.#maxBytes = maxBytes;
    this.#onEnd = onEnd;
  }

  write(piece: Uint8Array): boolean {
    if (this.#pieces === undefined) return true;
    this.#pieces.add(piece);
    if (this.#pieces.length > this.#maxBytes) this.#finish(this.#pieces);
    return true;
  }

  end(): void {
    if (this.#pieces !== undefined) this.#finish(this.#pieces);
  }

  destroy(): void {
    this.#pieces = undefined;
  }

  #finish(pieces: Pieces): void {
    this.#pieces = undefined;
    this.#onEnd(pieces.bodyUpTo(this.#maxBytes));
  }
}

interface StageOptions {
  /** Takes the decoded bytes. */
  readonly next: Sink;
  readonly maxCodedBytes: number;
  readonly fail: (failure: Failure) => void;
}

/**
 * Makes the stage that decodes one coding. The first byte of input selects the decoder; an empty body needs no decoder. The stage fails
 * after `maxCodedBytes` of input, because no real encoder doubles the length of a body. Every stage has this limit for two reasons:
 * `maxBytes` does not stop input that decodes to nothing, and the previous stage can decode one byte to a thousand bytes of input for
 * this stage.
 */
function createStage(coding: Coding, { next, maxCodedBytes, fail }: StageOptions): Stage {
  let decoder: Transform | "none" | undefined;
  let codedBytes = 0;

  function open(firstByte: number): Transform | "none" {
    const made = decoderOf(coding, firstByte);
    if (made === undefined) return "none";
    made.on("data", (chunk: Uint8Array) => {
      if (!next.write(chunk)) made.pause();
    });
    made.on("end", () => next.end());
    made.on("drain", () => stage.onDrain());
    made.on("error", (error) => fail(failureOfDecoder(coding, error)));
    return made;
  }

  const stage: Stage = {
    onDrain: () => undefined,
    write(chunk) {
      if (chunk.length === 0) return true;
      codedBytes += chunk.length;
      if (codedBytes > maxCodedBytes) {
        fail({ code: "encoding", message: `more than ${maxCodedBytes} bytes of ${coding} input` });
        return true;
      }
      decoder ??= open(chunk[0] ?? 0);
      if (decoder === "none") return next.write(chunk);
      // After its end marker a decoder accepts no input; bytes after the marker are garbage and are ignored.
      return decoder.writable ? decoder.write(chunk) : true;
    },
    end() {
      if (decoder === undefined || decoder === "none") next.end();
      else if (decoder.writable) decoder.end();
    },
    resume() {
      if (decoder === "none") stage.onDrain();
      else decoder?.resume();
    },
    destroy() {
      if (decoder !== undefined && decoder !== "none") decoder.destroy();
    },
  };
  return stage;
}

/**
 * Returns a decoder, or undefined when the body is not gzip in spite of its Content-Encoding. The decoder is a stream: decoding a few
 * hundred bytes into gigabytes in one call would block the event loop.
 */
function decoderOf(coding: Coding, firstByte: number): Transform | undefined {
  switch (coding) {
    case "gzip":
      // Every gzip body starts with 0x1F, and no text does: a body with another first byte is text with a wrong Content-Encoding.
      return firstByte === 0x1f ? zlib.createGunzip() : undefined;
    case "deflate":
      // A zlib header has the method nibble 8 (RFC 1950). Raw deflate never begins with such a byte: it would be a stored block
      // with a padding bit set.
      return (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    case "br":
      return zlib.createBrotliDecompress();
  }
}

function failureOfDecoder(coding: Coding, error: Error): Failure {
  const code = "code" in error ? error.code : undefined;
  return code === "Z_BUF_ERROR"
    ? { code: "incomplete", message: `the ${coding} body ends early` }
    : { code: "encoding", message: `the ${coding} body is damaged: ${error.message}` };
}
