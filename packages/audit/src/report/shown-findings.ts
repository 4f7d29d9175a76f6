// Chooses the findings that an output shows, if it cannot show all.
import type { AuditFinding } from "./types.ts";

/** The maximum number of findings of one code that are shown while findings of other codes wait. */
const mostOfCode = 5;

/**
 * The findings that are shown, in their order, and at most `most`: the first five of each code, and then the first of the others. So a
 * long list of crawlers that crossed rules does not hide all other findings.
 */
export function shownFindingsOf(findings: readonly AuditFinding[], most: number): readonly AuditFinding[] {
  const seen = new Map<string, number>();
  const isEarly = findings.map(({ code }) => {
    const count = (seen.get(code) ?? 0) + 1;
    seen.set(code, count);
    return count <= mostOfCode;
  });
  const early = findings.filter((_finding, at) => isEarly[at]!).slice(0, most);
  const others = findings.filter((_finding, at) => !isEarly[at]!).slice(0, most - early.length);
  const shown = new Set([...early, ...others]);
  return findings.filter((each) => shown.has(each));
}
