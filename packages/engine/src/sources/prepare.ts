// The chunks of one source in, plain text and how to read it out: unpacked, decoded, detected; nothing of it is read yet.
import { extname } from "node:path";
import { Arrivals, type Clock, silenceMs, systemClock } from "./arrivals.ts";
import { DecidingText, mostDecidingLines } from "./deciding.ts";
import { type Detected, detect } from "./detect.ts";
import { type Encoding, decodeText } from "./encoding.ts";
import { peek } from "./peek.ts";
import { nameOf } from "./source.ts";
import type { InputFormat } from "../records/batch.ts";
import { type Compression, unpack } from "./unpack.ts";

/** A source that is ready to be read. */
export interface Prepared extends Detected {
  readonly compression: Compression | undefined;
  /** What was turned into UTF-8. */
  readonly encoding: Encoding | undefined;
  /** What decided, as text; it means nothing any more as soon as the chunks are read. */
  readonly beginning: Uint8Array;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What `--input` and `--url-field` said, and what is done about a silent source. */
export interface PrepareOptions {
  readonly format: InputFormat | undefined;
  readonly urlField: string | undefined;
  /** Whether the source may let its reader wait for as long as it likes, as pipes do. A file is never taken for silent. */
  readonly isLive: boolean;
  readonly clock?: Clock | undefined;
  /** Is told when a format was not named and a silent source had given less than what should decide. */
  readonly onAssumed?: ((assumed: string, hint: string) => void) | undefined;
}

/**
 * Prepares a source. What decides is the first `mostDecidingLines` lines, the first of `mostDecidingBytes`, or all there is; when
 * a format was named, the first line, for its line end. A live source that is silent before that is decided by the whole lines that
 * came. Throws a `UsageError` for what is no text, and what `chunks` throw.
 */
export async function prepare(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  options: PrepareOptions,
): Promise<Prepared> {
  const { format: named, urlField, isLive, clock = systemClock, onAssumed } = options;
  const arrivals = isLive ? new Arrivals(chunks, clock) : undefined;
  const unpacked = await unpack(arrivals ?? chunks);
  const decoded = await decodeText(unpacked.chunks);
  const deciding = new DecidingText(named === undefined ? mostDecidingLines : 1);
  const patience = arrivals === undefined ? undefined : { arrivals, mayDo: () => deciding.hasLine };
  const peeked = await peek(decoded.chunks, (chunk) => deciding.add(chunk), patience);
  arrivals?.ignoreSilence();
  const beginning = peeked.beginning.subarray(0, deciding.bytes);
  const detected = detect(nameOf(path), beginning, {
    named,
    ending: endingOf(path),
    urlField,
    isAll: peeked.end === "end",
  });
  if (peeked.end === "silence" && named === undefined) onAssumed?.(...assumptionOf(nameOf(path), detected.format));
  return {
    ...detected,
    compression: unpacked.compression,
    encoding: decoded.encoding,
    beginning,
    chunks: peeked.chunks,
  };
}

/** What is said of a source that fell silent, and what helps. */
function assumptionOf(source: string, { name, about }: InputFormat): [assumed: string, hint: string] {
  return [
    `${source}: nothing came for ${silenceMs / 1_000} s, so it is taken for ${name} (${about}) by what came before`,
    `--input ${name} says so without a wait; if it is something else: --input NAME`,
  ];
}

/** The file's ending, without that of its compression. */
function endingOf(path: string): string {
  return extname(path.replace(/\.(?:gz|zst)$/i, ""));
}
