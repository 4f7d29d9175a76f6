// Parses lines of logs in the W3C Extended Log File Format (https://www.w3.org/TR/WD-logfile): of IIS, Akamai, NetScaler and Imperva.
import { HeadingDate, namesIn, problemOfFields, utcOf } from "./fields-line.ts";
import { hostTextOf } from "./host.ts";
import { isOfErrorPage, isOfIis, queryOfClient } from "./iis-query.ts";
import { isDomain } from "./pattern/captures.ts";
import { ofDecodedPath, schemeOf, unclearIn } from "./pattern/steps.ts";
import { unescaped, valueOf } from "./quoted.ts";
import { pathAsSent, problemOfTarget, withProblem } from "./request-line.ts";
import type { LineLogFormat, LineParser, LogPattern, LogProblem, LogRequest, PatternField } from "./types.ts";

const imperva =
  "#Fields: date time cs-vid s-siteid cs(User-Agent) cs-uri cs-method cs-uri-query sc-status c-ip cs(Referer)";

/** A log whose `#Fields` lines name the fields of the lines after them, separated by spaces or tabs, each perhaps in quotes. */
export const w3c: LineLogFormat = {
  name: "w3c",
  about: "W3C extended logs: IIS, Akamai, NetScaler, Imperva, Edgecast",
  documented: "https://www.w3.org/TR/WD-logfile",
  facts: ["time", "client", "method", "status", "bytes", "referer", "userAgent"],
  namesHost: true,
  headingNamesHost: (line) =>
    isFields(line)
      ? lowerNamesIn(line).some((name) => /^(?:x-host-header|cs-host|cs\(host\)|cs-uri)$/.test(name))
      : undefined,
  recognizes: (line) => /^#(?:Software|Version|Date): /i.test(line) || (isFields(line) && hasUri.test(line)),
  isHeading: isFields,
  createParser,
  patternsOf: (heading) => (heading === undefined ? [] : patternsOf(lowerNamesIn(heading))),
  samples: {
    heading: "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query s-port cs-host cs-username cs(User-Agent)",
    record: "2015-05-17 10:05:03 192.0.2.1 GET {path} {query} 443 {host} - {other}",
    broken: ["2015-05-17 10:05:03 192.0.2.1", "oops"],
    fragments: [
      "#Fields: cs-host cs-uri-stem",
      "a.example /a",
      "a.example *",
      "#",
      "\t",
      "#Fields:",
      '"',
      "#Software: x",
    ],
    log: [
      "#Software: Microsoft Internet Information Services 10.0",
      "#Version: 1.0",
      "#Date: 2024-03-12 00:00:03",
      "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) cs-host sc-status sc-substatus sc-win32-status sc-bytes time-taken",
      "2024-03-12 00:00:03 10.0.0.4 GET /default.htm - 443 - 203.0.113.4 Mozilla/5.0+(compatible;+bingbot/2.0;++http://www.bing.com/bingbot.htm) - www.shop.example 200 0 0 5120 31",
      "2024-03-12 00:00:04 10.0.0.4 GET /search q=shoes&page=2 443 - 2001:db8::4 curl/8.5.0 https://www.shop.example/ www.shop.example 200 0 0 880 12",
      "2024-03-12 00:00:05 10.0.0.4 POST /api/v1 - 80 SHOP\\ann 203.0.113.5 - - api.shop.example 401 2 5 1293 0",
      "2024-03-12 00:00:06 10.0.0.4 OPTIONS * - 443 - 203.0.113.6 - - www.shop.example 200 0 0 0 0",
    ],
    hostile: [
      "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) cs-host sc-status sc-substatus sc-win32-status sc-bytes time-taken",
      "2024-03-12 00:00:05 10.0.0.4 GET /a - 80 - 203.0.113.5 x - evil.example/@ 401 2 5 1293 0",
      '2024-03-12 00:00:05 10.0.0.4 GET /a - 80 - 203.0.113.5 "a b" - a.example 401 2 5 1293 0',
      "2024-03-12 00:00:05 10.0.0.4 GET /a b=1&X-ARR-CACHE-HIT=0&X-ARR-LOG-ID=62a3 80 - 203.0.113.5 x - a.example 200 0 0 1 0",
      "2024-03-12 00:00:05 10.0.0.4 GET /a b=1|12|800a0bcd|Either_BOF 80 - 203.0.113.5 x - a.example 500 0 0 1 0",
      imperva,
      '"2024-03-12" "00:00:05" "v" "1" "a ""b"" c" "www.shop.example/a b" "GET" "x=1" "200" "203.0.113.5" "-"',
    ],
  },
};

