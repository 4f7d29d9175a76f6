// Tests TLS and SASL with the broker's own listeners.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { credentials } from "../broker.ts";
import { until, WorkerProcess } from "../cluster.ts";
import type { Shared } from "../shared.ts";

export function testSecurity(shared: Shared): void {
  describe("security", () => {
    test.for(["TLS", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])("a worker decides a message over %s", async (what) => {
      const { cluster, broker, origins } = shared;
      const [from, to] = [await cluster.topic("in", 1), await cluster.topic("out", 1)];
      await cluster.write(from, [{ value: `{"url":"${origins.originOf(1)}/private"}` }]);
      const folder = mkdtempSync(join(tmpdir(), "robots-stream-kafka-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const ca = join(folder, "ca.pem");
      writeFileSync(ca, broker.ca);
      const flags =
        what === "TLS"
          ? ["--brokers", broker.tlsAddress, "--tls-ca", ca]
          : ["--brokers", broker.saslAddress, "--sasl", what];
      const env = { KAFKA_USERNAME: credentials.username, KAFKA_PASSWORD: credentials.password };
      const group = `secure-${what}`;
      const worker = new WorkerProcess(
        [...flags, "--group", group, "--from", from, "--to", to, "--agent", "bingbot", "--allow-private"],
        env,
      );
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
