// Compares the tables of requests that were added up first with the tables of requests that were counted one by one.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CellTable } from "./cell-table.ts";
import { limitsFor } from "./limits.ts";
import { OriginCounts } from "./origin-counts.ts";
import { firstOutcome } from "./outcomes.ts";
import { RecentRequests } from "./recent.ts";

const state = 7;

/** Three origins, which fold their times early; each has three outcomes. */
function someOrigins(): readonly OriginCounts[] {
  return ["https://a.example", "https://b.example", "https://c.example"].map((name) => {
    const counts = new OriginCounts(name, undefined, { ...limitsFor(1), timeCells: 40 }, false);
    for (let rule = 0; rule < 3; rule++) {
      counts.outcomes.intern({ interval: 0, rule, state, direction: 0, proven: false, disputed: false });
    }
    return counts;
  });
}

const cellsOf = (table: CellTable): unknown =>
  Array.from({ length: table.count }, (_, cell) => [
    table.keyOf(cell),
    ...table.kinds.map((_kind, column) => table.valueOf(cell, column)),
  ]).toSorted(([one], [other]) => one! - other!);

const tablesOf = ({ times, methods, decisions }: OriginCounts): unknown => [
  times.level,
  cellsOf(times.cells),
  cellsOf(methods),
  cellsOf(decisions),
];

const requests = fc.record({
  origin: fc.nat({ max: 2 }),
  outcome: fc.oneof(fc.nat({ max: 6 }), fc.integer({ min: firstOutcome, max: firstOutcome + 2 })),
  // Many actors, so that different sums have the same place.
  actor: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 16_383 })),
  method: fc.nat({ max: 5 }),
  statusClass: fc.nat({ max: 6 }),
  atSeconds: fc.oneof(fc.constant(-1), fc.nat({ max: 20_000 }), fc.nat({ max: 2 ** 34 - 1 })),
  bytes: fc.oneof(fc.nat({ max: 1_000 }), fc.constant(2 ** 32)),
});

test("requests that are added up first are counted like single requests", () => {
  fc.assert(
    fc.property(fc.array(requests, { maxLength: 300 }), fc.nat({ max: 300 }), (list, flushedAt) => {
      const origins = someOrigins();
      const expected = someOrigins();
      const recent = new RecentRequests(origins);
      for (const [at, { origin, outcome, actor, method, statusClass, atSeconds, bytes }] of list.entries()) {
        if (at === flushedAt) recent.flush();
        recent.add(origin, outcome, actor, method, statusClass, atSeconds, bytes);
        const counts = expected[origin]!;
        const stateOf = outcome < firstOutcome ? outcome : state;
        counts.addTime(atSeconds, actor, stateOf, statusClass, 1, bytes);
        counts.addMethod(actor, method, stateOf, 1);
        if (outcome < firstOutcome) continue;
        counts.addDecision(outcome, actor, statusClass, 1, atSeconds, atSeconds);
      }
      recent.flush();
      expect(origins.map(tablesOf)).toEqual(expected.map(tablesOf));
    }),
  );
});
