// Makes a client over this package's own transports: http and https over undici, ftp over basic-ftp.
import { type ClientOptions, checkMethods, clientChecks, clientSettingsOf } from "./client-options.ts";
import { createClientOver, withoutClose } from "./client-over.ts";
import { ftpTransportOver } from "../network/ftp.ts";
import { type HttpTransportOptions, httpChecks, httpTransportOver } from "../network/http.ts";
import { createNetworkContext } from "../network/network-context.ts";
import { type Checks, anObject, readOptions } from "../common/options.ts";
import type { RobotsClient, Transport } from "../common/types.ts";

/** Options of `createRobotsClient`: the options of every client, the options of the http transport, and `transport`. */
export interface RobotsClientOptions extends ClientOptions, HttpTransportOptions {
  /** Replaces this package's own transports; their options then have no effect. The client does not close an injected transport. */
  readonly transport?: Transport;
  /**
   * Returns the time in milliseconds since the epoch, for freshness and outages. Default: Date.now. Timeouts use timers, not this clock.
   */
  readonly now?: () => number;
}

const checks: Checks<RobotsClientOptions> = { ...httpChecks, ...clientChecks, transport: anObject };

/** Makes a client. Throws `ERR_INVALID_OPTION` at once for invalid options. */
export function createRobotsClient(given: RobotsClientOptions = {}): RobotsClient {
  const options = readOptions(given, checks);
  checkMethods("transport", options.transport, ["exchange"]);
  const settings = clientSettingsOf(options);
  const { transport } = options;
  return createClientOver(transport === undefined ? ownTransportOf(options) : withoutClose(transport), settings);
}

/** Makes one transport for all schemes. http and ftp share one network context, so they share the turns at a server. */
function ownTransportOf(options: RobotsClientOptions): Transport {
  const network = createNetworkContext(options);
  const http = httpTransportOver(network, { ...options, errorPages: options.errorPages ?? options.soft404 ?? false });
  const ftp = ftpTransportOver(network, options.now);
  return {
    exchange: (url, limits, signal, slot) => (url.startsWith("ftp:") ? ftp : http).exchange(url, limits, signal, slot),
    async close() {
      await http.close?.();
      await ftp.close?.();
      network.close();
    },
  };
}
