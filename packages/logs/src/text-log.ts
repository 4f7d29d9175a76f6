// Makes a log format from a kind of text log, which is a row of data. The parser, the shapes for readers of bytes and the recognition of
// lines are made from the row's pattern.
import {
  beginningOf,
  characterBehindTime,
  hasLineInside,
  hasTwoClients,
  isBehindTime,
  isLineBeforeTime,
  isTimeOfTwo,
  isTwice,
  joinedLines,
  mayBeClient,
} from "./joined-lines.ts";
import { isDomain } from "./pattern/captures.ts";
import { type Field, type Shape, fieldsOf, hasOnlyPath, problemOfShape, requestOf } from "./pattern/read.ts";
import {
  type PatternProblem,
  type Step,
  type Steps,
  isPatternProblem,
  logPatternsOf,
  namesHost,
  problemWithoutUrl,
  stepsOf,
} from "./pattern/steps.ts";
import { areWhole } from "./pattern/time-form.ts";
import { timeIn } from "./instant.ts";
import type { Escape } from "./quoted.ts";
import { behindPrefix, withMembers } from "./prefix.ts";
import {
  type LineLogFormat,
  type LineParser,
  type LogFact,
  type LogPattern,
  type LogRequest,
  type LogSamples,
  isLogProblem,
} from "./types.ts";

/** A kind of text log. */
export interface TextLogKind {
  readonly name: string;
  /** A description in a few words. */
  readonly about: string;
  /** The address of the documentation. */
  readonly documented: string;
  /**
   * The pattern in the server's own notation (see `stepsOf`). Several patterns if the lines have different shapes; no line may fit two
   * patterns.
   */
  readonly pattern: string | readonly string[];
  /** A pattern of optional fields at the end: lines of newer versions of the server have the first few or all of them. */
  readonly mayFollow?: string;
  /** Whether any text may follow after a space; false by default. */
  readonly hasRest?: boolean;
  /** With `hasRest`, whether a given text may follow the last field; by default any text may. */
  readonly fitsRest?: Shape["fitsRest"];
  /**
   * Further patterns for lines that fit none of `pattern`. A line that fits only one of these is parsed, but not recognized as a line of
   * the kind.
   */
  readonly alsoReads?: readonly string[];
  /** How the server escapes bytes, if it differs from the server of the notation. */
  readonly escape?: Escape;
  /** Whether lines name the host, for targets that are absolute URLs. Default: whether the pattern has a field for the host. */
  readonly namesHost?: boolean;
  /**
   * Whether a line with the shape and plausible fields is surely of this kind; by default, it is. `request` is undefined for a line without
   * a URL.
   */
  isSure?(fields: Fields, request: LogRequest | undefined): boolean;
  /** Whether such a line may be of this kind, although another format recognizes it. */
  mayBe?(fields: Fields, request: LogRequest | undefined): boolean;
  readonly samples: LogSamples;
}

/** Returns the text of the first field with a meaning; undefined without such a field. */
type Fields = (is: Step["is"]) => string | undefined;

/** The parser and the shapes that are compiled from the patterns of a kind. */
interface Compiled {
  readonly shapes: readonly Shape[];
  /** The shapes of `alsoReads`. */
  readonly others: readonly Shape[];
  /** What each line has once, from its time on, and two lines in one have twice. */
  readonly beginning: RegExp | undefined;
  /** The steps of the first shape, and of the optional fields after it. */
  readonly steps: readonly Step[];
  readonly patterns: readonly LogPattern[];
  readonly facts: readonly LogFact[];
}

/** Throws an `Error` for a row whose pattern cannot be read. */
function compile(kind: TextLogKind): Compiled {
  const { hasRest = false, fitsRest } = kind;
  const mayFollow = kind.mayFollow === undefined ? undefined : rowStepsOf(kind, kind.mayFollow);
  const listed = typeof kind.pattern === "string" ? [kind.pattern] : kind.pattern;
  const shapes = listed.map((pattern) => ({ ...rowStepsOf(kind, pattern), hasRest, mayFollow, fitsRest }));
  const others = (kind.alsoReads ?? []).map((pattern) => {
    return { ...rowStepsOf(kind, pattern), hasRest: true, mayFollow: undefined, fitsRest };
  });
  const steps = [...shapes[0]!.steps, ...(mayFollow?.steps ?? [])];
  const beginning = beginningOf([...shapes, ...others]);
  const ofShape = {
    ...(beginning === undefined ? {} : { beginning, behindTime: characterBehindTime([...shapes, ...others]) }),
    ...(fitsRest === undefined ? {} : { checksRest: true }),
  };
  const patterns = shapes
    // A shape without a URL or without the query is left out, so that the parser reads its lines.
    .filter((shape) => problemWithoutUrl(shape) === undefined && !hasOnlyPath(shape.steps))
    .flatMap((shape) => logPatternsOf(wholeOf(shape), hasRest || mayFollow !== undefined, shapes.length > 1))
    .map((pattern) => ({ ...pattern, ...ofShape }));
  return { shapes, others, beginning, steps, patterns, facts: factsOf(steps) };
}

