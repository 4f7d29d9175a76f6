// Explains a robots.txt line by line: gives each line a state and a short sentence from the counts of its version.
import type { AuditDocument, DocumentOrigin, LintRow } from "../document/types.ts";
import { type TextLine, FileGroups, textLinesOf } from "./groups.ts";
import { amountOf, countTextOf, listTextOf } from "./numbers.ts";
import { boundMarkOf, identityTextOf, mayBeAccused } from "./words.ts";

/** The effect of a line of a robots.txt in this log. */
export type LineState =
  | "crossed"
  | "used"
  | "kept-or-needless"
  | "no-url-beneath"
  | "no-decision"
  | "shadowed"
  | "control-token"
  | "plain";

/** A line of a robots.txt with its effect. */
export interface FileLine {
  readonly number: number;
  readonly text: string;
  readonly state: LineState;
  /** A short sentence; may be empty. */
  readonly note: string;
}

/** The maximum number of lines that are shown. */
const maxLines = 1_000;

/** The data from which the lines of a file are explained. */
export interface FileContext {
  readonly document: AuditDocument;
  readonly controlTokens: readonly string[];
  /** Whether the log is a sample. Notes then make no statement about what did not happen. */
  readonly isSampled: boolean;
}

interface LineCounts {
  decided: number;
  wouldBe: number;
  grace: number;
  /** Violations that are not proven. */
  assumed: number;
  disputed: number;
  /** Proven violations by crawler. */
  readonly violations: Map<string, number>;
}

/** The known facts about the version that is shown. */
interface Version {
  readonly origin: DocumentOrigin;
  readonly counts: ReadonlyMap<number, LineCounts>;
  readonly lint: readonly LintRow[];
  /** Returns, for the list of a group's names, the crawlers that the group binds and that were judged by this version. */
  readonly cameTo: (names: readonly string[]) => readonly string[];
  /** The names of groups that may bind a crawler that came, and may not. */
  readonly unclear: ReadonlySet<string>;
  readonly isSampled: boolean;
}

/**
 * Returns the lines of `text`, the file of an interval, each with its state and note. A rule that decided no request is never called
 * useless, because crawlers may have obeyed it.
 */
export function fileLinesOf(
  origin: DocumentOrigin,
  interval: number,
  text: string,
  { document, controlTokens, isSampled }: FileContext,
): readonly FileLine[] {
  const name = origin.intervals[interval]?.version ?? "";
  const lines = textLinesOf(text);
  const came = cameByGroup(document, origin, name, lines);
  const version: Version = {
    origin,
    counts: countsByLine(document, origin, name),
    lint: Object.hasOwn(document.lint, name) ? document.lint[name]! : [],
    cameTo: cameToOf(came.byGroup),
    unclear: came.unclear,
    isSampled,
  };
  const isControlGroup = controlGroupTest(controlTokens);
  return lines.slice(0, maxLines).map((line): FileLine => {
    const { number, text: shown, key, names } = line;
    if (key === "crawl-delay") {
      return { number, text: shown, state: "plain", note: paceNoteOf(origin, names, line.value) };
    }
    if (key !== "disallow" && key !== "allow") return { number, text: shown, state: "plain", note: "" };
    const isControl = isControlGroup(names);
    const [state, note] = isControl
      ? (["control-token", "control token: logs cannot tell"] as const)
      : (decidedNoteOf(version.counts.get(number), key) ?? idleNoteOf(version, line));
    return { number, text: shown, state, note };
  });
}

/**
 * Returns a function that checks whether all names of a group are control tokens. The function caches its result for each list of names.
 */
function controlGroupTest(controlTokens: readonly string[]): (names: readonly string[]) => boolean {
  const control = new Set(controlTokens.map((token) => token.toLowerCase()));
  const known = new Map<readonly string[], boolean>();
  return (names) => {
    let isControl = known.get(names);
    if (isControl === undefined) {
      isControl = names.length > 0 && names.every((token) => control.has(token));
      known.set(names, isControl);
    }
    return isControl;
  };
}

