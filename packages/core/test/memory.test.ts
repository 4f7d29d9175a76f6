// Tests the memory of a parsed file, and that a matcher does not keep the file alive.
import { describe, expect, test } from "vitest";
import { type Matcher, type RobotsTxt, createMatcher, parseRobotsTxt } from "../src/index.ts";
import { Arena, MatcherTable } from "../src/internal.ts";

// Defined because vitest.config.ts starts Node with `--expose-gc`.
const collect = globalThis.gc!;

/** The bytes of memory that the object returned by `make` takes. */
function bytesHeldBy(make: () => unknown): number {
  const used = (): number => {
    for (let round = 0; round < 3; round++) collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  make();
  const before = used();
  const held = make();
  const after = used();
  return held === undefined ? 0 : after - before;
}

const size = 500_000;
const ordinary = `user-agent: *\n${Array.from({ length: 18_000 }, (_, rule) => `Disallow: /folder-${rule}/page`).join("\n")}`;
const files: readonly (readonly [name: string, text: string])[] = [
  ["ordinary rules", ordinary],
  ["the shortest rules", `user-agent:*\n${"allow:/\n".repeat(size / 8)}`],
  ["user-agent lines", "user-agent:a\n".repeat(Math.ceil(size / 13))],
  ["comments", "# comment\n".repeat(size / 10)],
];

describe("a parsed file", () => {
  test.each(files)("takes at most eight times its bytes: %s", (_, text) => {
    const bytes = Buffer.from(text);
    expect(bytesHeldBy(() => parseRobotsTxt(bytes))).toBeLessThan(bytes.length * 8);
  });

  test("a thousand small files take at most eight times their bytes", () => {
    const bytes = Buffer.from(ordinary.slice(0, 2000));
    const held = bytesHeldBy(() => Array.from({ length: 1000 }, () => parseRobotsTxt(bytes)));
    expect(held).toBeLessThan(1000 * bytes.length * 8);
  });
});

describe("a matcher", () => {
  test.each([
    ["asked once", 1],
    ["asked often", 100],
  ])("keeps no reference to the file or to its bytes: %s", async (_, times) => {
    const { matcher, file, bytes } = made(times);
    // An object returned by `WeakRef.deref` cannot be collected before the current task ends.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();
    expect(file.deref()).toBeUndefined();
    expect(bytes.deref()).toBeUndefined();
    expect(matcher.decide("/folder-7/page").allowed).toBe(false);
    expect(matcher.trace("/folder-7/page").winner?.rule.line).toBe(9);
  });
});

function made(times: number): { matcher: Matcher; file: WeakRef<RobotsTxt>; bytes: WeakRef<Uint8Array> } {
  const bytes = new Uint8Array(Buffer.from(ordinary));
  const file = parseRobotsTxt(bytes);
  const matcher = createMatcher(file, "bingbot");
  const target = Buffer.from("/folder-7/page");
  const table = new MatcherTable(new Arena());
  const block = table.add(matcher);
  for (let asked = 0; asked < times; asked++) {
    matcher.decide("/folder-8/page");
    table.find(block, target, 0, target.length);
  }
  return { matcher, file: new WeakRef(file), bytes: new WeakRef(bytes) };
}
