// Passes on the batches of a source as soon as one of its first records has a URL, and one the field of the User-Agent header if it must
// have one. If none has, the source does not have the assumed format or field, which is a usage error.
import { missingAgentFields } from "../formats/url-field.ts";
import { optionOfPath } from "../formats/url-parts.ts";
import { callerText, hint, hints, option, optionText } from "../common/caller-words.ts";
import { UsageError } from "../common/errors.ts";
import { locateUrl } from "../common/target.ts";
import type { InputFormat, ReadOptions } from "../formats/input-format.ts";
import type { Batch, Reject } from "../records/batch.ts";
import { byteStringOf } from "../common/text.ts";
import { type Clock, leave, silenceMs, systemClock } from "./peek.ts";
import { mostOverlongBytes } from "./detect.ts";

/**
 * Number of first records of which at least one must have a URL. In a source with fewer records, at least one of all records must have a
 * URL.
 */
const mostWithoutUrl = 100;
/**
 * Maximum number of bytes of records that are held for this check, without the last batch. When it is exceeded, the check ends and all
 * batches pass; a run in which no record has a URL then fails at its end.
 */
const mostHeldBytes = 1_048_576;

/** How the source is read, for the message. */
export interface ReadAs extends Pick<
  ReadOptions,
  "source" | "urlField" | "base" | "isUnexamined" | "agentField" | "needsAgents"
> {
  readonly format: Pick<InputFormat, "name">;
  /** The problem that the reader told with `ReadOptions.onHostBeside`. */
  readonly hostBeside?: () => UsageError | undefined;
}

/** The options of a reader and of `withFirstUrl` that pass the problem from one to the other. */
export function keptHostBeside(): Required<Pick<ReadOptions, "onHostBeside"> & Pick<ReadAs, "hostBeside">> {
  let problem: UsageError | undefined;
  return { onHostBeside: (found) => void (problem = found), hostBeside: () => problem };
}

/** Estimated bytes of a held record or reject in addition to its text. */
const overheadBytes = 200;

/**
 * Yields the batches. The first ones are held until a record has a URL, until `mostHeldBytes` are held, or until no batch arrives for
 * `silenceMs`. Throws a `UsageError` when none of the first `mostWithoutUrl` records has a URL, or when no record of a shorter source has
 * one. An error of `batches` is thrown after the held batches.
 */
export async function* withFirstUrl(
  batches: AsyncIterable<Batch>,
  readAs: ReadAs,
  clock: Clock = systemClock,
): AsyncGenerator<Batch> {
  const iterator = batches[Symbol.asyncIterator]();
  const { source, agentField } = readAs;
  const first = new FirstRecords(readAs.needsAgents === true && agentField !== undefined);
  const held: Batch[] = [];
  let pending: Promise<IteratorResult<Batch>> | undefined;
  try {
    while (!first.isPassed) {
      pending = iterator.next();
      if (held.length > 0 && (await isSilent(pending, clock))) break;
      let next: IteratorResult<Batch>;
      try {
        next = await pending;
        pending = undefined;
      } catch (error) {
        pending = undefined;
        yield* held.splice(0);
        throw error instanceof UsageError ? withLongLine(error, readAs) : error;
      }
      if (next.done === true) break;
      held.push(next.value);
      first.add(next.value);
      if (first.isRefused) throw noUrls(readAs, first, false);
      if (first.lacksAgents) throw missingAgentFields(source, agentField!);
    }
    if (pending === undefined && !first.isPassed && !first.hasUrl && first.records + first.rejects > 0)
      throw noUrls(readAs, first, true);
    if (pending === undefined && !first.isPassed && first.hasUrl) throw missingAgentFields(source, agentField!);
    yield* held.splice(0);
    for (;;) {
      const next = await (pending ?? iterator.next());
      pending = undefined;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await leave(iterator, pending !== undefined);
  }
}

/** Resolves to whether `batch` stays pending for `silenceMs`. */
function isSilent(batch: Promise<unknown>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(silenceMs, () => resolve(true));
    const arrived = (): void => {
      cancel();
      resolve(false);
    };
    batch.then(arrived, arrived);
  });
}

