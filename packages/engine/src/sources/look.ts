// Describes how a run would read a source. The source is prepared and read by the code of a run, up to its first record.
import { normalizeTarget, robotsUrlOf } from "@robots-stream/url";
import { DamagedError, IoError, UsageError } from "../common/errors.ts";
import type { Clock } from "./peek.ts";
import { keptHostBeside, withFirstUrl } from "./first-urls.ts";
import { onlyChunk, readWithBase } from "./input.ts";
import { prepare, type Prepared, type PrepareOptions } from "./prepare.ts";
import { beginningOfFile, bytesOfFile, nameOf, openSource } from "./source.ts";
import type { InputFormat, Layout, ReadOptions } from "../formats/input-format.ts";
import type { Batch, InputStream, Reject } from "../records/batch.ts";
import type { RecordWriter, WriterOptions } from "../formats/types.ts";
import { locateUrl, type TargetProblem } from "../common/target.ts";
import { timeTextOf } from "@robots-stream/logs";
import { agentMember, timeMember } from "../formats/log-members.ts";
import { parquet } from "../formats/ndjson/format.ts";
import { factsAbout, usualAgentName } from "../formats/url-field.ts";
import { byteStringOf, utf8TextOf } from "../common/text.ts";

/** Number of rejects after which the search for a record ends. */
const maxRejects = 1_000;
/** Number of bytes, in addition to `maxLineBytes`, after which the search ends. A device may supply endless bytes. */
const maxBytes = 16 * 1_048_576;
/** Number of NUL bytes that are skipped at most, before or between lines. */
const mostNuls = 256 * 1_048_576;
/** Number of compressed bytes without any text, as empty members and padding are, after which the search ends. */
const mostSilentBytes = 1_048_576;

export interface Look
  extends
    Pick<Prepared, "format" | "compression" | "encoding">,
    Pick<ReturnType<typeof factsAbout>, "fields" | "likelyUrlField" | "likelyParts"> {
  readonly source: string;
  readonly certainty: ReturnType<Prepared["certainty"]>;
  /** The other formats that the source may have, each with the first record as read in this format. */
  readonly others: readonly { readonly format: InputFormat; readonly first: FirstRecord | undefined }[];
  /** Undefined for a format whose records are not lines of text. */
  readonly lineEnd: "LF" | "CRLF" | "CR" | undefined;
  readonly layout: Layout;
  /** The rejects before the first record. */
  readonly rejects: readonly Reject[];
  /** Undefined when no record was found. */
  readonly first: FirstRecord | undefined;
  /** The reason why a run would refuse the source, although its format is known. */
  readonly problem: UsageError | undefined;
}

interface FirstRecord {
  /** The fields of the record as the output of a run would have them. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly url: string;
  /** The texts of the record that a run can use besides the URL; undefined for a format that is no log. */
  readonly took: FirstTexts | undefined;
  /** The field with the User-Agent header, as `agentField` takes it; undefined if no field is known to have it. */
  readonly agentField: string | undefined;
  /** The origin and target that would be decided, or the reason why there are none. */
  readonly asked:
    | { readonly origin: string; readonly target: string; readonly normalized: string; readonly robotsUrl: string }
    | { readonly problem: TargetProblem };
}

/** Texts of a log's first record; undefined for a text that the record does not have. */
interface FirstTexts {
  readonly agent: string | undefined;
  readonly time: string | undefined;
  readonly address: string | undefined;
}

/** The settings of `look` that are also settings of a run. */
export interface LookSettings
  extends Pick<ReadOptions, "maxLineBytes" | "urlField" | "base" | "hostBases">, Pick<WriterOptions, "resultKey"> {
  readonly inputFormat: InputFormat | undefined;
}

/** The abort signal, the timers and the callback of `look`. */
export interface LookOptions extends Pick<PrepareOptions, "clock" | "onAssumed"> {
  readonly signal: AbortSignal;
}

/**
 * Describes a source. Throws a `UsageError` for a source that a run refuses before its format is known (`Look.problem` has later errors),
 * an `IoError` when the source cannot be read, and the reason of `signal` after an abort.
 */
export async function look(
  path: string,
  stdin: InputStream,
  settings: LookSettings,
  options: LookOptions,
): Promise<Look> {
  const { signal, clock, onAssumed } = options;
  const source = nameOf(path);
  // Throws the same error as a run when the source cannot be opened.
  if (path !== "-") beginningOfFile(path, 0);
  const opened = openSource(path, stdin);
  const stop = (): void => opened.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    let silentBytes = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for await (const chunk of opened.chunks as AsyncIterable<Uint8Array>) {
        if (silentBytes > mostSilentBytes) throw noText(source);
        silentBytes += chunk.byteLength;
        yield chunk;
      }
    }
    const prepared = await prepare(path, chunks(), {
      format: settings.inputFormat,
      urlField: settings.urlField,
      base: settings.base,
      isLive: bytesOfFile(path, stdin) === undefined,
      filePath: path === "-" || bytesOfFile(path, stdin) === undefined ? undefined : path,
      clock,
      onAssumed,
      mostNuls,
      onText: () => (silentBytes = 0),
    });
    const first = await firstOf(prepared, source, settings, clock);
    // The chunks of a destroyed source end without an error, like those of a complete source.
    signal.throwIfAborted();
    return { source, ...first };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const isOfSystem = error instanceof DamagedError || (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isOfSystem ? new IoError("input", source, error) : error;
  } finally {
    signal.removeEventListener("abort", stop);
    opened.destroy();
  }
}

