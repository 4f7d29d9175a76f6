// The public names of @robots-stream/logs.
import { combined, common, vhostCombined } from "./access.ts";
import { cdx } from "./cdx.ts";
import { cloudfront } from "./cloudfront.ts";
import { cloudLogs } from "./kinds/clouds.ts";
import { proxyLogs } from "./kinds/proxies.ts";
import { webServerLogs } from "./kinds/web.ts";
import { cloudJsonLogs } from "./json-clouds.ts";
import { jsonLogOf } from "./json-kind.ts";
import { serverJsonLogs } from "./json-servers.ts";
import { caddy, cloudflare } from "./objects.ts";
import { behindPrefix } from "./prefix.ts";
import { textLogOf } from "./text-log.ts";
import type { LineLogFormat, ObjectLogFormat } from "./types.ts";
import { w3c } from "./w3c.ts";

export {
  type LineLogFormat,
  type LineParser,
  type LogFact,
  type LogPattern,
  type LogProblem,
  type LogProblemCode,
  type LogRequest,
  type LogSamples,
  type NamedHost,
  type ObjectField,
  type ObjectLogFormat,
  type PatternField,
  type PatternStep,
  isLogProblem,
} from "./types.ts";
export { type Base, canBeHost, type HostBases, isHostOfRequest, namedHostOf, urlOf } from "./host.ts";
export { type LogTime, instantOf, timeIn, timeTextOf } from "./instant.ts";
export { LogClock } from "./instant.ts";
export { mayBeClient } from "./joined-lines.ts";
export type { Captured } from "./pattern/captures.ts";
export { type NamedPattern, patternIn, patternsOf } from "./pattern/configuration.ts";
export { looksLikeLogLine, suggestedPattern } from "./pattern/suggest.ts";
export { type PatternProblem, isPatternProblem } from "./pattern/steps.ts";
export { DividedLines, dividedLine, prefixLengthOf, problemOfMessage } from "./prefix.ts";
export { logFormatOf } from "./text-log.ts";
export { type JsonRecord, jsonRecordOf } from "./json-record.ts";
export { scalarTextOf, valueAt } from "./json-record.ts";

/** Formats whose lines also fit the formats common or combined. */
const special: readonly LineLogFormat[] = webServerLogs.map(textLogOf);

/** The log formats with one text line per request. At most one of these formats recognizes a line that is not a heading. */
export const lineLogFormats: readonly LineLogFormat[] = [
  ...[common, combined, vhostCombined].map(withoutSpecial).map((format) => behindPrefix(format)),
  ...special.map((format) => behindPrefix(format)),
  cloudfront,
  w3c,
  ...[...proxyLogs, ...cloudLogs].map(textLogOf).map((format) => behindPrefix(format)),
  cdx,
];

/** The same format, but it does not recognize lines that one of the special kinds recognizes. */
function withoutSpecial(format: LineLogFormat): LineLogFormat {
  return { ...format, recognizes: (line) => format.recognizes(line) && !special.some((each) => each.recognizes(line)) };
}

/** The log formats with one JSON object per line. At most one of these formats recognizes a line. */
export const objectLogFormats: readonly ObjectLogFormat[] = [
  cloudflare,
  caddy,
  ...[...serverJsonLogs, ...cloudJsonLogs].map(jsonLogOf),
];
