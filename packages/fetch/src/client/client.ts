// Makes a client over this package's own transports: http and https over undici, ftp over basic-ftp.
import { type ClientOptions, clientChecks } from "./client-options.ts";
import { createClient } from "./client-over.ts";
import { ftpTransportOver } from "../network/ftp.ts";
import { type HttpTransportOptions, httpChecks, httpTransportOver } from "../network/http.ts";
import { transportOverOwn } from "../network/network-context.ts";
import { type Checks, readOptions } from "../common/options.ts";
import type { RobotsClient, Transport } from "../common/types.ts";

/** Options of `createRobotsClient`: the options of every client, and the options of the http transport. */
export interface RobotsClientOptions extends ClientOptions, HttpTransportOptions {}

const checks: Checks<RobotsClientOptions> = { ...httpChecks, ...clientChecks };

/** Makes a client. Throws `ERR_INVALID_OPTION` at once for invalid options. */
export function createRobotsClient(given: RobotsClientOptions = {}): RobotsClient {
  return createClient(readOptions(given, checks), ownTransportOf);
}

/** Makes one transport for all schemes. http and ftp share one network context, so they share the turns at a server. */
function ownTransportOf(options: HttpTransportOptions): Transport {
  return transportOverOwn(options, (network) => {
    const http = httpTransportOver(network, options);
    const ftp = ftpTransportOver(network, options.now);
    return {
      exchange: (url, ...call) => (url.startsWith("ftp:") ? ftp : http).exchange(url, ...call),
      close() {
        void http.close?.();
        void ftp.close?.();
      },
    };
  });
}
