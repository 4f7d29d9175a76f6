// Makes findings with their sort keys.
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { DayWords } from "./day-words.ts";
import { countTextOf } from "./numbers.ts";
import type { Advice, AuditFinding, AuditFindingCode, CrawlerRow, SentencePart, Severity } from "./types.ts";

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
