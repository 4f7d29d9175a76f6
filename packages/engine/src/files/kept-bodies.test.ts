// Bodies stored in memory and in a temporary file: each is returned unchanged, wherever it is stored.
import { expect, test } from "vitest";
import { KeptBodies } from "./kept-bodies.ts";

function bodyOf(number: number): Uint8Array {
  const size = number % 50 === 49 ? 600_000 : (number * 977) % 9_000;
  return Uint8Array.from({ length: size }, (_, at) => (number * 31 + at) & 0xff);
}

test.each([
  ["all in the file", 0],
  ["the first in memory", 700_000],
  ["all in memory", 100_000_000],
])("bodies are returned unchanged: %s", (_what, memoryBytes) => {
  const bodies = new KeptBodies(memoryBytes);
  const kept: { position: number; body: Uint8Array }[] = [];
  for (let number = 0; number < 200; number++) {
    const body = bodyOf(number);
    kept.push({ position: bodies.keep(body), body });
    const { position, body: earlier } = kept[(number * 7) % kept.length]!;
    expect(Buffer.compare(bodies.read(position, earlier.length), earlier)).toBe(0);
  }
  for (const { position, body } of kept) expect(Buffer.compare(bodies.read(position, body.length), body)).toBe(0);
  bodies.close();
});
