// Parses lines of CloudFront standard logs: tab-separated fields, whose names are in the log's #Fields line.
import { problemOfTarget } from "./request-line.ts";
import type { LineLogFormat, LineParser, LogPattern, LogProblem, PatternField } from "./types.ts";

/** The standard log of CloudFront. It may have any fields in any order, but must have cs-uri-stem. */
export const cloudfront: LineLogFormat = {
  name: "cloudfront",
  about: "CloudFront standard logs, with their #Fields line",
  facts: ["time", "client", "method", "status", "bytes", "referer", "userAgent"],
  namesHost: true,
  recognizes: (line) =>
    /^#Version: 1\.0\s*$/.test(line) ||
    (line.startsWith("#Fields:") && line.includes("cs-uri-stem") && !fieldOfOthers.test(line)),
  isHeading: (line) => line.startsWith("#Fields:"),
  createParser,
  patternOf: (heading) => (heading === undefined ? undefined : patternOf(namesIn(heading))),
  samples: {
    heading: "#Fields: cs-protocol x-host-header cs-uri-stem cs-uri-query cs(User-Agent)",
    record: "{scheme}\t{host}\t{path}\t{query}\t{other}",
    broken: ["https\ta.example\t/", "oops"],
    fragments: [
      "#Fields: x-host-header cs-uri-stem",
      "a.example\t/a",
      "a.example\t*",
      "#",
      "\t",
      "#Fields:",
      "#Version: 1.0",
    ],
  },
};

/** Fields of W3C extended logs of other servers (IIS, Akamai) that CloudFront does not have. */
const fieldOfOthers = / (?:s-(?:ip|port|sitename|computername)|sc-(?:win32-status|substatus)|cs-username)(?: |$)/;

const noFields: LogProblem = { code: "not-a-log-line", message: "is before the first #Fields line with cs-uri-stem" };

function createParser(): LineParser {
  let names: readonly string[] = [];
  let places: ReadonlyMap<string, number> = new Map();
  return (line) => {
    if (line.startsWith("#")) {
      if (line.startsWith("#Fields:")) {
        names = namesIn(line);
        places = new Map(names.map((name, place) => [name, place]));
      }
      return undefined;
    }
    if (!places.has("cs-uri-stem")) return noFields;
    const fields = line.split("\t");
    if (fields.length !== names.length) {
      const message = `has ${fields.length} field${fields.length === 1 ? "" : "s"} where #Fields names ${names.length}`;
      return { code: "not-a-log-line", message };
    }
    const field = (name: string): string | undefined => {
      const place = places.get(name);
      const value = place === undefined ? undefined : fields[place];
      return value === "-" || value === "" ? undefined : value;
    };
    const method = field("cs-method");
    const stem = field("cs-uri-stem") ?? "";
    const problem = problemOfTarget(method, stem);
    if (problem !== undefined) return problem;
    const query = field("cs-uri-query");
    const protocol = field("cs-protocol");
    const date = field("date");
    const time = field("time");
    const userAgent = field("cs(User-Agent)");
    return {
      method,
      // CloudFront percent-encodes characters that the client did not encode, so the stem has the form of a URL path.
      target: query === undefined ? stem : `${stem}?${query}`,
      scheme:
        protocol === "https" || protocol === "wss"
          ? "https"
          : protocol === "http" || protocol === "ws"
            ? "http"
            : undefined,
      // x-host-header is the Host header of the request; cs(Host) is the domain name of the distribution.
      host: field("x-host-header") ?? field("cs(Host)"),
      userAgent: userAgent === undefined ? undefined : headerOf(userAgent),
      time: date === undefined || time === undefined ? (date ?? time) : `${date}T${time}Z`,
      client: field("c-ip"),
      status: field("sc-status"),
      bytes: field("sc-bytes"),
      referer: field("cs(Referer)"),
    };
  };
}

/** The names of a #Fields line. */
function namesIn(line: string): readonly string[] {
  return line
    .slice(8)
    .split(/[ \t]+/)
    .filter((name) => name !== "");
}

const fieldsByName: ReadonlyMap<string, PatternField> = new Map<string, PatternField>([
  ["date", "date"],
  ["time", "timeOfDay"],
  ["c-ip", "client"],
  ["cs-method", "method"],
  ["cs-uri-stem", "target"],
  ["cs-uri-query", "query"],
  ["cs-protocol", "scheme"],
  ["x-host-header", "host"],
  ["sc-status", "status"],
  ["sc-bytes", "bytes"],
  ["cs(Referer)", "referer"],
  ["cs(User-Agent)", "userAgent"],
]);

/** The pattern of lines with these fields; undefined where fields are missing or come twice: then each line is for the parser. */
function patternOf(names: readonly string[]): LogPattern | undefined {
  const steps = names.map((name) => ({ field: fieldsByName.get(name) ?? ("other" as const), end: "\t" }));
  const isUsual = [...fieldsByName.keys()].every((name) => names.indexOf(name) === names.lastIndexOf(name));
  const hasAll = ["cs-uri-stem", "x-host-header", "date", "time"].every((name) => names.includes(name));
  if (!isUsual || !hasAll) return undefined;
  steps.at(-1)!.end = "";
  return {
    steps,
    hasRest: false,
    originOf: (host) => (host === "-" || host === "" ? undefined : { host, scheme: undefined }),
    headerOf,
  };
}

/** The bytes of a header field, which older logs escape twice. */
function headerOf(field: string): string {
  const once = withoutEscapes(field);
  return /%20/.test(once) && !once.includes(" ") ? withoutEscapes(once) : once;
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
