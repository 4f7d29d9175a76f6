// A robots.txt server for as many origins as loopback has addresses; counts the requests to each origin.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Origins {
  /** The origin with this number. */
  originOf(number: number): string;
  /** Number of requests by host. */
  readonly requests: ReadonlyMap<string, number>;
  /** Hosts that never respond. */
  readonly silent: Set<string>;
  close(): Promise<void>;
}

/** Starts the server on all addresses of the machine, which include 127.0.0.0/8. */
export async function startOrigins(): Promise<Origins> {
  const requests = new Map<string, number>();
  const silent = new Set<string>();
  const server = createServer((request, response) => {
    const host = request.headers.host ?? "";
    requests.set(host, (requests.get(host) ?? 0) + 1);
    if (silent.has(host)) return;
    response.end("user-agent: *\ndisallow: /private\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    silent,
    originOf: (number) => `http://127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
