// A URL's host and port → a connected socket to an address that the guard lets pass: the literal is checked first, then
// every address a name resolves to, so that no answer of a resolver and no redirect leads inside.
import { type LookupFunction, type NetConnectOpts, type Socket, connect as connectTcp, isIP } from "node:net";
import { type ConnectionOptions, type SecureContext, connect as connectTls, createSecureContext } from "node:tls";
import { type Failure, RefusedError } from "./failure-codes.ts";
import type { Phase } from "./failures.ts";
import type { ResolvedAddress } from "./lookup.ts";
import type { Proxy } from "./proxy.ts";
import type { NetworkContext } from "./network-context.ts";
import { type MonotonicTimer, startMonotonicTimer } from "./monotonic-timer.ts";
import { openTunnel } from "./tunnel.ts";

/** What every connection of a transport shares. */
export interface ConnectOptions {
  readonly network: NetworkContext;
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
  /** What to go through; without one `mayPush` counts. */
  readonly proxy: Proxy | undefined;
  /** The connection entered a phase: resolve, connect, tls, head. */
  enter(phase: Phase): void;
  /** Waits for a turn at an address; the one before is over. */
  turnAt(address: string): Promise<void> | undefined;
  /** A socket exists, connected or not, and takes the place of the one before: whoever gives up destroys it. */
  opened(socket: Socket): void;
  /** Waits for this machine to be ready to ask; no time runs. */
  hold(wait: Promise<void>): Promise<void>;
  /** It stands. */
  connected(socket: Socket): void;
  /** There is none. */
  failed(error: unknown): void;
}

/** Opens sockets. Tells the observer, and never throws. */
export type Connector = (url: URL, observer: ConnectObserver) => void;

/** One address gets this long before the next is tried (RFC 8305); Node's own 250 ms loses servers that are far away. */
const attemptTimeoutMs = 1_000;

/** A connector. The TLS context is made once, on the first https origin. It sets no timer: its hop gives up. */
export function createConnector(options: ConnectOptions): Connector {
  const { network, insecureTls = false, userAgent } = options;
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
    const refusal = network.guard.refuseHostOfProxy(hostname);
    if (refusal !== undefined) throw new RefusedError({ code: "blocked-address", message: refusal });
    observer.enter("proxy");
    const addresses = await network.addressesOfProxy(proxy);
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
      return inner;
    }
    return socket;
  }

  function open({ hostname, secure, port }: Place, address: string): Socket {
    const to = { host: address, port, allowHalfOpen: true };
    if (!secure) return connectTcp(to);
    // Only a handshake writes more than once.
    const secureTo: ConnectionOptions & Partial<NetConnectOpts> = { ...tlsOptionsFor(hostname), ...to, noDelay: true };
    return connectTls(secureTo);
  }

  return (url, observer) => {
    const { proxy } = observer;
    if (proxy !== undefined) {
      connectThrough(proxy, url, observer).then((socket) => observer.connected(socket), observer.failed);
      return;
    }
    const place = placeOf(url);
    observer.enter("resolve");
    const attempts = new Attempts(place, (address) => open(place, address), observer);
    network.addressesOf(place.hostname, observer).then(attempts.begin, observer.failed);
  };
}

/** The addresses of a place, tried one after another until one connects. */
class Attempts {
  readonly #place: Place;
  readonly #open: (address: string) => Socket;
  readonly #observer: ConnectObserver;
  #addresses: readonly ResolvedAddress[] = [];
  #next = 0;
  #errors: unknown[] | undefined;

  constructor(place: Place, open: (address: string) => Socket, observer: ConnectObserver) {
    this.#place = place;
    this.#open = open;
    this.#observer = observer;
  }

  readonly begin = (addresses: readonly ResolvedAddress[]): void => {
    this.#addresses = alternated(addresses);
    this.#tryNext();
  };

  #tryNext(): void {
    const observer = this.#observer;
    if (observer.over) return;
    const { address } = this.#addresses[this.#next++]!;
    const turn = observer.turnAt(address);
    if (turn === undefined) this.#try(address);
    else turn.then(() => this.#try(address), observer.failed);
  }

  #try(address: string): void {
    const observer = this.#observer;
    if (observer.over) return;
    const { secure } = this.#place;
    observer.enter("connect");
    const socket = this.#open(address);
    observer.opened(socket);
    let isThere = false;
    let stands = false;
    // The last one may take what time there is.
    const timer = this.#next < this.#addresses.length ? destroyLater(socket, address) : undefined;
    const onStanding = (): void => {
      stands = true;
      observer.connected(socket);
    };
    const onEnd = (error: unknown): void => {
      timer?.cancel();
      if (stands) return;
      stands = true;
      // Another address leads to the same server.
      if (isThere) observer.failed(error);
      else this.#failOne(error);
    };
    socket.on("connect", () => {
      isThere = true;
      timer?.cancel();
      if (secure) observer.enter("tls");
      else onStanding();
    });
    socket.on("error", onEnd);
    if (secure) {
      socket.on("secureConnect", onStanding);
      socket.on("close", () => onEnd(Object.assign(new Error("closed while connecting"), { code: "ECONNRESET" })));
    }
  }

  #failOne(error: unknown): void {
    (this.#errors ??= []).push(error);
    if (this.#next < this.#addresses.length) this.#tryNext();
    else this.#observer.failed(this.#errors.length === 1 ? error : new AggregateError(this.#errors));
  }
}

function destroyLater(socket: Socket, address: string): MonotonicTimer {
  return startMonotonicTimer(attemptTimeoutMs, () => {
    const message = `no connection to ${address} within ${attemptTimeoutMs} ms`;
    if (socket.connecting) socket.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
  });
}

/** One family after the other by turns, the first one's first (RFC 8305 §4): many dead addresses of one do not hide the other. */
function alternated(addresses: readonly ResolvedAddress[]): readonly ResolvedAddress[] {
  const [first] = addresses;
  if (first === undefined || addresses.every(({ family }) => family === first.family)) return addresses;
  const same = addresses.filter(({ family }) => family === first.family);
  const others = addresses.filter(({ family }) => family !== first.family);
  return Array.from({ length: Math.max(same.length, others.length) }, (_, at) => [same[at], others[at]])
    .flat()
    .filter((address) => address !== undefined);
}

interface Place {
  readonly hostname: string;
  readonly secure: boolean;
  readonly port: number;
}

function placeOf(url: URL): Place {
  const secure = url.protocol === "https:";
  const hostname = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  return { hostname, secure, port: Number(url.port || (secure ? 443 : 80)) };
}

function givenUp(): RefusedError {
  return new RefusedError({ code: "aborted", message: "aborted while resolving" } satisfies Failure);
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