function countsByLine(
  document: AuditDocument,
  origin: DocumentOrigin,
  version: string,
): ReadonlyMap<number, LineCounts> {
  const crawlers = new Map(document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  const byLine = new Map<number, LineCounts>();
  for (const [at, rule, crawler, verification, state, , proven, disputed, , requests] of origin.decisions) {
    if (origin.intervals[at]?.version !== version) continue;
    const { lines } = origin.rules[rule]!;
    const line = Object.hasOwn(lines, version) ? lines[version]! : 0;
    const counts = byLine.get(line) ?? {
      decided: 0,
      wouldBe: 0,
      grace: 0,
      assumed: 0,
      disputed: 0,
      violations: new Map<string, number>(),
    };
    byLine.set(line, counts);
    if (verification === "false") continue;
    counts.decided += requests;
    if (state === "grace") counts.grace += requests;
    const isAccusing = mayBeAccused(crawlers.get(crawler), verification);
    if (state === "not-bound:violation" || (state === "violation" && !isAccusing)) counts.wouldBe += requests;
    if (state !== "violation" || !isAccusing) continue;
    if (disputed) counts.disputed += requests;
    else if (!proven) counts.assumed += requests;
    else {
      // Requests with different identities are never added up.
      const identity = verification === "verified" ? "" : identityTextOf(verification);
      const about = [identity, boundMarkOf(crawlers.get(crawler), verification)].filter((text) => text !== "");
      const name = about.length === 0 ? crawler : `${crawler} (${about.join("; ")})`;
      counts.violations.set(name, (counts.violations.get(name) ?? 0) + requests);
    }
  }
  return byLine;
}

function cameByGroup(
  document: AuditDocument,
  origin: DocumentOrigin,
  version: string,
  lines: readonly TextLine[],
): { readonly byGroup: ReadonlyMap<string, readonly string[]>; readonly unclear: ReadonlySet<string> } {
  const judged = origin.decisions.filter(
    ([at, , , verification]) => origin.intervals[at]?.version === version && verification !== "false",
  );
  const came = new Set(judged.map(([, , crawler]) => crawler));
  const groups = new FileGroups(lines);
  const byGroup = new Map<string, string[]>();
  const unclear = new Set<string>();
  for (const crawler of document.crawlers) {
    if (!came.has(crawler.productToken) || crawler.bound === "no") continue;
    const names = groups.namesFor(crawler);
    const [name, forgivenName] = names;
    if (name !== forgivenName) for (const each of names) unclear.add(each ?? "");
    else if (name !== undefined) byGroup.set(name, [...(byGroup.get(name) ?? []), crawler.productToken]);
  }
  return { byGroup, unclear };
}

/**
 * The note of a crawl-delay line: in how many of the sampled minutes the crawlers kept the delay. The note never calls the other minutes
 * violations.
 */
function paceNoteOf(origin: DocumentOrigin, groupNames: readonly string[], value: string): string {
  const delay = /^\d{1,6}(?:\.\d{1,3})?$/u.test(value) ? Number(value) : 0;
  const minutes = origin.pace.filter(
    ([, crawler, verification]) => groupNames.includes(crawler.toLowerCase()) && verification !== "false",
  );
  if (delay === 0 || minutes.length === 0) return "";
  const within = minutes.filter(([, , , requests]) => requests <= Math.max(1, 60 / delay)).length;
  return `kept in ${countTextOf(within)} of ${amountOf(minutes.length, "minute")}`;
}

type Note = readonly [state: LineState, note: string];

/**
 * The note of a rule that decided requests; undefined if the rule decided none, or only requests in grace of crawlers that are not bound.
 */
function decidedNoteOf(counts: LineCounts | undefined, key: "allow" | "disallow"): Note | undefined {
  if (counts === undefined || counts.decided === 0) return undefined;
  const { violations, wouldBe, assumed, disputed, grace, decided } = counts;
  if (violations.size > 0) {
    const worst = [...violations].toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
    const shown = worst.slice(0, 3).map(([crawler, requests]) => `${countTextOf(requests)} by ${crawler}`);
    const rest = worst.length > 3 ? [amountOf(worst.length - 3, "more crawler")] : [];
    return ["crossed", listTextOf([...shown, ...rest])];
  }
  if (key === "allow") return ["used", countTextOf(decided)];
  if (wouldBe > 0) return ["kept-or-needless", `${amountOf(wouldBe, "matching request")}, none by a crawler it binds`];
  if (assumed > 0) return ["plain", `${amountOf(assumed, "matching request")}, if it was in force`];
  if (disputed > 0) return ["plain", `${amountOf(disputed, "matching request")}, disputed`];
  return grace > 0 ? ["plain", `${amountOf(grace, "matching request")}, all in grace`] : undefined;
}

/** The notes for rules that never decide a request, by the code of the linter's finding that proves it. */
const shadowNotes: Readonly<Record<string, string>> = {
  "contradicted-rule": "shadowed: another rule for the same paths wins",
  "redundant-rule": "shadowed: another rule disallows or allows the same anyway",
  "duplicate-rule": "shadowed: an earlier line matches the same paths",
  "pattern-never-matches": "matches no path",
};

/** The note of a rule that decided no request. */
function idleNoteOf({ origin, lint, cameTo, unclear, isSampled }: Version, line: TextLine): Note {
  const { number, key, value, names, forgivenNames } = line;
  if (value === "") return ["plain", ""];
  const shadow = lint.find(([at, , code]) => at === number && Object.hasOwn(shadowNotes, code));
  if (shadow !== undefined) return ["shadowed", shadowNotes[shadow[2]]!];
  if (isSampled) return ["plain", ""];
  if (key === "disallow" && hasNoUrlBeneath(origin, value)) {
    return ["no-url-beneath", "no crawler requested a matching URL"];
  }
  const bound = cameTo(names);
  if (bound.length === 0) {
    return ["plain", forgivenNames.some((name) => unclear.has(name)) ? "" : "no crawler of this group came"];
  }
  const who = bound.length <= 2 ? listTextOf(bound) : `the ${bound.length} crawlers that it binds here`;
  return ["no-decision", `decided no request of ${who}`];
}

/**
 * Returns the function `cameTo`, which caches its result for each list of names, because a hostile file has thousands of names and
 * thousands of lines.
 */
function cameToOf(byName: ReadonlyMap<string, readonly string[]>): Version["cameTo"] {
  const known = new Map<readonly string[], readonly string[]>();
  return (names) => {
    let came = known.get(names);
    if (came === undefined) {
      const named = new Set(names);
      came = [...byName].flatMap(([name, crawlers]) => (named.has(name) ? crawlers : []));
      known.set(names, came);
    }
    return came;
  };
}

/** Whether the counts by directory prove that no known crawler requested a URL that the pattern matches. */
function hasNoUrlBeneath(origin: DocumentOrigin, pattern: string): boolean {
  const prefix = pattern.split(/[*$]/u)[0]!;
  // Other patterns cannot be checked: a pattern without a slash at its end may match URLs in the parent directory, and the counts keep only
  // two segments of a path.
  // The names of directories have bytes outside ASCII as escapes, and no query.
  const isPlain = /^[!-$&->@-~]*$/u.test(prefix) && !prefix.includes("//");
  const isDirectory = isPlain && prefix === pattern && prefix.endsWith("/") && prefix.split("/").length <= 4;
  if (!isDirectory || prefix === "/" || origin.folded.directories > 0) return false;
  return !origin.directories.some(([directory]) => directory.startsWith(prefix) || directory === "…");
}
