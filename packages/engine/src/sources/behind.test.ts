// Tests that reading continues at the position for chunks of any size, and that a changed text is refused before any of it is returned.
import { describe, expect, test } from "vitest";
import { type InputPlace, textBehind } from "./behind.ts";
import { fingerprintBefore, fingerprintOf } from "../records/batch.ts";

const text = "https://a.example/1\nhttps://a.example/2\nhttps://a.example/3\n";
const lineLength = text.length / 3;

function placeAt(offset: number, beginningBytes: number): InputPlace {
  const bytes = Buffer.from(text);
  return {
    source: 0,
    format: "lines",
    lineEnd: "\n",
    offset,
    line: 1,
    before: fingerprintBefore(bytes, offset),
    known: {},
    beginning: fingerprintOf(bytes.subarray(0, beginningBytes)),
    file: null,
    isPlain: true,
  };
}

async function* inChunks(whole: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield await Promise.resolve(Buffer.from(whole.slice(at, at + size)));
}

/** The text that was returned, and the code of the error if there was one. */
async function read(whole: string, size: number, place: InputPlace): Promise<readonly [text: string, code?: string]> {
  let returned = "";
  try {
    for await (const chunk of textBehind(inChunks(whole, size), "-", place)) returned += Buffer.from(chunk).toString();
  } catch (error) {
    return [returned, (error as { readonly code: string }).code];
  }
  return [returned];
}

describe.each([0, 1, lineLength, lineLength + 5, 2 * lineLength, text.length])("position %i", (offset) => {
  const sizes = [1, 2, 7, lineLength, lineLength + 1, text.length];

  test.each([0, 10, lineLength + 3, text.length])("of a text with %i fingerprinted bytes", async (beginningBytes) => {
    for (const size of sizes) {
      expect(await read(text, size, placeAt(offset, beginningBytes))).toEqual([text.slice(offset)]);
    }
  });

  test("a text with a change in any fingerprinted byte, or without its last byte, is refused", async () => {
    const place = placeAt(offset, text.length);
    for (const size of sizes) {
      for (let at = 0; at < text.length; at++) {
        expect(await read(`${text.slice(0, at)}~${text.slice(at + 1)}`, size, place)).toEqual([
          "",
          "ERR_CHANGED_INPUT",
        ]);
      }
      expect(await read(text.slice(0, -1), size, place)).toEqual(["", "ERR_CHANGED_INPUT"]);
    }
  });
});
