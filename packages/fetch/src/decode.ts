// The bytes of a body as they come → its decoded beginning, never more than the limit (RFC 9110 §8.4.1, RFC 7932).
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import type { Coding } from "./codings.ts";
import type { Failure } from "./failure-codes.ts";
import { Pieces } from "./pieces.ts";

/** What reading a body ends in. */
export type BodyEnd = { readonly body: Uint8Array; readonly truncated: boolean } | { readonly failure: Failure };

/** Takes a body piece by piece. After `onEnd` was called it ignores everything. */
export interface BodyReader {
  /** Returns false to make the producer wait for `onDrain`. */
  write(chunk: Uint8Array): boolean;
  /** The body is complete. */
  end(): void;
  /** Frees its resources; `onEnd` is not called any more. */
  destroy(): void;
}

/** Options of `createBodyReader`. */
export interface BodyReaderOptions {
  /** As `codingsOf` returns them: in the order in which they were applied. */
  readonly codings: readonly Coding[];
  readonly maxBytes: number;
  readonly onEnd: (end: BodyEnd) => void;
  readonly onDrain: () => void;
}

/** Reads a body of these codings. A body that decodes to more than `maxBytes` ends there, as `truncated`. */
export function createBodyReader(options: BodyReaderOptions): BodyReader {
  return options.codings.length === 0 ? new Collector(options.maxBytes, options.onEnd) : createDecoder(options);
}

function createDecoder(options: BodyReaderOptions): BodyReader {
  const stages: Stage[] = [];
  let done = false;
  // A decoder may hold two pieces of 64 KiB before it has returned anything.
  const maxCodedBytes = options.maxBytes * 2 + 262_144;

  function finish(end: BodyEnd): void {
    if (done) return;
    done = true;
    for (const stage of stages) stage.destroy();
    options.onEnd(end);
  }

  let sink: Sink = new Collector(options.maxBytes, finish);
  // Codings are listed as applied: the last one is undone first, and feeds the one made before it.
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
  /** Set by the producer that writes into this stage. */
  onDrain: () => void;
  resume(): void;
  destroy(): void;
}

/** Puts decoded pieces together. */
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
    if (this.#pieces.length > this.#maxBytes) this.#finish(this.#pieces, true);
    return true;
  }

  end(): void {
    if (this.#pieces !== undefined) this.#finish(this.#pieces, false);
  }

  destroy(): void {
    this.#pieces = undefined;
  }

  #finish(pieces: Pieces, truncated: boolean): void {
    this.#pieces = undefined;
    this.#onEnd({ body: pieces.whole(this.#maxBytes), truncated });
  }
}

interface StageOptions {
  /** Takes the decoded bytes. */
  readonly next: Sink;
  readonly maxCodedBytes: number;
  readonly fail: (failure: Failure) => void;
}

/**
 * One coding undone. Its decoder is chosen by the first byte, when it comes: an empty body needs none. Fails after `maxCodedBytes` of
 * input: no honest coding doubles the length of a body. Each stage has this limit, because coded bytes can decode to
 * nothing, and the stage before this one can make a thousand of them from one byte.
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
        fail({ code: "encoding", message: `over ${maxCodedBytes} bytes of ${coding}` });
        return true;
      }
      decoder ??= open(chunk[0] ?? 0);
      if (decoder === "none") return next.write(chunk);
      // A decoder that has reached its end takes no more data; the following bytes are garbage, and are left unread.
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

/** Streams only: a few hundred bytes that unfold to gigabytes would hold the event loop when decoded at once. */
function decoderOf(coding: Coding, firstByte: number): Transform | undefined {
  switch (coding) {
    case "gzip":
      // A plain body that only claims to be gzip: 0x1F starts no text.
      return firstByte === 0x1f ? zlib.createGunzip() : undefined;
    case "deflate":
      // RFC 1950's method nibble is 8. Servers that send raw deflate never begin with such a byte: it would be a
      // stored block with a padding bit set.
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
