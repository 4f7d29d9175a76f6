// Makes a client over the platform's own fetch.
import { type ClientOptions, clientChecks } from "../client/client-options.ts";
import { createClient } from "../client/client-over.ts";
import { type Checks, readOptions } from "../common/options.ts";
import type { RobotsClient, Transport } from "../common/types.ts";
import { type FetchTransportOptions, createFetchTransport, fetchChecks } from "./transport.ts";

/** Options of this `createRobotsClient`: the options of every client, and the options of the transport over fetch. */
export interface PlatformClientOptions extends ClientOptions, FetchTransportOptions {}

const checks: Checks<PlatformClientOptions> = { ...fetchChecks, ...clientChecks };

/**
 * Creates a client like `createRobotsClient` of the main entry, but over the platform's fetch, without the guards that
 * `missingGuards` lists. Throws `ERR_INVALID_OPTION` at once for invalid options.
 */
export function createRobotsClient(given: PlatformClientOptions = {}): RobotsClient {
  return createClient(readOptions(given, checks), ownTransportOf);
}

function ownTransportOf(options: PlatformClientOptions): Transport {
  const names = Object.keys(fetchChecks) as (keyof FetchTransportOptions)[];
  return createFetchTransport(Object.fromEntries(names.map((name) => [name, options[name]])));
}