/** The log format of a kind. Its members throw an `Error` for a row whose pattern cannot be read. */
export function textLogOf(kind: TextLogKind): LineLogFormat {
  const { name, about, documented, isSure, mayBe, samples } = kind;
  let made: Compiled | undefined;
  // Compiled at first use, because a process uses few of the kinds.
  const compiled = (): Compiled => (made ??= compile(kind));
  const parse: LineParser = (line) => {
    const { shapes, others, beginning } = compiled();
    if (isTwice(line, beginning)) return joinedLines;
    const fields =
      fieldsOfFirst(line, shapes, isPlain) ??
      fieldsOfFirst(line, shapes, isOneWord) ??
      fieldsOfFirst(line, shapes) ??
      fieldsOfFirst(line, others);
    if (fields === undefined) {
      const isJoined = isJoinedBeforeTime(line) || isBehindTime(line, beginning);
      return isJoined ? joinedLines : problemOfShape(name);
    }
    return fields.some(isOfTwoLines) ? joinedLines : requestOf(fields);
  };
  const has = (line: string, check: NonNullable<TextLogKind["isSure"]>): boolean => {
    if (line.length > longestSure) return false;
    const fields = fieldsOfFirst(line, compiled().shapes, looksRight);
    if (fields === undefined) return false;
    const request = requestOf(fields);
    const named: Fields = (is) => fields.find((field) => field.is === is)?.text;
    return check(named, isLogProblem(request) ? undefined : request);
  };
  return {
    name,
    about,
    isOfPattern: true,
    documented,
    get facts(): readonly LogFact[] {
      return compiled().facts;
    },
    get namesHost(): boolean {
      return kind.namesHost ?? compiled().steps.some(({ is }) => namesHost(is) || is === "captures");
    },
    get beginsWithTime(): boolean {
      return compiled().shapes.some(({ start, steps: [first] }) => start === "" && isTime(first?.is));
    },
    recognizes: (line) => has(line, isSure ?? (() => true)),
    ...(mayBe === undefined ? {} : { mayBe: (line: string) => has(line, mayBe) }),
    createParser: () => parse,
    patternsOf: () => compiled().patterns,
    samples,
  };
}

/** Whether the line `client - user [time] "…`, which no shape fits, holds the beginning of another line before its time. */
function isJoinedBeforeTime(line: string): boolean {
  const timeEnd = line.indexOf('] "');
  const timeAt = timeEnd < 0 ? -1 : line.lastIndexOf(" [", timeEnd);
  const clientEnd = line.indexOf(" ");
  return timeAt >= 0 && (isLineBeforeTime(line.slice(clientEnd, timeAt)) || hasTwoClients(line.slice(0, timeAt)));
}

/** Whether a field has text of two lines. */
function isOfTwoLines({ is, text, isQuoted }: Field): boolean {
  if (isTime(is)) return isTimeOfTwo(text);
  if (isQuoted || text.includes(",")) return false;
  if (is === "other") return hasLineInside(text);
  if (is === "clientAndPort") return !mayBeClient(text.replace(/:\d{1,5}$/, ""));
  return is === "client" && !mayBeClient(text);
}

function isTime(is: Step["is"] | undefined): boolean {
  return is === "time" || is === "localTime" || is === "formedTime";
}

/** The fields by the first shape that fits a line and whose fields all pass `isRight`. */
function fieldsOfFirst(
  line: string,
  shapes: readonly Shape[],
  isRight: (field: Field) => boolean = () => true,
): readonly Field[] | undefined {
  for (const shape of shapes) {
    const fields = fieldsOf(line, shape);
    if (fields?.every(isRight) === true) return fields;
  }
  return undefined;
}

/** Whether a reader of bytes finds the same end of a field as the parser: the field has no quote inside and, unless in quotes, no space. */
function isPlain(field: Field): boolean {
  return !field.text.includes('"') && isOneWord(field);
}

/** Whether a field is in quotes or contains no space; a time may contain one space. */
function isOneWord({ is, text, isQuoted }: Field): boolean {
  const from = isTime(is) ? text.indexOf(" ") + 1 : 0;
  return isQuoted || is === "formedTime" || !text.includes(" ", from);
}

/** The steps of a shape, including the optional steps after its last field. */
function wholeOf(shape: Shape): Steps {
  const { steps, mayFollow } = shape;
  if (mayFollow === undefined) return shape;
  const last = steps.at(-1)!;
  const before = { ...last, end: `${last.end} ${mayFollow.start}` };
  return { ...shape, steps: [...steps.slice(0, -1), before, ...mayFollow.steps] };
}

