// Rows of all sizes, taken and returned in any order: a piece does not change before it is returned.
import fc from "fast-check";
import { expect, test } from "vitest";
import { pieceBytes, RowMemory } from "./row-memory.ts";
import { Rows, Turn } from "./rows.ts";
import { viewOf, wordsOf } from "./words.ts";

test("no buffer is reused before all of its pieces were returned", () => {
  const action = fc.oneof(
    { weight: 8, arbitrary: fc.record({ add: fc.nat(200_000), head: fc.nat(300) }) },
    { weight: 3, arbitrary: fc.constant("take" as const) },
    { weight: 3, arbitrary: fc.nat(9).map((which) => ({ giveBack: which })) },
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 120 }), (actions) => {
      const memory = new RowMemory();
      const rows = new Rows({ memory });
      const held: { readonly piece: Buffer; readonly copy: Buffer }[] = [];
      let expected = "";
      let number = 0;
      for (const each of actions) {
        if (each === "take") {
          const pieces = rows.take();
          expect(Buffer.concat(pieces).toString("latin1")).toBe(expected);
          expected = "";
          for (const piece of pieces) {
            held.push({ piece, copy: Buffer.from(piece) });
          }
        } else if ("giveBack" in each) {
          const [one] = held.splice(each.giveBack % Math.max(1, held.length), 1);
          if (one !== undefined) {
            expect(one.piece.equals(one.copy)).toBe(true);
            memory.giveBack(one.piece);
          }
        } else {
          const letter = String.fromCharCode(0x61 + (number++ % 26));
          const head = Buffer.from(letter.repeat(each.head));
          const tail = `${letter.toUpperCase().repeat(each.add)}\n`;
          // Half of the tails end with their buffer, so that nothing after them can be read.
          const view = number % 2 === 0 ? wordsOf(tail).view : viewOf(Buffer.from(tail));
          rows.add(head, 0, head.length, view, 0, tail.length);
          expected += head.toString("latin1") + tail;
        }
      }
      for (const { piece, copy } of held) expect(piece.equals(copy)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("a buffer is reused after all of its pieces were returned", () => {
  const memory = new RowMemory();
  const rows = new Rows({ memory });
  const tail = Buffer.alloc(200_000, "x");
  const view = viewOf(tail);
  const fill = (): readonly Buffer[] => {
    // Two rows fit into a piece, so the third one starts a new piece.
    for (let row = 0; row < 3; row++) rows.add(tail, 0, 0, view, 0, tail.length);
    return rows.take();
  };
  const first = fill();
  const second = fill();
  const used = new Set([...first, ...second].map(({ buffer }) => buffer));
  for (const piece of [...first, ...second]) memory.giveBack(piece);
  const third = [...fill(), ...fill()];
  expect(third.every(({ buffer }) => used.has(buffer))).toBe(true);
});

test.each([
  ["slow decisions: the clock is read after each", true, 10, 5],
  ["one decision that takes the whole time", true, 1_000, 1],
  ["quick decisions: the clock is read after some of them", false, 10, 5 * 64],
])("%s", (_what, isSlow, lookMs, expected) => {
  let now = 0;
  const turn = new Turn(() => now);
  for (let round = 0; round < 3; round++) {
    turn.begin();
    let decisions = 0;
    while (!turn.isOver) {
      now += isSlow ? lookMs : lookMs / 64;
      turn.count(isSlow);
      decisions++;
    }
    expect(decisions).toBe(expected);
  }
});

test("answers that are left out count towards the size limit", () => {
  const rows = new Rows();
  expect(rows.isFull).toBe(false);
  for (let left = 0; left < pieceBytes / 64; left++) rows.leaveOut();
  expect(rows.isFull).toBe(true);
  rows.take();
  expect(rows.isFull).toBe(false);
});
