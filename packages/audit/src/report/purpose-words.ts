// Makes the words for the purposes of crawlers.
import type { AuditCrawler } from "../states/crawlers.ts";

/** A purpose in words: "AI training". */
export function purposeTextOf(purpose: string): string {
  return purpose.replace(/^ai-/u, "AI ").replace(/^seo$/u, "SEO");
}

/** What a crawler is for, in words; empty if that is not known. */
export function crawlerPurposeTextOf({ purposes, kind }: AuditCrawler): string {
  if (kind === "user-triggered") return "user-triggered";
  if (kind === "program") return "program that anyone may run";
  return purposes.map(purposeTextOf).join(", ");
}
