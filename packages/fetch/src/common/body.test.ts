// Joining pieces of every size, and the memory in use meanwhile.
import { expect, test } from "vitest";
import { createBodyReader } from "../network/decode.ts";
import { Pieces, wholeLinesOf, withoutCutLine } from "./body.ts";
import type { StoredRobots } from "./types.ts";
import { isWithinLimits } from "../access/loaded.ts";

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 7) & 255);

test.each<[what: string, sizes: readonly number[]]>([
  ["none", []],
  ["one", [1_000]],
  ["as many as are kept", Array.from({ length: 64 }, () => 3)],
  ["one piece more", Array.from({ length: 65 }, () => 3)],
  ["many of one byte", Array.from({ length: 5_000 }, () => 1)],
  ["a large one after many", [...Array.from({ length: 70 }, () => 1), 100_000, 0, 1]],
])("%s: the body is the joined pieces, up to any limit", (_what, sizes) => {
  const length = sizes.reduce((sum, size) => sum + size, 0);
  // A piece may be a part of a larger buffer.
  const all = bytesOf(length + 1).subarray(0, length);
  for (const maxBytes of [0, 1, 64, 65, length - 1, length, length + 1].filter((each) => each >= 0)) {
    const pieces = new Pieces();
    let at = 0;
    for (const size of sizes) pieces.add(all.subarray(at, (at += size)));
    expect(pieces.length).toBe(length);
    const whole = pieces.whole(maxBytes);
    expect(Buffer.compare(whole, all.subarray(0, maxBytes))).toBe(0);
    // A stored body must not keep a larger buffer alive.
    expect(whole.buffer.byteLength).toBe(whole.length);
  }
});

// A server sends only six bytes for a chunk of one byte, but a kept piece takes more than 100 bytes of memory: 512,000 pieces took 80 MB.
test("many small pieces are copied, not kept", () => {
  const piece = new Uint8Array(1);
  let body: Uint8Array | undefined;
  const reader = createBodyReader({
    codings: [],
    maxBytes: 512_000,
    onEnd: (end) => void (body = "body" in end ? end.body : undefined),
    onDrain: () => undefined,
  });
  for (let at = 0; at < 100; at++) reader.write(new Uint8Array(1));
  for (let at = 0; at < 10_000; at++) {
    piece[0] = at & 255;
    reader.write(piece);
  }
  reader.end();
  expect(
    Buffer.compare(
      body!.subarray(100),
      Uint8Array.from({ length: 10_000 }, (_, at) => at & 255),
    ),
  ).toBe(0);
});

test.each<[text: string, maxBytes: number, expected: string]>([
  ["a\nbc", 4, "a\nbc"],
  ["a\nbc\n", 5, "a\nbc\n"],
  ["a\nbcd", 4, "a\n"],
  ["a\nbc\nd", 4, "a\nbc"],
  ["a\nbc\r\nd", 4, "a\nbc"],
  ["a\nbc\r\nd", 5, "a\nbc\r"],
  ["a\rbcd", 4, "a\r"],
  ["abcd", 3, ""],
  ["abcd", 0, ""],
  ["", 0, ""],
])("%j, up to %i bytes", (text, maxBytes, expected) => {
  expect(Buffer.from(wholeLinesOf(Buffer.from(text), maxBytes)).toString()).toBe(expected);
});

test("bytes that were cut at an unknown place end with their last line end", () => {
  expect(Buffer.from(withoutCutLine(Buffer.from("a\r\nbc"))).toString()).toBe("a\r\n");
  expect(Buffer.from(withoutCutLine(Buffer.from("a\n"))).toString()).toBe("a\n");
});

test.each([
  [999, false],
  [1_000, true],
  [1_001, false],
])("an entry that was cut at 1000 bytes, after a line, fits a limit of %i bytes: %s", (maxBytes, isWithin) => {
  const entry: StoredRobots = {
    origin: "https://a.example",
    fetchedAt: 0,
    freshUntil: 1,
    access: "successful",
    code: "ok",
    status: 200,
    body: new Uint8Array(990),
    truncated: true,
    cutAtBytes: 1_000,
    hops: [{ url: "https://a.example/robots.txt", status: 200 }],
  };
  expect(isWithinLimits(entry, { maxBytes, maxRedirects: 5 })).toBe(isWithin);
});
