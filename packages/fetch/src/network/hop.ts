// Sends one GET over a connection of its own. Returns status, headers and the decoded beginning of the body, or a failure.
import type { Socket } from "node:net";
import { codingsOf } from "./codings.ts";
import type { ConnectObserver, Connector } from "./connect.ts";
import { type BodyEnd, type BodyReader, createBodyReader } from "./decode.ts";
import { type Failure, type Phase, failureOf, RefusedError, timeoutIn } from "../common/failures.ts";
import { Framing } from "./framing.ts";
import { type ExchangeResponse, type HopEnd, isFailure } from "../common/types.ts";
import { type Flow, type HopHandler, maxPageBytes } from "./request.ts";
import { dispatchLenient, HeadWatch } from "./lenient.ts";
import type { Limits } from "../common/limits.ts";
import type { Proxy } from "./proxy.ts";
import type { NetworkContext } from "./network-context.ts";
import { MonotonicTimer } from "../common/monotonic-timer.ts";
import { type Undici, dispatchStrict } from "./strict.ts";
import type { Turn } from "../common/semaphore.ts";
import type { UnderWay } from "./under-way.ts";

/** The state that all hops of a transport share. */
export interface HopsShared {
  /** Loads undici on first use. */
  readonly undici: () => Promise<Undici>;
  readonly connector: Connector;
  readonly network: NetworkContext;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body of a 5xx response is also read. */
  readonly errorPages: boolean;
}

export interface HopOptions {
  readonly shared: HopsShared;
  readonly limits: Limits;
  /** The exchange. Its signal aborts the hop; the abort reason is the `Failure` with which the hop ends. */
  readonly course: UnderWay;
  /** Whether Node's lenient parser parses the response instead of undici's parser. */
  readonly lenient?: boolean;
}

/** Sends one request. Never rejects. The connection is closed before the promise settles. */
export function requestHop(url: URL, options: HopOptions): Promise<HopEnd> {
  return new Promise((resolve) => new Hop(url, options, resolve).begin());
}

/** One hop, which observes its connection and handles the response, because the connection or the response can settle the result. */
class Hop implements ConnectObserver, HopHandler {
  over = false;
  /** The proxy, chosen once, so that the connection, the request and the handling of a 407 use the same proxy. */
  proxy: Proxy | undefined;
  private readonly url: URL;
  private readonly options: HopOptions;
  private readonly resolve: (end: HopEnd) => void;
  private readonly timer = new MonotonicTimer(() => this.settle(timeoutIn(this.phase, this.timeoutMs)));
  private timeoutMs = 0;
  private phase: Phase = "resolve";
  /** The newest socket. */
  private socket: Socket | undefined;
  /** The socket opened before `socket`: in a tunnel, the connection to the proxy that carries the TLS connection. */
  private outerSocket: Socket | undefined;
  private turn: Turn | undefined;
  private socketError: Error | undefined;
  private ended = false;
  private headWatch: HeadWatch | undefined;
  private readonly framing: Framing;
  private endSender: (() => Promise<void> | undefined) | undefined;
  private flow: Flow | undefined;
  private reader: BodyReader | undefined;
  /** The 5xx response whose body is being read. */
  private errorPage: ExchangeResponse | undefined;

  constructor(url: URL, options: HopOptions, resolve: (end: HopEnd) => void) {
    this.url = url;
    this.options = options;
    this.resolve = resolve;
    this.framing = new Framing(options.limits.maxHeaderBytes);
  }

  /** Connects. A hop that waits for an address or a turn costs only a few closures: the body reader is created after the head. */
  begin(): void {
    const { course, shared } = this.options;
    if (course.signal.aborted) return this.giveUp();
    course.signal.addEventListener("abort", this.giveUp);
    this.arm(this.options.limits.connectTimeoutMs);
    try {
      this.proxy = shared.network.proxyFor(this.url);
    } catch (error) {
      return this.failed(error);
    }
    shared.connector(this.url, this);
  }

  /** Sends the request over the established connection. */
  connected(socket: Socket): void {
    if (this.over) return void socket.destroy();
    this.enter("head");
    const { limits, shared, lenient } = this.options;
    const { headers, undici } = shared;
    const { maxHeaderBytes } = limits;
    const sending = { url: this.url, stream: socket, hop: this, proxy: this.proxy, headers, maxHeaderBytes };
    if (lenient === true) {
      this.headWatch = new HeadWatch();
      const sent = dispatchLenient(sending);
      this.endSender = () => void sent.destroy();
      return;
    }
    const begin = (loaded: Undici): void => {
      if (!this.over) this.endSender = dispatchStrict(loaded, sending);
    };
    undici().then(begin).catch(this.failed);
  }

  private readonly giveUp = (): void => this.settle(this.options.course.signal.reason as Failure);

  /** Ends the hop with `end`; later calls have no effect. */
  settle(end: HopEnd): void {
    if (this.over) return;
    this.over = true;
    this.timer.cancel();
    this.options.course.signal.removeEventListener("abort", this.giveUp);
    // The text of an error page is optional: the status stays valid when the body fails.
    const given = this.errorPage !== undefined && isFailure(end) ? this.errorPage : end;
    const { endSender } = this;
    if (endSender === undefined) {
      this.release();
      this.resolve(given);
      return;
    }
    // In a microtask: the caller may be a callback of the sender that `endSender` destroys.
    queueMicrotask(() => {
      this.release();
      const ending = endSender();
      if (ending === undefined) this.resolve(given);
      else void ending.then(() => this.resolve(given));
    });
  }

  get context(): { phase: Phase; ended: boolean; bytesRead: number } {
    return { phase: this.phase, ended: this.ended, bytesRead: this.socket?.bytesRead ?? 0 };
  }

