// Decompresses and decodes the chunks of one source and detects the format of the text, before its records are read.
import { optionText } from "../common/caller-words.ts";
import { extname } from "node:path";
import { Arrivals, type Clock, peek, silenceMs, systemClock } from "./peek.ts";
import { DecidingText, detect, type Detected, mostDecidingLines } from "./detect.ts";
import { decodeText, type Encoding, unpack } from "./unpack.ts";
import { type Compression } from "../common/errors.ts";
import { missingAgents } from "../formats/url-field.ts";
import { Nuls, nulsOfLines } from "./nuls.ts";
import { nameOf } from "./source.ts";
import type { InputFormat } from "../formats/input-format.ts";
import { parquet } from "../formats/ndjson/format.ts";
import { type NeededFields, noFile, otherFormat, parquetLines } from "./parquet-file.ts";

/** A source that is ready to be read. */
export interface Prepared extends Detected {
  readonly compression: Compression | undefined;
  /** The encoding that was converted to UTF-8. */
  readonly encoding: Encoding | undefined;
  /** The deciding bytes as text; valid until the chunks are read. */
  readonly beginning: Uint8Array;
  /** The first lines that are not blank, as Latin-1 strings; one may be enough for a format that was named. */
  readonly lines: readonly string[];
  /** The text, without NUL bytes at the beginnings of lines. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Counts the NUL bytes that were removed from the text. */
  readonly nuls: Nuls;
  /** For a file that is read by offset (Parquet): its bytes after those that decided the format; absent for every other source. */
  readonly rest?: AsyncIterable<Uint8Array>;
}

/** The values of `inputFormat` and of flags that name fields, and the handling of a silent source. */
export interface PrepareOptions extends NeededFields {
  readonly format: InputFormat | undefined;
  /** See `InputOptions`. A log without User-Agent headers is refused if `agentField` asks for them. */
  readonly agentsAskedBy?: string | undefined;
  /** The path of a regular file, which may be opened once more; undefined for other sources. */
  readonly filePath?: string | undefined;
  /** Called before each piece of the rows of a Parquet file. An exception ends the reading. */
  readonly onPiece?: (() => void) | undefined;
  /** Whether the source may pause for any time, as pipes do. A file is never treated as silent. */
  readonly isLive: boolean;
  /** Returns the chunks once more, from the beginning; undefined for a source that can be read only once. */
  readonly again?: (() => AsyncIterable<Uint8Array>) | undefined;
  readonly clock?: Clock | undefined;
  /**
   * Called with an assumption and a hint: when no format was named and, because the source was silent, the format was detected before all
   * deciding bytes arrived; and when NUL bytes are skipped.
   */
  readonly onAssumed?: ((assumed: string, hint: string) => void) | undefined;
  /** Called instead of `onAssumed` when NUL bytes are skipped. */
  readonly onNuls?: (() => void) | undefined;
  /** The number of NUL bytes that are skipped at most; without a limit by default. */
  readonly mostNuls?: number | undefined;
  /** Called with each piece of decompressed text. */
  readonly onText?: (() => void) | undefined;
}

/**
 * Prepares a source. The deciding bytes are the first `mostDecidingLines` lines, or the whole source if it is shorter. They are at most
 * `mostDecidingBytes`, not counting an overlong first line. When a format is named, only the first line is needed, for its line end. When a
 * live source falls silent before all deciding bytes have arrived, the bytes so far determine the format if they contain a whole line.
 * Throws a `UsageError` when the content is not text, and the errors of `chunks`.
 */
