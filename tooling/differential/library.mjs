// Decides an input with decideStream: OPTIONS INPUT SAVED ROWS COUNTS. The environment variable C names the checkout.
import { createReadStream, createWriteStream, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";

const { createSavedRobots, decideStream } = await import(`${process.env.C}/apps/robots-stream/dist/index.js`);
const [options, input, saved, rows, counts] = process.argv.slice(2);
const robots = createSavedRobots(saved);
let rejects = 0;
const decider = decideStream({ ...JSON.parse(options), robots, ordered: true, onReject: () => (rejects += 1) });
const highWaterMark = [1000, 65_536, 7777][input.length % 3];
await pipeline(createReadStream(input, { highWaterMark }), decider, createWriteStream(rows));
writeFileSync(
  counts,
  JSON.stringify({ decided: decider.summary.decided, rejects: decider.summary.rejects, reported: rejects }),
);
await robots.close?.();
