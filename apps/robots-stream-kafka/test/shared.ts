// The fixtures that the suites share: a broker with its topics, origins, a cache.
import type { Broker } from "./broker.ts";
import type { Cluster } from "./cluster.ts";
import type { Origins } from "./origins.ts";
import type { RedisServer } from "./redis.ts";

export interface Shared {
  readonly broker: Broker;
  readonly cluster: Cluster;
  readonly origins: Origins;
  readonly redis: RedisServer;
}
