// Exports the names of @robots-stream/fetch/internal, which the packages of this project share. Unstable: any release may change these
// names.
import "./supported-node.ts";
export { type Coding, codingsOf } from "./codings.ts";
export { type HttpHead, headEndOf, httpHeadOf } from "./http-head.ts";
export { type InForceReader, readerOf } from "./in-force.ts";
export { defaultLimits, limitsOf } from "./limits.ts";
export { storedOf } from "./loaded.ts";
export { parsedOriginLoadOf } from "./parsed-origin.ts";
export { oldNodeMessage } from "./node-version.ts";
export { accessOfStatus, accessPolicies, fileLengthOf, judgeAgain } from "./policy.ts";
export { wholeBodyOf, wholeLinesOf } from "./whole-lines.ts";
export { isWithinLimits } from "./within-limits.ts";
