// Reads the request in a line of a text log by the steps of the log's pattern.
import { namedHostOf } from "../host.ts";
import { isBehindText } from "../prefix.ts";
import { type Escape, closingQuoteOf, unescaped, valueOf } from "../quoted.ts";
import { pathAsSent, problemOfTarget, requestLineOf } from "../request-line.ts";
import { type LogProblem, type LogRequest, type NamedHost, isLogProblem } from "../types.ts";
import { capturedIn } from "./captures.ts";
import { type Step, type Steps, isWord, namesHost, schemeOf } from "./steps.ts";
import { type TimeForm, timeTextOfForms } from "./time-form.ts";

const space = 0x20;
const comma = 0x2c;
const quote = 0x22;
const backslash = 0x5c;

/** The shape of a log's lines: the steps of the pattern, and what may follow the last field. */
export interface Shape extends Steps {
  /** Whether a space and any other text may follow the last field. */
  readonly hasRest: boolean;
  /** The steps of optional fields: after the last field, a line may have none of them, or a space and the first few or all of them. */
  readonly mayFollow: Steps | undefined;
  /** Whether the text `rest` may follow the last field of `steps`; absent if any text may. */
  readonly fitsRest?: ((rest: string, fields: readonly Field[]) => boolean) | undefined;
}

/** A field of a line. */
export interface Field {
  readonly is: Step["is"];
  /** The bytes of the field, still with the escapes of the log. */
  readonly text: string;
  readonly isQuoted: boolean;
  readonly escape: Escape;
  /** The form of a `formedTime`. */
  readonly form?: TimeForm | undefined;
}

/** The fields of a line; undefined if the line does not have the shape. Linear in the line. */
export function fieldsOf(
  line: string,
  { start, steps, hasRest, mayFollow, fitsRest }: Shape,
): readonly Field[] | undefined {
  if (!line.startsWith(start)) return undefined;
  const mayGoOn = hasRest || mayFollow !== undefined;
  const fields: Field[] = [];
  let at = start.length;
  for (const [index, step] of steps.entries()) {
    at = takeField(line, at, step, steps[index + 1], mayGoOn, fields);
    if (at < 0) return undefined;
  }
  if (at === line.length) return isWholeLast(fields.at(-1), steps) ? fields : undefined;
  if (line.charCodeAt(at) !== space || !mayGoOn) return undefined;
  if (fitsRest?.(line.slice(at + 1), fields) === false) return undefined;
  if (mayFollow === undefined || !line.startsWith(mayFollow.start, at + 1)) return hasRest ? fields : undefined;
  at += 1 + mayFollow.start.length;
  for (const [index, step] of mayFollow.steps.entries()) {
    at = takeField(line, at, step, mayFollow.steps[index + 1], true, fields);
    if (at < 0) break;
  }
  return fields;
}

/**
 * Whether the server can have written the text of the last field. A last field without quotes extends to the end of the line, so its text
 * may contain a client's text from an earlier field whose quotes were not escaped.
 */
function isWholeLast(last: Field | undefined, steps: readonly Step[]): boolean {
  if (last === undefined || last.isQuoted) return true;
  if (last.text.includes('"') && steps.some(({ isQuoted }) => isQuoted)) return false;
  return !isWord(last.is) || !/(?<!,) /.test(last.text);
}

/**
 * Appends the field at `from` to `fields`. Returns the offset after the field's end text (before that text if `keepsEnd`), or -1 if the
 * line does not have the field there.
 */
function takeField(
  line: string,
  from: number,
  step: Step,
  next: Step | undefined,
  hasRest: boolean,
  fields: Field[],
): number {
  const { is, end, isQuoted, keepsEnd, isPadded, escape, form } = step;
  let at = from;
  if (isPadded) while (line.charCodeAt(at) === space) at++;
  if (is === "captures" || is === "responseCaptures") {
    // Without captured headers, HAProxy writes neither the braces nor the space after them.
    if (line[at] !== "{") return line.startsWith(end.trimStart(), at) ? at + end.trimStart().length : -1;
    const close = line.indexOf(`}${end}`, at);
    if (close < 0) return -1;
    fields.push({ is, text: line.slice(at + 1, close), isQuoted: true, escape });
    return close + 1 + end.length;
  }
  const to = form === undefined ? endOf(line, at, step, next, hasRest) : endOfForm(line, at, step);
  if (to < 0) return -1;
  const text = line.slice(at, to);
  if ((is === "status" && !/^(?:-?\d{1,3}|-)$/.test(text)) || (is === "bytes" && !/^(?:\+?\d{1,30}|-|)$/.test(text)))
    return -1;
  if (is === "user" && !isQuoted && isBehindText(text)) return -1;
  if ((namesHost(is) && text.includes('"') && text !== '""') || (is === "time" && text === "")) return -1;
  fields.push({ is, text, isQuoted, escape, ...(form === undefined ? {} : { form }) });
  return keepsEnd ? to : to + end.length;
}

