// One URL → one GET over a connection of its own → status, headers and the decoded beginning of the body, or a failure.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ConnectObserver, Connector } from "./connect.ts";
import { type BodyEnd, type BodyReader, codingsOf, createBodyReader } from "./decode.ts";
import { type Failure, type Phase, RefusedError, failureOf } from "./failures.ts";
import { dispatchLenient } from "./lenient.ts";
import type { Limits } from "./limits.ts";
import { type PlainEvents, PlainReader } from "./plain-reader.ts";
import type { Reach } from "./reach.ts";
import { Replay } from "./replay.ts";
import { requestTextOf } from "./request.ts";
import { type PatientTimer, startPatientTimer } from "./stalls.ts";
import { type Undici, dispatchStrict } from "./strict.ts";
import type { Turn } from "./turns.ts";
import type { ExchangeResponse } from "./types.ts";
import type { UnderWay } from "./under-way.ts";

/** What a hop needs from its transport. Its signal ends it, with the `Failure` to give back as the reason. */
export interface HopOptions extends UnderWay {
  /** Loads undici, once. */
  readonly undici: () => Promise<Undici>;
  readonly connector: Connector;
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Read what comes with a 5xx, too. */
  readonly errorPages: boolean;
  /** Through Node's forgiving parser instead of undici's. */
  readonly lenient?: boolean;
}

/** Holds back a body, and lets it go on. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** What a sender tells a hop. */
export interface HopHandler {
  /** Names of fields are in lower case. */
  onResponseStart(flow: Flow, status: number, headers: Readonly<Record<string, string>>): void;
  onResponseData(chunk: Uint8Array): void;
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
  const hop = new Hop(url, options);
  const giveUp = (): void => hop.settle(options.signal.reason as Failure);
  try {
    if (options.signal.aborted) giveUp();
    else {
      options.signal.addEventListener("abort", giveUp, { once: true });
      void hop.begin();
    }
    return await hop.settled;
  } finally {
    options.signal.removeEventListener("abort", giveUp);
    const ending = hop.release();
    if (ending !== undefined) await ending;
  }
}

/** The life of one hop: it watches its connection and hears what comes over it, because both feed the same answer. */
class Hop implements ConnectObserver, PlainEvents {
  readonly settled: Promise<HopEnd>;
  over = false;
  private readonly url: URL;
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
  /** Where octets go as they come, unless a parser reads the socket itself: the plain reader, then the replay. */
  private plain: PlainReader | undefined;
  private replay: Replay | undefined;
  private endSender: (() => Promise<void> | undefined) | undefined;
  private flow: Flow | undefined;
  private paused = false;
  private reader: BodyReader | undefined;
  /** A 5xx whose body is being read. */
  private errorPage: ExchangeResponse | undefined;

  constructor(url: URL, options: HopOptions) {
    this.url = url;
    this.options = options;
    this.limits = options.limits;
    this.settled = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.arm(this.limits.connectTimeoutMs);
  }

  /** Connects and asks. Who waits for an address or a turn costs a few closures; only what stands gets a parser. */
  async begin(): Promise<void> {
    const { connector, lenient } = this.options;
    try {
      const { socket, isPushed } = await connector(this.url, this, lenient !== true);
      if (this.over) return void socket.destroy();
      if (lenient === true) {
        const sent = dispatchLenient(this.url, this.options, this, socket);
        this.endSender = () => void sent.destroy();
      } else if (isPushed) {
        this.plain ??= this.readPlainly();
        socket.write(requestTextOf(this.url, this.options.headers), "latin1");
      } else await this.readStrictly(socket);
    } catch (error) {
      this.failWith(error);
    }
  }

  private readPlainly(): PlainReader {
    // A reader that is to wait is told so by what `onBytes` returns.
    const flow: Flow = { pause: () => undefined, resume: () => void this.socket?.resume() };
    return new PlainReader(this, flow, this.limits.maxHeaderBytes);
  }

