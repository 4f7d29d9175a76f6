// The public names of @robots-stream/logs.
import { combined, common, vhostCombined } from "./access.ts";
import { alb } from "./alb.ts";
import { cdx } from "./cdx.ts";
import { cloudfront } from "./cloudfront.ts";
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
import type { LineLogFormat, ObjectLogFormat } from "./types.ts";

export {
  type LineLogFormat,
  type LineParser,
  type LogFact,
  type LogPattern,
  type LogProblem,
  type LogProblemCode,
  type LogRequest,
  type LogSamples,
  type ObjectLogFormat,
  type PatternField,
  type PatternStep,
  isLogProblem,
} from "./types.ts";
export { instantOf } from "./instant.ts";
export { scalarTextOf, valueAt } from "./paths.ts";
export { type Base, urlOf } from "./url.ts";

/** The log formats with one text line per request. At most one of these formats recognizes a line. */
export const lineLogFormats: readonly LineLogFormat[] = [common, combined, vhostCombined, cloudfront, alb, cdx];

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