/** The offset where the time at `from`, in the form of the step, ends, or -1. A server may write "-" for a missing time. */
function endOfForm(line: string, from: number, { form, end }: Step): number {
  const { reads } = form!;
  reads.lastIndex = from;
  const to = line.startsWith(`-${end}`, from) ? from + 1 : reads.test(line) ? reads.lastIndex : -1;
  const isEnd = end === "" ? to === line.length || line.charCodeAt(to) === space : line.startsWith(end, to);
  return to >= 0 && isEnd ? to : -1;
}

/** The offset where the field at `from` ends, or -1. */
function endOf(
  line: string,
  from: number,
  { is, end, isQuoted, escape }: Step,
  next: Step | undefined,
  hasRest: boolean,
): number {
  if (isQuoted && end.charCodeAt(0) === quote && is === "other") {
    // A field that is not read must not contain quotes: otherwise a forged quote could shift the other fields.
    const at = line.indexOf('"', from);
    return at >= 0 && line.startsWith(end, at) ? at : -1;
  }
  if (isQuoted && end.charCodeAt(0) === quote) {
    const closes = (_line: string, at: number): boolean => {
      if (end === '"' && next === undefined) {
        return at + 1 === line.length || (hasRest && line.charCodeAt(at + 1) === space);
      }
      return line.startsWith(end, at) && (next?.is !== "status" || isStatusAt(line, at + end.length));
    };
    return closingQuoteOf(line, from, closes, escape);
  }
  if (end === "") {
    const isOpen = !hasRest || is === "userAgent" || is === "spaced";
    const to = isOpen ? -1 : line.indexOf(" ", from);
    return to < 0 ? line.length : to;
  }
  if ((is === "target" || is === "path") && end === " " && next?.is === "protocol" && !/^(?: |$)/.test(next.end)) {
    // The server may have decoded the path, so the path may contain spaces.
    const close = escape === "backslash" ? unescapedAt(line, next.end, from) : line.indexOf(next.end, from);
    const to = close < 0 ? -1 : line.lastIndexOf(" ", close - 1);
    return to < from ? -1 : to;
  }
  if (!mayHaveItsEnd.has(is)) {
    let to = line.indexOf(end[0]!, from);
    // In a list of addresses, spaces follow the commas.
    const isList = (is === "client" || is === "forwarded" || is === "list") && end.charCodeAt(0) === space;
    while (isList && to > from && line.charCodeAt(to - 1) === comma) to = line.indexOf(" ", to + 1);
    return to >= 0 && line.startsWith(end, to) ? to : -1;
  }
  return line.indexOf(end, from);
}

/** Fields that may contain the first character of their end text. */
const mayHaveItsEnd: ReadonlySet<Step["is"]> = new Set<Step["is"]>([
  "user",
  "request",
  "referer",
  "userAgent",
  "spaced",
  "path",
]);

