// Every byte at each of the four positions: the first byte at which the scan of a JSON string stops is found, and no earlier
// byte is marked.
import { expect, test } from "vitest";
import { firstMarkOf, endMarksOf } from "./words.ts";

const isMarked = (byte: number): boolean => byte < 0x20 || byte === 0x22 || byte === 0x5c;

test("the first marked byte is a quote, a backslash or a control character", () => {
  for (const other of [0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x61, 0x7f, 0x80, 0xa2, 0xdc, 0xff, 0x00, 0x1f]) {
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 4; place++) {
        const bytes = [other, other, other, other];
        bytes[place] = byte;
        const marks = endMarksOf(Buffer.from(bytes).readInt32LE(0));
        const first = marks === 0 ? -1 : firstMarkOf(marks);
        expect([bytes, first]).toEqual([bytes, bytes.findIndex(isMarked)]);
      }
    }
  }
});
