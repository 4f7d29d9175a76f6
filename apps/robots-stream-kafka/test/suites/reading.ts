// Tests the size of one fetch, how its bytes are counted, and the group's state after a member ends.
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Reader } from "../../src/kafka/reader.ts";
import { type Flags, type Shared, until, WorkerProcess } from "../cluster.ts";

const mebibyte = 1_048_576;

export function testReading(shared: Shared): void {
  describe("reading", () => {
    const startWorker = (from: string, to: string, flags: Flags, env?: NodeJS.ProcessEnv): WorkerProcess => {
      const usual = { agent: "bingbot", "allow-private": true } as const;
      const place = { brokers: shared.cluster.address, group: `${from}-group`, from, to };
      return new WorkerProcess({ ...place, ...usual, ...flags }, env);
    };

    test("a fetch returns at most 4 MiB, 1 MiB per partition; a larger message is returned alone", async () => {
      const { cluster } = shared;
      const topic = await cluster.topic("large", 8, { "max.message.bytes": "3000000" });
      const value = Buffer.alloc(300_000, "x");
      const messages = Array.from({ length: 80 }, (_, at) => ({ value, partition: at % 7 }));
      // Write the messages one at a time, because a fetch returns whole batches.
      for (const message of messages) await cluster.write(topic, [message]);
      for (const size of [2_000_000, 1_500_000])
        await cluster.write(topic, [{ value: Buffer.alloc(size, "y"), partition: 7 }]);
      const options = { clientId: "test", bootstrapBrokers: [cluster.address], retries: 0, requestTimeout: 10_000 };
      const reader = new Reader(options, "test", topic);
      try {
        const [leader = -1] = await reader.leaders();
        const fetched = async (partitions: readonly number[], offset = 0n) => {
          const offsets = new Map(partitions.map((partition) => [partition, offset]));
          const all = await reader.fetch(leader, offsets, () => expect.unreachable());
          return all.map(({ records }) => records.map((record) => record.value!.length));
        };
        const sum = (all: readonly (readonly number[])[]): number =>
          all.flat().reduce((total, each) => total + each, 0);
        const one = await fetched([0]);
        expect([one.length, sum(one)]).toEqual([1, 900_000]);
        const seven = await fetched([0, 1, 2, 3, 4, 5, 6]);
        expect(sum(seven)).toBeGreaterThan(3 * mebibyte);
        expect(sum(seven)).toBeLessThanOrEqual(4 * mebibyte);
        expect([await fetched([7]), await fetched([7], 1n)]).toEqual([[[2_000_000]], [[1_500_000]]]);
      } finally {
        await reader.close();
      }
    });

    test("compressed messages count by their uncompressed size, and reading pauses at --park-bytes", async () => {
      const { cluster, origins } = shared;
      const [from, to] = [await cluster.topic("packed", 1), await cluster.topic("packed-out", 1)];
      const silent = origins.originOf(9_997);
      origins.silent.add(new URL(silent).host);
      const wave = Array.from({ length: 5 }, (_, at) => ({
        value: `{"url":"${silent}/${at}","p":"${"x".repeat(400_000)}"}`,
      }));
      for (const message of wave) await cluster.write(from, [message], "gzip");
      const worker = startWorker(from, to, { "park-bytes": "1M", http: "0", drain: "0.05" });
      const valueOf = async (name: string): Promise<number> => (await worker.metrics()).get(name)!;
      // Each message counts twice its size: two of them exceed the limit, and the rest of the response waits.
      await until(async () => (await valueOf("messages_read_total")) === 2, "the first messages", 60_000);
      expect(await valueOf("bytes_under_way")).toBeGreaterThan(2 * 2 * 400_000);
      await cluster.write(from, wave, "gzip");
      await delay(1_500);
      expect([await valueOf("messages_read_total"), await valueOf('lag{partition="0"}')]).toEqual([2, 5]);
      worker.kill("SIGTERM");
      expect(await worker.ended, worker.stderr).toBe(4);
    });

    test("with a heap of 256 MB and --park-bytes 8M, 300,000 messages of 90 bytes take at most 400 MB", async () => {
      const { cluster, origins } = shared;
      const [from, to] = [await cluster.topic("small", 4), await cluster.topic("small-out", 4)];
      const count = 300_000;
      for (let start = 0; start < count; start += 20_000) {
        const urls = Array.from({ length: 20_000 }, (_, at) => `${origins.originOf(at % 100)}/cart/${start + at}`);
        await cluster.write(
          from,
          urls.map((url) => ({ value: `{"url":"${url}","padding":"${"x".repeat(30)}"}` })),
        );
      }
      const worker = startWorker(from, to, { "park-bytes": "8M" }, { NODE_OPTIONS: "--max-old-space-size=256" });
      const committed = async (): Promise<bigint> =>
        (await cluster.committed(`${from}-group`, from)).reduce((sum, offset) => sum + (offset < 0n ? 0n : offset), 0n);
      await until(async () => (await committed()) === BigInt(count), `all commits: ${worker.stderr}`, 200_000);
      const peak = worker.peakMib;
      const { code, summary } = await worker.stop();
      expect([code, summary.messages.out], worker.stderr).toEqual([0, count]);
      console.log(`300,000 messages of 90 bytes, --park-bytes 8M, a heap of 256 MB: peak ${peak} MB`);
      // Without /proc, the peak is not known.
      if (peak !== undefined) expect(peak).toBeLessThan(400);
    });

    test.for([
      ["leaves its group", {}, 0],
      ["with --instance-id stays a member, so that its partitions stay assigned to it", { "instance-id": "one" }, 1],
    ] as const)("a process that ends %s", async ([, more, left]) => {
      const { cluster, origins } = shared;
      const [from, to] = [await cluster.topic("ends", 2), await cluster.topic("ends-out", 1)];
      await cluster.write(from, [{ value: `{"url":"${origins.originOf(1)}/"}` }]);
      const group = `${from}-group`;
      const worker = startWorker(from, to, more);
      await until(async () => (await cluster.ends(to))[0] === 1n, `a row: ${worker.stderr}`, 60_000);
      expect(await cluster.members(group)).toBe(1);
      const { code } = await worker.stop();
      expect([code, await cluster.membersLeft(group)], worker.stderr).toEqual([0, left]);
    });
  });
}
