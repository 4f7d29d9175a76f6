// A port, how many and how many at once → as many origins asked, every eleventh of which fails in its way; what it took, as JSON.
// Not in TypeScript: what removes the types is 35 MB.
import { createRobotsClient } from "@robots-stream/fetch";

const [port, howMany, atOnce] = process.argv.slice(2);
const count = Number(howMany);
const slots = Number(atOnce);
const client = createRobotsClient({ allowPrivate: true, concurrency: slots, perAddress: slots });

/** Ways to fail, by the beginning of a name: the codes they come to. */
const codes = ["http-404", "http-500", "closed", "incomplete"];

let next = 0;
let whole = 0;
const work = async () => {
  while (next < count) {
    const number = next++;
    const code = number % 11 === 0 ? codes[(number / 11) % codes.length] : "ok";
    const { stored } = await client.load(`http://${code === "ok" ? "" : `${code}-`}n${number}.localhost:${port}`);
    if (stored.code === code && (code !== "ok" || stored.body.length > 1_000)) whole++;
  }
};
const before = process.cpuUsage();
await Promise.all(Array.from({ length: Math.min(slots, count) }, work));
const { user, system } = process.cpuUsage(before);
await client.close();
const peakMb = (process.resourceUsage().maxRSS * 1_024) / 1e6;
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1_000, whole, peakMb }));
