// Creates the network context that all transports of a client share: name resolution, address guard, choice of proxies, and the semaphore
// that limits simultaneous requests to one origin or address.
import { isIP } from "node:net";
import { RefusedError } from "../common/failures.ts";
import { type AllowPrivate, type Guard, createGuard } from "./guard.ts";
import { type Holder, type Lookup, type ResolvedAddress, createDirectLookup, systemLookup } from "./lookup.ts";
import { type Checks, aBoolean, aFunction, aText, eitherOf, oneOf, texts, wholeNumber } from "../common/options.ts";
import { type Proxy, type ProxyOption, proxyChoiceOf } from "./proxy.ts";
import { KeyedSemaphore } from "../common/semaphore.ts";
import type { Transport } from "../common/types.ts";

/** Options that every transport over sockets has. */
export interface NetworkOptions {
  /** Resolves names instead of the built-in resolvers. The guard also checks the addresses that this function returns. */
  readonly lookup?: Lookup;
  /** "direct" (default): the hosts file, then parallel queries to name servers. "system": the operating system's resolver. */
  readonly resolver?: "direct" | "system";
  /** Non-public addresses to which requests may go. Default: none. */
  readonly allowPrivate?: AllowPrivate;
  /** Simultaneous requests to one IP address, for all origins together. Default 8. */
  readonly perAddress?: number;
  /** One proxy for all URLs, or a function that returns the proxy of a URL, such as `proxyOfEnv(process.env)`. Default: none. */
  readonly proxy?: ProxyOption;
  /** Returns the time in milliseconds since the epoch. Default: Date.now. Timeouts use timers, not this clock. */
  readonly now?: () => number;
}

/** The parts that the transports of a client share. */
export interface NetworkContext {
  readonly guard: Guard;
  readonly turns: KeyedSemaphore;
  readonly perAddress: number;
  /** The proxy for a URL, or undefined for none. Call it once per request: the result may change. May throw a `RefusedError`. */
  proxyFor(url: URL): Proxy | undefined;
  /** Resolves a host to the addresses that the guard allows. Rejects with a `RefusedError` or the resolver's error. */
  addressesOf(hostname: string, holder?: Holder): Promise<readonly ResolvedAddress[]>;
  /** Resolves the host of a proxy. The guard does not check the addresses, because the caller chose the proxy. */
  addressesOfProxy(proxy: Proxy): Promise<readonly ResolvedAddress[]>;
  close(): void;
}

/** How long the addresses of a proxy are cached. */
const proxyAddressesMs = 60_000;

/** The check of each option; transports add the checks of their own options. */
export const networkChecks: Checks<NetworkOptions> = {
  lookup: aFunction,
  resolver: oneOf("direct", "system"),
  allowPrivate: eitherOf(aBoolean, texts),
  perAddress: wholeNumber(1),
  proxy: eitherOf(aText, aFunction),
  now: aFunction,
};

/**
 * Makes a transport over a network context of its own: closing the transport closes both. Throws `ERR_INVALID_OPTION` for invalid values.
 */
export function transportOverOwn(options: NetworkOptions, over: (network: NetworkContext) => Transport): Transport {
  const network = createNetworkContext(options);
  const transport = over(network);
  return {
    exchange: transport.exchange,
    close() {
      void transport.close?.();
      network.close();
    },
  };
}

function createNetworkContext(options: NetworkOptions): NetworkContext {
  const { resolver = "direct", perAddress = 8 } = options;
  const guard = createGuard(options.allowPrivate);
  const proxyFor = proxyChoiceOf(options.proxy);
  const ownLookup = resolver === "system" ? systemLookup : createDirectLookup();
  const lookup = options.lookup ?? ownLookup;
  const proxyAddresses = new Map<
    string,
    { readonly until: number; readonly found: Promise<readonly ResolvedAddress[]> }
  >();

  return {
    guard,
    turns: new KeyedSemaphore(),
    perAddress,
    proxyFor,
    async addressesOf(hostname, holder) {
      const refusal = guard.refuseHost(hostname);
      if (refusal !== undefined) throw new RefusedError({ code: "blocked-address", message: refusal });
      const literal = literalOf(hostname);
      if (literal !== undefined) return literal;
      if (!isResolvable(hostname)) {
        throw new RefusedError({ code: "dns-invalid", message: "the host name violates RFC 1035 §2.3.4" });
      }
      const found = await lookup(hostname, holder);
      if (found.length === 0) throw new RefusedError({ code: "dns-not-found", message: `${hostname} has no address` });
      const free = found.filter(({ address }) => guard.refuseAddress(address) === undefined);
      if (free.length === 0) {
        const why = guard.refuseAddress(found[0]?.address ?? "") ?? "";
        throw new RefusedError({ code: "blocked-address", message: `${hostname}: ${why}` });
      }
      return free;
    },
    addressesOfProxy({ hostname }) {
      const literal = literalOf(hostname);
      if (literal !== undefined) return Promise.resolve(literal);
      const known = proxyAddresses.get(hostname);
      if (known !== undefined && performance.now() < known.until) return known.found;
      // With the system's resolver: proxies often have short names, which only the system can complete.
      const found = systemLookup(hostname);
      proxyAddresses.set(hostname, { until: performance.now() + proxyAddressesMs, found });
      found.catch(() => proxyAddresses.delete(hostname));
      return found;
    },
    close: () => ownLookup.close?.(),
  };
}

function literalOf(hostname: string): readonly ResolvedAddress[] | undefined {
  const family = isIP(hostname);
  return family === 0 ? undefined : [{ address: hostname, family: family === 6 ? 6 : 4 }];
}

/** Whether a name has labels of 1 to 63 octets, and at most 253 octets in all; a trailing dot is allowed. */
function isResolvable(hostname: string): boolean {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name.length <= 253 && name.split(".").every((label) => label.length >= 1 && label.length <= 63);
}
