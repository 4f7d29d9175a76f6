// Implements a server on loopback that sends arbitrary bytes and records its requests, for responses that no HTTP library would send.
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import { type TlsOptions, createServer as createTlsServer } from "node:tls";

/** One received request. */
export interface RawRequest {
  /** Request line and header fields, without the empty line. */
  readonly head: string;
  readonly path: string;
  /** Number of requests received before this request. */
  readonly index: number;
}

/** Answers one request. The server leaves the connection open unless this function ends or destroys the socket. */
export type RawReply = (socket: Socket, request: RawRequest) => void;

/** A server that runs until `close`. */
export interface RawServer {
  readonly port: number;
  /** The origin of the server: "http://127.0.0.1:port" with its address, or https with `tls`. */
  readonly origin: string;
  readonly requests: readonly RawRequest[];
  /** Number of connections received so far. */
  readonly connections: number;
  readonly openConnections: number;
  /** Closes all connections and the server. */
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1, or of another address of this machine; with `tls`, over TLS. */
export async function startRawServer(reply: RawReply, tls?: TlsOptions, host = "127.0.0.1"): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const open = new Set<Socket>();
  let connections = 0;

  const onConnection = (socket: Socket): void => {
    let head = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      head += chunk.toString("latin1");
      for (let end = head.indexOf("\r\n\r\n"); end !== -1; end = head.indexOf("\r\n\r\n")) {
        const text = head.slice(0, end);
        head = head.slice(end + 4);
        const request: RawRequest = { head: text, path: text.split(" ", 2)[1] ?? "", index: requests.length };
        requests.push(request);
        reply(socket, request);
      }
    });
  };
  const server: Server = tls === undefined ? createServer(onConnection) : createTlsServer(tls, onConnection);
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    requests,
    get connections() {
      return connections;
    },
    get openConnections() {
      return open.size;
    },
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The bytes of a response; Content-Length is the length of the body unless `headers` replace it. */
export function responseOf(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = "",
): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body);
  const fields = { "content-length": String(bytes.length), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`, "latin1"), bytes]);
}

/** A port of 127.0.0.1 on which no server listens. */
export async function closedPort(): Promise<number> {
  const server = await startRawServer(() => undefined);
  await server.close();
  return server.port;
}
