// The text of a robots.txt with the counts of its interval in, a state and a short sentence for each line out.
import type { DocumentOrigin } from "../document/types.ts";
import { identityTextOf } from "./identity.ts";
import { amountOf, countTextOf, listTextOf, shareTextOf } from "./numbers.ts";
import type { FileLine, LineState } from "./types.ts";

/** Most lines that are shown. */
const maxLines = 1_000;

interface LineCounts {
  decided: number;
  wouldBe: number;
  /** Violations that are not proven, or disputed. */
  assumed: number;
  /** Proven violations by crawler. */
  readonly violations: Map<string, number>;
}

/** The lines of the version of an interval. A rule that decided nothing is never called dead: crawlers may have kept to it. */
export function fileLinesOf(
  origin: DocumentOrigin,
  interval: number,
  text: string,
  controlTokens: readonly string[],
): readonly FileLine[] {
  const counts = countsByLine(origin, interval);
  const control = new Set(controlTokens.map((token) => token.toLowerCase()));
  let isGroupOpen = false;
  let groupNames: string[] = [];
  return text
    .split(/\r\n|\r|\n/u)
    .slice(0, maxLines)
    .map((line, at): FileLine => {
      const number = at + 1;
      const [, key = "", value = ""] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/u.exec(line) ?? [];
      const name = key.toLowerCase();
      if (name === "user-agent") {
        if (!isGroupOpen) groupNames = [];
        isGroupOpen = true;
        groupNames.push(value.trim().toLowerCase());
      } else if (name !== "") isGroupOpen = false;
      if (name === "crawl-delay")
        return { number, text: line, state: "plain", note: paceNoteOf(origin, groupNames, value) };
      if (name !== "disallow" && name !== "allow") return { number, text: line, state: "plain", note: "" };
      const isControl = groupNames.length > 0 && groupNames.every((token) => control.has(token));
      const [state, note] = isControl
        ? (["control-token", "control token: logs cannot tell"] as const)
        : noteOf(origin, counts.get(number), name, value.trim());
      return { number, text: line, state, note };
    });
}

function countsByLine(origin: DocumentOrigin, interval: number): ReadonlyMap<number, LineCounts> {
  const version = origin.intervals[interval]?.version ?? "";
  const byLine = new Map<number, LineCounts>();
  for (const [at, rule, crawler, verification, state, , proven, disputed, , requests] of origin.decisions) {
    if (origin.intervals[at]?.version !== version) continue;
    const { lines } = origin.rules[rule]!;
    const line = Object.hasOwn(lines, version) ? lines[version]! : 0;
    const counts = byLine.get(line) ?? { decided: 0, wouldBe: 0, assumed: 0, violations: new Map<string, number>() };
    byLine.set(line, counts);
    counts.decided += requests;
    if (state === "not-bound:violation") counts.wouldBe += requests;
    if (state !== "violation" || verification === "false") continue;
    if (!proven || disputed) counts.assumed += requests;
    else {
      // Different identities are never in one sum.
      const name = verification === "verified" ? crawler : `${crawler} (${identityTextOf(verification)})`;
      counts.violations.set(name, (counts.violations.get(name) ?? 0) + requests);
    }
  }
  return byLine;
}

/** Requests in a minute are a pace, never a violation; the minutes are a sample. */
function paceNoteOf(origin: DocumentOrigin, groupNames: readonly string[], value: string): string {
  const delay = /^\d{1,6}(?:\.\d{1,3})?$/u.test(value.trim()) ? Number(value) : 0;
  const minutes = origin.pace.filter(
    ([, crawler, verification]) => groupNames.includes(crawler.toLowerCase()) && verification !== "false",
  );
  if (delay === 0 || minutes.length === 0) return "";
  const within = minutes.filter(([, , , requests]) => requests <= Math.max(1, 60 / delay)).length;
  return `${shareTextOf(within, minutes.length)} of minutes within`;
}

function noteOf(
  origin: DocumentOrigin,
  counts: LineCounts | undefined,
  name: "allow" | "disallow",
  pattern: string,
): readonly [LineState, string] {
  if (counts !== undefined && counts.violations.size > 0) {
    const worst = [...counts.violations].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
    const shown = worst.slice(0, 3).map(([crawler, requests]) => `${countTextOf(requests)} by ${crawler}`);
    const rest = worst.length > 3 ? [`${worst.length - 3} more crawlers`] : [];
    return ["crossed", listTextOf([...shown, ...rest])];
  }
  if (name === "allow") return counts === undefined ? ["plain", ""] : ["used", countTextOf(counts.decided)];
  if (counts !== undefined && counts.wouldBe > 0) {
    return ["kept-or-needless", `${amountOf(counts.wouldBe, "request")} beneath, none by a crawler it binds`];
  }
  if (counts !== undefined && counts.assumed > 0) {
    return ["plain", `${amountOf(counts.assumed, "request")} beneath, if it held then`];
  }
  return hasNoUrlBeneath(origin, pattern) ? ["no-url-beneath", "no URL here beneath"] : ["plain", ""];
}

/** Whether directories alone show that no request of a known crawler was for a URL that the pattern matches. */
function hasNoUrlBeneath(origin: DocumentOrigin, pattern: string): boolean {
  const prefix = pattern.split(/[*$]/u)[0]!;
  // Without a slash at its end, the pattern may match URLs in the directory above; deeper ones are folded.
  const isDirectory = prefix === pattern && prefix.endsWith("/") && prefix.split("/").length <= 4;
  if (!isDirectory || prefix === "/" || origin.folded.directories > 0) return false;
  return !origin.directories.some(([directory]) => directory.startsWith(prefix) || directory === "…");
}
