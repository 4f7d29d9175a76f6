// The public names of @robots-stream/url.
export { UsageError, type UsageErrorCode } from "./errors.ts";
export { normalizeTarget } from "./normalize.ts";
export { type Origin, robotsUrlOf } from "./origin.ts";
export { rawAuthorityEndOf, rawTargetEndOf } from "./raw.ts";
export { type ParsedTarget, type UrlProblem, parseTarget, problemOf } from "./target.ts";
