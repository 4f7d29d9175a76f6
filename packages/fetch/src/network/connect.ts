// Connects a socket to the host and port of a URL, at an address that the guard allows. The guard checks literal addresses and every
// address that a name resolves to, so that neither a resolver nor a redirect can lead to a blocked address.
import { type Socket, connect as connectTcp, isIP } from "node:net";
import { type ConnectionOptions, type SecureContext, connect as connectTls, createSecureContext } from "node:tls";
import { type Failure, type Phase, RefusedError } from "../common/failures.ts";
import type { ResolvedAddress } from "./lookup.ts";
import type { Proxy } from "./proxy.ts";
import type { NetworkContext } from "./network-context.ts";
import { type MonotonicTimer, startMonotonicTimer } from "../common/monotonic-timer.ts";
import { openTunnel } from "./tunnel.ts";

/** The settings that all connections of a transport share. */
export interface ConnectOptions {
  readonly network: NetworkContext;
  /** Certificates (PEM) trusted instead of the system's list. */
  readonly ca?: string | readonly string[];
  /** Whether any certificate is accepted. */
  readonly insecureTls?: boolean;
  /** The User-Agent header for a proxy. */
  readonly userAgent: string;
}

/** The observer of one connection: the hop that owns it. */
export interface ConnectObserver {
  /** Whether the hop has given up the connection. */
  readonly over: boolean;
  /** The proxy to connect through; undefined for a direct connection. */
  readonly proxy: Proxy | undefined;
  /** Called when the connection enters a phase. */
  enter(phase: Phase): void;
  /**
   * Ends the previous turn and takes a turn at `address`. Returns undefined if the turn begins at once, else a promise that resolves when
   * the turn begins.
   */
  turnAt(address: string): Promise<void> | undefined;
  /** Called with each new socket before it is connected. The observer destroys the socket when the hop ends. */
  opened(socket: Socket): void;
  /** Stops the timeouts of the hop while `wait`, a wait for resources of this machine, is pending. */
  hold(wait: Promise<void>): Promise<void>;
  /** Called once, with a socket that is ready for the request: over TLS for https. */
  connected(socket: Socket): void;
  /** Called once when connecting failed. */
  failed(error: unknown): void;
}

/** Opens sockets. Reports to the observer, and never throws. */
export type Connector = (url: URL, observer: ConnectObserver) => void;

/** Time limit for connecting to an address that is not the last (RFC 8305). Node's default, 250 ms, is too short for distant servers. */
const attemptTimeoutMs = 1_000;

/**
 * Creates a connector. The connector makes its TLS context once, for the first TLS connection. It has no connect timeout, because the
 * observer has one.
 */
export function createConnector(options: ConnectOptions): Connector {
  const { network, insecureTls = false, userAgent } = options;
  let secureContext: SecureContext | undefined;

  function tlsOptionsFor(hostname: string): ConnectionOptions {
    const ca = options.ca === undefined ? {} : { ca: typeof options.ca === "string" ? options.ca : [...options.ca] };
    secureContext ??= createSecureContext(ca);
    return {
      host: hostname,
      // SNI contains a host name without a trailing dot, never an address (RFC 6066 §3).
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
    const socket = await new Promise<Socket>((resolve, reject) => {
      // Stays in the phase "proxy", and takes no turn at the address of the proxy.
      const attempting: AttemptObserver = {
        get over() {
          return observer.over;
        },
        enter: () => undefined,
        turnAt: () => undefined,
        opened: (each) => observer.opened(each),
        connected: resolve,
        failed: reject,
      };
      const at = { hostname: proxy.hostname, secure: proxy.isSecure, port: proxy.port };
      new Attempts(at, (address) => open(at, address), attempting).begin(addresses);
    });
    if (secure) {
      observer.enter("connect");
      const { authorization } = proxy;
      await openTunnel(socket, `${url.hostname}:${port}`, { userAgent, authorization });
      if (observer.over) throw givenUp();
      observer.enter("tls");
      const inner = connectTls({ ...tlsOptionsFor(hostname), socket });
      await secured(inner, observer);
      return inner;
    }
    return socket;
  }

  function open({ hostname, secure, port }: Place, address: string): Socket {
    // Only the hop may end the socket: the server's FIN must not end the socket while a piece of the body is still being decoded.
    const to = { host: address, port, allowHalfOpen: true, noDelay: true };
    return secure ? connectTls({ ...tlsOptionsFor(hostname), ...to }) : connectTcp(to);
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

/** What `Attempts` asks and tells the observer of a connection. */
type AttemptObserver = Pick<ConnectObserver, "over" | "enter" | "turnAt" | "opened" | "connected" | "failed">;

/** Tries the addresses of a place (a host and a port) one after another, until one address connects. */
class Attempts {
  readonly #place: Place;
  readonly #open: (address: string) => Socket;
  readonly #observer: AttemptObserver;
  #addresses: readonly ResolvedAddress[] = [];
  #next = 0;
  #errors: unknown[] | undefined;

  constructor(place: Place, open: (address: string) => Socket, observer: AttemptObserver) {
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
    // The last address has no timeout of its own: it may use the rest of the connect timeout.
    const timer = this.#next < this.#addresses.length ? destroyLater(socket, address) : undefined;
    const onStanding = (): void => {
      stands = true;
      observer.connected(socket);
    };
    const onEnd = (error: unknown): void => {
      timer?.cancel();
      if (stands) return;
      stands = true;
      // After a connection was made, no other address is tried: the other addresses of the name lead to the same server.
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

/**
 * Alternates the address families, beginning with the family of the first address (RFC 8305 §4), so that many unreachable addresses
 * of one family do not delay the other family.
 */
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

/** Resolves when the TLS connection in a tunnel is ready. */
function secured(socket: Socket, observer: ConnectObserver): Promise<void> {
  observer.opened(socket);
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(Object.assign(new Error("closed while connecting"), { code: "ECONNRESET" }));
    socket.once("error", reject);
    socket.once("close", onClose);
    socket.once("secureConnect", () => {
      // From now on closing is not an error. Without `off`, each connection would create an Error when it closes.
      socket.off("close", onClose);
      resolve();
    });
  });
}
