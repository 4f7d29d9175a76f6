// Parses lines of CloudFront standard logs: tab-separated fields, whose names are in the log's #Fields line.
import { namesIn, problemOfFields, utcOf } from "./fields-line.ts";
import { hostTextOf } from "./host.ts";
import { unclearIn } from "./pattern/steps.ts";
import { problemOfTarget, withProblem } from "./request-line.ts";
import type { LineLogFormat, LineParser, LogPattern, LogProblem, LogRequest, PatternField } from "./types.ts";

/** The standard log of CloudFront. It may have any fields in any order, but must have cs-uri-stem. */
export const cloudfront: LineLogFormat = {
  name: "cloudfront",
  documented: "https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html",
  about: "CloudFront standard and real-time logs, with their #Fields line",
  facts: ["time", "client", "method", "status", "bytes", "referer", "userAgent"],
  namesHost: true,
  headingNamesHost: (line) =>
    line.startsWith("#Fields:")
      ? namesIn(line).some((name) => /^(?:x-host-header|cs\(Host\)|cs-host)$/.test(name))
      : undefined,
  recognizes: (line) =>
    /^#Version: 1\.0\s*$/.test(line) ||
    (line.startsWith("#Fields:") &&
      line.includes("cs-uri-stem") &&
      (fieldOfCloudfront.test(line) || !fieldOfOthers.test(line))),
  isHeading: (line) => line.startsWith("#Fields:"),
  createParser,
  patternsOf: (heading) => (heading === undefined ? [] : patternsOf(namesIn(heading))),
  samples: {
    heading: "#Fields: cs-protocol x-host-header cs-uri-stem cs-uri-query cs(User-Agent)",
    record: "{scheme}\t{host}\t{path}\t{query}\t{other}",
    broken: ["https\ta.example\t/", "oops"],
    log: [
      "#Version: 1.0",
      "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken",
      "2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.24\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\tMozilla/5.0%20(compatible;%20bingbot/2.0)\t-\t-\tHit\tSOX4xwn4XV6Q4rgb==\twww.shop.example\thttps\t23\t0.001",
      "2019-12-04\t21:02:32\tLAX1\t392\t192.0.2.25\tGET\td111111abcdef8.cloudfront.net\t/cart\t302\thttps://www.shop.example/\tcurl/8.5.0\tid=1\t-\tMiss\tk6WGMNkEzR5BEM_SaF47==\twww.shop.example\thttps\t23\t0.001",
      "2019-12-04\t21:02:33\tFRA56\t0\t2001:db8::1\tHEAD\td111111abcdef8.cloudfront.net\t/a%2520b\t304\t-\t-\t-\t-\tHit\tf37nTMVvnKvV2ZSv==\twww.shop.example\thttp\t23\t0.001",
    ],
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

/** Fields that only CloudFront has. Its real-time logs also have `s-ip`. */
const fieldOfCloudfront = /[ \t]x-edge-(?:location|request-id|result-type|response-result-type)(?:[ \t]|$)/;

/**
 * Names of real-time logs, which differ from those of standard logs. In a log with one of them, `cs-uri-stem` has the query, too
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html).
 */
const ofRealTime: ReadonlySet<string> = new Set(["cs-user-agent", "cs-referer", "cs-host", "time-to-first-byte"]);

function isRealTime(names: readonly string[]): boolean {
  return names.some((name) => ofRealTime.has(name));
}

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
    const fields = line.split("\t", 2 * names.length + 1);
    const field = (name: string): string | undefined => {
      const place = places.get(name);
      const value = place === undefined ? undefined : fields[place];
      return value === "-" || value === "" ? undefined : value;
    };
    const damage = problemOfFields(fields, names.length, field);
    if (damage !== undefined) return damage;
    const method = field("cs-method");
    const stem = field("cs-uri-stem") ?? "";
    const query = field("cs-uri-query");
    const userAgent = field("cs(User-Agent)") ?? field("cs-user-agent");
    const request: LogRequest = {
      method,
      // CloudFront percent-encodes characters that the client did not encode, so the stem has the form of a URL path.
      target: query === undefined || (isRealTime(names) && stem.includes("?")) ? stem : `${stem}?${query}`,
      ...(places.has("cs-uri-query") || isRealTime(names) ? {} : { isPartial: true as const }),
      scheme: schemeOf(field("cs-protocol")),
      // x-host-header is the Host header of the request; cs(Host) or cs-host is the domain name of the distribution.
      host: hostTextOf(field("x-host-header")) ?? hostTextOf(field("cs(Host)")) ?? hostTextOf(field("cs-host")),
      userAgent: userAgent === undefined ? undefined : headerOf(userAgent),
      time: utcOf(field("date"), field("time")) ?? field("timestamp(ms)") ?? field("timestamp"),
      client: field("c-ip"),
      status: field("sc-status") ?? (places.has("sc-status") ? "-" : undefined),
      bytes: field("sc-bytes"),
      referer: field("cs(Referer)") ?? field("cs-referer"),
      ...(places.has("cs(User-Agent)") || places.has("cs-user-agent") ? {} : { lacksAgents: true as const }),
    };
    return withProblem(request, problemOfTarget(method, stem));
  };
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

/**
 * The pattern of lines with these fields; none if a required field is missing or a field of `fieldsByName` is repeated. The parser then
 * reads each line.
 */
function patternsOf(names: readonly string[]): readonly LogPattern[] {
  const steps = names.map((name, index) => {
    const field = fieldsByName.get(name) ?? "other";
    return { field, end: index === names.length - 1 ? "" : "\t", without: unclearIn(field, "\t") };
  });
  const isUsual = [...fieldsByName.keys()].every((name) => names.indexOf(name) === names.lastIndexOf(name));
  const hasAll = ["cs-uri-stem", "cs-uri-query", "x-host-header", "date", "time"].every((name) => names.includes(name));
  if (!isUsual || !hasAll || isRealTime(names)) return [];
  return [
    {
      steps,
      hasRest: false,
      originOf: (host) => ({ host: hostTextOf(host), scheme: undefined }),
      schemeOf,
      headerOf,
    },
  ];
}

function schemeOf(protocol: string | undefined): LogRequest["scheme"] {
  if (protocol === "https" || protocol === "wss") return "https";
  return protocol === "http" || protocol === "ws" ? "http" : undefined;
}

/** The bytes of the header in a log field. Older logs escape a header twice. */
function headerOf(field: string): string {
  const once = withoutEscapes(field);
  return /%20/.test(once) && !once.includes(" ") ? withoutEscapes(once) : once;
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
