// A URL's host and port → a connected socket to an address that the guard lets pass: the literal is checked first, then
// every address a name resolves to, so that no answer of a resolver and no redirect leads inside.
import { type LookupFunction, type Socket, connect as connectTcp, isIP } from "node:net";
import { type SecureContext, connect as connectTls, createSecureContext } from "node:tls";
import type { Failure, Phase } from "./failures.ts";
import type { Guard } from "./guard.ts";
import type { Lookup, ResolvedAddress } from "./lookup.ts";

/** What every connection of a transport shares. */
export interface ConnectOptions {
  readonly lookup: Lookup;
  readonly guard: Guard;
  /** Certificates (PEM) trusted instead of the system's list. */
  readonly ca?: string | readonly string[];
  /** Take any certificate. */
  readonly insecureTls?: boolean;
}

/** Watches one connection; the hop that owns it. */
export interface ConnectObserver {
  /** Nobody waits for the connection any more. */
  readonly over: boolean;
  /** The connection entered a phase: resolve, connect, tls, head. */
  enter(phase: Phase): void;
  /** The socket exists, connected or not: whoever gives up destroys it. */
  opened(socket: Socket): void;
}

/** Thrown for what the guard or the name itself forbids. */
export class RefusedError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Opens sockets. */
export type Connector = (url: URL, observer: ConnectObserver) => Promise<Socket>;

/** One address gets this long before the next is tried (RFC 8305); Node's own 250 ms loses servers that are far away. */
const attemptTimeoutMs = 1_000;

/** A connector. The TLS context is made once, on the first https origin. It sets no timer: its hop gives up. */
export function createConnector(options: ConnectOptions): Connector {
  let secureContext: SecureContext | undefined;

  return async (url, observer) => {
    const hostname = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
    observer.enter("resolve");
    const addresses = await addressesOf(hostname, options);
    if (observer.over) throw new RefusedError({ code: "aborted", message: "given up while resolving" });
    observer.enter("connect");
    const secure = url.protocol === "https:";
    const socketOptions = {
      host: hostname,
      port: Number(url.port || (secure ? 443 : 80)),
      lookup: pinned(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
      noDelay: true,
      // The hop that owns it ends it: not the other side's FIN, while a piece of the body is still being decoded.
      allowHalfOpen: true,
    };
    if (!secure) return connected(connectTcp(socketOptions), "connect", observer);
    const ca = options.ca === undefined ? {} : { ca: typeof options.ca === "string" ? options.ca : [...options.ca] };
    secureContext ??= createSecureContext(ca);
    const socket = connectTls({
      ...socketOptions,
      // An address is no name for SNI (RFC 6066 §3), nor is the dot at the end of a name.
      servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      secureContext,
      rejectUnauthorized: options.insecureTls !== true,
    });
    socket.once("connect", () => observer.enter("tls"));
    return connected(socket, "secureConnect", observer);
  };
}

async function addressesOf(hostname: string, options: ConnectOptions): Promise<readonly ResolvedAddress[]> {
  const refusal = options.guard.refuseHost(hostname);
  if (refusal !== undefined) throw new RefusedError({ code: "blocked-address", message: refusal });
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family: family === 6 ? 6 : 4 }];
  if (!isResolvable(hostname)) {
    throw new RefusedError({ code: "dns-invalid", message: "the host name does not fit RFC 1035 §2.3.4" });
  }
  const found = await options.lookup(hostname);
  if (found.length === 0) throw new RefusedError({ code: "dns-not-found", message: `${hostname} has no address` });
  const free = found.filter(({ address }) => options.guard.refuseAddress(address) === undefined);
  if (free.length === 0) {
    const why = options.guard.refuseAddress(found[0]?.address ?? "") ?? "";
    throw new RefusedError({ code: "blocked-address", message: `${hostname}: ${why}` });
  }
  return free;
}

/** Labels of 1 to 63 octets, 253 in all; a dot at the end is allowed. */
function isResolvable(hostname: string): boolean {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name.length <= 253 && name.split(".").every((label) => label.length >= 1 && label.length <= 63);
}

/** The lookup that Node's connect gets: it answers with what was checked and asks nobody again. */
function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_name, { all }, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family ?? 4);
  };
}

function connected(socket: Socket, event: "connect" | "secureConnect", observer: ConnectObserver): Promise<Socket> {
  observer.opened(socket);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", () => reject(Object.assign(new Error("closed while connecting"), { code: "ECONNRESET" })));
    socket.once(event, () => {
      observer.enter("head");
      resolve(socket);
    });
  });
}
