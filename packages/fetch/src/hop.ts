// One URL → one GET over a connection of its own → status, headers and the decoded beginning of the body, or a failure.
import type { Socket } from "node:net";
import type { Client, Dispatcher } from "undici";
import type { ConnectObserver, Connector } from "./connect.ts";
import { type BodyEnd, type BodyReader, codingsOf, createBodyReader } from "./decode.ts";
import { type Failure, type Phase, RefusedError, failureOf } from "./failures.ts";
import { dispatchLenient } from "./lenient.ts";
import type { Limits } from "./limits.ts";
import type { Reach } from "./reach.ts";
import { requestOf } from "./request.ts";
import { type PatientTimer, startPatientTimer } from "./stalls.ts";
import type { Turn } from "./turns.ts";
import type { ExchangeResponse } from "./types.ts";

/** What a hop needs from its transport. */
export interface HopOptions {
  readonly undici: { readonly Client: typeof Client };
  readonly connector: Connector;
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Ends the hop; its reason is the `Failure` to give back. */
  readonly signal: AbortSignal;
  /** Waits for a turn: neither time nor a slot is used meanwhile. */
  readonly idle: <T>(wait: Promise<T>) => Promise<T>;
  /** Read what comes with a 5xx, too. */
  readonly errorPages: boolean;
  /** Through Node's forgiving parser instead of undici's. */
  readonly lenient?: boolean;
}

/** Holds back a body, and lets it go on. */
interface Flow {
  pause(): void;
  resume(): void;
}

/** What a sender tells a hop; the connector, too, reports to it. */
export interface HopHandler extends ConnectObserver {
  onResponseStart(flow: Flow, status: number, fields: Fields): void;
  onResponseData(flow: Flow, chunk: Uint8Array): void;
  onResponseEnd(): void;
  /** No answer, or none any more. */
  fail(error: unknown): void;
}

/** A response, or why there is none. */
export type HopEnd = ExchangeResponse | Failure;

/** Whether a hop failed. */
export function isFailure(end: object): end is Failure {
  return "code" in end;
}

/** Statuses that name another place to look (RFC 9110 §15.4); other 3xx are answers like any other. */
const redirects = new Set([301, 302, 303, 307, 308]);

/** Whether a response says to ask elsewhere. */
export function isRedirect(status: number): boolean {
  return redirects.has(status);
}

/**
 * Asks once. Never rejects. When it settles the connection is gone.
 */
export async function requestHop(url: URL, options: HopOptions): Promise<HopEnd> {
  const hop = new Hop(options);
  const giveUp = (): void => hop.settle(options.signal.reason as Failure);
  let end: (() => unknown) | undefined;
  // Who waits for an address or a turn costs a few closures; only a connection that stands gets a client.
  const connect = async (): Promise<void> => {
    try {
      const socket = await options.connector(url, hop);
      if (hop.over) socket.destroy();
      else end = (options.lenient === true ? sendLenient : send)(url, options, hop, socket);
    } catch (error) {
      hop.fail(error);
    }
  };
  try {
    if (options.signal.aborted) giveUp();
    else {
      options.signal.addEventListener("abort", giveUp, { once: true });
      void connect();
    }
    return await hop.settled;
  } finally {
    options.signal.removeEventListener("abort", giveUp);
    hop.release();
    await end?.();
  }
}

/** One undici Client for one hop: an Agent keeps sockets for origins that are never asked again. */
function send(url: URL, options: HopOptions, hop: Hop, socket: Socket): () => unknown {
  const client = new options.undici.Client(url.origin, {
    allowH2: false,
    pipelining: 0,
    maxHeaderSize: options.limits.maxHeaderBytes,
    // undici's own timers end neither a body that drips nor interim responses without end: the hop's do.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Not at once: undici is not ready for it before it has asked.
    connect: (_target, done) => queueMicrotask(() => done(null, socket)),
  });
  try {
    client.dispatch({ method: "GET", ...requestOf(url, options) }, hop);
  } catch (error) {
    hop.fail(error);
  }
  return () => client.destroy(over);
}

/** What ends a client. One for all: an error and its trace for each would be a tenth of what a fetch costs. */
const over = new Error("the hop is over");

function sendLenient(url: URL, options: HopOptions, hop: Hop, socket: Socket): () => unknown {
  const sent = dispatchLenient(url, options, hop, socket);
  return () => sent.destroy();
}

/** The life of one hop: undici's handler and the connector's observer in one, because both feed the same answer. */
class Hop implements Dispatcher.DispatchHandler, HopHandler {
  readonly settled: Promise<HopEnd>;
  over = false;
  private readonly options: HopOptions;
  private readonly limits: Limits;
  private resolve!: (end: HopEnd) => void;
  private phase: Phase = "resolve";
  private socket: Socket | undefined;
  private readonly sockets: Socket[] = [];
  private turn: Turn | undefined;
  private socketError: Error | undefined;
  private ended = false;
  private timer: PatientTimer | undefined;
  private reader: BodyReader | undefined;
  private readonly holdsEnd: boolean;
  private paused = false;
  private heldEnd: (() => void) | undefined;

  /** A 5xx whose body is being read. */
  private errorPage: ExchangeResponse | undefined;

  constructor(options: HopOptions) {
    this.options = options;
    this.limits = options.limits;
    this.holdsEnd = options.lenient !== true;
    this.settled = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.arm(this.limits.connectTimeoutMs);
  }

  /** The first call counts. */
  settle(end: HopEnd): void {
    // What an error page says is a bonus: its status stands, whatever becomes of its body.
    this.resolve(this.errorPage !== undefined && isFailure(end) ? this.errorPage : end);
  }

