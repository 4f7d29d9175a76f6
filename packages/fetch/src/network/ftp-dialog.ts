// Gets one file from one address of an FTP server (RFC 959; RFC 2428 for EPSV) over a control connection, an anonymous login and a
// data connection to the same address.
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { Writable } from "node:stream";
import type { Client, FTPContext, FTPResponse } from "basic-ftp";
import { type Failure, type Phase, failureOf, RefusedError, timeoutIn } from "../common/failures.ts";
import { type PassiveCommand, passivePortOf } from "./ftp-passive.ts";
import type { Limits } from "../common/limits.ts";
import { type BodyBeginning, Pieces } from "../common/body.ts";
import type { ExchangeResponse } from "../common/types.ts";

/** The part of basic-ftp that is used; the package is loaded with the first exchange. */
export type FtpModule = Pick<typeof import("basic-ftp"), "Client" | "FTPError">;

/** The dialog with one server. */
export class FtpDialog {
  /** Whether the control connection was established; if so, no other address is tried. */
  hasConnected = false;
  private readonly ftp: FtpModule;
  private readonly limits: Limits;
  private readonly signal: AbortSignal;
  private readonly client: Client;
  private phase: Phase = "connect";
  private timer: NodeJS.Timeout | undefined;
  /** The failure for which this side ended the dialog; undefined if this side did not end it. */
  private broken: Failure | undefined;
  /** Whether the data connection is established, so that the next reply is about the file. */
  private hasDataConnection = false;
  private data: Socket | undefined;

  constructor(ftp: FtpModule, limits: Limits, signal: AbortSignal) {
    this.ftp = ftp;
    this.limits = limits;
    this.signal = signal;
    // basic-ftp's timeout only limits silence. The timers of the phases and the deadline of the exchange limit the whole time.
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
    this.arm(limits.connectTimeoutMs, timeoutIn("connect", limits.connectTimeoutMs));
    const connecting = client.connect(address, port);
    const { socket } = client.ftp;
    // basic-ftp limits the length of one reply, but not the number of replies.
    socket.on("data", () => {
      if (socket.bytesRead <= limits.maxHeaderBytes || client.closed) return;
      this.breakOff({ code: "headers-too-large", message: `more than ${limits.maxHeaderBytes} bytes of replies` });
    });
    socket.once("connect", () => {
      this.hasConnected = true;
      this.phase = "head";
      const message = `no data of the file within ${limits.headersTimeoutMs} ms`;
      this.arm(limits.headersTimeoutMs, { code: "timeout", message });
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
      // The file is longer than the limit: the rest is not read.
      if (!sink.isFull) throw error;
    }
    const read = sink.body();
    if (!sink.isFull && size !== undefined && read.body.length < size) {
      return { code: "incomplete", message: `${read.body.length} of ${size} bytes arrived` };
    }
    return { status: 200, headers: {}, ...read };
  }

  /** The size of the file, or undefined when SIZE fails: not every server has the command, and RETR shows whether the file exists. */
  private async sizeOf(path: string): Promise<number | undefined> {
    try {
      return await this.client.size(path);
    } catch (error) {
      if (this.client.closed) throw error;
      return undefined;
    }
  }

  /** Opens the data connection when basic-ftp needs one. This package, not basic-ftp, parses the replies. */
  private async enterPassiveMode(context: FTPContext): Promise<FTPResponse> {
    const host = (context.socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
    try {
      return await this.openData("EPSV", host, context);
    } catch (error) {
      // PASV is tried after a server refused EPSV or its data port was unreachable, not after an invalid reply. PASV is for IPv4 only.
      if (error instanceof RefusedError || context.closed || host.includes(":")) throw error;
      return await this.openData("PASV", host, context);
    }
  }

  private async openData(command: PassiveCommand, host: string, context: FTPContext): Promise<FTPResponse> {
    const reply = await context.request(command);
    const port = passivePortOf(command, reply.message, host);
    // Meanwhile, a deadline or an abort may have closed the connections.
    if (context.closed) throw new Error("the control connection is gone");
    const socket = connect({ host, port });
    this.data = socket;
    // Handles errors while no promise waits for the socket. Once the socket is connected, basic-ftp's own listeners handle its errors.
    socket.on("error", () => undefined);
    await once(socket, "connect");
    if (context.closed) throw new Error("the control connection is gone");
    context.dataSocket = socket;
    this.hasDataConnection = true;
    return reply;
  }

  /** Closes the control and the data connection. Pending promises for these connections reject. */
  private readonly shut = (): void => {
    this.client.close();
    this.data?.destroy(new Error("the dialog is over"));
  };

  private arm(timeoutMs: number, failure: Failure): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.breakOff(failure), timeoutMs);
  }

  private breakOff(failure: Failure): void {
    this.broken = failure;
    this.shut();
  }

  private refusalOf(error: unknown): Failure {
    if (error instanceof this.ftp.FTPError) {
      // RFC 959 §4.2.2: 550 is "file unavailable". Without a data connection, a 550 is the reply to another command.
      const isMissing = error.code === 550 && this.hasDataConnection;
      const message = error.message.slice(0, 200);
      return { code: isMissing ? "ftp-not-found" : "ftp-refused", message };
    }
    if (error instanceof RefusedError) return error.failure;
    return FtpDialog.failureOf(error, this.phase, this.client.ftp.socket.bytesRead);
  }

  /** Maps an error that occurred in `phase` to a failure. */
  static failureOf(error: unknown, phase: Phase, bytesRead = 0): Failure {
    const ended = error instanceof Error && /FIN packet|closed connection/.test(error.message);
    const { code, message } = failureOf(error, { phase, ended, bytesRead });
    return { code, message };
  }
}

/** Buffers a file up to `maxBytes`, and fails at the next byte. */
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

  /** The received bytes, up to the limit. */
  body(): BodyBeginning {
    return this.pieces.bodyUpTo(this.maxBytes);
  }
}
