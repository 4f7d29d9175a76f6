// Tests that estimates are within three standard errors, that texts are read back unchanged, and that sketches can be merged.
import { expect, test } from "vitest";
import { Hash64, bytesOf } from "../hash.ts";
import { addToSketch, estimateOf, mergeSketch, registers, sketchError, sketchOfText, sketchTextOf } from "./sketch.ts";

function sketchOf(from: number, to: number): Uint8Array {
  const sketch = new Uint8Array(registers);
  const hash = new Hash64();
  for (let number = from; number < to; number++) {
    const bytes = bytesOf(`/shop/item-${number}`);
    hash.start(7, 9);
    hash.add(bytes, 0, bytes.length);
    hash.finish();
    addToSketch(sketch, hash.high, hash.low);
  }
  return sketch;
}

test.each([0, 1, 2, 10, 100, 1_000, 5_000, 12_000, 50_000, 200_000])("%i distinct hashes", (distinct) => {
  const sketch = sketchOf(0, distinct);
  expect(Math.abs(estimateOf(sketch) - distinct)).toBeLessThanOrEqual(Math.ceil(distinct * sketchError * 3));
  expect(sketchOfText(sketchTextOf(sketch))).toEqual(sketch);
});

test("the merged sketch of two overlapping halves equals the sketch of the whole", () => {
  const merged = sketchOf(500, 2_000);
  mergeSketch(merged, sketchOf(0, 1_000));
  expect(merged).toEqual(sketchOf(0, 2_000));
});
