// Tests processes and brokers that stop and come back: no record is lost. Where the test knows the last commits, only records after them
// are written twice, and each origin is fetched once, apart from the requests that were in flight in a killed process.
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Flags, headerOf, type Shared, until, WorkerProcess } from "../cluster.ts";

export function testCrashes(shared: Shared): void {
  describe("crashes", () => {
    let number = 100;

    /** Creates a load: a topic with records, and functions that start workers to read it and wait for their progress. */
    async function begin(options: {
      readonly messages: number;
      readonly lines: number;
      readonly partitions: number;
      readonly origins: number;
      /** Flags with their values, beside the usual ones or instead of them. */
      readonly flags?: Flags;
    }) {
      const { messages, lines, partitions, origins: count, flags: own = {} } = options;
      const { cluster, origins, redis } = shared;
      const [from, to, dead, later] = [
        await cluster.topic("load", partitions),
        await cluster.topic("load-out", partitions),
        await cluster.topic("load-dead", 1),
        await cluster.topic("load-later", 1),
      ];
      const first = (number += 1) * 20_000;
      const group = `load-${number}`;
      let made = 0;
      const write = async (more: number): Promise<void> => {
        for (let start = 0; start < more; start += 5_000) {
          const some = Array.from({ length: Math.min(5_000, more - start) }, () => {
            const at = made++;
            const all = Array.from(
              { length: lines },
              (_, line) =>
                `{"url":"${origins.originOf(first + (Math.floor((at * lines + line) / 50) % count))}/${at}/${line}"}`,
            );
            return { key: String(at), value: all.join("\n"), partition: at };
          });
          await cluster.write(from, some);
        }
      };
      await write(messages);
      const workers: WorkerProcess[] = [];
      const start = (others: Flags = {}): WorkerProcess => {
        const worker = new WorkerProcess({
          brokers: cluster.address,
          group,
          from,
          to,
          "dead-letter": dead,
          later,
          agent: "bingbot",
          "allow-private": "127.0.0.0/8",
          "per-address": "64",
          cache: `redis://127.0.0.1:${redis.port}/0`,
          session: "20",
          rebalance: "30",
          "commit-interval": "0.5",
          "metadata-interval": "1",
          "source-headers": true,
          ...own,
          ...others,
        });
        workers.push(worker);
        return worker;
      };
      const written = async (): Promise<number> => Number((await cluster.ends(to)).reduce((sum, end) => sum + end, 0n));
      const settled = async (): Promise<bigint> => {
        const ended = workers.find(({ child }) => child.exitCode !== null && child.exitCode !== 0);
        if (ended !== undefined) throw new Error(`a worker ended with ${ended.child.exitCode}: ${ended.stderr}`);
        return (await cluster.committed(group, from)).reduce((sum, offset) => sum + (offset < 0n ? 0n : offset), 0n);
      };
      /** Waits until all workers have their partitions, because messages under way during a join are read twice. */
      const joined = (): Promise<unknown> =>
        until(async () => (await cluster.members(group)) === workers.length, "all members", 120_000);
      const done = async (): Promise<void> => {
        await until(
          async () => {
            const [committed, ends] = [await cluster.committed(group, from), await cluster.ends(from)];
            return ends.every((end, at) => (committed[at] === -1n ? 0n : committed[at]) === end);
          },
          "all commits",
          200_000,
        ).catch(async (error: unknown) => {
          throw new Error(
            `${String(error)}\n${(await cluster.committed(group, from)).join()} of ${(await cluster.ends(from)).join()}\n${workers.map(({ stderr }) => stderr.slice(-1_500)).join("\n--\n")}`,
          );
        });
      };
      return {
        from,
        to,
        dead,
        later,
        group,
        first,
        count,
        made: () => made,
        isEachAsked: (): boolean =>
          Array.from({ length: count }, (_, at) => new URL(origins.originOf(first + at)).host).every((host) =>
            origins.requests.has(host),
          ),
        write,
        start,
        joined,
        workers,
        written,
        settled,
        done,
        committed: () => cluster.committed(group, from),
      };
    }

    type Load = Awaited<ReturnType<typeof begin>>;

    /** Reads all output. Counts missing records, duplicates, and the duplicates that are not after the offsets in `commits` (`wrong`). */
    async function check(load: Load, lines: number, commits: readonly (readonly bigint[])[]) {
      const { cluster, origins } = shared;
      // One entry per record, in the order in which the records were written.
      const seen = new Uint8Array(load.made() * lines);
      /** By partition, the offsets of the messages whose output is in the topic. */
      const kept = Array.from(await load.committed(), () => new Set<bigint>());
      let records = 0;
      let duplicates = 0;
      let wrong = 0;
      await cluster.each(load.to, ({ key, value, headers }) => {
        const first = Number(key!.toString()) * lines;
        const partition = Number(headerOf(headers, "robots-stream.partition"));
        const offset = BigInt(headerOf(headers, "robots-stream.offset")!);
        kept[partition]!.add(offset);
        // Whether the offset is after the last commit before a crash, for at least one of the crashes.
        const isAbove = commits.some((committed) => offset >= (committed[partition] ?? 0n));
        for (const [, line] of value!.toString("latin1").matchAll(/^\{"url":"[^"]*\/(\d+)"/gm)) {
          records++;
          if (seen[first + Number(line)] === 0) {
            seen[first + Number(line)] = 1;
            continue;
          }
          duplicates++;
          if (!isAbove) wrong++;
        }
      });
      const missing = seen.reduce((sum, each) => sum + (each === 0 ? 1 : 0), 0);
      let fetchedMore = 0;
      let notFetched = 0;
      for (let origin = 0; origin < load.count; origin++) {
        const requests = origins.requests.get(new URL(origins.originOf(load.first + origin)).host) ?? 0;
        if (requests === 0) notFetched++;
        else fetchedMore += requests - 1;
      }
      return { missing, duplicates, wrong, records, fetchedMore, notFetched, kept };
    }

    /**
     * Checks the last counts that a process reported before it was killed: they add up, and every message that the process committed in its
     * partitions was written first and is in the topic.
     */
    function checkKilled(
      last: ReadonlyMap<string, number>,
      committed: readonly bigint[],
      kept: readonly ReadonlySet<bigint>[],
    ) {
      const valueOf = (name: string): number => last.get(name)!;
      const fateOf = (fate: string): number => valueOf(`messages_total{fate="${fate}"}`);
      const read = valueOf("messages_read_total");
      const fates = ["out", "dead", "later", "left_out", "abandoned"].reduce((sum, fate) => sum + fateOf(fate), 0);
      expect(read).toBe(fates + valueOf("messages_under_way"));
      const partitions = [...committed.keys()].filter((partition) => last.has(`committed{partition="${partition}"}`));
      expect(partitions.length).toBeGreaterThan(0);
      let shown = 0;
      let all = 0;
      for (const partition of partitions) {
        const own = Math.max(0, valueOf(`committed{partition="${partition}"}`));
        shown += own;
        const offset = Number(committed[partition]);
        expect(offset).toBeGreaterThanOrEqual(own);
        all += offset;
        const missing = Array.from({ length: offset }, (_, at) => BigInt(at)).filter((at) => !kept[partition]!.has(at));
        expect([partition, missing]).toEqual([partition, []]);
      }
      // Messages are written before they are committed.
      expect(fateOf("out")).toBeGreaterThanOrEqual(shown);
      return { read, out: fateOf("out"), committed: all };
    }

    async function endAll(load: Load): Promise<void> {
      for (const worker of load.workers) {
        if (worker.child.exitCode !== null || worker.child.signalCode !== null) continue;
        const { code, summary } = await worker.stop();
        expect([code, summary.isExact, summary.messages.dead, summary.messages.later], worker.stderr).toEqual([
          0,
          true,
          0,
          0,
        ]);
      }
    }

    test("1,000,000 records over 12 partitions in 3 processes; kill -9 of one process before the end", async () => {
      const lines = 40;
      const load = await begin({ messages: 0, lines, partitions: 12, origins: 20_000 });
      const [one] = [load.start({ http: "0" }), load.start(), load.start()];
      await load.joined();
      const begun = Date.now();
      await load.write(25_000);
      await until(async () => (await load.settled()) > 5_000n, "a fifth of the messages", 200_000);
      const last = await one.metrics();
      one.kill("SIGKILL");
      const committed = await load.committed();
      await load.done();
      const seconds = (Date.now() - begun) / 1_000;
      await endAll(load);
      const found = await check(load, lines, [committed]);
      const killed = checkKilled(last, committed, found.kept);
      console.log(
        `kill -9: the killed process had read ${killed.read} messages and written ${killed.out}; ${killed.committed} were committed, all of them are in the topic`,
      );
      console.log(
        `kill -9: ${found.records} records out in ${seconds.toFixed(1)} s, ${found.missing} records missing, ${found.duplicates} records twice, all above the last commit; ${found.fetchedMore} of 20,000 origins asked twice`,
      );
      expect(found).toMatchObject({ missing: 0, wrong: 0, notFetched: 0 });
      // Requests that were in flight in the killed process.
      expect(found.fetchedMore).toBeLessThanOrEqual(256);
    });

    test("SIGSTOP of a process for longer than its session", async () => {
      const lines = 10;
      const flags = { session: "10", rebalance: "20" };
      const load = await begin({ messages: 0, lines, partitions: 6, origins: 500, flags });
      const [one] = [load.start(), load.start()];
      await load.joined();
      await load.write(30_000);
      // The other process would request an origin again if the stopped process had a request to it in flight.
      await until(() => load.isEachAsked(), "a request to each origin");
      await until(async () => (await load.written()) > 5_000, "the beginning");
      await delay(500);
      const committed = await load.committed();
      one.kill("SIGSTOP");
      await delay(14_000);
      await load.write(2_000);
      const resumed = await load.committed();
      one.kill("SIGCONT");
      await load.done();
      await until(
        () => /rejoin|heartbeat|group|commit|fetch/.test(one.stderr) || one.stderr.length > 0,
        "its trouble",
        15_000,
      ).catch(() => undefined);
      await delay(2_000);
      await endAll(load);
      const found = await check(load, lines, [committed, resumed]);
      console.log(
        `SIGSTOP for 14 s, session 10 s: ${found.missing} records missing, ${found.duplicates} records twice, all above the last commit`,
      );
      expect(found).toMatchObject({ missing: 0, wrong: 0, fetchedMore: 0, notFetched: 0 });
    });

    test("partitions are added; the broker is restarted", async () => {
      const { cluster, broker } = shared;
      const lines = 5;
      const load = await begin({ messages: 10_000, lines, partitions: 3, origins: 300 });
      const first = load.start();
      await until(async () => (await load.settled()) > 300n, "the beginning");
      // A revoked partition with messages under way is read again from its last commit.
      const commits = [await load.committed()];
      const workers = [first, load.start()];
      await until(async () => (await load.settled()) > 1_000n, "some more");
      commits.push(await load.committed());
      await cluster.addPartitions(load.from, 6);
      await until(
        async () => {
          const offsets = await load.committed();
          return offsets.length === 6 && offsets.every((offset) => offset >= 0n);
        },
        "the new partitions",
        120_000,
      );
      // The age at which the test's own producer refreshes its list of partitions.
      await delay(6_000);
      await load.write(10_000);
      commits.push(await load.committed());
      await broker.stop("SIGKILL");
      await delay(3_000);
      expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null]);
      await broker.start();
      await load.write(5_000);
      await load.done();
      await endAll(load);
      const found = await check(load, lines, commits);
      console.log(
        `3 → 6 partitions, broker killed and restarted: ${found.missing} records missing, ${found.duplicates} records twice, all above the last commit`,
      );
      expect(found).toMatchObject({ missing: 0, wrong: 0, fetchedMore: 0, notFetched: 0 });
    });

    test("a member joins and another one leaves every 5 seconds for a minute", async () => {
      const lines = 5;
      const flags = { session: "6", rebalance: "12" };
      const load = await begin({ messages: 5_000, lines, partitions: 6, origins: 300, flags });
      load.start();
      const rounds = process.env["ROBOTS_STREAM_KAFKA_QUICK"] === undefined ? 12 : 4;
      for (let round = 0; round < rounds; round++) {
        const joining = load.start();
        await load.write(500);
        await delay(5_000);
        const leaving = load.workers[round]!;
        if (round % 3 === 2) leaving.kill("SIGKILL");
        else leaving.kill("SIGTERM");
        expect(joining.child.exitCode).toBeNull();
      }
      await load.done();
      for (const worker of load.workers.slice(0, -1)) await worker.ended;
      await endAll(load);
      const found = await check(load, lines, [[]]);
      console.log(
        `churn for ${rounds * 5} s: ${found.missing} records missing, ${found.duplicates} of ${found.records} records twice`,
      );
      expect(found).toMatchObject({ missing: 0, notFetched: 0 });
    });

    test("a static member returns, and continues after offsets that no longer exist", async () => {
      const { cluster } = shared;
      const load = await begin({ messages: 300, lines: 1, partitions: 1, origins: 10 });
      const one = load.start({ "instance-id": "one" });
      await load.done();
      const { summary: first } = await one.stop();
      expect(first.messages).toMatchObject({ in: 300, out: 300 });
      await load.write(200);
      await cluster.deleteBefore(load.from, 0, 400n);
      const again = load.start({ "instance-id": "one" });
      await load.done();
      const { summary } = await again.stop();
      expect(summary).toMatchObject({ outOfRange: 1, offsetsLost: 100, messages: { in: 100, out: 100 } });
      expect(again.stderr).toContain(
        "offset 300 no longer exists; continuing from 400: 100 offsets were deleted before they were read",
      );
    });
  });
}