/** The names of the field with the User-Agent header: of most servers, CloudFront, Edgecast. */
const agentNames: readonly string[] = ["cs(user-agent)", "cs-user-agent", "c-user-agent"];

const hasUri = /[ \t]cs-uri(?:-stem)?(?:[ \t]|$)/;

function isFields(line: string): boolean {
  return /^#Fields:/i.test(line);
}

const noFields: LogProblem = {
  code: "not-a-log-line",
  message: "is before the first #Fields line with cs-uri-stem or cs-uri",
};

function createParser(): LineParser {
  let names: readonly string[] = [];
  let places: ReadonlyMap<string, number> = new Map();
  let isIis = false;
  const date = new HeadingDate();
  const parse = (line: string): ReturnType<LineParser> => {
    if (line.startsWith("#")) {
      date.takeHeading(line);
      if (isFields(line)) {
        names = lowerNamesIn(line);
        isIis = isOfIis(names);
        // If a name occurs twice, the first field with this name is read.
        places = new Map(names.map((name, place) => [name, place] as const).toReversed());
      }
      return undefined;
    }
    if (!places.has("cs-uri-stem") && !places.has("cs-uri")) return noFields;
    const fields = fieldsIn(line, names.length);
    const valueAt = (name: string): string | undefined => {
      const place = places.get(name);
      return place === undefined ? undefined : valueIn(fields[place]!);
    };
    const problem = problemOfFields(fields, names.length, valueAt);
    if (problem !== undefined) return problem;
    const hasStatus = places.has("sc-status");
    const hasQueries = places.has("cs-uri-query");
    const hasAgents = agentNames.some((name) => places.has(name));
    const value: ValueOf = (...named) => {
      for (const name of named) {
        const found = valueAt(name);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return requestOf(
      { isIis, hasQueries, hasStatus, hasAgents },
      value,
      timeOf(value, places.has("date") ? undefined : date),
    );
  };
  return Object.assign(parse, { heading: () => (places.has("date") ? undefined : date.heading) });
}

/**
 * The time of a line. `date` and `time` are in UTC, like the `#Date` heading, whose date is used in a log without dates; the zone of
 * `date-local` and `time-local` is not known.
 */
function timeOf(value: ValueOf, heading: HeadingDate | undefined): string | undefined {
  const time = value("time");
  const [date, localDate, localTime] = [value("date"), value("date-local"), value("time-local")];
  const headed = time === undefined ? undefined : heading?.utcOf(time);
  const local = localDate === undefined || localTime === undefined ? undefined : `${localDate}T${localTime}`;
  return utcOf(date, time) ?? headed ?? local ?? value("timestamp(ms)", "timestamp") ?? date ?? localDate;
}

/** Returns the value of the first of these fields that has a value; undefined if no field has one. */
type ValueOf = (...names: readonly string[]) => string | undefined;

const ofErrorPage: LogProblem = {
  code: "no-url",
  message: "is about an error page that the server called instead of the requested URL",
};

/** What the last #Fields line says about the log. */
interface HeadingFacts {
  readonly isIis: boolean;
  readonly hasQueries: boolean;
  readonly hasStatus: boolean;
  readonly hasAgents: boolean;
}

function requestOf(
  { isIis, hasQueries, hasStatus, hasAgents }: HeadingFacts,
  value: ValueOf,
  time: string | undefined,
): ReturnType<LineParser> {
  const method = value("cs-method");
  const stem = value("cs-uri-stem");
  const named = hostTextOf(value("x-host-header")) ?? hostTextOf(value("cs-host")) ?? hostTextOf(value("cs(host)"));
  const { host: inUri, path } =
    stem === undefined ? partsOfUri(value("cs-uri"), named) : { host: undefined, path: stem };
  const written = stem === undefined && path.includes("?") ? undefined : value("cs-uri-query");
  if (isIis && written !== undefined && isOfErrorPage(written)) return ofErrorPage;
  const query = isIis && written !== undefined ? queryOfClient(written) : written;
  const sent = stem !== undefined && hasQueries ? pathAsSent(path) : path;
  const target = query === undefined ? sent : `${sent}?${query}`;
  const spaced = isIis && sent.includes("+") ? sent.replaceAll("+", "%20") : undefined;
  const host = named ?? inUri;
  const protocol = value("cs-protocol", "cs-uri-scheme", "cs(x-forwarded-proto)");
  // The scheme that a port implies counts only for the host that the line names.
  const port = host === undefined ? undefined : value("s-port");
  const userAgent = value(...agentNames);
  const clients = value("c-ip", "cs-ip", "s-xff");
  const request: LogRequest = {
    method,
    target,
    ...(stem !== undefined && !hasQueries && !stem.includes("?") ? { isPartial: true as const } : {}),
    ...(spaced === undefined ? {} : { otherTarget: query === undefined ? spaced : `${spaced}?${query}` }),
    scheme: schemeOf(protocol ?? port ?? ""),
    host,
    userAgent: userAgent === undefined ? undefined : headerOf(userAgent),
    time,
    client: clients?.split(",", 1)[0],
    ...(clients?.includes(",") === true ? { clients } : {}),
    // Edgecast writes how its cache answered before the status: `TCP_HIT/200`.
    status: value("sc-status")?.replace(/^[A-Z_]{1,40}\//, "") ?? (hasStatus ? "-" : undefined),
    bytes: value("sc-bytes"),
    referer: value("cs(referer)", "cs(referrer)", "cs-referer", "c-referrer"),
    ...(hasAgents ? {} : { lacksAgents: true as const }),
  };
  return withProblem(request, problemOfTarget(method, target));
}

/**
 * The host and path in `cs-uri`: Akamai writes "/host/path", Imperva "host/path", others the path or an absolute URL. If another field has
 * the host (`named`), `cs-uri` is split only if it begins with this host.
 */
function partsOfUri(
  uri: string | undefined,
  named: string | undefined,
): { readonly host: string | undefined; readonly path: string } {
  if (uri === undefined) return { host: undefined, path: "" };
  const from = uri.startsWith("/") ? 1 : 0;
  const slash = uri.indexOf("/", from);
  const host = uri.slice(from, slash < 0 ? undefined : slash);
  if (!isDomain(host) || (named !== undefined && named !== host) || (slash < 0 && from === 1))
    return { host: undefined, path: uri };
  return { host, path: slash < 0 ? "/" : uri.slice(slash) };
}

/** The names of a #Fields line in lower case, because their case does not matter in this format. */
function lowerNamesIn(line: string): readonly string[] {
  return namesIn(line).map((name) => name.toLowerCase());
}

/** The fields of a line, with their quotes; at most twice as many as `count`, as two lines in one have. */
function fieldsIn(line: string, count: number): readonly string[] {
  const separator = line.includes("\t") ? "\t" : " ";
  const most = 2 * count + 1;
  if (!line.includes('"')) return line.split(separator, most);
  const fields: string[] = [];
  for (let at = 0; at <= line.length && fields.length < most;) {
    const end = endOfField(line, at, separator);
    fields.push(line.slice(at, end));
    at = end + 1;
  }
  return fields;
}

/** The offset of the separator after a field, or the end of the line. Quotes inside quotes are doubled, or follow a backslash. */
function endOfField(line: string, from: number, separator: string): number {
  const next = (at: number): number => {
    const found = line.indexOf(separator, at);
    return found < 0 ? line.length : found;
  };
  if (line[from] !== '"') return next(from);
  for (let quote = line.indexOf('"', from + 1); quote >= 0; quote = line.indexOf('"', quote + 1)) {
    if (line[quote + 1] === '"' && line[quote + 2] !== undefined) quote++;
    else if (line[quote - 1] !== "\\" && (quote + 1 === line.length || line[quote + 1] === separator)) return quote + 1;
  }
  return next(from);
}

/** The value of a field without its quotes; undefined for a missing value. */
function valueIn(field: string): string | undefined {
  if (field.length < 2 || !field.startsWith('"') || !field.endsWith('"'))
    return field === "-" || field === "" ? undefined : field;
  return valueOf(unescaped(field.slice(1, -1).replaceAll('""', '"')));
}

/** A header. IIS writes "+" for each space, and thus "++" for a space and a plus. */
function headerOf(field: string): string {
  if (field.includes(" ") || !field.includes("+")) return field;
  return field.replaceAll("++", " \0").replaceAll("+", " ").replaceAll("\0", "+");
}

const fieldsByName: ReadonlyMap<string, PatternField> = new Map<string, PatternField>([
  ["date", "date"],
  ["time", "timeOfDay"],
  ["c-ip", "client"],
  ["cs-method", "method"],
  ["cs-uri-stem", "target"],
  ["cs-uri-query", "query"],
  ["s-port", "scheme"],
  ["cs-host", "host"],
  ["sc-status", "status"],
  ["sc-bytes", "bytes"],
  ["cs(referer)", "referer"],
  ["cs(user-agent)", "userAgent"],
]);

/** Other fields with the same meanings. Only the parser can read the lines of a log that has one of them. */
const otherNames: ReadonlySet<string> = new Set([
  "cs-uri",
  "cs-ip",
  "s-xff",
  "x-host-header",
  "cs(host)",
  "cs-protocol",
  "cs-uri-scheme",
  "cs(x-forwarded-proto)",
  "cs(referrer)",
  "cs-referer",
  "c-referrer",
  "cs-user-agent",
  "c-user-agent",
]);

/** The fields of a date and a time of day whose zone is not known. They are read in a log without the fields in UTC. */
const localNames: ReadonlyMap<string, PatternField> = new Map([
  ["date-local", "date"],
  ["time-local", "timeOfDay"],
]);

/**
 * The shapes of lines with these fields; none if a required field is missing, a field of `fieldsByName` occurs twice, or a field of
 * `otherNames` occurs.
 */
function patternsOf(names: readonly string[]): readonly LogPattern[] {
  const isLocal = !names.includes("date") && !names.includes("time");
  const fieldOf = (name: string): PatternField => {
    const field = (isLocal ? localNames.get(name) : undefined) ?? fieldsByName.get(name) ?? "other";
    return field === "scheme" && !names.includes("cs-host") ? "other" : field;
  };
  const isUsual = names.every((name) => fieldOf(name) === "other" || names.indexOf(name) === names.lastIndexOf(name));
  const hasAll = (["target", "date", "timeOfDay"] as const).every((field) =>
    names.some((name) => fieldOf(name) === field),
  );
  if (!isUsual || !hasAll || names.some((name) => otherNames.has(name))) return [];
  // IIS writes "+" for a space of a path, and texts of its own into queries.
  const isIis = isOfIis(names);
  const hasQuery = names.includes("cs-uri-query");
  // Only the parser tells that a target is without its query.
  if (!hasQuery) return [];
  return [" ", "\t"].map((separator) => {
    const steps = names.map((name, index) => {
      const field = fieldOf(name);
      const end = index === names.length - 1 ? "" : separator;
      const ofServer = isIis && field === "query" ? "|;R" : isIis && field === "target" ? "+" : "";
      const ofPath = field === "target" ? ofDecodedPath : "";
      return { field, end, without: separator + unclearIn(field, end) + ofServer + ofPath };
    });
    return {
      steps,
      hasRest: false,
      originOf: (host) => ({ host: hostTextOf(host), scheme: undefined }),
      schemeOf,
      headerOf,
      ...(isLocal ? { hasLocalTime: true } : {}),
    };
  });
}