  enter(phase: Phase): void {
    if (this.over) return;
    // The server may send its response before the request was sent. The hop has then already read the head.
    if (this.phase === "body") return;
    this.phase = phase;
    if (phase === "head") this.arm(this.options.limits.headersTimeoutMs);
  }

  turnAt(address: string): Promise<void> | undefined {
    const { shared, course } = this.options;
    this.turn?.end();
    const turn = shared.network.turns.take(address, shared.network.perAddress, course.signal);
    if (!(turn instanceof Promise)) {
      this.turn = turn;
      return undefined;
    }
    return this.untimed(
      course.idle(turn).then((taken) => {
        if (this.over) taken.end();
        else this.turn = taken;
      }),
    );
  }

  hold(wait: Promise<void>): Promise<void> {
    return this.untimed(this.options.course.hold(wait));
  }

  /** Stops the connect timeout while `wait` is pending, and restarts it afterwards. */
  private async untimed(wait: Promise<void>): Promise<void> {
    this.timer.cancel();
    await wait;
    if (!this.over) this.arm(this.options.limits.connectTimeoutMs);
  }

  opened(socket: Socket): void {
    this.outerSocket = this.socket;
    this.socket = socket;
    this.socketError = undefined;
    this.ended = false;
    this.framing.restart();
    // Added before undici's own listeners: undici treats a reset after the head as the end of a body without a length.
    socket.on("error", (error) => {
      // The first error is the cause: undici then destroys the socket with an error of its own.
      this.socketError ??= error;
    });
    socket.on("end", () => (this.ended = true));
    watchBytes(socket, (bytes) => {
      if (!this.over && this.socket === socket) this.takeIn(bytes, socket.readableLength);
      return !this.over;
    });
  }

  private takeIn(bytes: Uint8Array, unread: number): void {
    if (this.framing.isTooLong(unread, this.phase === "body")) {
      const message = `more than ${this.options.limits.maxHeaderBytes} bytes of framing`;
      this.settle({ code: "headers-too-large", message });
    }
    this.framing.receive(bytes.length);
    if (this.headWatch?.hasBareCR(bytes) === true) this.failed(new Error("the response head is ambiguous"));
  }

  fail(error: unknown): void {
    this.failed(this.socketError ?? error);
  }

  readonly failed = (error: unknown): void => {
    this.settle(error instanceof RefusedError ? error.failure : failureOf(error, this.context));
  };

  private release(): void {
    this.reader?.destroy();
    this.closeSockets();
    this.turn?.end();
  }

  onResponseStart(flow: Flow, status: number, headers: Readonly<Record<string, string>>): void {
    // RFC 9110 §15: codes outside 100 to 599 are invalid.
    if (status < 100 || status > 599) return this.settle({ code: "protocol", message: `the status is ${status}` });
    if (status < 200) return;
    // Only proxies respond with 407 (RFC 9110 §15.5.8).
    if (status === 407 && this.proxy !== undefined) {
      return this.settle({ code: "proxy", message: "the proxy requires credentials, or rejects the given ones (407)" });
    }
    this.flow = flow;
    // The hop has already handled a response head.
    if (this.phase === "body") return;
    this.timer.cancel();
    this.phase = "body";
    const coding = headers["transfer-encoding"]?.trim().toLowerCase();
    if (coding !== undefined && coding !== "chunked" && coding !== "identity") {
      const shown = JSON.stringify(coding.slice(0, 40));
      return this.settle({ code: "protocol", message: `the transfer coding is ${shown}` });
    }
    // Only the body of a 2xx response is needed, and with `errorPages` the body of a 5xx response: the hop does not wait for the page of a
    // 404.
    const { limits, shared } = this.options;
    const isPage = shared.errorPages && status >= 500;
    const bare = { status, headers, body: new Uint8Array(0), truncated: false };
    if (status > 299 && !isPage) return this.settle(bare);
    if (isPage) {
      this.errorPage = bare;
      this.arm(limits.headersTimeoutMs);
    }
    const codings = codingsOf(headers["content-encoding"], limits.maxContentEncodings);
    if (isFailure(codings)) return this.settle(codings);
    this.reader = createBodyReader({
      codings,
      maxBytes: isPage ? Math.min(maxPageBytes, limits.maxBytes) : limits.maxBytes,
      onEnd: (end: BodyEnd) => this.settle("failure" in end ? end.failure : { status, headers, ...end }),
      onDrain: () => this.flow?.resume(),
    });
  }

  onResponseData(chunk: Uint8Array): void {
    this.framing.takeContent(chunk.length);
    if (this.reader?.write(chunk) === false) this.flow?.pause();
  }

  onResponseEnd(): void {
    if (this.socketError !== undefined) return this.failed(this.socketError);
    // The connection is no longer needed. Closing it here is cheaper: undici would close it with an Error and its stack trace.
    this.closeSockets();
    this.reader?.end();
  }

  /** Destroys both sockets, the inner one first: TLS in a tunnel does not notice that the outer socket is closed. */
  private closeSockets(): void {
    this.socket?.destroy();
    this.outerSocket?.destroy();
  }

  private arm(timeoutMs: number): void {
    this.timeoutMs = timeoutMs;
    this.timer.start(timeoutMs);
  }
}

/**
 * Calls `mayPass` with all received bytes before a parser reads them. Drops the bytes when `mayPass` returns false. Replaces `push` instead
 * of listening to an event, because the parsers use different events: undici reads after `readable`, and Node's parser listens to `data`.
 */
function watchBytes(socket: Socket, mayPass: (bytes: Uint8Array) => boolean): void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) =>
    chunk === null || mayPass(chunk) ? push(chunk, encoding) : true;
}
