// Rows of all sizes, taken and given back in any order: what somebody holds stays what it was until it is given back.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Rows } from "./rows.ts";

test("pieces that are given back are used again, and never while somebody has them", () => {
  const action = fc.oneof(
    { weight: 8, arbitrary: fc.record({ add: fc.nat(60_000), head: fc.nat(300) }) },
    { weight: 3, arbitrary: fc.constant("take" as const) },
    { weight: 3, arbitrary: fc.nat(9).map((which) => ({ giveBack: which })) },
  );
  let reused = 0;
  fc.assert(
    fc.property(fc.array(action, { maxLength: 120 }), (actions) => {
      const rows = new Rows();
      const held: { readonly piece: Buffer; readonly copy: Buffer }[] = [];
      const given = new Set<ArrayBufferLike>();
      let expected = "";
      let number = 0;
      for (const each of actions) {
        if (each === "take") {
          const pieces = rows.take();
          expect(Buffer.concat(pieces).toString("latin1")).toBe(expected);
          expected = "";
          for (const piece of pieces) {
            if (given.has(piece.buffer)) reused++;
            held.push({ piece, copy: Buffer.from(piece) });
          }
        } else if ("giveBack" in each) {
          const [one] = held.splice(each.giveBack % Math.max(1, held.length), 1);
          if (one !== undefined) {
            expect(one.piece.equals(one.copy)).toBe(true);
            given.add(one.piece.buffer);
            rows.giveBack(one.piece);
          }
        } else {
          const letter = String.fromCharCode(0x61 + (number++ % 26));
          const head = Buffer.from(letter.repeat(each.head));
          const tail = Buffer.from(`${letter.toUpperCase().repeat(each.add)}\n`);
          rows.add(head, 0, head.length, tail);
          expected += head.toString("latin1") + tail.toString("latin1");
        }
      }
      for (const { piece, copy } of held) expect(piece.equals(copy)).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(reused).toBeGreaterThan(10);
});
