// Defines findings, makes them with their sort keys, and chooses those that an output shows if it cannot show all.
import type { PageFinding } from "../count/pages.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { CrawlerRow } from "./crawler-rows.ts";
import type { DayWords } from "./days.ts";
import { countTextOf } from "./numbers.ts";
import type { Advice, SentencePart } from "./words.ts";

/** The severities of findings, worst first. */
export const severities = ["violation", "warning", "good", "note"] as const;

/** The severity of a finding. */
export type Severity = (typeof severities)[number];

/** The closed list of codes of findings. */
const findingCodes = [
  "crossed",
  "informed",
  "outage",
  "file-may-have-changed",
  "false-identity",
  "kept",
  "restricted-and-kept",
  "would-be",
  "undocumented",
  "allowed-yet-refused",
  "disallowed-yet-served",
  "nothing-proven",
  "no-file",
  "unreachable",
] as const;

/** The code of a finding. */
export type AuditFindingCode = (typeof findingCodes)[number] | PageFinding;

/** A finding: a number and its sentence. */
export interface AuditFinding {
  readonly code: AuditFindingCode;
  readonly severity: Severity;
  /** The number of requests, or of pages for a finding about pages. Findings of equal severity are ordered by this number. */
  readonly requests: number;
  /** The text that precedes the sentence, such as "4,877". */
  readonly number: string;
  readonly sentence: readonly SentencePart[];
  /** The section of the report that contains the figures of the finding. */
  readonly section: "crawlers" | "answers" | "obedience" | "violations" | "files" | "data";
}

/** The data from which findings are made. */
export interface FindingsInput {
  readonly document: AuditDocument;
  readonly origins: readonly DocumentOrigin[];
  readonly crawlerRows: readonly CrawlerRow[];
  readonly dayText: DayWords;
  /** Whether the log is a sample. Sentences about what did not happen are then left out. */
  readonly isSampled: boolean;
  readonly advice?: Advice | undefined;
}

/** A finding with its key, which orders findings of equal severity with equal numbers of requests. */
export interface Keyed extends AuditFinding {
  readonly key: string;
}

/** Makes a finding. `number` is the text before the sentence; by default, the number of requests. */
export function finding(
  code: AuditFindingCode,
  severity: Severity,
  section: AuditFinding["section"],
  requests: number,
  key: readonly unknown[],
  sentence: readonly SentencePart[],
  number: string = countTextOf(requests),
): Keyed {
  return { code, severity, section, requests, number, sentence, key: JSON.stringify([code, ...key]) };
}

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
