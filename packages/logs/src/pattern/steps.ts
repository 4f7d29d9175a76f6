// Reads the pattern of a text log in the notation of its server. The result is the fields of the pattern and the texts between them, or a
// problem with its position.
import { namedHostOf } from "../host.ts";
import type { Escape } from "../quoted.ts";
import type { LogPattern, PatternField, PatternStep } from "../types.ts";
import { capturedIn } from "./captures.ts";
import { type Directive, type Notation, type Part, joined, notations } from "./notations.ts";
import { type TimeForm, joinedForm, plainMeaningOf, withZone } from "./time-form.ts";

/** A field of a line, and how its end is found. */
export interface Step {
  readonly is: Exclude<Directive, "nothing">;
  /** The text after the field; "" if the pattern ends with the field. */
  readonly end: string;
  /** Whether the field is in quotes, so that quotes inside it are escaped. */
  readonly isQuoted: boolean;
  /** Whether the end is a part of the next field: the "/" between a host and a path. */
  readonly keepsEnd: boolean;
  /** Whether spaces may precede the field. */
  readonly isPadded: boolean;
  /** How the server escapes bytes in the field. */
  readonly escape: Escape;
  /** The form of a `formedTime`. */
  readonly form?: TimeForm | undefined;
}

/** The result of reading a pattern. */
export interface Steps {
  /** The text before the first field. */
  readonly start: string;
  readonly steps: readonly Step[];
  /** The name of the notation. */
  readonly notation: string;
}

/** The reason why a pattern cannot be used. */
export interface PatternProblem {
  readonly code: "no-directive" | "unknown-directive" | "ambiguous" | "no-url";
  /** An English phrase, to be printed after the pattern's name. */
  readonly message: string;
  /** The position of the problem in the pattern, in UTF-16 code units from 1; undefined for a problem of the whole pattern. */
  readonly position: number | undefined;
  readonly hint: string | undefined;
}

/** A part of a pattern, with its offset and its text in the pattern. */
type PlacedPart = Part & { readonly at: number; readonly written: string };

/**
 * Reads a pattern in nginx's, Apache's, Envoy's, HAProxy's or Squid's notation. `escape` replaces the notation's way of
 * escaping in all fields, for a server that escapes differently.
 */
export function stepsOf(pattern: string, escape?: Escape): Steps | PatternProblem {
  const notation = notations.find(({ sign }) => sign.test(pattern));
  if (notation === undefined) {
    const hint = "give the pattern as the server's configuration has it, for example '%h %l %u %t \"%r\" %>s %b'";
    return { code: "no-directive", message: "has no directive like %r or $request", position: undefined, hint };
  }
  const parts = partsOf(pattern, notation);
  if ("code" in parts) return parts;
  return joinedSteps(parts, notation, escape);
}

/** Whether the result of reading a pattern is a problem. */
export function isPatternProblem(read: object): read is PatternProblem {
  return "code" in read;
}

function partsOf(pattern: string, { directive, meaningOf, name }: Notation): PlacedPart[] | PatternProblem {
  const parts: PlacedPart[] = [];
  let at = 0;
  while (at < pattern.length) {
    const merged = joined.find(([written]) => matchAt(written, pattern, at) !== null);
    if (merged !== undefined) {
      const [written] = matchAt(merged[0], pattern, at)!;
      parts.push({ is: merged[1], at, written });
      at += written.length;
      continue;
    }
    const found = matchAt(directive, pattern, at);
    if (found === null) {
      const character = pattern[at]!;
      if (name !== nginxName && character === "%") return unknownAt(pattern, at, "%", name);
      const last = parts.at(-1);
      if (last !== undefined && "text" in last) parts[parts.length - 1] = { ...last, text: last.text + character };
      else parts.push({ text: character, at, written: character });
      at++;
      continue;
    }
    const [written] = found;
    const meaning = meaningOf(found);
    if (meaning === undefined) return unknownAt(pattern, at, written, name);
    for (const part of meaning) {
      const last = parts.at(-1);
      if ("text" in part && last !== undefined && "text" in last)
        parts[parts.length - 1] = { ...last, text: last.text + part.text };
      else parts.push({ ...part, at, written });
    }
    at += written.length;
  }
  return parts;
}

const nginxName = "nginx's log_format";

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

