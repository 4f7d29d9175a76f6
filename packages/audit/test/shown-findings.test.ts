// Tests which findings an output shows if it cannot show all.
import type { AuditFinding, AuditFindingCode } from "../src/index.ts";
import { shownFindingsOf } from "../src/report/finding.ts";
import { expect, test } from "vitest";

const findingsOf = (codes: readonly AuditFindingCode[]): readonly AuditFinding[] =>
  codes.map((code, at) => ({ code, severity: "note", requests: 0, number: String(at), sentence: [], section: "data" }));
const shown = (codes: readonly AuditFindingCode[], most: number): string =>
  shownFindingsOf(findingsOf(codes), most)
    .map(({ number }) => number)
    .join(" ");

const crossed = Array.from({ length: 9 }, () => "crossed" as const);

test("all findings that fit are shown in their order", () => {
  expect(shown([...crossed, "kept"], 10)).toBe("0 1 2 3 4 5 6 7 8 9");
});

test("many findings of one code leave room for others", () => {
  expect(shown([...crossed, "outage", "kept"], 8)).toBe("0 1 2 3 4 5 9 10");
  expect(shown([...crossed, "outage", "kept"], 6)).toBe("0 1 2 3 4 9");
  expect(shown([...crossed, "outage"], 3)).toBe("0 1 2");
});
