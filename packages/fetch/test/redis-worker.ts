// A Redis URL, a server's port, a number of origins and claim time in: a process that loads them all through the shared store, and tells what it got.
import { createRobotsClient } from "@robots-stream/fetch";
import { createRedisStore } from "@robots-stream/fetch/redis";

const [url = "", port = "", origins = "", claimMs = ""] = process.argv.slice(2);
const store = createRedisStore(url, { claimMs: Number(claimMs) });
const client = createRobotsClient({
  // All origins are at one address here: no process may wait for a turn while it holds a claim.
  perAddress: 64,
  store,
  // Names of loopback alone, without a name server.
  lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
  allowPrivate: ["127.0.0.0/8"],
  concurrency: 64,
});
const counts = { decided: 0, wrong: 0, fetched: 0 };
// Each begins elsewhere, so that they meet in the middle.
const start = Math.floor(Math.random() * Number(origins));
process.stdout.write("started\n");
await Promise.all(
  Array.from({ length: Number(origins) }, async (_, i) => {
    const number = (start + i) % Number(origins);
    const loaded = await client.load(`http://h${number}.test:${port}`);
    const decide = (path: string): boolean => loaded.matcherOf("bingbot").decide(path).allowed;
    counts.decided++;
    if (loaded.fetched) counts.fetched++;
    if (decide(`/${number}`) || !decide("/other")) counts.wrong++;
  }),
);
await client.close();
await store.close();
process.stdout.write(`${JSON.stringify(counts)}\n`);
