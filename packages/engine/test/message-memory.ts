// Decides messages of about 90 bytes with `decideMessages`, and prints their number and the peak memory of the process in MiB as JSON.
//
//     node message-memory.ts MESSAGES PARK-BYTES ORIGINS DELAY
//
// An origin is loaded after DELAY milliseconds; 0: at once.
import { readFileSync } from "node:fs";
import { createSavedRobots, decideMessages } from "@robots-stream/engine";

const [messages = 0, parkBytes = 0, origins = 0, delayMs = 0] = process.argv.slice(2).map(Number);
const saved = createSavedRobots("examples/robots");
const loaded = await saved.load("https://shop.example", { signal: new AbortController().signal });
let complete = 0;
const decider = decideMessages<object>({
  agents: "bingbot",
  robots: {
    load: () => (delayMs === 0 ? loaded : new Promise((resolve) => setTimeout(() => resolve(loaded), delayMs))),
  },
  parkBytes,
  onPart({ rows, isLast }) {
    decider.giveBack(rows);
    if (isLast) complete++;
  },
});
for (let at = 0; at < messages; at++) {
  if (!decider.hasRoom) await decider.room();
  const value = Buffer.from(`{"url":"https://host-${at % origins}.example/cart/${at}/${"x".repeat(40)}"}`);
  // The message refers to its bytes, as a queue's messages do.
  decider.add({ at, value }, value);
}
decider.end();
await decider.done;
await saved.close();

/** Peak memory. On Linux, `maxRSS` would be the parent's peak if that were higher. */
function peakMib(): number {
  const [, peak] = /^VmHWM:\s*(\d+)/mu.exec(statusText()) ?? [];
  return Math.round((peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) / 1_024);
}

function statusText(): string {
  try {
    return readFileSync("/proc/self/status", "utf8");
  } catch {
    return "";
  }
}

console.log(JSON.stringify({ complete, peakMib: peakMib() }));
