// Tests what becomes of single messages: whether they are out, dead, later or left out, and their keys, headers, limits and order.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Flags, headerOf, type Shared, until, WorkerProcess } from "../cluster.ts";

const rule = { agent: "bingbot", allowed: false, because: "rule", group: "*", rule: "disallow: /private", line: 2 };

export function testMessages(shared: Shared): void {
  describe("messages", () => {
    /** Starts a worker that decides for bingbot and commits often. */
    function start(group: string, from: string, flags: Flags): WorkerProcess {
      const place = { brokers: shared.cluster.address, group, from };
      const usual = { agent: "bingbot", "allow-private": "127.0.0.0/8", "commit-interval": "0.2" };
      return new WorkerProcess({ ...place, ...usual, ...flags });
    }

    /** Resolves when all messages are committed, or when the worker has ended. */
    async function settled(worker: WorkerProcess, group: string, from: string): Promise<void> {
      const { cluster } = shared;
      const isDone = async (): Promise<boolean> => {
        const [committed, ends] = [await cluster.committed(group, from), await cluster.ends(from)];
        return committed.every((offset, at) => offset === ends[at]) || worker.child.exitCode !== null;
      };
      await until(isDone, "all commits", 60_000).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${worker.stderr}`);
      });
    }

    /** Runs a worker until all messages are committed, stops it, and checks that it has read `count` messages. */
    async function through(topics: { from: string; group?: string }, count: number, flags: Flags) {
      const { from, group = `${from}-group` } = topics;
      const worker = start(group, from, flags);
      await settled(worker, group, from);
      const { code, summary } = await worker.stop();
      expect([code, summary.isExact], worker.stderr).toEqual([0, true]);
      expect(summary.messages.in).toBe(count);
      return summary;
    }

    test("keys, timestamps, repeated headers, several lines, bad lines, tombstones, framed values", async () => {
      const { cluster, origins } = shared;
      const [from, to, dead] = [
        await cluster.topic("in", 3),
        await cluster.topic("out", 12),
        await cluster.topic("dead", 1),
      ];
      const one = origins.originOf(1);
      const timestamp = BigInt(Date.now()) - 1_000n;
      const headers = [
        ["b", "1"],
        ["a", "2"],
        ["b", "3"],
      ] as const;
      await cluster.write(from, [
        { key: "one", value: `{"url":"${one}/private/x","n":1}`, headers, timestamp },
        { key: "two", value: `{"url":"${one}/a"}\nnot json\n\n{"x":1}\n{"url":"${one}/private"}\n` },
        { value: `{"url":"${one}/no-key"}`, partition: 2 },
        { key: "tomb", value: null },
        { key: "framed", value: Buffer.concat([Buffer.from([0, 0, 0, 0, 7]), Buffer.from("x")]) },
        { key: "bad", value: "{" },
        { key: "empty", value: "\n" },
        { key: "no URL", value: '{"url":"nonsense"}' },
      ]);
      const summary = await through({ from }, 8, { to, "dead-letter": dead, "source-headers": true });
      expect(summary.messages).toMatchObject({ out: 4, dead: 4, later: 0, leftOut: 0 });
      expect(summary.lines).toEqual({ in: 11, out: 5, dead: 6, later: 0, leftOut: 0 });
      const out = await cluster.read(to);
      const byKey = (key: string | undefined) => out.find((message) => message.key?.toString() === key)!;
      expect(JSON.parse(byKey("one").value!.toString())).toEqual({
        url: `${one}/private/x`,
        n: 1,
        robots: { ...rule, origin: one },
      });
      expect(byKey("one").timestamp).toBe(timestamp);
      expect(
        byKey("one")
          .headers.slice(0, 3)
          .map(([name, value]) => [name.toString(), value!.toString()]),
      ).toEqual(headers);
      expect(headerOf(byKey("one").headers, "robots-stream.topic")).toBe(from);
      const rows = byKey("two")
        .value!.toString()
        .split("\n")
        .map((row) => (JSON.parse(row) as { robots: { allowed: boolean } }).robots.allowed);
      expect(rows).toEqual([true, false]);
      expect(byKey(undefined).key).toBeNull();
      // Java's clients choose by murmur2 of the key; there are 12 partitions.
      expect([byKey("one").partition, byKey("two").partition]).toEqual([
        partitionOf("one", 12),
        partitionOf("two", 12),
      ]);
      const letters = new Map((await cluster.read(dead)).map((letter) => [letter.key!.toString(), letter]));
      expect(
        [...letters]
          .map(([key, { headers: own }]) => [
            key,
            headerOf(own, "robots-stream.code"),
            headerOf(own, "robots-stream.lines"),
          ])
          .toSorted(),
      ).toEqual(
        [
          ["bad", "not-json", "1"],
          ["empty", "no-record", undefined],
          ["framed", "framed", undefined],
          ["tomb", "tombstone", undefined],
          ["two", "not-json,no-url-field", "2,4"],
        ].toSorted(),
      );
      expect(letters.get("two")!.value!.toString()).toBe('not json\n{"x":1}');
      expect(letters.get("tomb")!.value).toBeNull();
    });

    test("times that are years apart, in any order, are kept", async () => {
      const { cluster, origins } = shared;
      const kept = { "retention.ms": "-1" };
      const [from, to] = [await cluster.topic("in", 1, kept), await cluster.topic("out", 1, kept)];
      const day = 86_400_000;
      // The test's own producer would write times wrongly that are 2^31 ms (24 days) apart in one request.
      const times = [0, 0.001, 24, 60, 1_000, 59, 2, 3_000, 2_999].map((days) =>
        BigInt(1_200_000_000_000 + days * day),
      );
      for (const [at, timestamp] of times.entries())
        await cluster.write(from, [{ key: "one", value: `{"url":"${origins.originOf(1)}/${at}"}`, timestamp }]);
      await through({ from }, times.length, { to });
      expect((await cluster.read(to)).map(({ timestamp }) => timestamp)).toEqual(times);
    });

    test("a row above the topic's limit becomes a dead letter, cut and with its digest; many rows are split", async () => {
      const { cluster, origins } = shared;
      const limit = { "max.message.bytes": "20000" };
      const [from, to, dead] = [
        await cluster.topic("in", 1),
        await cluster.topic("out", 1, limit),
        await cluster.topic("dead", 1, limit),
      ];
      const one = origins.originOf(1);
      const large = `{"url":"${one}/large","p":"${"x".repeat(30_000)}"}`;
      const many = Array.from({ length: 300 }, (_, at) => `{"url":"${one}/${at}","p":"${"y".repeat(100)}"}`);
      await cluster.write(from, [
        { key: "large", value: large },
        { key: "many", value: many.join("\n") },
        { key: "bad", value: `{${"z".repeat(50_000)}` },
        { key: "after", value: `{"url":"${one}/after"}` },
      ]);
      const summary = await through({ from }, 4, { to, "dead-letter": dead });
      expect(summary.deadLetters).toEqual({ "too-large": 1, "not-json": 1 });
      const out = await cluster.read(to);
      const parts = out.filter(({ key }) => key!.toString() === "many");
      expect(parts.length).toBeGreaterThan(2);
      expect(
        parts
          .map(({ value }) => value!.toString())
          .join("\n")
          .split("\n")
          .map((row) => (JSON.parse(row) as { url: string }).url),
      ).toEqual(many.map((_, at) => `${one}/${at}`));
      expect(out.at(-1)!.key!.toString()).toBe("after");
      const letters = await cluster.read(dead);
      const [first, second] = ["too-large", "not-json"].map((code) =>
        letters.find(({ headers }) => headerOf(headers, "robots-stream.code") === code),
      );
      const row = `${large.slice(0, -1)},"robots":${JSON.stringify({ agent: "bingbot", allowed: true, because: "no-rule", group: "*", origin: one })}}`;
      expect(headerOf(first!.headers, "robots-stream.sha256")).toBe(createHash("sha256").update(row).digest("hex"));
      expect(headerOf(first!.headers, "robots-stream.bytes")).toBe(String(row.length));
      expect(row.startsWith(first!.value!.toString())).toBe(true);
      expect(headerOf(second!.headers, "robots-stream.bytes")).toBe("50001");
    });

    test("an origin that never responds does not delay others; --max-wait sends its lines to --later, and the watermark follows", async () => {
      const { cluster, origins } = shared;
      const [from, to, later] = [
        await cluster.topic("in", 1),
        await cluster.topic("out", 1),
        await cluster.topic("later", 1),
      ];
      const [one, silent] = [origins.originOf(1), origins.originOf(9_999)];
      origins.silent.add(new URL(silent).host);
      await cluster.write(from, [
        { key: "mixed", value: `{"url":"${silent}/1"}\n{"url":"${one}/2"}\n\n{"url":"${silent}/3"}` },
        { key: "silent", value: `{"url":"${silent}/4"}` },
        ...Array.from({ length: 500 }, (_, at) => ({ key: `k${at}`, value: `{"url":"${one}/${at}"}` })),
      ]);
      const begun = Date.now();
      const worker = start("waiting", from, { to, later, "max-wait": "4", http: "0" });
      await until(async () => (await cluster.ends(to))[0] === 501n, "the others' rows", 30_000);
      const [first] = await cluster.read(to);
      expect(first!.value!.toString()).toContain(`"url":"${one}/`);
      const page = await worker.page("/metrics");
      expect([page.status, (await worker.page("/livez")).status, (await worker.page("/readyz")).status]).toEqual([
        200, 200, 200,
      ]);
      // The first message waits for the silent origin, so the group has committed no message: 0, or -1 before its first commit.
      const [committed] = await cluster.committed("waiting", from);
      if (Date.now() - begun < 4_000) expect(committed).toBeLessThanOrEqual(0n);
      await until(async () => (await cluster.committed("waiting", from))[0] === 502n, "the watermark", 30_000);
      const { summary } = await worker.stop();
      expect(summary.messages).toMatchObject({ in: 502, out: 501, later: 1, dead: 0 });
      expect(summary.lines).toEqual({ in: 504, out: 501, later: 3, dead: 0, leftOut: 0 });
      expect((await cluster.read(later)).map(({ key, value }) => [key!.toString(), value!.toString()])).toEqual([
        ["mixed", `{"url":"${silent}/1"}\n{"url":"${silent}/3"}`],
        ["silent", `{"url":"${silent}/4"}`],
      ]);
      console.log(
        `one silent origin: 501 other messages were out before the watermark followed, ${((Date.now() - begun) / 1_000).toFixed(1)} s after the start, --max-wait 4`,
      );
    });

    test("/metrics has the numbers of messages and of lines that are out, dead, later and left out", async () => {
      const { cluster, origins } = shared;
      const names = ["in", "out", "dead", "later"];
      const [from = "", to = "", dead = "", later = ""] = await Promise.all(
        names.map((name) => cluster.topic(name, 1)),
      );
      const [one, silent] = [origins.originOf(1), origins.originOf(9_998)];
      origins.silent.add(new URL(silent).host);
      await cluster.write(from, [
        { value: `{"url":"${one}/a"}\n{"url":"${one}/private"}\nno record` },
        { value: null },
        { value: `{"url":"${one}/private/b"}` },
        { value: `{"url":"${silent}/c"}` },
        ...Array.from({ length: 10 }, (_, at) => ({ value: `{"url":"${one}/${at}"}` })),
      ]);
      const flags = { to, only: "allowed", "dead-letter": dead, later, "max-wait": "2", http: "0" };
      const group = `${from}-group`;
      const worker = start(group, from, flags);
      await settled(worker, group, from);
      const found = Object.fromEntries(await worker.metrics());
      expect(found, worker.stderr).toMatchObject({
        messages_read_total: 14,
        'messages_total{fate="out"}': 11,
        'messages_total{fate="dead"}': 1,
        'messages_total{fate="later"}': 1,
        'messages_total{fate="left_out"}': 1,
        'messages_total{fate="abandoned"}': 0,
        'lines_total{fate="out"}': 11,
        'lines_total{fate="dead"}': 2,
        'lines_total{fate="later"}': 1,
        'lines_total{fate="left_out"}': 2,
        messages_under_way: 0,
        bytes_under_way: 0,
        oldest_seconds: 0,
        [`messages_written_total{topic="${to}"}`]: 11,
        [`messages_written_total{topic="${dead}"}`]: 2,
        [`messages_written_total{topic="${later}"}`]: 1,
        'watermark{partition="0"}': 14,
        'committed{partition="0"}': 14,
        'lag{partition="0"}': 0,
        joins_total: 1,
        out_of_range_total: 0,
        offsets_lost_total: 0,
      });
      const { code, summary } = await worker.stop();
      expect([code, summary.isExact]).toEqual([0, true]);
      expect(summary.messages).toMatchObject({ in: 14, out: 11, dead: 1, later: 1, leftOut: 1 });
      expect([(await cluster.read(to)).length, (await cluster.read(dead)).length]).toEqual([11, 2]);
    });

    test("one topic per answer; only allowed records; the URL from the key; the order within a partition", async () => {
      const { cluster, origins } = shared;
      const one = origins.originOf(1);
      const lines = `{"url":"${one}/a"}\n{"url":"${one}/private"}\n{"url":"nonsense"}`;
      const names = ["in", "allowed", "disallowed", "only", "keyed", "answers", "ordered", "dead"];
      const [from = "", allowed = "", disallowed = "", only = "", keyed = "", answers = "", ordered = "", dead = ""] =
        await Promise.all(names.map((name) => cluster.topic(name, 1)));
      await cluster.write(from, [{ key: "k", value: lines }]);
      const each = { "to-allowed": allowed, "to-disallowed": disallowed, "dead-letter": dead };
      const both = await through({ from }, 1, each);
      expect(both.lines).toEqual({ in: 3, out: 2, dead: 1, later: 0, leftOut: 0 });
      const valuesOf = async (topic: string) =>
        (await cluster.read(topic)).map(({ value }) => (JSON.parse(value!.toString()) as { url: string }).url);
      expect([await valuesOf(allowed), await valuesOf(disallowed)]).toEqual([[`${one}/a`], [`${one}/private`]]);
      const filtered = await through({ from, group: "only" }, 1, { to: only, only: "allowed" });
      expect(filtered.lines).toEqual({ in: 3, out: 1, dead: 1, later: 0, leftOut: 1 });
      expect(await valuesOf(only)).toEqual([`${one}/a`]);
      await cluster.write(keyed, [
        { key: `${one}/private`, value: Buffer.from([0xff, 0]) },
        { key: `${one}/b`, value: null },
        { value: "x" },
      ]);
      await through({ from: keyed }, 3, { to: answers, "url-from": "key", "dead-letter": dead });
      const out = await cluster.read(answers);
      expect(
        out.map(({ value, headers }) => [
          value?.toString("hex"),
          (JSON.parse(headerOf(headers, "robots-stream.answer")!) as { allowed: boolean }).allowed,
        ]),
      ).toEqual([
        ["ff00", false],
        [undefined, true],
      ]);
      const urls = Array.from({ length: 300 }, (_, at) => `${origins.originOf(at % 50)}/${at}`);
      const source = await cluster.topic("in-order", 1);
      await cluster.write(
        source,
        urls.map((url) => ({ value: JSON.stringify({ url }) })),
      );
      await through({ from: source }, 300, { to: ordered, ordered: true });
      expect(await valuesOf(ordered)).toEqual(urls);
    });

    test("lists of URLs are decided; a dry run prints the rows and commits nothing", async () => {
      const { cluster, origins } = shared;
      const one = origins.originOf(1);
      const [from, to] = [await cluster.topic("in", 2), await cluster.topic("out", 1)];
      await cluster.write(from, [{ value: `${one}/a\n${one}/private` }, { value: `${one}/b` }]);
      const flags = { agent: "bingbot", input: "lines", "allow-private": true, "dry-run": true } as const;
      const dry = new WorkerProcess({ brokers: cluster.address, from, ...flags });
      expect(await dry.ended, dry.stderr).toBe(0);
      expect(dry.stdout.trim().split("\n").length).toBe(3);
      expect(await cluster.committed("robots-stream-kafka-dry-run", from)).toEqual([-1n, -1n]);
      await through({ from }, 2, { to, input: "lines" });
      expect((await cluster.read(to)).flatMap(({ value }) => value!.toString().split("\n")).length).toBe(3);
    });
  });
}

/**
 * The partition that Java's clients choose: murmur2 with seed 0x9747b28c, without its sign bit, modulo the number of partitions. The
 * library's own function is not used here, because it would be compared with itself.
 */
function partitionOf(key: string, count: number): number {
  const data = Buffer.from(key);
  const m = 0x5bd1e995;
  let h = 0x9747b28c ^ data.length;
  let at = 0;
  for (; at + 4 <= data.length; at += 4) {
    let k = Math.imul(data.readInt32LE(at), m);
    k = Math.imul(k ^ (k >>> 24), m);
    h = Math.imul(h, m) ^ k;
  }
  const rest = data.length - at;
  if (rest === 3) h ^= data[at + 2]! << 16;
  if (rest >= 2) h ^= data[at + 1]! << 8;
  if (rest >= 1) h = Math.imul(h ^ data[at]!, m);
  h = Math.imul(h ^ (h >>> 13), m);
  h ^= h >>> 15;
  return (h & 0x7fffffff) % count;
}