function unknownAt(pattern: string, at: number, written: string, notation: string): PatternProblem {
  const shown = written === "%" ? pattern.slice(at, at + 12) : written;
  const message = `${JSON.stringify(shown)} is not a directive of ${notation}`;
  return { code: "unknown-directive", message, position: at + 1, hint: undefined };
}

/** Fields that may contain spaces. Without quotes, their end can be found only if the text after them does not begin with a space. */
const mayHaveSpaces: ReadonlySet<Directive> = new Set<Directive>(["userAgent", "referer", "spaced"]);

/** Fields in which no server writes a space, except after the commas of a list. */
const words: ReadonlySet<Directive> = new Set<Directive>([
  "client",
  "forwarded",
  "clientAndPort",
  "host",
  "serverName",
  "scheme",
  "method",
  "protocol",
  "port",
]);

/** Whether a field is one word, or a list with spaces after its commas. */
export function isWord(is: Directive): boolean {
  return words.has(is);
}

/** Whether a field names the host that the client requested, or the virtual server. */
export function namesHost(is: Directive): boolean {
  return is === "host" || is === "serverName";
}

/** Makes a step of each field and the text after it. Returns a problem if the end of a field could not be found in a line. */
function joinedSteps(
  parts: readonly PlacedPart[],
  { name, escape: usual = "backslash", word }: Notation,
  given: Escape | undefined,
): Steps | PatternProblem {
  const steps: Step[] = [];
  let start = "";
  let before = "";
  const fields = withWholeTimes(parts.filter((part) => !("is" in part && part.is === "nothing")));
  for (const [index, part] of fields.entries()) {
    if ("text" in part) {
      if (steps.length === 0) start += part.text;
      before = part.text;
      continue;
    }
    const next = fields[index + 1];
    const escape = given ?? part.escape ?? usual;
    const isQuoted = before.endsWith('"');
    const is = ((isQuoted ? undefined : part.unquoted) ?? part.is) as Step["is"];
    before = "";
    const end = next === undefined ? "" : "text" in next ? next.text : "/";
    const keepsEnd = next !== undefined && "is" in next;
    if (keepsEnd && (!namesHost(is) || (next.is !== "target" && next.is !== "path"))) return touching(part, next);
    const isOpen = mayHaveSpaces.has(is) && end.startsWith(" ") && !isQuoted;
    if (isOpen) return open(part, word);
    if (is === "request" && !isQuoted && end.startsWith(" ")) {
      steps.push(stepOf("method", " ", escape), stepOf("target", " ", escape), stepOf("protocol", end, escape));
    } else steps.push({ is, end, isQuoted, keepsEnd, isPadded: part.isPadded === true, escape, form: part.form });
  }
  return { start, steps, notation: name };
}

/**
 * The parts with each sequence of formed times, and the texts between them, as one time. A time in a form that `timeIn` reads becomes a
 * field with a time, unless its end could not be told from a space inside it. Beside such a time, other times are not read.
 */
