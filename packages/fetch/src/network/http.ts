// Implements the transport for http:// and https://, which follows redirects under one deadline, and guards and records every hop (RFC 9309
// §2.3.1.2). An exchange records facts only; policy.ts judges them.
import { acceptEncoding } from "./codings.ts";
import { createConnector } from "./connect.ts";
import { FetchError } from "../common/errors.ts";
import { type Traffic, followHops } from "./follow.ts";
import type { HopsShared } from "./hop.ts";
import { createLateModule } from "../common/late.ts";
import { type Checks, aBoolean, aFunction, aText, eitherOf, readOptions, texts } from "../common/options.ts";
import { type NetworkContext, type NetworkOptions, createNetworkContext, networkChecks } from "./network-context.ts";
import type { Undici } from "./strict.ts";
import type { Transport } from "../common/types.ts";
import { ExchangesUnderWay } from "./under-way.ts";

/** Options of `createHttpTransport`. */
export interface HttpTransportOptions extends NetworkOptions {
  /** The User-Agent header. It should state the crawler's name, its purpose and a contact (RFC 9309 §2.2.1). */
  readonly userAgent?: string;
  /** Certificates (PEM) trusted instead of the system's list. */
  readonly ca?: string | readonly string[];
  /** Whether any certificate is accepted. Default false. */
  readonly insecureTls?: boolean;
  /** Also reads the beginning of the body of a 5xx response, for `soft404`. Default false. */
  readonly errorPages?: boolean;
  /** Returns the time in milliseconds since the epoch. Default: Date.now. Timeouts use timers, not this clock. */
  readonly now?: () => number;
}

/** The check of each option. */
export const httpChecks: Checks<HttpTransportOptions> = {
  ...networkChecks,
  userAgent: aText,
  ca: eitherOf(aText, texts),
  insecureTls: aBoolean,
  errorPages: aBoolean,
  now: aFunction,
};

/** The default User-Agent header. */
export const defaultUserAgent = "robots-stream (+https://github.com/robots-stream/robots-stream)";

/**
 * A transport for http:// and https://. Loads undici with the first connection. Throws `ERR_INVALID_OPTION` for an unknown option and
 * for an invalid value: a User-Agent header that is not printable ASCII, an invalid address block, an invalid proxy.
 */
export function createHttpTransport(given: HttpTransportOptions = {}): Transport {
  const options = readOptions(given, httpChecks);
  const network = createNetworkContext(options);
  const http = httpTransportOver(network, options);
  return {
    exchange: http.exchange,
    close() {
      void http.close?.();
      network.close();
    },
  };
}

/** The http transport over a network context that other transports share. Closing the transport leaves the context open. */
export function httpTransportOver(network: NetworkContext, options: HttpTransportOptions): Transport {
  const userAgent = options.userAgent ?? defaultUserAgent;
  if (!/^[\x20-\x7e]+$/.test(userAgent)) {
    throw new FetchError("ERR_INVALID_OPTION", "userAgent must be printable ASCII, and not empty");
  }
  const { ca, insecureTls = false, errorPages = false, now = Date.now } = options;
  const connector = createConnector({ network, ...(ca === undefined ? {} : { ca }), insecureTls, userAgent });
  const headers = {
    "user-agent": userAgent,
    accept: "text/plain, text/*;q=0.9, */*;q=0.8",
    "accept-encoding": acceptEncoding,
  };
  const traffic: Traffic = { underWay: new Map(), gone: new Map() };
  const underWay = new ExchangesUnderWay();
  const undici = createLateModule<Undici>("undici", () => import("undici"));
  const shared: HopsShared = { undici, connector, network, headers, errorPages };

  return {
    exchange(robotsUrl, limits, signal, slot) {
      return underWay.run({ limits, signal, slot, now }, (course) =>
        followHops(robotsUrl, { shared, traffic, limits, course }),
      );
    },
    close() {
      underWay.close();
    },
  };
}
