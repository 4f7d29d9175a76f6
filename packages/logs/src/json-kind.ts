// Makes a log format from a row about a kind of JSON log. The row has one or more paths for each part of a request. The part is the text at
// the first of these paths that leads to a text.
import { utcOf } from "./fields-line.ts";
import { hostTextOf } from "./host.ts";
import { type JsonRecord, jsonRecordOf, scalarTextOf, valueAt } from "./json-record.ts";
import { pathAsSent, problemOfTarget, requestLineOf, type RequestProblem, withProblem } from "./request-line.ts";
import { noAccessRecord } from "./server-messages.ts";
import type {
  LogFact,
  LogPattern,
  LogProblem,
  LogRequest,
  LogSamples,
  ObjectField,
  ObjectLogFormat,
  PatternField,
} from "./types.ts";

/** The parts of a request for which a row may have paths. */
type JsonField =
  /** A request line: `GET /a?b HTTP/1.1`. */
  | "request"
  /** A path with its query, or a whole URL. */
  | "target"
  /** A path without its query; the query is the field `query`. */
  | "path"
  | "query"
  | "scheme"
  | "host"
  /** A date and a time of day in UTC, used if no path of `time` has a text. */
  | "date"
  | "timeOfDay"
  | LogFact;

/** A sign of a kind: the value at one of the paths `at` matches `is`. */
interface JsonSign {
  readonly at: readonly string[];
  /** The form of the value's text. Absent: any value except null matches. */
  readonly is?: RegExp;
}

/** A sign of a record that is no access record, and what the record is: "is a firewall event". */
interface OtherSign extends JsonSign {
  readonly what: string;
}

/** A kind of JSON log, as data. The names in a path are separated by dots. `valueAt` defines the meaning of a name in an array. */
export interface JsonLogRow {
  readonly name: string;
  readonly about: string;
  /** The URL, or URLs, of the documentation of its server or vendor. */
  readonly documented: string;
  readonly fields: Readonly<Partial<Record<JsonField, readonly string[]>>>;
  /** A record of this kind has all of these signs. */
  readonly signs: readonly [JsonSign, ...JsonSign[]];
  /** A record with one of these signs is no access record, although it may have the members of a request. */
  readonly noAccess?: readonly OtherSign[];
  /** Functions that convert the text of a field before its use. If a function returns undefined, the next path of the field is read. */
  readonly reads?: Readonly<Partial<Record<JsonField, (text: string) => string | undefined>>>;
  /** Whether a line is a message that the server may write into the same log. */
  readonly isMessage?: (line: string) => boolean;
  /** Whether the paths of `path` are those after the server's rewrites, unless they have a query. */
  readonly hasServerPath?: true;
  /** Whether records may lack the requested host. The URL of such a record needs `base`. */
  readonly mayLackHost?: true;
  /** Whether a record without a User-Agent header is no sign that the log has no such headers. */
  readonly mayOmitAgent?: (record: Readonly<Record<string, unknown>>) => boolean;
  /** Whether a record is of another kind, although it has all signs. */
  readonly isOther?: (record: Readonly<Record<string, unknown>>) => boolean;
  readonly samples: LogSamples;
}

const noRequest: LogProblem = { code: "no-request", message: "contains no request" };

const facts: readonly LogFact[] = ["time", "client", "method", "status", "bytes", "referer", "userAgent"];

/** Facts that can also be read from another field. */
const fromOther: Readonly<Partial<Record<LogFact, JsonField>>> = { method: "request", time: "date" };

/** A path, split into the name of a member of the record and the steps inside the member's value. */
interface MemberPath {
  readonly member: string;
  readonly steps: readonly string[];
}