function withWholeTimes(parts: readonly PlacedPart[]): readonly PlacedPart[] {
  const whole: PlacedPart[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    const isBetween = last !== undefined && "text" in last;
    const before = isBetween ? whole.at(-2) : last;
    const form =
      "is" in part && part.form !== undefined && before !== undefined && "is" in before && before.form !== undefined
        ? joinedForm(before.form, isBetween ? last.text : "", part.form)
        : undefined;
    if (form === undefined) whole.push(part);
    else whole.splice(isBetween ? -2 : -1, 2, { ...(before as PlacedPart & { readonly is: Directive }), form });
  }
  for (const [index, part] of whole.entries()) {
    if (!("is" in part) || part.form === undefined) continue;
    const next = whole[index + 1];
    let after = next !== undefined && "text" in next ? next.text : "";
    const zoned = after.startsWith("Z") ? withZone(part.form) : undefined;
    const { form = part.form, ...others } = { ...part, ...(zoned === undefined ? {} : { form: zoned }) };
    if (zoned !== undefined) whole[index + 1] = { ...next!, text: (after = after.slice(1)) } as PlacedPart;
    const is = plainMeaningOf(form);
    const isOpen = /\s/.test(form.written) && !/^["\]]/.test(after);
    whole[index] = is === undefined || isOpen || form.isEnd ? { ...others, form } : { ...others, is };
  }
  const hasTime = whole.some((part) => "is" in part && (part.is === "time" || part.is === "localTime"));
  return whole
    .filter((part) => !("text" in part && part.text === ""))
    .map((part) => {
      if (!hasTime || !("is" in part) || part.form === undefined || /\s/.test(part.form.written)) return part;
      const { form: _form, ...other } = part;
      return { ...other, is: "other" };
    });
}

/** The problem of a pattern without a URL, because no line of its log can be decided; undefined for a pattern with a URL. */
export function problemWithoutUrl({ steps, notation }: Steps): PatternProblem | undefined {
  if (steps.some(({ is }) => is === "request" || is === "target" || is === "path")) return undefined;
  const hint = notation === nginxName ? "add $request or $request_uri" : "add %r, or the directive of the URL's path";
  return { code: "no-url", message: "has no URL: neither the request nor its path", position: undefined, hint };
}

function stepOf(is: Step["is"], end: string, escape: Escape): Step {
  return { is, end, isQuoted: false, keepsEnd: false, isPadded: false, escape };
}

function touching(part: PlacedPart, next: PlacedPart): PatternProblem {
  const message = `there is no text between ${part.written} and ${next.written}, so the end of ${part.written} cannot be found`;
  const hint = "put a space or a quote between them in the server's log format";
  return { code: "ambiguous", message, position: next.at + 1, hint };
}

function open(part: PlacedPart, word: string): PatternProblem {
  const message = `${part.written} may have spaces and is not in quotes, so nothing tells where it ends`;
  return {
    code: "ambiguous",
    message,
    position: part.at + 1,
    hint: `put it in quotes in the server's configuration; for an old log in which it has no spaces, write ${word} in its place`,
  };
}

/** The directives whose field has another name in a `LogPattern`, the form that readers of bytes use. */
const plainFields: Readonly<Partial<Record<Directive, PatternField>>> = {
  spaced: "other",
  localTime: "time",
  path: "target",
  port: "scheme",
  serverName: "host",
  responseCaptures: "other",
  forwarded: "client",
};

/**
 * The shapes of lines for readers of bytes; none if only the parser can read the lines. Of several fields with the same meaning, a shape
 * names only the first. HAProxy writes nothing for missing captured headers, so a pattern with `%hr` and `%hs` has three shapes: with the
 * headers of request and response, with the request's headers only, and without headers. `isOneOfSeveral`: whether the log's lines may have
 * other shapes. The parser then prefers a shape whose fields without quotes contain no spaces, so a reader of bytes must not accept such
 * spaces.
 */
export function logPatternsOf(
  { steps, ...shape }: Steps,
  hasRest: boolean,
  isOneOfSeveral = false,
): readonly LogPattern[] {
  const counts = steps.filter(({ is }) => isCaptured(is)).map((_step, index, all) => all.length - index);
  return [...counts, 0]
    .map((count) => logPatternOf({ ...shape, steps: withCaptures(steps, count) }, hasRest, isOneOfSeveral))
    .filter((pattern) => pattern !== undefined);
}

function isCaptured(is: Directive): boolean {
  return is === "captures" || is === "responseCaptures";
}

/** The steps of lines that have only the first `count` fields of captured headers; the others are missing, with the space after each. */
function withCaptures(steps: readonly Step[], count: number): readonly Step[] {
  const kept: Step[] = [];
  let left = count;
  for (const step of steps) {
    const last = kept.at(-1);
    if (!isCaptured(step.is) || last === undefined) kept.push(step);
    else if (left-- > 0) {
      kept[kept.length - 1] = { ...last, end: `${last.end}{` };
      kept.push({ ...step, end: `}${step.end}` });
    } else kept[kept.length - 1] = { ...last, end: last.end + step.end.trimStart() };
  }
  return kept;
}

/** The shape of lines that have all of these steps; undefined if only the parser can read the lines. */
function logPatternOf(
  { start, steps }: Omit<Steps, "notation">,
  hasRest: boolean,
  isOneOfSeveral: boolean,
): LogPattern | undefined {
  const has = (...directives: readonly Directive[]): boolean => steps.some(({ is }) => directives.includes(is));
  const hasTarget = has("request", "target");
  const schemes = steps.filter(({ is }) => is === "scheme").length;
  // Only the parser knows the forms of times.
  if (has("formedTime")) return undefined;
  if (schemes > 1 || (has("query") && has("markedQuery")) || (has("captures") && has("userAgent"))) return undefined;
  const plain: PatternStep[] = [];
  const seen = new Set<PatternField>();
  for (const { is, end, keepsEnd, isPadded, isQuoted, escape } of steps) {
    if (is === "request" && !seen.has("target")) {
      const target = { field: "target", end: " ", without: escape === "hash" ? "#" : "" } as const;
      plain.push({ field: "method", end: " " }, target, { field: "protocol", end });
      for (const field of ["method", "target", "protocol"] as const) seen.add(field);
      continue;
    }
    const isQuery = is === "query" || is === "markedQuery";
    const isOther =
      (isQuery && hasTarget) ||
      // The scheme that a port implies counts only for the host that the line names.
      (is === "port" && (schemes > 0 || !has("host", "serverName", "captures"))) ||
      // The host that the client requested precedes the name of the virtual server.
      (is === "serverName" && has("host")) ||
      (is === "target" && has("request")) ||
      (is === "path" && hasTarget);
    const field = isOther || is === "request" ? "other" : (plainFields[is] ?? (is as PatternField));
    const isClient = field === "client" || field === "clientAndPort";
    const isLastWord = end === "" && !hasRest && isWord(is);
    // Such a field with spaces may be of two lines.
    const isDivided = is === "other" && end !== "" && !end.startsWith(" ");
    const isAgain = field !== "other" && field !== "list" && (seen.has(field) || (isClient && seen.has("client")));
    const isOneWord = !isQuoted && !isCaptured(is) && (isOneOfSeveral || isLastWord || isDivided);
    const name = isAgain ? (isClient ? (is === "forwarded" ? "list" : "peer") : "other") : field;
    const without = [
      unclearIn(name, end),
      isOneWord ? " " : "",
      escape === "hash" ? "#" : "",
      is === "path" && name === "target" ? ofDecodedPath : "",
    ];
    plain.push({ field: name, end, keepsEnd, isPadded, without: without.join("") });
    seen.add(isClient ? "client" : field);
  }
  const addresses = steps.filter(({ is }) => is === "client" || is === "clientAndPort" || is === "forwarded");
  const needsClient = addresses.length > 1;
  return {
    steps: withoutBars(plain),
    hasRest,
    originOf: namedHostOf,
    schemeOf,
    capturedIn,
    ...(start === "" ? {} : { start }),
    ...(needsClient ? { needsClient } : {}),
    ...(needsClient && addresses[0]?.is === "forwarded" ? { hasPeer: true } : {}),
  };
}

/** Characters of a path without its query that the server decoded. */
export const ofDecodedPath = "?#";

/** The characters with which a field that ends before the text `end` may mean something else than its text, in any log. */
export function unclearIn(field: PatternField, end: string): string {
  // A field with a comma is a list of addresses.
  if (field === "list") return ",";
  // A space in the user's name may mean that other text precedes the line.
  if (field === "user") return " ";
  const isOfUrl = field === "target" || field === "query" || field === "markedQuery";
  return isOfUrl && !end.startsWith(" ") ? " " : "";
}

/** The number of leading fields, separated by spaces, among which the bar of a prefix of docker compose, like `web-1 | `, may be. */
const prefixFields = 4;

/** The same steps for lines without such a prefix. */
function withoutBars(steps: readonly PatternStep[]): readonly PatternStep[] {
  const spaced = steps.findIndex(({ end }) => !/^ +$/.test(end));
  return steps.map((step, index) => {
    return index > 0 && index < Math.min(spaced, prefixFields) ? { ...step, without: `${step.without ?? ""}|` } : step;
  });
}

type Scheme = "http" | "https" | undefined;

/** The scheme that follows from a field: a scheme, a protocol over TLS, a port, or whether TLS was used. Of a list, the first is the client's. */
export function schemeOf(field: string): Scheme {
  if (/^(?:https|h2|wss|grpcs|on|443) *(?:$|,)/i.test(field)) return "https";
  return /^(?:http|ws|80) *(?:$|,)/i.test(field) ? "http" : undefined;
}
