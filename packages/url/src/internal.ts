// The names of @robots-stream/url/internal, for this project's own packages. Unstable: any release may change them.
export { octetsOf } from "./ip-address.ts";
export { RawUrlScanner } from "./raw.ts";
