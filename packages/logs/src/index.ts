// The public names of @robots-stream/logs.
import { combined, common, vhostCombined } from "./access.ts";
import { cdx } from "./cdx.ts";
import { cloudfront } from "./cloudfront.ts";
import { alb, alibaba, elb, heroku, s3 } from "./kinds/clouds.ts";
import { envoy, haproxy, squid } from "./kinds/proxies.ts";
import { akamai, combinedHost, lighttpd, traefik, varnishncsa } from "./kinds/web.ts";
import {
  akamaiJson,
  awsWaf,
  azureFrontDoor,
  azureGateway,
  cloudfrontJson,
  fastly,
  gcp,
  vercel,
} from "./json-clouds.ts";
import { jsonLogOf } from "./json-kind.ts";
import { envoyJson, nginxJson, traefikJson } from "./json-servers.ts";
import { caddy, cloudflare } from "./objects.ts";
import { behindPrefix } from "./prefix.ts";
import { type TextLogKind, textLogOf } from "./text-log.ts";
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

/** Kinds of text logs whose lines also fit the formats common or combined: they have more fields. */
const special: readonly LineLogFormat[] = [combinedHost, lighttpd, traefik, varnishncsa, akamai].map(textLogOf);

/** The kinds of text logs that are rows of data. Add a new kind here. */
const kinds: readonly TextLogKind[] = [squid, haproxy, envoy, s3, elb, alb, heroku, alibaba];

/** The log formats with one text line per request. At most one of these formats recognizes a line that is not a heading. */
export const lineLogFormats: readonly LineLogFormat[] = [
  ...[common, combined, vhostCombined].map(withoutSpecial).map((format) => behindPrefix(format)),
  ...special.map((format) => behindPrefix(format)),
  cloudfront,
  w3c,
  ...kinds.map(textLogOf).map((format) => behindPrefix(format)),
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
  ...[
    nginxJson,
    envoyJson,
    traefikJson,
    gcp,
    azureFrontDoor,
    azureGateway,
    awsWaf,
    cloudfrontJson,
    fastly,
    akamaiJson,
    vercel,
  ].map(jsonLogOf),
];
