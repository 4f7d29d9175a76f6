// Tests that the memory of `decideMessages` is bounded, whatever the number of messages, by default and with a lower `parkBytes`.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = fileURLToPath(new URL("message-memory.ts", import.meta.url));
const mebibyte = 1_048_576;

interface Case {
  readonly messages: number;
  readonly parkBytes: number;
  readonly origins: number;
  readonly delayMs: number;
}

/** The peak memory of a process that decides the messages, in MiB, with a heap of at most 256 MB. */
function peakOf({ messages, parkBytes, origins, delayMs }: Case): number {
  const words = [messages, parkBytes, origins, delayMs].map(String);
  const node = [
    "--conditions=@robots-stream/source",
    "--disable-warning=ExperimentalWarning",
    "--max-old-space-size=256",
  ];
  const text = execFileSync(process.execPath, [...node, program, ...words], { cwd: root, encoding: "utf8" });
  const { complete, peakMib } = JSON.parse(text) as { readonly complete: number; readonly peakMib: number };
  expect(complete).toBe(messages);
  return peakMib;
}

test.for([
  ["origins that are loaded", { parkBytes: 64 * mebibyte, origins: 200, delayMs: 0 }, 400],
  ["origins that are loaded, parkBytes of 8 MiB", { parkBytes: 8 * mebibyte, origins: 200, delayMs: 0 }, 400],
  ["origins that take 20 ms", { parkBytes: 64 * mebibyte, origins: 20_000, delayMs: 20 }, 550],
] as const)("messages of 90 bytes for %s", ([what, options, most]) => {
  const few = peakOf({ ...options, messages: isThorough ? 300_000 : 60_000 });
  const many = peakOf({ ...options, messages: isThorough ? 3_000_000 : 200_000 });
  if (isThorough) console.log(`decideMessages, ${what}: ${few} MiB for 300,000 messages, ${many} MiB for 3,000,000`);
  expect(many).toBeLessThan(most);
  // Garbage may wait for its collection, and a short run collects little; but nothing grows with the number of messages.
  expect(many).toBeLessThan(few + (isThorough ? 100 : 200));
});
