// The public names of @robots-stream/core/product-tokens: functions for names of crawlers (RFC 9309 §2.2.1).
export { groupNameOf } from "./group-name.ts";
export { isProductToken } from "./token.ts";
