// A code, a number and the parts of a sentence in, a finding with the key that orders it out.
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { ZoneClock } from "./clock.ts";
import { countTextOf } from "./numbers.ts";
import type { AuditFinding, AuditFindingCode, CrawlerRow, SentencePart, Severity } from "./types.ts";

/** What findings are made from. */
export interface FindingsInput {
  readonly document: AuditDocument;
  readonly origins: readonly DocumentOrigin[];
  readonly crawlerRows: readonly CrawlerRow[];
  readonly clock: ZoneClock;
  /** Whether the log is a sample: sentences about what did not happen are then left out. */
  readonly isSampled: boolean;
}

/** A finding with the key that orders it among findings with equal numbers of requests. */
export interface Keyed extends AuditFinding {
  readonly key: string;
}

/** Makes a finding; its number is its requests unless it is given. */
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
