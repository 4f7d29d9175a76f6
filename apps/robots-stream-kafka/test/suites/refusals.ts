// Errors reported before the group is joined: missing topics, refused authentication, missing snapshots, wrong flags.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WorkerProcess } from "../cluster.ts";
import type { Shared } from "../shared.ts";

export function testRefusals(shared: Shared): void {
  describe("refusals before joining", () => {
    test("missing topics, refused authentication, missing snapshots, brokers and caches that do not respond, wrong flags", async () => {
      const { cluster, broker } = shared;
      const [from, to] = [await cluster.topic("in", 1), await cluster.topic("out", 1)];
      const folder = mkdtempSync(join(tmpdir(), "robots-stream-kafka-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const damaged = join(folder, "robots.warc.gz");
      writeFileSync(damaged, Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
      const usual = { brokers: cluster.address, group: "refused", from, to, agent: "bingbot" };
      const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
        ["a missing topic to read", { from: "nowhere" }, /the topic nowhere does not exist/],
        ["a missing topic to write", { to: "nowhere" }, /the topic nowhere does not exist/],
        ["a missing topic of dead letters", { "dead-letter": "nowhere" }, /the topic nowhere does not exist/],
        ["no password", { brokers: broker.saslAddress }, /brokers 127/],
        ["a wrong password", { brokers: broker.saslAddress, sasl: "PLAIN" }, /authentication/i],
        ["TLS on a port without TLS", { tls: "" }, /brokers 127/],
        ["a port with TLS, without --tls", { brokers: broker.tlsAddress }, /TLS/],
        [
          "a self-signed certificate, without --tls-ca",
          { brokers: broker.tlsAddress, tls: "" },
          /self.signed|certificate/,
        ],
        ["no broker", { brokers: "127.0.0.1:1" }, /ECONNREFUSED/],
        ["a missing snapshot", { robots: join(folder, "missing") }, /missing/],
        ["a damaged snapshot", { robots: damaged }, /robots\.warc\.gz/],
        ["a cache that does not respond", { cache: "redis://127.0.0.1:1" }, /ECONNREFUSED|unreachable|connect/i],
        ["no crawler", { agent: "" }, /./],
        ["an unknown format", { input: "nonsense" }, /nonsense/],
        ["an unknown flag", { nonsense: "" }, /nonsense/],
      ];
      const env = { KAFKA_USERNAME: "worker", KAFKA_PASSWORD: "wrong" };
      // Run three cases at a time, because each case starts a process.
      for (let at = 0; at < cases.length; at += 3) {
        await Promise.all(
          cases.slice(at, at + 3).map(async ([what, flags, message]) => {
            const args = Object.entries({ ...usual, ...flags }).flatMap(([name, value]) =>
              value === "" && name !== "agent" ? [`--${name}`] : [`--${name}`, value],
            );
            const worker = new WorkerProcess(args, env);
            const code = await worker.ended;
            expect([what, code, worker.stdout], worker.stderr).toEqual([what, 2, ""]);
            expect(worker.stderr, what).toMatch(message);
            expect(worker.stderr).not.toContain("wrong\n");
          }),
        );
      }
      expect(await cluster.committed("refused", from)).toEqual([-1n]);
    });
  });
}