  get context(): { phase: Phase; ended: boolean; bytesRead: number } {
    return { phase: this.phase, ended: this.ended, bytesRead: this.socket?.bytesRead ?? 0 };
  }

  enter(phase: Phase): void {
    if (this.over) return;
    this.phase = phase;
    if (phase === "head") this.arm(this.limits.headersTimeoutMs);
  }

  turnAt(address: string): Promise<void> | undefined {
    const { reach, signal, idle } = this.options;
    const turn = reach.turns.take(address, reach.perAddress, signal);
    if (!(turn instanceof Promise)) {
      this.turn = turn;
      return undefined;
    }
    this.timer?.cancel();
    return idle(turn).then((taken) => {
      this.turn = taken;
      if (this.over) taken.end();
      else this.arm(this.limits.connectTimeoutMs);
    });
  }

  opened(socket: Socket): void {
    this.socket = socket;
    this.sockets.push(socket);
    // Before undici's own listeners: it takes a reset after the head for the end of a body that has no length.
    socket.on("error", (error) => {
      this.socketError = error;
    });
    socket.on("end", () => {
      this.ended = true;
    });
    if (this.holdsEnd) this.holdEnd(socket);
  }

  /**
   * undici pauses after a piece of the body and before what that piece completes. When the connection ends meanwhile, it
   * takes a whole response for a broken one: so the end waits until the body goes on.
   */
  private holdEnd(socket: Socket): void {
    const emit = socket.emit.bind(socket) as (event: string | symbol, ...values: unknown[]) => boolean;
    socket.emit = (event: string | symbol, ...values: unknown[]): boolean => {
      if (event !== "end" || !this.paused) return emit(event, ...values);
      this.heldEnd = () => void emit(event, ...values);
      return true;
    };
  }

  fail(error: unknown): void {
    this.settle(error instanceof RefusedError ? error.failure : failureOf(error, this.context));
  }

  release(): void {
    this.over = true;
    this.timer?.cancel();
    this.reader?.destroy();
    this.closeSockets();
    this.turn?.end();
  }

  onRequestStart(): void {
    // undici wants the method; the connection's phases say more than it could.
  }

  onResponseStart(flow: Flow, status: number, fields: Fields): void {
    // RFC 9110 §15: codes outside 100 to 599 are invalid.
    if (status < 100 || status > 599) return this.settle({ code: "protocol", message: `the status is ${status}` });
    if (status < 200) return;
    this.timer?.cancel();
    this.phase = "body";
    const headers = headersOf(fields);
    const coding = headers["transfer-encoding"]?.trim().toLowerCase();
    if (coding !== undefined && coding !== "chunked" && coding !== "identity") {
      const shown = JSON.stringify(coding.slice(0, 40));
      return this.settle({ code: "protocol", message: `the transfer coding is ${shown}` });
    }
    // Nothing but a 2xx has a body that counts: whoever drips a 404 page is not waited for.
    const isPage = this.options.errorPages && status >= 500;
    const bare = { status, headers, body: new Uint8Array(0), truncated: false };
    if (status > 299 && !isPage) return this.settle(bare);
    if (isPage) {
      this.errorPage = bare;
      this.arm(this.limits.headersTimeoutMs);
    }
    const codings = codingsOf(headers["content-encoding"], this.limits.maxContentEncodings);
    if (isFailure(codings)) return this.settle(codings);
    this.reader = createBodyReader({
      codings,
      maxBytes: isPage ? Math.min(maxPageBytes, this.limits.maxBytes) : this.limits.maxBytes,
      onEnd: (end: BodyEnd) => this.settle("failure" in end ? end.failure : { status, headers, ...end }),
      onDrain: () => this.goOn(flow),
    });
  }

  onResponseData(flow: Flow, chunk: Uint8Array): void {
    if (this.reader?.write(chunk) !== false) return;
    this.paused = true;
    flow.pause();
  }

  private goOn(flow: Flow): void {
    this.paused = false;
    flow.resume();
    if (this.paused || this.heldEnd === undefined) return;
    const end = this.heldEnd;
    this.heldEnd = undefined;
    end();
  }

  onResponseEnd(): void {
    if (this.socketError !== undefined) return this.fail(this.socketError);
    // Nothing more is wanted of the connection; ending it here spares undici, which would do it with an error, its trace.
    this.closeSockets();
    this.reader?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(this.socketError ?? error);
  }

  /** The innermost first: TLS in a tunnel does not hear that what it runs over is gone. */
  private closeSockets(): void {
    for (const socket of this.sockets.toReversed()) socket.destroy();
  }

  private arm(timeoutMs: number): void {
    this.timer?.cancel();
    this.timer = startPatientTimer(timeoutMs, () => this.settle(this.timeout(timeoutMs)));
  }

  private timeout(timeoutMs: number): Failure {
    const { code, what } = timeouts[this.phase];
    return { code, message: `${what} within ${timeoutMs} ms` };
  }
}

/** An error page says what it is at its beginning. */
const maxPageBytes = 65_536;

const timeouts: Readonly<Record<Phase, { readonly code: Failure["code"]; readonly what: string }>> = {
  resolve: { code: "dns-timeout", what: "no address" },
  proxy: { code: "proxy", what: "no connection to the proxy" },
  connect: { code: "connect-timeout", what: "no connection" },
  tls: { code: "tls-timeout", what: "no TLS handshake" },
  head: { code: "timeout", what: "no complete response head" },
  body: { code: "timeout", what: "no complete body" },
};

/** Header fields as undici and Node give them. */
type Fields = Readonly<Record<string, string | string[] | undefined>>;

function headersOf(fields: Fields): Readonly<Record<string, string>> {
  // No prototype: a field may be named like anything.
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) headers[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  }
  return headers;
}
