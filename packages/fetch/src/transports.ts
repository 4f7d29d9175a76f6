// Exports the public names of @robots-stream/fetch/transports: the transports over sockets and their parts, for programs that make
// exchanges themselves or implement a transport.
import "./supported-node.ts";
export { type FtpTransportOptions, createFtpTransport } from "./ftp.ts";
export type { AllowPrivate, Guard } from "./guard-maker.ts";
export { createGuard } from "./guard.ts";
export { type HttpTransportOptions, createHttpTransport, defaultUserAgent } from "./http.ts";
export { type Limits, defaultLimits, limitsOf } from "./limits.ts";
export {
  type DirectLookupOptions,
  type Holder,
  type Lookup,
  type ResolvedAddress,
  createDirectLookup,
  systemLookup,
} from "./lookup.ts";
export type { NetworkOptions } from "./network-context.ts";
export type { ProxyOption } from "./proxy.ts";
