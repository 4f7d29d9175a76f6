// A process that loads a number of origins through a shared Redis store and prints counts of the results. Arguments: Redis URL, port of
// the origins' server, number of origins, claim time in milliseconds.
import { createRobotsClient } from "@robots-stream/fetch";
import { createRedisStore } from "@robots-stream/fetch/redis";

const [url = "", port = "", origins = "", claimMs = ""] = process.argv.slice(2);
const store = createRedisStore(url, { claimMs: Number(claimMs) });
const client = createRobotsClient({
  // All origins have one address here: no load may wait for a turn at the address while it holds a claim.
  perAddress: 64,
  store,
  // Every name resolves to loopback, without a name server.
  lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
  allowPrivate: ["127.0.0.0/8"],
  concurrency: 64,
});
const counts = { decided: 0, wrong: 0, fetched: 0 };
// Each process starts at another origin, so that the processes compete for the origins in between.
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
