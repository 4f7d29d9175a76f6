// A URL's host and port → a connected socket to an address that the guard lets pass: the literal is checked first, then
// every address a name resolves to, so that no answer of a resolver and no redirect leads inside.
import { type LookupFunction, type Socket, connect as connectTcp, isIP } from "node:net";
import { type ConnectionOptions, type SecureContext, connect as connectTls, createSecureContext } from "node:tls";
import { type Failure, type Phase, RefusedError } from "./failures.ts";
import type { ResolvedAddress } from "./lookup.ts";
import type { Proxy } from "./proxy.ts";
import type { Reach } from "./reach.ts";
import { openTunnel } from "./tunnel.ts";

/** What every connection of a transport shares. */
export interface ConnectOptions {
  readonly reach: Reach;
  /** Certificates (PEM) trusted instead of the system's list. */
  readonly ca?: string | readonly string[];
  /** Take any certificate. */
  readonly insecureTls?: boolean;
  /** What a proxy hears as User-Agent. */
  readonly userAgent: string;
}

/** Watches one connection; the hop that owns it. */
export interface ConnectObserver {
  /** Nobody waits for the connection any more. */
  readonly over: boolean;
  /** The connection entered a phase: resolve, connect, tls, head. */
  enter(phase: Phase): void;
  /** Waits for a turn at an address. */
  turnAt(address: string): Promise<void> | undefined;
  /** The socket exists, connected or not: whoever gives up destroys it. */
  opened(socket: Socket): void;
}

/** Opens sockets. */
export type Connector = (url: URL, observer: ConnectObserver) => Promise<Socket>;

/** One address gets this long before the next is tried (RFC 8305); Node's own 250 ms loses servers that are far away. */
const attemptTimeoutMs = 1_000;

/** A connector. The TLS context is made once, on the first https origin. It sets no timer: its hop gives up. */
export function createConnector(options: ConnectOptions): Connector {
  const { reach, insecureTls = false, userAgent } = options;
  let secureContext: SecureContext | undefined;

  function tlsOptionsFor(hostname: string): ConnectionOptions {
    const ca = options.ca === undefined ? {} : { ca: typeof options.ca === "string" ? options.ca : [...options.ca] };
    secureContext ??= createSecureContext(ca);
    return {
      host: hostname,
      // An address is no name for SNI (RFC 6066 §3), nor is the dot at the end of a name.
      servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      secureContext,
      rejectUnauthorized: !insecureTls,
    };
  }

  async function connectThrough(proxy: Proxy, url: URL, observer: ConnectObserver): Promise<Socket> {
    const { hostname, secure, port } = placeOf(url);
    const refusal = reach.guard.refuseHost(hostname);
    if (refusal !== undefined) throw new RefusedError({ code: "blocked-address", message: refusal });
    observer.enter("proxy");
    const addresses = await reach.addressesOfProxy(proxy);
    if (observer.over) throw givenUp();
    const to = { ...socketOptionsFor(addresses), host: proxy.hostname, port: proxy.port };
    const socket = proxy.isSecure ? connectTls({ ...to, ...tlsOptionsFor(proxy.hostname) }) : connectTcp(to);
    await connected(socket, proxy.isSecure ? "secureConnect" : "connect", observer);
    if (secure) {
      observer.enter("connect");
      const { authorization } = proxy;
      await openTunnel(socket, `${url.hostname}:${port}`, { userAgent, authorization });
      if (observer.over) throw givenUp();
      observer.enter("tls");
      const inner = connectTls({ ...tlsOptionsFor(hostname), socket });
      await connected(inner, "secureConnect", observer);
      observer.enter("head");
      return inner;
    }
    observer.enter("head");
    return socket;
  }

  return async (url, observer) => {
    const proxy = reach.proxyFor(url);
    if (proxy !== undefined) return connectThrough(proxy, url, observer);
    const { hostname, secure, port } = placeOf(url);
    observer.enter("resolve");
    const addresses = await reach.addressesOf(hostname);
    if (observer.over) throw givenUp();
    await observer.turnAt(addresses[0]?.address ?? "");
    if (observer.over) throw givenUp();
    observer.enter("connect");
    const to = { ...socketOptionsFor(addresses), host: hostname, port };
    const socket = secure ? connectTls({ ...to, ...tlsOptionsFor(hostname) }) : connectTcp(to);
    if (secure) socket.once("connect", () => observer.enter("tls"));
    await connected(socket, secure ? "secureConnect" : "connect", observer);
    observer.enter("head");
    return socket;
  };
}

function placeOf(url: URL): { readonly hostname: string; readonly secure: boolean; readonly port: number } {
  const secure = url.protocol === "https:";
  const hostname = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  return { hostname, secure, port: Number(url.port || (secure ? 443 : 80)) };
}

function givenUp(): RefusedError {
  return new RefusedError({ code: "aborted", message: "given up while resolving" } satisfies Failure);
}

/** Answers with what was checked, and asks nobody again. */
function socketOptionsFor(addresses: readonly ResolvedAddress[]) {
  const lookup: LookupFunction = (_name, { all }, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family ?? 4);
  };
  return {
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    noDelay: true,
    // The hop that owns it ends it: not the other side's FIN, while a piece of the body is still being decoded.
    allowHalfOpen: true,
  } as const;
}

function connected(socket: Socket, event: "connect" | "secureConnect", observer: ConnectObserver): Promise<void> {
  observer.opened(socket);
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(Object.assign(new Error("closed while connecting"), { code: "ECONNRESET" }));
    socket.once("error", reject);
    socket.once("close", onClose);
    socket.once(event, () => {
      // Every connection is closed in the end: that is no error, and making one is not for nothing.
      socket.off("close", onClose);
      resolve();
    });
  });
}