  private async readStrictly(stream: Duplex): Promise<void> {
    const undici = await this.options.undici();
    if (!this.over) this.endSender = dispatchStrict(undici, this.url, this.options, { hop: this, stream });
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
    // Whoever answers before being asked is past that.
    if (this.phase === "body") return;
    this.phase = phase;
    if (phase === "head") this.arm(this.limits.headersTimeoutMs);
  }

  turnAt(address: string): Promise<void> | undefined {
    const { reach, signal, idle } = this.options;
    this.turn?.end();
    const turn = reach.turns.take(address, reach.perAddress, signal);
    if (!(turn instanceof Promise)) {
      this.turn = turn;
      return undefined;
    }
    return this.untimed(
      idle(turn).then((taken) => {
        this.turn = taken;
        if (this.over) taken.end();
      }),
    );
  }

  /** The time that this takes is none of the connection's. */
  private async untimed(wait: Promise<void>): Promise<void> {
    this.timer?.cancel();
    await wait;
    if (!this.over) this.arm(this.limits.connectTimeoutMs);
  }

  opened(socket: Socket): void {
    this.socket = socket;
    this.sockets.push(socket);
    this.socketError = undefined;
    this.ended = false;
    // Before undici's own listeners: it takes a reset after the head for the end of a body that has no length.
    socket.on("error", (error) => {
      this.socketError = error;
      if (this.replay !== undefined) this.replay.destroy(error);
      else if (this.plain !== undefined && this.phase !== "connect" && this.phase !== "tls") this.fail(error);
    });
    socket.on("end", () => {
      this.ended = true;
      if (this.replay !== undefined) this.replay.pass(null);
      else this.plain?.onClose();
    });
  }

  onBytes(bytes: Buffer): boolean {
    if (this.over) return true;
    if (this.replay !== undefined) return this.replay.pass(Buffer.from(bytes));
    this.plain ??= this.readPlainly();
    this.plain.onBytes(bytes);
    return !this.paused;
  }

  /** @see PlainEvents */
  handOver(bytes: Buffer): void {
    const replay = new Replay(() => void this.socket?.resume());
    this.replay = replay;
    replay.pass(bytes);
    this.readStrictly(replay).catch((error: unknown) => this.failWith(error));
  }

  fail(error: unknown): void {
    this.failWith(this.socketError ?? error);
  }

  private failWith(error: unknown): void {
    this.settle(error instanceof RefusedError ? error.failure : failureOf(error, this.context));
  }

  release(): Promise<void> | undefined {
    this.over = true;
    this.timer?.cancel();
    this.reader?.destroy();
    this.closeSockets();
    this.turn?.end();
    return this.endSender?.();
  }

  onResponseStart(flow: Flow, status: number, headers: Readonly<Record<string, string>>): void {
    // RFC 9110 §15: codes outside 100 to 599 are invalid.
    if (status < 100 || status > 599) return this.settle({ code: "protocol", message: `the status is ${status}` });
    if (status < 200) return;
    this.flow = flow;
    // Another reader of the same response starts where the first one did.
    if (this.phase === "body") return;
    this.timer?.cancel();
    this.phase = "body";
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
      onDrain: () => {
        this.paused = false;
        this.flow?.resume();
      },
    });
  }

  onResponseData(chunk: Uint8Array): void {
    if (this.reader?.write(chunk) !== false) return;
    this.paused = true;
    this.flow?.pause();
  }

  onResponseEnd(): void {
    if (this.socketError !== undefined) return this.failWith(this.socketError);
    // Nothing more is wanted of the connection; ending it here spares undici, which would do it with an error, its trace.
    this.closeSockets();
    this.reader?.end();
  }

  /** The innermost first: TLS in a tunnel does not hear that what it runs over is gone. */
  private closeSockets(): void {
    this.replay?.destroy();
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
