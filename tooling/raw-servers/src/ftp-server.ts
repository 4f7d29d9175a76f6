// Implements an FTP server on loopback for tests. The server follows the protocol, except for the commands whose replies a script replaces.
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";

/** The reply to a command: the bytes of the reply, or a function that is called instead of sending a reply. */
export type FtpReply = string | ((control: Socket, server: RawFtpServer) => void);

/** The file of a server, and the replies that replace the correct replies. */
export interface FtpScript {
  /** The content of the file; undefined for a missing file. */
  readonly file?: string | Uint8Array;
  /** Replies by command in upper case; "CONNECT" is the greeting of a new connection. */
  readonly replies?: Readonly<Record<string, FtpReply>>;
  /** Called with each data connection instead of sending the file. */
  readonly onData?: (data: Socket, control: Socket) => void;
}

/** A server that runs until `close`. */
export interface RawFtpServer {
  readonly port: number;
  readonly origin: string;
  /** The received command lines, in order. */
  readonly commands: readonly string[];
  /** Number of data connections received so far. */
  readonly dataConnections: number;
  readonly openConnections: number;
  /** Opens a port for a data connection; returns its number. */
  openData(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startFtpServer(script: FtpScript = {}): Promise<RawFtpServer> {
  const server = new ScriptedServer(script);
  await server.start();
  return server;
}

class ScriptedServer implements RawFtpServer {
  readonly commands: string[] = [];
  port = 0;
  dataConnections = 0;
  readonly #script: FtpScript;
  readonly #file: Buffer | undefined;
  readonly #open = new Set<Socket>();
  readonly #listening = new Set<Server>();
  #control: Socket | undefined;
  /** Receives the data connection when it arrives after RETR. A connection that arrives before RETR is kept in `#arrived`. */
  #waiting: ((data: Socket) => void) | undefined;
  #arrived: Socket | undefined;

  constructor(script: FtpScript) {
    this.#script = script;
    this.#file = script.file === undefined ? undefined : Buffer.from(script.file);
  }

  get origin(): string {
    return `ftp://127.0.0.1:${this.port}`;
  }

  get openConnections(): number {
    return this.#control === undefined || this.#control.destroyed ? 0 : 1;
  }

  async start(): Promise<void> {
    this.port = await this.#listen((socket) => this.#converse(socket));
  }

  openData(): Promise<number> {
    return this.#listen((data) => {
      this.dataConnections++;
      if (this.#waiting === undefined) this.#arrived = data;
      else this.#waiting(data);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await Promise.all([...this.#listening].map((each) => new Promise((resolve) => each.close(resolve))));
  }

  async #listen(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      this.#open.add(socket);
      socket.on("close", () => this.#open.delete(socket));
      socket.on("error", () => undefined);
      onConnection(socket);
    });
    this.#listening.add(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Serves one control connection. */
  #converse(socket: Socket): void {
    this.#control = socket;
    this.#arrived = this.#waiting = undefined;
    this.#obey("CONNECT", socket);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        this.commands.push(line);
        this.#obey((line.split(" ", 1)[0] ?? "").toUpperCase(), socket);
      }
    });
  }

  #obey(command: string, socket: Socket): void {
    const reply = this.#script.replies?.[command];
    if (typeof reply === "string") socket.write(reply);
    else if (reply !== undefined) reply(socket, this);
    else this.#obeyAsUsual(command, socket);
  }

  #obeyAsUsual(command: string, socket: Socket): void {
    const file = this.#file;
    switch (command) {
      case "SIZE":
        return void socket.write(file === undefined ? "550 no such file\r\n" : `213 ${file.length}\r\n`);
      case "EPSV":
        return void this.openData().then((port) => socket.write(`229 passive (|||${port}|)\r\n`));
      case "PASV":
        return void this.openData().then((port) =>
          socket.write(`227 passive (127,0,0,1,${port >> 8},${port & 255})\r\n`),
        );
      case "RETR":
        return this.#sendFile(socket);
      case "QUIT":
        return void socket.end("221 bye\r\n");
      default:
        socket.write(fixedReplies[command] ?? "502 not known\r\n");
    }
  }

  #sendFile(socket: Socket): void {
    const file = this.#file;
    if (file === undefined) return void socket.write("550 no such file\r\n");
    socket.write("150 here it comes\r\n");
    const send = (data: Socket): void => {
      if (this.#script.onData !== undefined) this.#script.onData(data, socket);
      else data.end(file, () => socket.write("226 done\r\n"));
    };
    if (this.#arrived === undefined) this.#waiting = send;
    else send(this.#arrived);
  }
}

const fixedReplies: Readonly<Record<string, string>> = {
  CONNECT: "220 ready\r\n",
  USER: "331 any password\r\n",
  PASS: "230 in\r\n",
  TYPE: "200 binary\r\n",
};
