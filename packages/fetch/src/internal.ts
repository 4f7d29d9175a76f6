// Exports the names of @robots-stream/fetch/internal, which the packages of this project share. Unstable: any release may change these
// names.
import "./common/supported-node.ts";
export { type Coding, codingsOf } from "./network/codings.ts";
export { type HttpHead, headEndOf, httpHeadOf } from "./network/http-head.ts";
export { type InForceReader, readerOf } from "./access/in-force.ts";
export { defaultLimits, limitsOf } from "./common/limits.ts";
export { isWithinLimits, storedOf } from "./access/loaded.ts";
export { oldNodeMessage } from "./common/node-version.ts";
export { accessOfStatus, accessPolicies, fileLengthOf, judgeAgain } from "./access/policy.ts";
export { wholeBodyOf, wholeLinesOf } from "./common/body.ts";
