// Tests how long a process waits for a claim. The server's replies about the claim's key are given, and the clock is set by hand.
import { expect, test } from "vitest";
import { createClaims } from "./redis-claims.ts";

const claimMs = 10_000;
const never = new AbortController().signal;

/** One read of the key's time to live: the time since the previous read, and the remaining time. After the last read, the key is free. */
type Look = readonly [passedMs: number, leftMs: number];

async function taken(looks: readonly Look[]): Promise<{ readonly looked: number; readonly isClaimed: boolean }> {
  let time = 1_000_000;
  let looked = 0;
  const commands: string[] = [];
  const command = (...parts: readonly string[]): Promise<unknown> => {
    commands.push(parts[0]!);
    if (parts[0] === "SET") return Promise.resolve(looked < looks.length ? null : "OK");
    if (parts[0] !== "PTTL") return Promise.resolve(1);
    const [passedMs, leftMs] = looks[looked++]!;
    time += passedMs;
    return Promise.resolve(leftMs);
  };
  const claims = createClaims({ command, claimMs, elapsed: () => time });
  const claim = await claims.take("key", never);
  const isClaimed = commands.at(-1) === "SET";
  await claim.release();
  // A claim that was not obtained is not released: it belongs to another process.
  expect(commands.includes("EVAL")).toBe(isClaimed);
  claims.end();
  return { looked, isClaimed };
}

test.each<[what: string, looks: readonly Look[], looked: number, isClaimed: boolean]>([
  ["no process holds the key", [], 0, true],
  [
    "the key expires",
    [
      [0, 6_000],
      [3_000, 3_000],
      [3_000, -2],
    ],
    3,
    true,
  ],
  ["the key never expires: no claim", [[0, -1]], 1, false],
  [
    "the key was a claim, and now never expires",
    [
      [0, 9_000],
      [1_000, 8_000],
      [1_000, -1],
    ],
    3,
    false,
  ],
  [
    "the claim is renewed again and again",
    [
      [0, 10_000],
      [3_400, 9_900],
      [3_400, 9_800],
      [3_400, 9_900],
      [3_400, 10_000],
      [3_400, 9_700],
      [3_400, 9_900],
    ],
    7,
    true,
  ],
  [
    "the key expires in an hour, and is not renewed",
    [
      [0, 3_600_000],
      [5_000, 3_595_000],
      [5_000, 3_590_000],
    ],
    3,
    false,
  ],
  [
    "a slow reply is not a renewal",
    [
      [0, 60_000],
      [5_000, 55_500],
      [4_999, 50_800],
      [2, 50_900],
    ],
    4,
    false,
  ],
  // This process was suspended for an hour, while the holder renewed the claim.
  [
    "the key is read after a long pause",
    [
      [0, 10_000],
      [3_600_000, 6_700],
      [3_600_000, 9_000],
    ],
    3,
    true,
  ],
  [
    "the claim is released, then another process claims",
    [
      [0, 9_000],
      [100, -2],
      [100, 9_990],
      [5_000, 5_000],
      [4_900, 3_000],
    ],
    5,
    true,
  ],
])("%s", async (_what, looks, looked, isClaimed) => {
  expect(await taken(looks)).toEqual({ looked, isClaimed });
});
