// Tests the app against a real Apache Kafka: all suites share one broker and run one after another.
import { hasRedis, startRedis, whyNoRedis } from "@robots-stream/raw-servers/redis";
import { afterAll, beforeAll, describe } from "vitest";
import { startBroker } from "./broker.ts";
import { Cluster, type Shared } from "./cluster.ts";
import { startOrigins } from "./origins.ts";
import { testConnections } from "./suites/connections.ts";
import { testCrashes } from "./suites/crashes.ts";
import { testMessages } from "./suites/messages.ts";
import { testReading } from "./suites/reading.ts";

const shared = {} as { -readonly [name in keyof Shared]: Shared[name] };

describe("robots-stream-kafka", { timeout: 400_000 }, () => {
  beforeAll(async () => {
    shared.broker = await startBroker();
    shared.cluster = new Cluster(shared.broker.address);
    shared.origins = await startOrigins();
    if (hasRedis) shared.redis = await startRedis();
  }, 180_000);
  afterAll(async () => {
    await shared.cluster?.close();
    await shared.origins?.close();
    await shared.redis?.stop();
    await shared.broker?.close();
  }, 60_000);

  testMessages(shared);
  testReading(shared);
  testConnections(shared);
  describe.skipIf(!hasRedis)(`with a shared cache${whyNoRedis}`, () => {
    testCrashes(shared);
  });
});
