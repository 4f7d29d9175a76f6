// Loads failing origins and prints, as JSON, the heap's size after 1,000 and after 5,000 loads. Needs --expose-gc.
import { type RobotsStore, createRobotsClient } from "@robots-stream/fetch";

/** Arguments such as "http 1234": scheme and port of a server on 127.0.0.1. Each server fails in a different way. */
const servers = process.argv.slice(2).map((text) => text.split(" ") as [scheme: string, port: string]);
const nothing: RobotsStore = { get: () => undefined, set: () => undefined };
const client = createRobotsClient({
  allowPrivate: true,
  store: nothing,
  concurrency: 64,
  limits: { headersTimeoutMs: 20, connectTimeoutMs: 30_000, deadlineMs: 60_000 },
});
const codes = new Map<string, number>();

/** Loads the origins from number `from` to below `to`, each with its own host name, from the servers in turn. */
async function loadAll(from: number, to: number): Promise<void> {
  const loads = Array.from({ length: to - from }, async (_, i) => {
    const [scheme, port] = servers[i % servers.length]!;
    const { stored } = await client.load(`${scheme}://o${from + i}.localhost:${port}`);
    codes.set(stored.code, (codes.get(stored.code) ?? 0) + 1);
  });
  await Promise.all(loads);
}

async function heapUsed(): Promise<number> {
  // A socket's memory is released only a few turns of the event loop after the socket has ended.
  for (let i = 0; i < 5; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

await loadAll(0, 1_000);
const after1000 = await heapUsed();
await loadAll(1_000, 5_000);
const after5000 = await heapUsed();
await client.close();
process.stdout.write(`${JSON.stringify({ after1000, after5000, codes: Object.fromEntries(codes) })}\n`);
