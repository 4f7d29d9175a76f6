// Loads a number of origins at one port, with a given concurrency, and prints the cost as JSON. Every eleventh origin fails. This file is
// JavaScript because Node's type stripper takes 35 MB of memory.
import { createRobotsClient } from "@robots-stream/fetch";
import { peakMbOfThisProcess } from "./peak.cjs";

const [port, howMany, atOnce] = process.argv.slice(2);
const count = Number(howMany);
const slots = Number(atOnce);
const client = createRobotsClient({ allowPrivate: true, concurrency: slots, perAddress: slots });

/** The failures. Each text is the expected code and the beginning of the host name that selects the failure. */
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
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1_000, whole, MB: peakMbOfThisProcess() }));
