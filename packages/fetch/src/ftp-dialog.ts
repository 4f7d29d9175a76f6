// One address of an FTP server → one file from it, or the failure (RFC 959; RFC 2428 for EPSV): a control connection, a login
// as anonymous, a data connection to the same address, nothing else.
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { Writable } from "node:stream";
import type { Client, FTPContext, FTPResponse } from "basic-ftp";
import { type Failure, type Phase, RefusedError, failureOf } from "./failures.ts";
import { type PassiveCommand, passivePortOf } from "./ftp-passive.ts";
import type { Limits } from "./limits.ts";
import { Pieces } from "./pieces.ts";
import type { ExchangeResponse } from "./types.ts";

/** What is used of basic-ftp, which is loaded late. */
export type FtpModule = Pick<typeof import("basic-ftp"), "Client" | "FTPError">;

/** The dialog with one server. */
export class FtpDialog {
  /** Whether the control connection stood: then there is no other address to try. */
  hasConnected = false;
  private readonly ftp: FtpModule;
  private readonly limits: Limits;
  private readonly signal: AbortSignal;
  private readonly client: Client;
  private phase: Phase = "connect";
  private timer: NodeJS.Timeout | undefined;
  /** Why this side ended the dialog. */
  private broken: Failure | undefined;
  /** What comes next is an answer about the file. */
  private hasDataConnection = false;
  private data: Socket | undefined;

  constructor(ftp: FtpModule, limits: Limits, signal: AbortSignal) {
    this.ftp = ftp;
    this.limits = limits;
    this.signal = signal;
    // Its own timeout only knows silence; ours knows phases, and the exchange's deadline the rest.
    this.client = new ftp.Client(limits.deadlineMs);
  }

  /** Gets a file. Never rejects. */
  async get(address: string, port: number, path: string): Promise<ExchangeResponse | Failure> {
    this.signal.addEventListener("abort", this.shut);
    try {
      if (this.signal.aborted) return this.signal.reason as Failure;
      return await this.talk(address, port, path);
    } catch (error) {
      if (this.signal.aborted) return this.signal.reason as Failure;
      return this.broken ?? this.refusalOf(error);
    } finally {
      this.signal.removeEventListener("abort", this.shut);
      clearTimeout(this.timer);
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.shut();
  }

  private async talk(address: string, port: number, path: string): Promise<ExchangeResponse | Failure> {
    const { client, limits } = this;
    this.arm(limits.connectTimeoutMs, "connect-timeout", "no connection");
    const connecting = client.connect(address, port);
    const { socket } = client.ftp;
    // basic-ftp bounds one reply, not how many come.
    socket.on("data", () => {
      if (socket.bytesRead <= limits.maxHeaderBytes || client.closed) return;
      const message = `more than ${limits.maxHeaderBytes} bytes of replies`;
      this.broken = { code: "headers-too-large", message };
      this.shut();
    });
    socket.once("connect", () => {
      this.hasConnected = true;
      this.phase = "head";
      this.arm(limits.headersTimeoutMs, "timeout", "no beginning of a file");
    });
    await connecting;
    await client.login("anonymous", "anonymous@");
    await client.send("TYPE I");
    const size = await this.sizeOf(path);
    client.prepareTransfer = (context) => this.enterPassiveMode(context);
    const sink = new Sink(limits.maxBytes, () => {
      this.phase = "body";
      clearTimeout(this.timer);
    });
    try {
      await client.downloadTo(sink, path);
    } catch (error) {
      // More than wanted: the rest is not read.
      if (!sink.isFull) throw error;
    }
    const body = sink.whole();
    if (!sink.isFull && size !== undefined && body.length < size) {
      return { code: "incomplete", message: `${body.length} of ${size} bytes came` };
    }
    return { status: 200, headers: {}, body, truncated: sink.isFull };
  }

  /** What SIZE says, or undefined: not every server knows it, and whether there is a file is for RETR to say. */
  private async sizeOf(path: string): Promise<number | undefined> {
    try {
      return await this.client.size(path);
    } catch (error) {
      if (this.client.closed) throw error;
      return undefined;
    }
  }

  /** Gives the dialog its data connection. basic-ftp asks for it; no reply is read by basic-ftp to make it. */
  private async enterPassiveMode(context: FTPContext): Promise<FTPResponse> {
    const host = (context.socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
    try {
      return await this.openData("EPSV", host, context);
    } catch (error) {
      // PASV is for servers that do not know EPSV, or are not reached by it: not for replies that nobody can read.
      if (error instanceof RefusedError || context.closed || host.includes(":")) throw error;
      return await this.openData("PASV", host, context);
    }
  }

  private async openData(command: PassiveCommand, host: string, context: FTPContext): Promise<FTPResponse> {
    const reply = await context.request(command);
    const port = passivePortOf(command, reply.message, host);
    // A deadline or an abort may have come meanwhile.
    if (context.closed) throw new Error("the control connection is gone");
    const socket = connect({ host, port });
    this.data = socket;
    // What happens while nobody waits for it is for basic-ftp's own listeners, once the connection stands.
    socket.on("error", () => undefined);
    await once(socket, "connect");
    if (context.closed) throw new Error("the control connection is gone");
    context.dataSocket = socket;
    this.hasDataConnection = true;
    return reply;
  }

  /** Lets go of both connections; what waits for one of them fails. */
  private readonly shut = (): void => {
    this.client.close();
    this.data?.destroy(new Error("the dialog is over"));
  };

  private arm(timeoutMs: number, code: Failure["code"], what: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.broken = { code, message: `${what} within ${timeoutMs} ms` };
      this.shut();
    }, timeoutMs);
  }

  private refusalOf(error: unknown): Failure {
    if (error instanceof this.ftp.FTPError) {
      // RFC 959 §4.2.2: 550 is "file unavailable"; as the answer to a login or a command it says nothing about a file.
      const isMissing = error.code === 550 && this.hasDataConnection;
      const message = error.message.slice(0, 200);
      return { code: isMissing ? "ftp-not-found" : "ftp-refused", message };
    }
    if (error instanceof RefusedError) return error.failure;
    return FtpDialog.failureOf(error, this.phase, this.client.ftp.socket.bytesRead);
  }

  /** The failure that an error of a phase means. */
  static failureOf(error: unknown, phase: Phase, bytesRead = 0): Failure {
    const ended = error instanceof Error && /FIN packet|closed connection/.test(error.message);
    const { code, message } = failureOf(error, { phase, ended, bytesRead });
    return { code, message };
  }
}

/** Takes a file up to a limit, and breaks off there. */
class Sink extends Writable {
  isFull = false;
  private readonly maxBytes: number;
  private readonly onBegin: () => void;
  private readonly pieces = new Pieces();

  constructor(maxBytes: number, onBegin: () => void) {
    super();
    this.maxBytes = maxBytes;
    this.onBegin = onBegin;
    this.on("pipe", () => this.onBegin());
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    if (this.pieces.length === 0) this.onBegin();
    this.pieces.add(chunk);
    this.isFull = this.pieces.length > this.maxBytes;
    callback(this.isFull ? new Error("more than wanted") : undefined);
  }

  /** What came, up to the limit. */
  whole(): Uint8Array {
    return this.pieces.whole(this.maxBytes);
  }
}
