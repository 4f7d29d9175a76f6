// Tests requests over a connection of the client library, to a server that responds in pieces, out of order, wrongly, or not at all.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Connection, NetworkError, type Reader, TimeoutError, Writer } from "@platformatic/kafka";
import { afterEach, describe, expect, test } from "vitest";
import { DirectRequests } from "./direct-requests.ts";

/** A request as received by the server. */
interface Seen {
  readonly id: number;
  readonly body: string;
  readonly socket: Socket;
}

const servers: Server[] = [];
const connections: Connection[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
  for (const server of servers.splice(0)) server.close();
});

/** A server that calls back for each request, with a connection to it. */
async function connected(
  onRequest: (seen: Seen) => void,
): Promise<{ readonly connection: Connection; readonly port: number }> {
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readInt32BE(0)) {
        const request = bytes.subarray(4, 4 + bytes.readInt32BE(0));
        bytes = bytes.subarray(4 + request.length);
        const nameEnd = 10 + request.readInt16BE(8);
        expect(request.toString("latin1", 10, nameEnd)).toBe("client");
        onRequest({ id: request.readInt32BE(4), body: request.toString("latin1", nameEnd + 1), socket });
      }
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const connection = new Connection("client", { requestTimeout: 60_000 });
  connections.push(connection);
  const { port } = server.address() as AddressInfo;
  await connection.connect("127.0.0.1", port);
  return { connection, port };
}

/** A response: no tagged fields, then a text. */
function responseTo({ id, body }: Seen, more = ""): Buffer {
  const text = Buffer.from(`\0re ${body}${more}`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(4 + text.length, 0);
  head.writeInt32BE(id, 4);
  return Buffer.concat([head, text]);
}

const parse = (_id: number, _key: number, _version: number, reader: Reader): string =>
  reader.buffer.toString("latin1", reader.position);

const direct = (requests: DirectRequests, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    requests.send<string>({
      apiKey: 0,
      apiVersion: 9,
      body: Buffer.from(text),
      parse,
      callback: (error, response) => (error === null ? resolve(response!) : reject(error)),
    });
  });

const librarys = (connection: Connection, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const body = (): Writer => Writer.create().append(Buffer.from(text));
    connection.send<string>(3, 9, body, parse, true, true, (error, response) =>
      error === null ? resolve(response!) : reject(error),
    );
  });

describe("direct requests", () => {
  test("each response reaches its request, however the bytes are divided", async () => {
    let seen: Seen[] = [];
    let onAll: (seen: readonly Seen[]) => void = () => undefined;
    const { connection } = await connected((request) => {
      seen.push(request);
      if (seen.length === 4) onAll(seen);
    });
    const requests = new DirectRequests(connection, "client", 60_000);
    const order = [2, 0, 3, 1];
    const total = responseTo({ id: 0, body: "a", socket: connection.socket }).length * 4;
    for (let size = 1; size <= total; size += size < 30 ? 1 : 7) {
      seen = [];
      const all = new Promise<readonly Seen[]>((resolve) => (onAll = resolve));
      const answers = [
        direct(requests, "a"),
        librarys(connection, "b"),
        direct(requests, "c"),
        librarys(connection, "d"),
      ];
      const asked = await all;
      const { socket } = asked[0]!;
      const bytes = Buffer.concat(order.map((at) => responseTo(asked[at]!)));
      for (let at = 0; at < bytes.length; at += size) {
        // Write each piece in a packet of its own, as far as the system permits.
        socket.write(bytes.subarray(at, at + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await Promise.all(answers)).toEqual(["re a", "re b", "re c", "re d"]);
    }
  });

  test("a response that began before the first direct request reaches its request", async () => {
    let first: Seen | undefined;
    const { connection } = await connected((request) => {
      if (request.body === "library") {
        first = request;
        request.socket.write(responseTo(request).subarray(0, 6));
        return;
      }
      request.socket.write(Buffer.concat([responseTo(first!).subarray(6), responseTo(request)]));
    });
    const requests = new DirectRequests(connection, "client", 60_000);
    const arrived = once(connection.socket, "data");
    const slow = librarys(connection, "library");
    await arrived;
    expect(await direct(requests, "direct")).toBe("re direct");
    expect(await slow).toBe("re library");
  });

  test("a large body arrives whole", async () => {
    const { connection } = await connected((request) => request.socket.write(responseTo({ ...request, body: "x" })));
    const requests = new DirectRequests(connection, "client", 60_000);
    expect(await direct(requests, "y".repeat(500_000))).toBe("re x");
  });

  test("a request without a response times out, and the connection is closed", async () => {
    const { connection } = await connected(() => undefined);
    const requests = new DirectRequests(connection, "client", 50);
    const closed = once(connection, "close");
    await expect(direct(requests, "a")).rejects.toBeInstanceOf(TimeoutError);
    await closed;
    await expect(direct(requests, "b")).rejects.toBeInstanceOf(NetworkError);
  });

  test("a request fails when the server closes the connection", async () => {
    const { connection } = await connected(({ socket }) => socket.destroy());
    const requests = new DirectRequests(connection, "client", 60_000);
    await expect(direct(requests, "a")).rejects.toBeInstanceOf(NetworkError);
  });

  test.each([-1, -(2 ** 31), 3])("a response of %d bytes closes the connection", async (length) => {
    const { connection } = await connected(({ id, socket }) => {
      const head = Buffer.alloc(8);
      head.writeInt32BE(length, 0);
      head.writeInt32BE(id, 4);
      socket.write(head);
    });
    const requests = new DirectRequests(connection, "client", 60_000);
    await expect(direct(requests, "a")).rejects.toBeInstanceOf(NetworkError);
  });

  test("a response that cannot be parsed fails only its own request", async () => {
    const { connection } = await connected((request) => request.socket.write(responseTo(request)));
    const requests = new DirectRequests(connection, "client", 60_000);
    const read = new Promise((resolve) => {
      requests.send({
        apiKey: 0,
        apiVersion: 9,
        body: Buffer.from("a"),
        parse: () => {
          throw new RangeError("wrong");
        },
        callback: resolve,
      });
    });
    expect(await read).toBeInstanceOf(RangeError);
    expect(await direct(requests, "b")).toBe("re b");
  });
});
