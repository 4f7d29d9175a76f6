// Starts servers on free loopback ports and returns their ports or origins.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { type RawReply, type RawServer, startRawServer } from "@robots-stream/raw-servers";

/** Starts listening; returns the port. At most `backlog` connections wait to be accepted. */
export async function portOf(server: Server, backlog?: number): Promise<number> {
  server.listen(0, "127.0.0.1", backlog);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** The raw servers of one test file. */
export class RawServers {
  readonly #servers: RawServer[] = [];

  /** Starts a server and returns its origin. */
  async serve(reply: RawReply): Promise<string> {
    const server = await startRawServer(reply);
    this.#servers.push(server);
    return server.origin;
  }

  /** Closes all servers. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.map(async (server) => server.close()));
  }
}