/** Makes the format of a row. */
export function jsonLogOf(row: JsonLogRow): ObjectLogFormat {
  const { fields, reads = {}, signs, noAccess = [] } = row;
  const memberOf = (path: string): string => path.split(".", 1)[0]!;
  const members = [
    ...new Set([...Object.values(fields).flat(), ...noAccess.flatMap(({ at }) => at)].map((path) => memberOf(path))),
  ];
  const pathsOf = (field: JsonField): readonly MemberPath[] =>
    (fields[field] ?? []).map((path) => ({ member: memberOf(path), steps: path.split(".").slice(1) }));
  const entries = (Object.keys(fields) as JsonField[]).map((field) => [field, pathsOf(field)] as const);
  const paths = Object.fromEntries(entries) as Partial<Record<JsonField, readonly MemberPath[]>>;
  const pathsIn = ({ at, is }: JsonSign): SignPaths => ({ paths: at.map((path) => path.split(".")), is });
  const signPaths = signs.map((sign) => pathsIn(sign));
  const others = noAccess.map((sign) => ({ ...pathsIn(sign), problem: noAccessRecord(sign.what) }));
  const [first] = signs;
  // A line without any of these names need not be parsed.
  const names = first.at.map((path) => `"${memberOf(path)}"`);
  const textIn = (record: JsonRecord, field: JsonField): string | undefined => {
    const at = paths[field];
    let machine: string | undefined;
    if (at === undefined) return undefined;
    for (const { member, steps } of at) {
      const value = record[member];
      if (value === undefined) continue;
      const written = scalarTextOf(steps.length === 0 ? value : valueAt(value, steps));
      const text = field === "status" ? written : presentOf(written);
      const read = text === undefined ? undefined : field === "host" ? hostTextOf : reads[field];
      const found = read === undefined ? text : read(text!);
      if (found === undefined) continue;
      if (field !== "host" || !mayBeMachine(found)) return found;
      machine ??= found;
    }
    return machine;
  };
  const pattern = patternOf(row);
  const agentPaths = (fields.userAgent ?? []).map((path) => path.split("."));
  const hasAgents = (record: JsonRecord): boolean =>
    row.mayOmitAgent?.(record) === true || agentPaths.some((path) => valueAt(record, path) !== undefined);
  return {
    name: row.name,
    about: row.about,
    documented: row.documented,
    members,
    facts: facts.filter((fact) => fields[fact] !== undefined || fields[fromOther[fact] ?? fact] !== undefined),
    namesHost: row.mayLackHost !== true,
    recognizes(line) {
      if (!names.some((name) => line.includes(name))) return false;
      const record = jsonRecordOf(line);
      if (record === undefined || row.isOther?.(record) === true) return false;
      return signPaths.every((sign) => hasSign(record, sign));
    },
    ...(row.isMessage === undefined ? {} : { isMessage: row.isMessage }),
    ...(row.hasServerPath === true
      ? {
          hasServerPath(record): boolean | undefined {
            if (textIn(record, "target") !== undefined || textIn(record, "request") !== undefined) return false;
            const path = textIn(record, "path");
            return path === undefined ? undefined : !path.includes("?");
          },
        }
      : {}),
    requestOf: (record) =>
      others.find((sign) => hasSign(record, sign))?.problem ??
      requestOf((field) => textIn(record, field), hasAgents(record)),
    ...(pattern === undefined ? {} : { pattern }),
    samples: row.samples,
  };
}

/** The fields of a shape, in the order of its steps. */
const plainFields: readonly PatternField[] = [
  "method",
  "target",
  "query",
  "scheme",
  "host",
  "time",
  "client",
  "status",
  "bytes",
  "referer",
  "userAgent",
];

/**
 * The shape of records without nested values; undefined if a record may be no access record, if the URL is a nested value, if the date and the time of day are separate, or if
 * texts are converted in a way that readers of bytes do not know.
 */
function patternOf({ fields, reads = {}, noAccess }: JsonLogRow): LogPattern | undefined {
  if (noAccess !== undefined) return undefined;
  const names = (field: JsonField): readonly string[] => (fields[field] ?? []).filter((path) => !path.includes("."));
  const hasDate = fields.date !== undefined || fields.timeOfDay !== undefined;
  const hasUrl = [...names("request"), ...names("target"), ...names("path")].length > 0;
  if (hasDate || Object.keys(reads).length > 0 || !hasUrl) return undefined;
  const isNeeded = (field: PatternField): boolean => {
    return (
      field === "target" ||
      (field === "method" && fields.request !== undefined) ||
      fields[field as JsonField] !== undefined
    );
  };
  const isOnlyHost = names("host").length < 2;
  const members = new Map<ObjectField, readonly string[]>(
    ([...plainFields, "request", "path"] as const).map((field) => [field, names(field as JsonField)]),
  );
  return {
    members,
    steps: plainFields.filter(isNeeded).map((field) => ({ field, end: "" })),
    hasRest: false,
    // Another member may have the host.
    originOf: (host) => ({ scheme: undefined, host: !isOnlyHost && mayBeMachine(host) ? undefined : hostTextOf(host) }),
    schemeOf,
  };
}

