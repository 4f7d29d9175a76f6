// Builds the cases of the HTTP rows with a raw server, from response bytes or from a function that responds.
import { type RawReply, type RawRequest, type RawServer, responseOf, startRawServer } from "@robots-stream/raw-servers";
import type { RobotsClientOptions } from "@robots-stream/fetch";
import { bytesFrom } from "../loopback-watch.ts";
import type { Expected, FaultCase, Outcome } from "../row.ts";

/** The file of most cases; its second line disallows the probe. */
export const rules = "User-agent: *\nDisallow: /private\n";

/** A complete response with that file. */
export const ok: Buffer = responseOf(200, {}, rules);

/** Options of a served case, besides its response. */
export interface ServedOptions {
  readonly client?: RobotsClientOptions;
  /** Range of the expected number of requests to the server; default: as many as the case has origins. */
  readonly requests?: readonly [min: number, max: number];
  /** Upper bound of the response bytes that the client reads. */
  readonly maxBytes?: number;
  readonly check?: (outcomes: readonly Outcome[], server: RawServer) => readonly string[] | Promise<readonly string[]>;
}

/** A reply function: writes these bytes and ends the connection. */
export function bytes(...parts: readonly (string | Uint8Array)[]): RawReply {
  return (socket) => {
    for (const part of parts) socket.write(part, "latin1");
    socket.end();
  };
}

/** A reply function: writes `first`, then `piece` again and again while the client reads. */
export function endless(first: string, piece: string): RawReply {
  return (socket) => {
    socket.write(first, "latin1");
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece, "latin1"));
    };
    socket.on("drain", more);
    more();
  };
}

/** The head of a 200 response with these header fields. */
export function head(...fields: readonly string[]): string {
  return `HTTP/1.1 200 OK\r\n${fields.map((field) => `${field}\r\n`).join("")}\r\n`;
}

/** The header field that frames the body `rules`. */
export const length = `Content-Length: ${rules.length}`;

/** A case with one origin, served by `reply`. */
export function served(what: string, reply: RawReply, expected: Expected, options: ServedOptions = {}): FaultCase {
  return {
    what,
    expected,
    async open() {
      const server = await startRawServer(reply);
      return {
        origins: [server.origin],
        ...(options.client === undefined ? {} : { client: options.client }),
        check: async (outcomes) => [
          ...(await checkServer(server, options)),
          ...((await options.check?.(outcomes, server)) ?? []),
        ],
        close: () => server.close(),
      };
    },
  };
}

/** A response in a table: its name, its bytes, the expected outcome. */
export type Answer = readonly [what: string, reply: RawReply | string | Uint8Array, expected: Expected];

/**
 * A case with one server and one origin per response. The server must get as many requests as there are origins, unless `options` has
 * another range.
 */
export function servedTable(what: string, answers: readonly Answer[], options: ServedOptions = {}): FaultCase {
  return {
    what,
    expected: (index) => answers[index]?.[2] ?? [],
    async open() {
      const server = await startRawServer((socket, request) => {
        const reply = answers[Number(/^c(\d+)\./.exec(hostOf(request))?.[1])]?.[1] ?? responseOf(404);
        if (typeof reply === "function") reply(socket, request);
        else socket.end(reply, "latin1");
      });
      return {
        // Our client, curl and browsers resolve names under localhost to 127.0.0.1 (RFC 6761 §6.3).
        origins: answers.map((_answer, index) => `http://c${index}.localhost:${server.port}`),
        labels: answers.map(([label]) => label),
        ...(options.client === undefined ? {} : { client: options.client }),
        check: async (outcomes) => [
          ...(await checkServer(server, { requests: [answers.length, answers.length], ...options })),
          ...((await options.check?.(outcomes, server)) ?? []),
        ],
        close: () => server.close(),
      };
    },
  };
}

/** The host name of a request, without its port. */
export function hostOf(request: RawRequest): string {
  return /^host: ([^:\r\n]+)/im.exec(request.head)?.[1] ?? "";
}

/** One sentence for each problem at a server: a wrong number of requests, open connections, too many bytes read. */
async function checkServer(server: RawServer, { requests = [1, 1], maxBytes }: ServedOptions): Promise<string[]> {
  const problems: string[] = [];
  const [min, max] = requests;
  const count = server.requests.length;
  if (count < min || count > max) problems.push(`${count} requests, not ${min === max ? min : `${min} to ${max}`}`);
  // The client has closed its last connections, but the server may not have received their ends yet.
  for (let i = 0; i < 250 && server.openConnections > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  if (server.openConnections > 0) problems.push(`${server.openConnections} connections are left open`);
  const read = bytesFrom(server.port);
  if (maxBytes !== undefined && read > maxBytes) problems.push(`${read} bytes were read, more than ${maxBytes}`);
  return problems;
}
