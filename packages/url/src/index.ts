// The public names of @robots-stream/url.
export { UrlError, type UrlErrorCode } from "./errors.ts";
export { normalizeTarget } from "./normalize.ts";
export { robotsUrlOf } from "./origin.ts";
export { parseTarget, problemOf } from "./target.ts";
export type { Origin, ParsedTarget, UrlProblem } from "./types.ts";