/**
 * Whether the text of a host has the form of a machine's name, `web-01`: programs that ship logs write it into "host". Another member with a
 * host then precedes it.
 */
function mayBeMachine(host: string): boolean {
  return /^(?!localhost$)[a-z_-][\w-]*$/i.test(host);
}

/** A sign with its paths divided into names. */
interface SignPaths {
  readonly paths: readonly (readonly string[])[];
  readonly is: RegExp | undefined;
}

function hasSign(record: JsonRecord, { paths, is }: SignPaths): boolean {
  return paths.some((path) => {
    const value = valueAt(record, path);
    if (is === undefined) return value !== undefined && value !== null;
    const text = typeof value === "boolean" ? String(value) : scalarTextOf(value);
    return text !== undefined && is.test(text);
  });
}

/** The text; undefined for "-", which JSON logs, too, write for a missing value. */
function presentOf(text: string | undefined): string | undefined {
  return text === "-" ? undefined : text;
}

function requestOf(textOf: (field: JsonField) => string | undefined, hasAgents: boolean): LogRequest | LogProblem {
  const line = textOf("request");
  const method = textOf("method");
  const parsed =
    textOf("target") === undefined && line !== undefined
      ? requestLineOf(line)
      : partsOf(textOf, line === undefined ? undefined : /^[A-Z]{1,20}(?= )/.exec(line)?.[0]);
  // A request without a URL, such as "OPTIONS *", is a request, too: its problem is found below.
  const read = "code" in parsed ? parsed.line : parsed;
  if (read === undefined) return parsed as LogProblem;
  const known = { ...read, method: method ?? read.method };
  const client = textOf("client");
  const request: LogRequest = {
    method: known.method,
    target: known.target,
    scheme: schemeOf(textOf("scheme")),
    host: textOf("host"),
    userAgent: textOf("userAgent"),
    time: textOf("time") ?? utcOf(textOf("date"), textOf("timeOfDay")),
    client: client === undefined ? undefined : clientOf(client),
    status: textOf("status"),
    bytes: textOf("bytes"),
    referer: textOf("referer"),
    ...(hasAgents ? {} : { lacksAgents: true as const }),
  };
  return withProblem(request, problemOfTarget(known.method, known.target));
}

function partsOf(
  textOf: (field: JsonField) => string | undefined,
  method: string | undefined,
): { readonly method: string | undefined; readonly target: string } | RequestProblem {
  const target = textOf("target");
  const path = target ?? textOf("path");
  if (path === undefined) return noRequest;
  const query = textOf("query")?.replace(/^\?/, "");
  // Some members of this name have the query, too. Otherwise the server decoded a "?" in the path.
  const isWhole = path.includes("?") && (target !== undefined || query === undefined || isWithQuery(path, query));
  if (isWhole) return { method, target: path };
  const sent = target === undefined && query !== undefined ? pathAsSent(path) : path;
  return { method, target: query === undefined || query === "" ? sent : `${sent}?${query}` };
}

function isWithQuery(path: string, query: string): boolean {
  return query !== "" && path.endsWith(`?${query}`);
}

/** The scheme in a field. Of a list, as proxies write it, the first element is read. Fields about the use of TLS have "on" or "off". */
function schemeOf(text: string | undefined): "http" | "https" | undefined {
  if (text === undefined || text === "https" || text === "http") return text;
  const [first = ""] = text.toLowerCase().split(",", 1);
  const scheme = first.trim();
  if (scheme === "https" || scheme === "wss" || scheme === "on") return "https";
  return scheme === "http" || scheme === "ws" || scheme === "off" ? "http" : undefined;
}

/** The first address of a list, without its port. */
function clientOf(text: string): string {
  if (!/[,:]/.test(text)) return text;
  const first = (text.split(",", 1)[0] ?? "").trim();
  return /^\[([\da-f:.]{2,45})\](?::\d{1,5})?$/i.exec(first)?.[1] ?? first.replace(/^([\d.]{7,15}):\d{1,5}$/, "$1");
}
