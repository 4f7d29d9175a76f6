// Joining pieces of every size, and the memory in use meanwhile.
import { expect, test } from "vitest";
import { createBodyReader } from "../network/decode.ts";
import { Pieces } from "./pieces.ts";

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
  const all = bytesOf(length);
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
