// Decides records for a program, without a command line: takes agents, a loader of robots.txt files and optionally an input, returns
// decisions.
import { outputFormats } from "../formats/registry/registry.ts";
import { DecideDuplex, type DuplexForm } from "./decide-duplex.ts";
import { wrong } from "./options.ts";
import { oneOf, readDecideOptions } from "./settings.ts";
import type {
  ByteInput,
  DecideOptions,
  ParsedRecord,
  RecordAnswers,
  UrlRecord,
  DecideSummary,
  RecordDecision,
} from "./types.ts";
import { UsageError } from "../common/errors.ts";
import { checkedInput } from "./input.ts";

/** Options with bytes to read: NDJSON, CSV, an access log, also compressed. */
export interface DecideBytesOptions extends DecideOptions {
  readonly input: ByteInput;
}

/** Options with records as input. */
export interface DecideRecordsOptions<R extends UrlRecord> extends DecideOptions {
  readonly input: Iterable<R> | AsyncIterable<R>;
}

/** Options with one decision for each record, which has the answers for all agents. */
export interface RowsOfRecords {
  readonly rows: "record";
}

/** Options of a stream without an input. */
export interface DecideDuplexOptions extends DecideOptions {
  readonly input?: undefined;
  /**
   * What the program writes into the stream; "bytes" by default. A written string is text of the input with "bytes", and a URL with
   * "records".
   */
  readonly accepts?: "bytes" | "records";
  /**
   * What the program reads from the stream: bytes of rows, each record with its answer added, as the command writes them; or
   * "decisions", arrays of decisions in object mode. By default "ndjson" for bytes and "decisions" for records, which have no
   * other output.
   */
  readonly output?: "ndjson" | "csv" | "tsv" | "decisions";
  /** The name of the member that is added to each record; "robots" by default. */
  readonly resultKey?: string;
  /** Whether to put "'" before CSV fields that a spreadsheet would run as a formula; false by default. */
  readonly csvSafe?: boolean;
}

/**
 * Decides for every record whether the crawlers may fetch its URL, and on what ground. Each origin's robots.txt is loaded once while its
 * result is fresh. With an input, the result is an iterable of batches of decisions, for a loop:
 *
 *     for await (const batch of decideStream({ agents: "bingbot", robots, input: createReadStream("urls.csv") }))
 *       for (const { url, allowed, rule } of batch) …
 *
 * Without an input, the result is a stream to write into and to read from: bytes in, rows of bytes out, as with the command.
 *
 *     await pipeline(process.stdin, decideStream({ agents: "bingbot", robots }), process.stdout);
 *
 * Memory is bounded: reading pauses while the decisions are not read. Records that wait for their robots.txt take up to
 * `parkBytes` of memory; further ones go into a temporary file. Objects cannot go into a file, so reading pauses instead. Each option is
 * read once, during this call; inherited members are ignored.
 * Throws a `UsageError` at once for invalid options: `code` is "ERR_MISSING_AGENT", "ERR_NO_PRODUCT_TOKEN", "ERR_WRONG_VALUE"
 * or "ERR_INVALID_OPTION".
 */
export function decideStream(
  options: DecideBytesOptions & RowsOfRecords,
): Decisions<ParsedRecord, RecordAnswers<ParsedRecord>>;
export function decideStream<R extends UrlRecord>(
  options: DecideRecordsOptions<R> & RowsOfRecords,
): Decisions<R, RecordAnswers<R>>;
export function decideStream(options: DecideBytesOptions): Decisions<ParsedRecord>;
export function decideStream<R extends UrlRecord>(options: DecideRecordsOptions<R>): Decisions<R>;
export function decideStream(options: DecideDuplexOptions): DecideDuplex;
export function decideStream(
  given: DecideBytesOptions | DecideRecordsOptions<UrlRecord> | DecideDuplexOptions,
): Decisions<unknown, unknown> | DecideDuplex {
  const options = readDecideOptions(given);
  if (options.input !== undefined) {
    const useless = ofDuplex.find((name) => Object.hasOwn(options, name));
    if (useless !== undefined)
      throw wrong(useless, "is only for a stream without an input; with an input, the result is decisions");
    return new Decisions<unknown, unknown>(options, options.input);
  }
  return new DecideDuplex(options, formOf(options));
}

/** The options that only a stream without an input takes. */
const ofDuplex = ["accepts", "output", "resultKey", "csvSafe"] as const;
const outputNames = ["ndjson", "csv", "tsv", "decisions"] as const;

function formOf(options: DecideDuplexOptions): DuplexForm {
  const { accepts: given = "bytes" } = options;
  const accepts = oneOf("accepts", given, ["bytes", "records"]);
  const { output: asked = accepts === "bytes" ? "ndjson" : "decisions" } = options;
  const output = oneOf("output", asked, outputNames);
  if (accepts === "records" && output !== "decisions") {
    throw wrong("output", "must be decisions if the input is records: rows need an input of bytes");
  }
  const { resultKey = "robots", csvSafe = false } = options;
  if (resultKey === "") throw wrong("resultKey", "must not be empty");
  const format = outputFormats.find(({ name }) => name === output);
  if (options.rows === "record" && format?.rowForms.includes("record") === false) {
    throw wrong("rows", `cannot be record with ${output}: a row has the columns of one answer`);
  }
  return { accepts, format, resultKey, csvSafe };
}

/** The stream of `Decisions` has no rows of bytes. */
const decisionsForm: DuplexForm = { accepts: "records", format: undefined, resultKey: "", csvSafe: false };

/** The decisions about one input, in batches. Can be iterated over once; leaving the loop ends reading and loading. */
export class Decisions<R, D = RecordDecision<R>> implements AsyncIterable<readonly D[]> {
  readonly #stream: DecideDuplex;
  readonly #signal: AbortSignal | undefined;
  #isBegun = false;

  /** Reads nothing before the first iteration. Throws a `UsageError` for invalid options. */
  constructor(options: DecideOptions, input: unknown) {
    this.#signal = options.signal;
    this.#stream = new DecideDuplex(options, decisionsForm, checkedInput(input));
  }

  /** The counts so far; final once the loop has ended. */
  get summary(): DecideSummary {
    return this.#stream.summary;
  }

  /**
   * Reads the input and decides its records, no faster than the loop takes batches. Rejects with a `UsageError` when this object was
   * iterated over before, or when none of the first records of an input of bytes has a URL. Rejects with the error of the input or of
   * the loader, and with the signal's reason.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly D[], void> {
    if (this.#isBegun) throw new UsageError("read-twice", "decisions can be read only once, in one loop");
    this.#isBegun = true;
    const signal = this.#signal;
    signal?.throwIfAborted();
    const stream = this.#stream;
    const abort = (): void => void stream.destroy(reasonOf(signal));
    signal?.addEventListener("abort", abort, { once: true });
    const done = stream.begin();
    try {
      for await (const batch of stream) yield batch as D[];
    } catch (error) {
      // Streams can only be destroyed with an Error; a signal's reason may be any value.
      throw signal?.aborted === true ? signal.reason : error;
    } finally {
      signal?.removeEventListener("abort", abort);
      stream.destroy();
      await done;
    }
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
