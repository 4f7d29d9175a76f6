// Servers in, where they are reached out: on loopback, at free ports.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { type RawReply, type RawServer, startRawServer } from "@robots-stream/fetch/testing";

/** Begins to listen; gives the port. `backlog` connections may wait. */
export async function portOf(server: Server, backlog?: number): Promise<number> {
  server.listen(0, "127.0.0.1", backlog);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** The raw servers of one file of tests. */
export class RawServers {
  readonly #servers: RawServer[] = [];

  /** Starts one; gives its origin. */
  async serve(reply: RawReply): Promise<string> {
    const server = await startRawServer(reply);
    this.#servers.push(server);
    return server.origin;
  }

  /** Ends all. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.map(async (server) => server.close()));
  }
}
