// The public names of @robots-stream/logs.
import { combined, common, vhostCombined } from "./access.ts";
import { alb } from "./alb.ts";
import { cdx } from "./cdx.ts";
import { cloudfront } from "./cloudfront.ts";
import { caddy, cloudflare } from "./objects.ts";
import type { LineLogFormat, ObjectLogFormat } from "./types.ts";

export {
  type LineLogFormat,
  type LineParser,
  type LogFact,
  type LogProblem,
  type LogProblemCode,
  type LogRequest,
  type LogSamples,
  type ObjectLogFormat,
  isLogProblem,
} from "./types.ts";
export { type Base, urlOf } from "./url.ts";

/** The formats of lines that are no JSON. A line is of at most one of them. */
export const lineLogFormats: readonly LineLogFormat[] = [common, combined, vhostCombined, cloudfront, alb, cdx];

/** The formats of one JSON object a line. */
export const objectLogFormats: readonly ObjectLogFormat[] = [cloudflare, caddy];