function noText(source: string): UsageError {
  return new UsageError(
    "unusable-input",
    `${source}: more than ${mostSilentBytes / 1_048_576} MiB of its compressed data hold no text`,
  );
}

async function firstOf(
  prepared: Prepared,
  source: string,
  settings: LookSettings,
  clock: Clock | undefined,
): Promise<Omit<Look, "source">> {
  const { maxLineBytes, urlField, base, hostBases, resultKey } = settings;
  const { format, compression, encoding, lineEnd, isUnexamined, chunks } = prepared;
  const certainty = prepared.certainty();
  // The beginning is valid until the chunks are read.
  const beginning = Buffer.from(prepared.beginning);
  const ends = beginning.toString("latin1");
  const ofText = lineEnd === "\r" ? "CR" : ends.includes("\r\n") ? "CRLF" : "LF";
  // The lines of a Parquet file are made of its columns.
  const shownEnd = format === parquet ? undefined : ofText;
  let layout: Layout = {};
  const writer = createKeeper(byteStringOf(resultKey));
  const rejects: Reject[] = [];
  let first: FirstRecord | undefined;
  const onLayout = (found: Layout): void => void (layout = found);
  const reading = { source, lineEnd, maxLineBytes, urlField, base, hostBases, writer };
  const options = { ...reading, isUnexamined, onLayout, ...keptHostBeside() };
  let problem: UsageError | undefined;
  async function* seen(): AsyncGenerator<Batch> {
    for await (const batch of readWithBase(format, upTo(maxBytes + maxLineBytes, chunks), options)) {
      if (first === undefined) {
        first = firstRecordIn(batch, format);
        rejects.push(...batch.rejects.slice(0, maxRejects - rejects.length));
      }
      yield batch;
    }
  }
  try {
    for await (const _batch of withFirstUrl(seen(), { ...options, format }, clock)) {
      if (first !== undefined || rejects.length >= maxRejects) break;
    }
  } catch (error) {
    if (error instanceof UsageError) problem = error;
    else if (error !== enough) throw error;
  }
  const others: Look["others"][number][] = [];
  for (const other of certainty.others) {
    others.push({
      format: other,
      first: await firstAs(other, beginning, reading),
    });
  }
  const seenAs = { format, certainty, others, compression, encoding, lineEnd: shownEnd } as const;
  return { ...seenAs, layout, rejects, first, problem, ...factsAbout(problem) };
}

/** The first record that another format reads in the beginning of a source; undefined if that format reads none. */
async function firstAs(
  format: InputFormat,
  beginning: Uint8Array,
  options: ReadOptions,
): Promise<FirstRecord | undefined> {
  try {
    for await (const batch of readWithBase(format, onlyChunk(beginning, true), options)) {
      const first = firstRecordIn(batch, format);
      if (first !== undefined) return first;
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return undefined;
}

function firstRecordIn({ records }: Batch, format: InputFormat): FirstRecord | undefined {
  if (records.count === 0) return undefined;
  const url = records.urlOf(0);
  const fields = fieldsOf(records.headOf(0));
  const took = tookFrom(fields, format);
  const agentField =
    took === undefined ? usualAgentName(Object.keys(fields)) : took.agent === undefined ? undefined : agentMember;
  return { fields, url, took, agentField, asked: askedOf(url) };
}

function tookFrom(fields: FirstRecord["fields"], { makesLogRows, requestIn }: InputFormat): FirstTexts | undefined {
  const request = requestIn?.(fields);
  if (request !== undefined) {
    const { userAgent: agent, time, client: address } = request;
    return { agent, time: time === undefined ? undefined : timeTextOf(time), address };
  }
  if (makesLogRows !== true) return undefined;
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === "string" ? value : undefined;
  };
  return { agent: text(agentMember), time: text(timeMember), address: text("client") };
}

/** Thrown at the limit of bytes, so that the reader does not process the limit as the end of the text. */
const enough = new Error("enough was looked at");

async function* upTo(bytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield chunk;
    left -= chunk.byteLength;
    if (left < 0) throw enough;
  }
}

function askedOf(url: string): FirstRecord["asked"] {
  const located = locateUrl(url);
  if (typeof located === "string") return { problem: located };
  const { origin, target } = located;
  return { origin, target, normalized: normalizeTarget(target), robotsUrl: robotsUrlOf(origin) };
}

function fieldsOf(head: string): Readonly<Record<string, unknown>> {
  return JSON.parse(utf8TextOf(head)) as Record<string, unknown>;
}

/** A writer that keeps records as JSON. */
function createKeeper(resultKey: string): RecordWriter {
  return {
    resultKey,
    keepsObjects: false,
    memberOpenings: () => undefined,
    headOfObject: ({ text, close }, start) => text.slice(start, close + 1),
    startRows: () => false,
    headOfFields: (names, fields) =>
      JSON.stringify(Object.fromEntries(names.map((name, index) => [name, fields[index]]))),
    tailOf: () => "",
    header: () => "",
    losses: () => [],
    known: () => ({}),
  };
}
