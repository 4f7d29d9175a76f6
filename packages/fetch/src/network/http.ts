// Implements the transport for http:// and https://, which follows redirects under one deadline, and guards and records every hop (RFC 9309
// §2.3.1.2). An exchange records facts only; policy.ts judges them.
import { acceptEncoding } from "./codings.ts";
import { createConnector } from "./connect.ts";
import { type Traffic, followHops } from "./follow.ts";
import type { HopsShared } from "./hop.ts";
import { createLateModule } from "../common/late.ts";
import { type Checks, aBoolean, aText, eitherOf, readOptions, texts } from "../common/options.ts";
import { type NetworkContext, type NetworkOptions, networkChecks, transportOverOwn } from "./network-context.ts";
import { requestHeadersOf } from "./request.ts";
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
}

/** The check of each option. */
export const httpChecks: Checks<HttpTransportOptions> = {
  ...networkChecks,
  userAgent: aText,
  ca: eitherOf(aText, texts),
  insecureTls: aBoolean,
  errorPages: aBoolean,
};

/** The default User-Agent header. */
export const defaultUserAgent = "robots-stream (+https://github.com/robots-stream/robots-stream)";

/**
 * A transport for http:// and https://. Loads undici with the first connection. Throws `ERR_INVALID_OPTION` for an unknown option and
 * for an invalid value: a User-Agent header that is not printable ASCII, an invalid address block, an invalid proxy.
 */
export function createHttpTransport(given: HttpTransportOptions = {}): Transport {
  const options = readOptions(given, httpChecks);
  return transportOverOwn(options, (network) => httpTransportOver(network, options));
}

/** The http transport over a network context that other transports share. Closing the transport leaves the context open. */
export function httpTransportOver(network: NetworkContext, options: HttpTransportOptions): Transport {
  const userAgent = options.userAgent ?? defaultUserAgent;
  const headers = requestHeadersOf(userAgent, acceptEncoding);
  const { ca, insecureTls = false, errorPages = false, now = Date.now } = options;
  const connector = createConnector({ network, ...(ca === undefined ? {} : { ca }), insecureTls, userAgent });
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