/** The offset of the first occurrence of `text` from `from` on, or -1. Occurrences that begin with an escaped quote are skipped. */
function unescapedAt(line: string, text: string, from: number): number {
  let at = line.indexOf(text, from);
  if (text.charCodeAt(0) !== quote) return at;
  for (; at >= 0; at = line.indexOf(text, at + 1)) {
    let before = at;
    while (before > from && line.charCodeAt(before - 1) === backslash) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}

function isStatusAt(line: string, at: number): boolean {
  return /^(?:-?\d{1,3}|-)(?!\w)/.test(line.slice(at, at + 5));
}

/** The request that the fields of a line record, or the reason why the line has no URL. */
export function requestOf(fields: readonly Field[]): LogRequest | LogProblem {
  const value = (...names: readonly Step["is"][]): string | undefined => {
    const field = fields.find(({ is }) => names.includes(is));
    return field === undefined ? undefined : valueIn(field);
  };
  const { asked, problem } = askedOf(fields, value);
  if (asked === undefined) return problem!;
  const { text: headers = "", escape } = fields.find(({ is }) => is === "captures") ?? {};
  const captured = capturedIn(headers, escape);
  const headerAt = (at: readonly [number, number] | undefined): string | undefined =>
    at === undefined ? undefined : unescaped(headers.slice(...at), escape);
  const host = headerAt(captured.host);
  const agent = headerAt(captured.userAgent);
  const named = hostOf(fields) ?? (host === undefined ? undefined : namedHostOf(host));
  const schemes = fields.filter(({ is }) => is === "scheme");
  const ports = named === undefined ? [] : fields.filter(({ is }) => is === "port");
  const scheme = (schemes.length > 0 ? schemes : ports)
    .map(({ text }) => schemeOf(text))
    .find((each) => each !== undefined);
  const request: LogRequest = {
    ...asked,
    scheme: scheme ?? named?.scheme,
    host: named?.host,
    userAgent: value("userAgent") ?? agent,
    time: timeOf(fields),
    ...clientsOf(fields),
    status: fields.find(({ is }) => is === "status")?.text,
    // HAProxy writes "+" before a size that was not final.
    bytes: value("bytes")?.replace("+", ""),
    referer: value("referer"),
    // A captured header that is no host may be the User-Agent header, also an empty one.
    ...(!captured.lacksAgents || fields.some(({ is }) => is === "userAgent") ? {} : { lacksAgents: true as const }),
  };
  return problem === undefined ? request : { ...problem, request };
}

/** The method and the target of a request, or the problem of a line. For a request without a URL, both are present. */
interface Asked {
  readonly asked?: Pick<LogRequest, "method" | "target" | "isPartial"> | undefined;
  readonly problem?: LogProblem | undefined;
}

function askedOf(fields: readonly Field[], value: (...names: readonly Step["is"][]) => string | undefined): Asked {
  // The request line has what the client sent; a server may have rewritten the path in another field.
  const [place] = (["request", "target", "path"] as const).flatMap(
    (name) => fields.find(({ is }) => is === name) ?? [],
  );
  if (place === undefined) return { problem: noRequest("is about a connection, and has no request") };
  if (place.is === "request") {
    const line = requestLineOf(unescaped(place.text, place.escape));
    return isLogProblem(line)
      ? { asked: line.line, problem: { code: line.code, message: line.message } }
      : { asked: line };
  }
  const method = value("method");
  const written = valueIn(place);
  if (written === undefined || (method === undefined && fields.some(({ is }) => is === "method"))) {
    return { problem: noRequest("is a connection without a request") };
  }
  const [query, marked] = place.is === "path" ? [value("query"), value("markedQuery")] : [];
  const target =
    (place.is === "path" ? pathAsSent(written) : written) + (query === undefined ? (marked ?? "") : `?${query}`);
  const problem = problemOfTarget(method, target);
  if (problem !== undefined && problem.code !== "no-url") return { problem };
  return { asked: { method, target, ...(hasOnlyPath(fields) ? { isPartial: true } : {}) }, problem };
}

/** Whether the fields, or steps, have the path of a request and never its query. */
export function hasOnlyPath(fields: readonly Pick<Step, "is">[]): boolean {
  const withQuery = new Set<Step["is"]>(["request", "target", "query", "markedQuery"]);
  return fields.some(({ is }) => is === "path") && !fields.some(({ is }) => withQuery.has(is));
}

function noRequest(message: string): LogProblem {
  return { code: "no-request", message };
}

/** The bytes of a field; undefined for a missing value. */
function valueIn({ text, escape }: Field): string | undefined {
  return valueOf(text, escape);
}

/** The first host that a field names: the host that the client requested, else the name of the virtual server. */
function hostOf(fields: readonly Field[]): NamedHost | undefined {
  for (const source of ["host", "serverName"] as const) {
    for (const { is, text, escape } of fields) {
      const named = is === source ? namedHostOf(unescaped(text, escape)) : undefined;
      if (named?.host !== undefined) return named;
    }
  }
  return undefined;
}

/**
 * The client: the first address of the first field with addresses. If this field is X-Forwarded-For, `clients` has the addresses of all
 * these fields; the last is the peer's, if the line has the peer's address.
 */
function clientsOf(fields: readonly Field[]): Pick<LogRequest, "client" | "clients"> {
  const addresses = fields.filter(({ is, text }) => isAddress(is) && valueOf(text) !== undefined);
  const [first] = addresses;
  if (first === undefined) return { client: undefined };
  const [client = ""] = first.text.split(",", 1);
  if (first.is !== "forwarded") return { client: addressOf(first.is, client) };
  const clients = addresses.map(({ is, text }) => addressOf(is, text)).join(", ");
  return clients === client ? { client: valueOf(client) } : { client: valueOf(client), clients };
}

function isAddress(is: Step["is"]): boolean {
  return is === "client" || is === "clientAndPort" || is === "forwarded";
}

/** An address without its port. */
function addressOf(is: Step["is"], text: string): string {
  return is === "clientAndPort" ? text.replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1") : text;
}

function timeOf(fields: readonly Field[]): string | undefined {
  const field = fields.find(({ is }) => is === "time" || is === "localTime");
  if (field !== undefined) return valueOf(field.text);
  return timeTextOfForms(fields.flatMap(({ form, text }) => (form === undefined ? [] : [{ form, text }])));
}

/** The problem of a line that does not have the shape of the log `name`. */
export function problemOfShape(name: string): LogProblem {
  return { code: "not-a-log-line", message: `is not a line of ${name}` };
}
