// The fixtures that the suites share: a broker with its topics, origins, a cache.
import type { RedisServer } from "@robots-stream/raw-servers/redis";
import type { Broker } from "./broker.ts";
import type { Cluster } from "./cluster.ts";
import type { Origins } from "./origins.ts";

export interface Shared {
  readonly broker: Broker;
  readonly cluster: Cluster;
  readonly origins: Origins;
  /** The cache that processes share; the suites that use it are skipped without redis-server. */
  readonly redis: RedisServer;
}
