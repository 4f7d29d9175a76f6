// Replies by command → an FTP server on loopback that follows them: well-behaved where nothing else is said, as misbehaving
// as they are otherwise.
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";

/** What a server has to say to a command: the bytes of its reply, or what it does instead. */
export type FtpReply = string | ((control: Socket, server: RawFtpServer) => void);

/** How a server differs from a well-behaved one. */
export interface FtpScript {
  /** The file; undefined for none. */
  readonly file?: string | Uint8Array;
  /** Replies by command in upper case; "CONNECT" is what is said first. */
  readonly replies?: Readonly<Record<string, FtpReply>>;
  /** Instead of sending the file over a data connection that came. */
  readonly onData?: (data: Socket, control: Socket) => void;
}

/** A server that runs until `close`. */
export interface RawFtpServer {
  readonly port: number;
  readonly origin: string;
  /** Commands as they came. */
  readonly commands: readonly string[];
  /** Data connections that came, and control connections still open. */
  readonly dataConnections: number;
  readonly openConnections: number;
  /** Opens a port for a data connection; gives the number. */
  openData(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startFtpServer(script: FtpScript = {}): Promise<RawFtpServer> {
  const commands: string[] = [];
  const open = new Set<Socket>();
  const listening = new Set<Server>();
  let dataConnections = 0;
  let control: Socket | undefined;
  const file = script.file === undefined ? undefined : Buffer.from(script.file);

  async function listen(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
      socket.on("error", () => undefined);
      onConnection(socket);
    });
    listening.add(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  let waiting: ((data: Socket) => void) | undefined;
  let arrived: Socket | undefined;
  const openData = (): Promise<number> =>
    listen((data) => {
      dataConnections++;
      if (waiting === undefined) arrived = data;
      else waiting(data);
    });

  const usual: Record<string, (socket: Socket) => void> = {
    CONNECT: (socket) => socket.write("220 ready\r\n"),
    USER: (socket) => socket.write("331 any password\r\n"),
    PASS: (socket) => socket.write("230 in\r\n"),
    TYPE: (socket) => socket.write("200 binary\r\n"),
    SIZE: (socket) => socket.write(file === undefined ? "550 no such file\r\n" : `213 ${file.length}\r\n`),
    EPSV: (socket) => void openData().then((port) => socket.write(`229 passive (|||${port}|)\r\n`)),
    PASV: (socket) =>
      void openData().then((port) => socket.write(`227 passive (127,0,0,1,${port >> 8},${port & 255})\r\n`)),
    RETR(socket) {
      if (file === undefined) {
        socket.write("550 no such file\r\n");
        return;
      }
      socket.write("150 here it comes\r\n");
      const send = (data: Socket): void => {
        if (script.onData !== undefined) script.onData(data, socket);
        else data.end(file, () => socket.write("226 done\r\n"));
      };
      if (arrived === undefined) waiting = send;
      else send(arrived);
    },
    QUIT: (socket) => socket.end("221 bye\r\n"),
  };

  function obey(command: string, socket: Socket): void {
    const reply = script.replies?.[command];
    if (typeof reply === "string") socket.write(reply);
    else if (reply !== undefined) reply(socket, server);
    else (usual[command] ?? (() => socket.write("502 not known\r\n")))(socket);
  }

  const port = await listen((socket) => {
    control = socket;
    arrived = waiting = undefined;
    obey("CONNECT", socket);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        commands.push(line);
        obey((line.split(" ", 1)[0] ?? "").toUpperCase(), socket);
      }
    });
  });

  const server: RawFtpServer = {
    port,
    origin: `ftp://127.0.0.1:${port}`,
    commands,
    get dataConnections() {
      return dataConnections;
    },
    get openConnections() {
      return control === undefined || control.destroyed ? 0 : 1;
    },
    openData,
    async close() {
      for (const socket of open) socket.destroy();
      await Promise.all([...listening].map((each) => new Promise((resolve) => each.close(resolve))));
    },
  };
  return server;
}