/** The maximum number of characters of a line that can be recognized; the first lines of a log are shorter. */
const longestSure = 65_536;

/** Makes the log format of a user's own pattern; returns the problem if the pattern cannot be read. */
export function logFormatOf(pattern: string, name: string): LineLogFormat | PatternProblem {
  const steps = stepsOf(pattern);
  if (isPatternProblem(steps)) return steps;
  const problem = problemWithoutUrl(steps);
  if (problem !== undefined) return problem;
  const samples: LogSamples = { record: "", broken: ["oops"], fragments: [] };
  const log = textLogOf({ name, about: "lines of your own pattern", documented: "", pattern, samples });
  const hasServerPaths = ofServer.test(pattern) && !ofClient.test(pattern);
  return Object.assign(behindPrefix(withParts(log, pattern), true), hasServerPaths ? { hasServerPaths } : {});
}

/**
 * The format of a pattern that cuts the path (`%REQ(:PATH):100%` of Envoy) or from whose URLs the server removes the query (Squid's `%ru`,
 * which keeps the `?`): such targets are only a part.
 */
function withParts(log: LineLogFormat, pattern: string): LineLogFormat {
  const isCut = /%REQ\([^()]*PATH[^()]*\):\d+%/i.test(pattern);
  if (!isCut && !/%[<>]?ru\b/.test(pattern)) return log;
  const partOf = (request: ReturnType<LineParser>): ReturnType<LineParser> =>
    request !== undefined && !isLogProblem(request) && (isCut || request.target.endsWith("?"))
      ? { ...request, isPartial: true }
      : request;
  return withMembers(log, {
    createParser: (): LineParser => {
      const parse = log.createParser();
      return (line) => partOf(parse(line));
    },
    patternsOf: () => [],
  });
}

/** What nginx and Envoy write the path after rewrites with, and the target that the client sent. */
const ofServer = /\$\{?(?:document_)?uri\b|%REQ\(:PATH\)/i;
const ofClient = /\$\{?request(?:_uri)?\b(?!_)|%REQ\(X-ENVOY-ORIGINAL-PATH\b/i;

function rowStepsOf({ name, escape }: TextLogKind, pattern: string): Steps {
  const steps = stepsOf(pattern, escape);
  if (!isPatternProblem(steps)) return steps;
  throw new Error(`${name}: ${steps.message} (at ${steps.position ?? 0} of ${pattern})`);
}

const facts: readonly (readonly [fact: LogFact, ...of: readonly Step["is"][]])[] = [
  ["time", "time", "localTime"],
  ["client", "client", "clientAndPort", "forwarded"],
  ["method", "method", "request"],
  ["status", "status"],
  ["bytes", "bytes"],
  ["referer", "referer"],
  ["userAgent", "userAgent", "captures"],
];

function factsOf(steps: readonly Step[]): readonly LogFact[] {
  const hasFormed = areWhole(steps.flatMap(({ form }) => form ?? []));
  return facts
    .filter(([fact, ...of]) => steps.some(({ is }) => of.includes(is)) || (fact === "time" && hasFormed))
    .map(([fact]) => fact);
}

const hostForm = /^(?:-?|[\w.-]{1,255}(?::\d{1,5})?|\[[\da-f:.]+\](?::\d{1,5})?)$/i;

/** The form that each field has on nearly all lines. */
const usual: Readonly<Partial<Record<Step["is"], RegExp>>> = {
  forwarded: /^(?:[\w.:%[\]-]{1,255}(?:, ?|$)){1,50}$/,
  client: /^(?:[\w.:%[\]-]{1,255}(?:, ?|$)){1,50}$/,
  clientAndPort: /^[\w.:%[\]-]{1,261}$/,
  host: hostForm,
  serverName: hostForm,
  method: /^[A-Z_-]{1,40}$/,
  scheme: /^(?:https?|wss?|h2c?|grpcs?|on|off|-|)$/i,
  protocol: /^(?:HTTP\/\d(?:\.\d)?|-|)$/,
  target: /^(?:\/|[a-z][a-z0-9+.-]{0,30}:|\*$|-$|[^/ ]{1,260}:\d{1,5}$)/i,
  path: /^(?:\/|\*$|-$)/,
};

/** Whether a field has the form that it has on nearly all lines. */
function looksRight(field: Field): boolean {
  const { is, text } = field;
  if (is === "other") return isOneWord(field);
  if (is === "time" || is === "localTime") return text === "-" || timeIn(text)?.hasZone === (is === "time");
  return usual[is]?.test(text) ?? true;
}

/** Whether the host of a request is a domain, not an address or a name without a dot. */
export function namesDomain({ host }: LogRequest): boolean {
  return host !== undefined && isDomain(host);
}
