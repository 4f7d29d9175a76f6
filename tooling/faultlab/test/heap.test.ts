// Loads 5,000 origins that fail in eight ways. After the first thousand, the heap must grow by less than 2 MB.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { closedPort, createCertificate, responseOf, startRawServer } from "@robots-stream/raw-servers";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("programs/heap.ts", import.meta.url));

interface Measured {
  readonly after1000: number;
  readonly after5000: number;
  readonly codes: Readonly<Record<string, number>>;
}

function measure(servers: readonly string[]): Promise<Measured> {
  const node = ["--expose-gc", "--conditions=@robots-stream/source", "--disable-warning=ExperimentalWarning"];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...node, program, ...servers], { timeout: 200_000 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(JSON.parse(stdout) as Measured);
    });
  });
}

test("the heap grows by less than 2 MB over 4,000 failures", { timeout: 240_000 }, async () => {
  const servers = await Promise.all([
    startRawServer((socket) => socket.resetAndDestroy()),
    startRawServer((socket) => socket.end()),
    startRawServer(() => undefined),
    startRawServer((socket) => socket.end(Buffer.alloc(200, 0xa5))),
    startRawServer((socket) => socket.end(responseOf(200, { "content-length": "900" }, "User-agent: *\n"))),
    startRawServer((socket) => socket.end(responseOf(503))),
    startRawServer((socket) => socket.end(responseOf(200)), createCertificate()),
  ]);
  try {
    const all = [
      `http ${await closedPort()}`,
      ...servers.map(({ origin, port }) => `${new URL(origin).protocol.slice(0, -1)} ${port}`),
    ];
    const { after1000, after5000, codes } = await measure(all);
    // Each kind of failure has an eighth of the origins; on a busy machine some of the other failures may end as timeouts.
    expect(Object.keys(codes)).toEqual(expect.arrayContaining(["connect-refused", "reset", "closed", "timeout"]));
    expect(Object.values(codes).reduce((sum, count) => sum + count, 0)).toBe(5_000);
    expect(codes["ok"]).toBeUndefined();
    // A leak of one kilobyte per origin would be 4 MB.
    expect(after5000 - after1000).toBeLessThan(2_000_000);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});
