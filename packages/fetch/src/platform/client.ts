// Makes a client over the platform's own fetch.
import { type ClientOptions, checkMethods, clientChecks, clientSettingsOf } from "../client/client-options.ts";
import { createClientOver, withoutClose } from "../client/client-over.ts";
import { type Checks, anObject, readOptions } from "../common/options.ts";
import type { RobotsClient, Transport } from "../common/types.ts";
import { type FetchTransportOptions, createFetchTransport, fetchChecks } from "./transport.ts";

/** Options of this `createRobotsClient`: the options of every client, the options of the transport over fetch, and `transport`. */
export interface PlatformClientOptions extends ClientOptions, FetchTransportOptions {
  /** Replaces the transport over fetch, whose options then have no effect. The client does not close an injected transport. */
  readonly transport?: Transport;
  /**
   * Returns the time in milliseconds since the epoch, for freshness and outages. Default: Date.now. Timeouts use timers, not this clock.
   */
  readonly now?: () => number;
}

const checks: Checks<PlatformClientOptions> = { ...fetchChecks, ...clientChecks, transport: anObject };

/**
 * Creates a client like `createRobotsClient` of the main entry, but over the platform's fetch, without the guards that
 * `missingGuards` lists. Throws `ERR_INVALID_OPTION` at once for invalid options.
 */
export function createRobotsClient(given: PlatformClientOptions = {}): RobotsClient {
  const options = readOptions(given, checks);
  checkMethods("transport", options.transport, ["exchange"]);
  const settings = clientSettingsOf(options);
  const { transport } = options;
  if (transport !== undefined) return createClientOver(withoutClose(transport), settings);
  return createClientOver(createFetchTransport(transportOptionsOf(options)), settings);
}

function transportOptionsOf(options: PlatformClientOptions): FetchTransportOptions {
  const names = Object.keys(fetchChecks) as (keyof FetchTransportOptions)[];
  const given = Object.fromEntries(names.map((name) => [name, options[name]])) as FetchTransportOptions;
  return { ...given, errorPages: options.errorPages ?? options.soft404 ?? false };
}
