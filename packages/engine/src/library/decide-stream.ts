// Agents, a loader of robots.txt files and perhaps an input in, decisions out: the engine for programs, without a command line.
import { outputFormats } from "../formats/registry.ts";
import { DecideDuplex, type DuplexForm } from "./decide-duplex.ts";
import { Decisions } from "./decisions.ts";
import { wrong } from "./options.ts";
import { oneOf, readDecideOptions } from "./settings.ts";
import type { ByteInput, DecideOptions, ParsedRecord, UrlRecord } from "./types.ts";

/** Options with bytes to read: NDJSON, CSV, an access log, also compressed. */
export interface DecideBytesOptions extends DecideOptions {
  readonly input: ByteInput;
}

/** Options with records to go through. */
export interface DecideRecordsOptions<R extends UrlRecord> extends DecideOptions {
  readonly input: Iterable<R> | AsyncIterable<R>;
}

/** Options for a stream to write into. */
export interface DecideDuplexOptions extends DecideOptions {
  readonly input?: undefined;
  /** What is written into it; "bytes" otherwise. Strings are text there, and URLs with "records". */
  readonly accepts?: "bytes" | "records";
  /**
   * What is read from it: bytes of rows, each record with its answer added, as the command writes them; or batches of
   * decisions, arrays in object mode. "ndjson" otherwise, for records "decisions", which is all that can be for them.
   */
  readonly output?: "ndjson" | "csv" | "tsv" | "decisions";
  /** The name of what is added to each record; "robots" otherwise. */
  readonly resultKey?: string;
  /** Whether "'" is put before CSV fields that a spreadsheet would run. */
  readonly csvSafe?: boolean;
}

/**
 * Decides for every record whether the crawlers may fetch its URL, and on what ground. Each origin's robots.txt is asked
 * for once. With an input, the decisions come in batches, for a loop:
 *
 *     for await (const batch of decideStream({ agents: "bingbot", robots, input: createReadStream("urls.csv") }))
 *       for (const { url, allowed, rule } of batch) …
 *
 * Without one, it is a stream to write into and to read from: bytes in, rows of bytes out, as with the command.
 *
 *     await pipeline(process.stdin, decideStream({ agents: "bingbot", robots }), process.stdout);
 *
 * Memory is bounded whatever comes: reading pauses while the decisions are not read. Records that wait for their
 * robots.txt take `parkBytes`, and a temporary file; objects stay in memory: then reading pauses.
 * Options are read once, now, and only own members are options.
 * Throws a `UsageError` at once for options that cannot be: `code` is "ERR_MISSING_AGENT", "ERR_NO_PRODUCT_TOKEN", "ERR_WRONG_VALUE" or "ERR_INVALID_OPTION".
 */
export function decideStream(options: DecideBytesOptions): Decisions<ParsedRecord>;
export function decideStream<R extends UrlRecord>(options: DecideRecordsOptions<R>): Decisions<R>;
export function decideStream(options: DecideDuplexOptions): DecideDuplex;
export function decideStream(
  given: DecideBytesOptions | DecideRecordsOptions<UrlRecord> | DecideDuplexOptions,
): Decisions<unknown> | DecideDuplex {
  const options = readDecideOptions(given);
  if (options.input !== undefined) {
    const useless = ofDuplex.find((name) => Object.hasOwn(options, name));
    if (useless !== undefined) throw wrong(useless, "is for a stream to write into: with an input, decisions come");
    return new Decisions(options, options.input);
  }
  return new DecideDuplex(options, formOf(options));
}

/** What says how a Duplex writes and reads. */
const ofDuplex = ["accepts", "output", "resultKey", "csvSafe"] as const;
const outputNames = ["ndjson", "csv", "tsv", "decisions"] as const;

function formOf(options: DecideDuplexOptions): DuplexForm {
  const { accepts: given = "bytes" } = options;
  const accepts = oneOf("accepts", given, ["bytes", "records"]);
  const { output: asked = accepts === "bytes" ? "ndjson" : "decisions" } = options;
  const output = oneOf("output", asked, outputNames);
  if (accepts === "records" && output !== "decisions") {
    throw wrong("output", "of records are decisions; rows of bytes are made of bytes");
  }
  const { resultKey = "robots", csvSafe = false } = options;
  if (resultKey === "") throw wrong("resultKey", "must not be empty");
  return { accepts, format: outputFormats.find(({ name }) => name === output), resultKey, csvSafe };
}
