// Exports the public names of @robots-stream/fetch/transports: the transports over sockets and their parts, for programs that make
// exchanges themselves or implement a transport.
import "./common/supported-node.ts";
export { type FtpTransportOptions, createFtpTransport } from "./network/ftp.ts";
export { type AllowPrivate, createGuard, type Guard } from "./network/guard.ts";
export { type HttpTransportOptions, createHttpTransport, defaultUserAgent } from "./network/http.ts";
export { type Limits, defaultLimits, limitsOf } from "./common/limits.ts";
export {
  type DirectLookupOptions,
  type Holder,
  type Lookup,
  type ResolvedAddress,
  createDirectLookup,
  systemLookup,
} from "./network/lookup.ts";
export type { NetworkOptions } from "./network/network-context.ts";
export type { ProxyOption } from "./network/proxy.ts";
