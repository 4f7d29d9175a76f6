// Exports the public names of @robots-stream/fetch/platform: a client and a transport over the platform's own `fetch`, for runtimes without
// sockets. Imports no Node module, and neither undici nor basic-ftp.
export { FetchError, type FetchErrorCode } from "./common/errors.ts";
export { type PlatformClientOptions, createRobotsClient } from "./platform/client.ts";
export { type MissingGuard, type MissingGuardName, missingGuards } from "./platform/missing-guards.ts";
export { type FetchTransport, type FetchTransportOptions, createFetchTransport } from "./platform/transport.ts";
export { type MemoryStoreOptions, createMemoryStore } from "./stores/memory.ts";
