// Tests connections: TLS and SASL with the broker's own listeners, and the errors that are reported before the group is joined.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { credentials } from "../broker.ts";
import { type Flags, type Shared, until, WorkerProcess } from "../cluster.ts";

export function testConnections(shared: Shared): void {
  describe("connections", () => {
    test("refused before the group is joined: missing topics, refused authentication, missing snapshots, brokers and caches that do not respond, wrong flags", async () => {
      const { cluster, broker } = shared;
      const [from, to] = [await cluster.topic("in", 1), await cluster.topic("out", 1)];
      const folder = mkdtempSync(join(tmpdir(), "robots-stream-kafka-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const damaged = join(folder, "robots.warc.gz");
      writeFileSync(damaged, Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
      const usual = { brokers: cluster.address, group: "refused", from, to, agent: "bingbot" };
      const cases: readonly (readonly [string, Flags, RegExp])[] = [
        ["a missing topic to read", { from: "nowhere" }, /the topic nowhere does not exist/],
        ["a missing topic to write", { to: "nowhere" }, /the topic nowhere does not exist/],
        ["a missing topic of dead letters", { "dead-letter": "nowhere" }, /the topic nowhere does not exist/],
        ["no password", { brokers: broker.saslAddress }, /brokers 127/],
        ["a wrong password", { brokers: broker.saslAddress, sasl: "PLAIN" }, /authentication/i],
        ["TLS on a port without TLS", { tls: true }, /brokers 127/],
        ["a port with TLS, without --tls", { brokers: broker.tlsAddress }, /TLS/],
        [
          "a self-signed certificate, without --tls-ca",
          { brokers: broker.tlsAddress, tls: true },
          /self.signed|certificate/,
        ],
        ["no broker", { brokers: "127.0.0.1:1" }, /ECONNREFUSED/],
        ["a missing snapshot", { robots: join(folder, "missing") }, /missing/],
        ["a damaged snapshot", { robots: damaged }, /robots\.warc\.gz/],
        ["a cache that does not respond", { cache: "redis://127.0.0.1:1" }, /ECONNREFUSED|unreachable|connect/i],
        ["no crawler", { agent: "" }, /./],
        ["an unknown format", { input: "nonsense" }, /nonsense/],
        ["an unknown flag", { nonsense: true }, /nonsense/],
      ];
      const env = { KAFKA_USERNAME: "worker", KAFKA_PASSWORD: "wrong" };
      // Run three cases at a time, because each case starts a process.
      for (let at = 0; at < cases.length; at += 3) {
        await Promise.all(
          cases.slice(at, at + 3).map(async ([what, flags, message]) => {
            const worker = new WorkerProcess({ ...usual, ...flags }, env);
            const code = await worker.ended;
            expect([what, code, worker.stdout], worker.stderr).toEqual([what, 2, ""]);
            expect(worker.stderr, what).toMatch(message);
            expect(worker.stderr).not.toContain("wrong\n");
          }),
        );
      }
      expect(await cluster.committed("refused", from)).toEqual([-1n]);
    });

    test.for(["TLS", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])("a worker decides a message over %s", async (what) => {
      const { cluster, broker, origins } = shared;
      const [from, to] = [await cluster.topic("in", 1), await cluster.topic("out", 1)];
      await cluster.write(from, [{ value: `{"url":"${origins.originOf(1)}/private"}` }]);
      const folder = mkdtempSync(join(tmpdir(), "robots-stream-kafka-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const ca = join(folder, "ca.pem");
      writeFileSync(ca, broker.ca);
      const flags: Flags =
        what === "TLS" ? { brokers: broker.tlsAddress, "tls-ca": ca } : { brokers: broker.saslAddress, sasl: what };
      const env = { KAFKA_USERNAME: credentials.username, KAFKA_PASSWORD: credentials.password };
      const group = `secure-${what}`;
      const usual = { group, from, to, agent: "bingbot", "allow-private": true } as const;
      const worker = new WorkerProcess({ ...flags, ...usual }, env);
      await until(
        async () => (await cluster.committed(group, from))[0] === 1n || worker.child.exitCode !== null,
        what,
        60_000,
      );
      const { code, summary } = await worker.stop();
      expect([code, summary.messages.out], worker.stderr).toEqual([0, 1]);
      expect((await cluster.read(to)).length).toBe(1);
      expect(worker.stderr).not.toContain(credentials.password);
    });
  });
}