export async function prepare(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  options: PrepareOptions,
): Promise<Prepared> {
  const { urlField, isLive, again, clock = systemClock, onAssumed, onNuls, mostNuls, onText } = options;
  const arrivals = isLive ? new Arrivals(chunks, clock) : undefined;
  const unpacked = await unpack(arrivals ?? chunks, again);
  const { isParquet } = unpacked;
  if (options.format !== undefined && isParquet !== (options.format === parquet)) {
    throw otherFormat(path, options.format.name, isParquet);
  }
  const named = isParquet ? parquet : options.format;
  const decoded = await decodeText(isParquet ? rowsOf(path, options) : unpacked.chunks);
  const text = onText === undefined ? decoded.chunks : toldOf(decoded.chunks, onText);
  const onFirst = onNuls ?? ((): void => onAssumed?.(...nulsSkipped(nameOf(path))));
  const nuls = new Nuls(onFirst, mostNuls);
  const deciding = new DecidingText(named === undefined ? mostDecidingLines : 1);
  const patience = arrivals === undefined ? undefined : { arrivals, mayDo: () => deciding.hasLine };
  let peeked = await peek(nuls.withoutFirst(text), (chunk) => deciding.add(chunk), patience);
  const detected = detect(nameOf(path), peeked.beginning.subarray(0, deciding.bytes), {
    named,
    ending: endingOf(path),
    urlField,
    isAll: peeked.end === "end",
  });
  const hasAgentsIn = options.agentField === undefined ? undefined : detected.format.hasAgentsIn;
  let lines = linesOf(peeked.beginning.subarray(0, deciding.bytes));
  // The first line of a format that was named is enough if it has agents.
  if (named !== undefined && hasAgentsIn !== undefined && hasAgentsIn(lines) !== true) {
    const first = new DecidingText(mostDecidingLines);
    peeked = await peek(peeked.chunks, (chunk) => first.add(chunk), patience);
    lines = linesOf(peeked.beginning.subarray(0, first.bytes));
  }
  if (hasAgentsIn?.(lines) === false)
    throw missingAgents(nameOf(path), options.agentsAskedBy ?? optionText("agentField"));
  arrivals?.ignoreSilence();
  const beginning = peeked.beginning.subarray(0, deciding.bytes);
  if (peeked.end === "silence" && named === undefined) onAssumed?.(...assumptionOf(nameOf(path), detected.format));
  return {
    ...detected,
    compression: unpacked.compression,
    encoding: decoded.encoding,
    beginning: detected.format.hasBytes === true ? beginning : withoutNuls(beginning),
    lines,
    chunks: textOf(detected.format, peeked.chunks, nuls),
    nuls,
    ...(isParquet ? { rest: unpacked.chunks } : {}),
  };
}

async function* toldOf(chunks: AsyncIterable<Uint8Array>, onText: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onText();
    yield chunk;
  }
}

function linesOf(beginning: Uint8Array): readonly string[] {
  const text = Buffer.from(beginning)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
    .replaceAll(nulsOfLines, "$1");
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
}

/** The text of a source in `format` without NUL bytes at the beginnings of lines. `chunks` has none at its beginning. */
export function textOf(
  { hasBytes }: InputFormat,
  chunks: AsyncIterable<Uint8Array>,
  nuls: Nuls,
): AsyncIterable<Uint8Array> {
  return hasBytes === true ? chunks : nuls.withoutThoseOfLines(chunks);
}

function withoutNuls(beginning: Uint8Array): Uint8Array {
  if (!beginning.includes(0)) return beginning;
  const text = Buffer.from(beginning).toString("latin1");
  return Buffer.from(text.replaceAll(nulsOfLines, "$1"), "latin1");
}

/** The notice about skipped NUL bytes, and their likely cause. */
export function nulsSkipped(source: string): [assumed: string, hint: string] {
  return [
    `${source}: NUL bytes at the beginning of a line are skipped`,
    "they are in a file that was truncated while a server wrote to it, as logrotate does with copytruncate",
  ];
}

/** The rows of a Parquet file as lines. Throws a `UsageError` when the source is not a regular file. */
export async function* rowsOf(
  path: string,
  { filePath, onPiece, ...needed }: Pick<PrepareOptions, "filePath" | "onPiece"> & NeededFields,
): AsyncGenerator<Uint8Array> {
  if (filePath === undefined) throw noFile(path);
  for await (const piece of parquetLines(filePath, needed)) {
    onPiece?.();
    yield piece;
  }
}

/** The message about the assumed format of a silent source, and the remedy. */
function assumptionOf(source: string, { name, about }: InputFormat): [assumed: string, hint: string] {
  return [
    `${source}: no data for ${silenceMs / 1_000} s; the lines received so far are read as ${name} (${about})`,
    `${optionText("inputFormat", name)} avoids the wait; for another format: ${optionText("inputFormat", "NAME")}`,
  ];
}

/** The ending of a file's name, after the ending of its compression was removed. */
function endingOf(path: string): string {
  return extname(path.replace(/\.(?:gz|zst)$/i, ""));
}