/** Counts of the first records of a source, up to the first one with a URL and the first one with the required field. */
class FirstRecords {
  /** Number of records without a URL, and of rejects that count as records without a URL. */
  records = 0;
  rejects = 0;
  /** The text that the first record without a URL has in place of the URL. */
  text: string | undefined;
  /** The first reject that counts as a record without a URL. */
  reject: Reject | undefined;
  /** Whether enough records have no URL, so that the source is refused. */
  isRefused = false;
  /** Whether a record has a URL. */
  hasUrl = false;
  #hasAgent: boolean;
  /** Number of records without the field of the User-Agent header. */
  #withoutAgent = 0;
  #bytes = 0;

  constructor(needsAgents: boolean) {
    this.#hasAgent = !needsAgents;
  }

  /** Whether a record has a URL, and one the required field, or there were too many bytes to hold. */
  get isPassed(): boolean {
    return (this.hasUrl && this.#hasAgent) || this.#bytes > mostHeldBytes;
  }

  /** Whether enough records lack the required field, so that the source is refused. */
  get lacksAgents(): boolean {
    return this.#withoutAgent >= mostWithoutUrl;
  }

  /** Takes the next batch. The result of the check does not depend on how the records are divided into batches. */
  add({ records, rejects }: Batch): void {
    for (const reject of rejects) {
      this.#bytes += reject.text.length + overheadBytes;
      if (!countsAsRecord(reject)) continue;
      this.rejects++;
      this.reject ??= reject;
      // A batch does not show how its rejects and records alternate, and rejects may precede the records of earlier lines. So the source is
      // refused for its rejects alone only if every line so far is a reject.
      if (this.rejects === mostWithoutUrl && reject.line === mostWithoutUrl) this.isRefused = true;
    }
    for (let record = 0; record < records.count && !this.isRefused; record++) {
      const text = records.urlOf(record);
      this.hasUrl ||= isUrl(text);
      this.#hasAgent ||= !records.lacksAgentField(record);
      if (this.isPassed || this.lacksAgents) return;
      this.#bytes += records.headOf(record).length + overheadBytes;
      if (!this.#hasAgent) this.#withoutAgent++;
      if (this.hasUrl) continue;
      this.text ??= text;
      this.records++;
      this.isRefused = this.records === mostWithoutUrl;
    }
  }
}

/**
 * Whether a reject counts as a record without a URL. A log line whose request has no URL, or that is no access record, does not count,
 * because the line is no evidence for or against the format.
 */
export function countsAsRecord({ code }: Reject): boolean {
  return code !== "no-request" && code !== "not-http" && code !== "no-url" && code !== "no-access-record";
}

/** Matches the beginning of most URLs, so that these are recognized without parsing. */
const plainUrl =
  /^https?:\/\/(?:[a-z0-9]{1,30}\.){1,5}[a-z]{2,30}(?::(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}))?(?=[/?#]|$)/;

/**
 * Whether a text is a URL. `mailto:someone` is a URL, although it has no origin. A text with a scheme like `mailto:` and white space is not
 * a URL, because it may be a line of a log.
 */
function isUrl(text: string): boolean {
  if (plainUrl.test(text)) return true;
  const located = locateUrl(text);
  return located === "unsupported-scheme" ? !/\s/.test(text) : located !== "invalid-url";
}

/** The error for a source without URLs. Its message names the format and describes the text, but does not quote the text. */
function noUrls(readAs: ReadAs, { records: decided, rejects, text, reject }: FirstRecords, isAll: boolean): UsageError {
  const { source, format, urlField, base } = readAs;
  const beside = base === undefined && text?.trimStart().startsWith("/") === true ? readAs.hostBeside?.() : undefined;
  if (beside !== undefined) return withLongLine(beside, readAs);
  const count = decided + rejects;
  const records =
    count === 1 && isAll
      ? "its only record has no URL"
      : `none of its ${isAll ? "" : "first "}${isAll ? count : mostWithoutUrl} records has a URL`;
  const field =
    urlField === undefined
      ? ""
      : typeof urlField === "object" && urlField.template !== undefined
        ? ` in the fields of ${optionText("urlTemplate")}`
        : ` in the field of ${optionText(optionOfPath(urlField))}`;
  const { looks, hint: remedy } = text === undefined ? looksOfReject(readAs, reject!) : looksOfText(text, readAs);
  const error = new UsageError(
    "no-urls",
    `${source}: ${records}${field}; it is read as ${nameIn(format)}${looks}`,
    remedy,
  );
  return withLongLine(error, readAs);
}

/**
 * The error for a source whose format was guessed because the lines after its overlong first line were not examined (`isUnexamined`). The
 * error names the first line as the cause, and the remedy, because the format that `error` is about may be wrong. For any other source,
 * `error` is returned unchanged.
 */
function withLongLine(error: UsageError, { source, format, isUnexamined }: ReadAs): UsageError {
  if (isUnexamined !== true) return error;
  return new UsageError(
    error.mistake,
    `${source}: its format was not detected, because line 1 has more than ${mostOverlongBytes} bytes; it cannot be read as ${nameIn(format)}`,
    hint`name the format: ${option("inputFormat", "NAME")}; line 1 is then a reject, unless ${option("maxLineBytes")} allows it`,
  );
}

function nameIn({ name }: ReadAs["format"]): string {
  return name === "lines" ? "one URL per line" : name;
}

/** A description of the source's text, and a hint. */
interface Looks {
  readonly looks: string;
  readonly hint: string | undefined;
}

function otherFormat(): string | undefined {
  return hints(hint`for another format: ${option("inputFormat", "NAME")}`, callerText("detectReading"));
}

function looksOfReject({ base, format }: ReadAs, { code, message, text }: Reject): Looks {
  if (code === "no-host" && base === undefined) {
    return { looks: ", and names no hosts", hint: hint`name the host: ${option("base", "https://example.com")}` };
  }
  if (code === "not-json" && /^[{[]$/.test(text)) {
    return {
      looks: "; it looks like one JSON value over several lines",
      hint: "turn it into lines first: jq -c . FILE | robots-stream …",
    };
  }
  return { looks: `; the first reject ${message}`, hint: format.name === "lines" ? givesUrls() : otherFormat() };
}

function givesUrls(): string | undefined {
  return hint`give URLs, one per line; another format is named with ${option("inputFormat", "NAME")}`;
}

function looksOfText(text: string, { base, format }: ReadAs): Looks {
  const isField = format.name !== "lines";
  const shown = text.trim();
  if (shown.startsWith("/") && base === undefined) {
    return {
      looks: "; they begin with a slash, as paths do",
      hint: hint`name their host: ${option("base", "https://example.com")}`,
    };
  }
  if (isHostAndPath(shown)) {
    const scheme = isField
      ? "write them with their scheme, like https://example.com/page"
      : "put the scheme before each: sed 's|^|https://|' FILE | robots-stream …";
    return { looks: "; they look like hosts without a scheme", hint: scheme };
  }
  if (isLogLine(byteStringOf(shown))) {
    return { looks: "; it looks like a log that no input format reads", hint: otherFormat() };
  }
  if (isField) {
    return {
      looks: "; the field that is read as the URL contains other text",
      hint: hints(hint`name the field: ${option("urlField", "NAME")}`, callerText("detectNames")),
    };
  }
  return { looks: "; it looks like other text", hint: givesUrls() };
}

function isHostAndPath(text: string): boolean {
  return (
    /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,10}(?::\d{1,5})?(?:[/?#]\S{0,2000})?$/i.test(text) &&
    isUrl(`https://${text}`)
  );
}

/** Whether a text contains a version of HTTP, a date with a time, or a time, like the lines of logs. */
function isLogLine(text: string): boolean {
  const beginning = text.slice(0, 2_000);
  return / HTTP\/\d|\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d/.test(beginning);
}
