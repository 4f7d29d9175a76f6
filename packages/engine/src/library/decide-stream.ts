// Decides records for a program, without a command line: takes agents, a loader of robots.txt files and optionally an input, returns
// decisions.
import { outputFormats } from "../formats/registry/registry.ts";
import { DecideDuplex, type DuplexForm } from "./decide-duplex.ts";
import { Decisions } from "./decisions.ts";
import { wrong } from "./options.ts";
import { oneOf, readDecideOptions } from "./settings.ts";
import type { ByteInput, DecideOptions, ParsedRecord, RecordAnswers, UrlRecord } from "./types.ts";

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
