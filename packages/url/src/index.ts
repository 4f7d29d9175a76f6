// The public names of @robots-stream/url.
export { type Origin, type ParsedTarget, type UrlErrorCode, type UrlProblem, UrlError } from "./types.ts";
export { normalizeTarget } from "./normalize.ts";
export { robotsUrlOf } from "./parse.ts";
export { parseTarget, problemOf } from "./target.ts";
