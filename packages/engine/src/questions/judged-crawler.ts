// Chooses how the requests of a crawler are judged: its dialect, its access policy, and how much of a long file it reads, as its operator
// documents them, else by RFC 9309. Every command that judges requests uses this choice.
import type { Crawler } from "@robots-stream/agents";
import type { DialectName } from "@robots-stream/core";
import type { PolicyName } from "@robots-stream/fetch/history";
import { fileLengthOf } from "@robots-stream/fetch/internal";
import { accessPolicies } from "@robots-stream/fetch/policy";

/** The dialect and the access policy of a crawler whose operator documents none. */
export const usualReading = "rfc9309";

/** A crawler, and how its requests are judged. */
export interface JudgedCrawler {
  readonly productToken: string;
  readonly dialect: DialectName;
  readonly accessPolicy: PolicyName;
  /** Whether the crawler ignores what is behind the first 500 KiB of a file. The operators of other crawlers do not document a limit. */
  readonly ignoresRest: boolean;
  /** Whether the operator documents the dialect. */
  readonly hasOwnDialect: boolean;
}

/** How the requests of a crawler are judged; `crawler`: undefined for a crawler that is not known. */
export function judgedCrawlerOf(
  productToken: string,
  crawler: Pick<Crawler, "dialect" | "accessPolicy"> | undefined,
): JudgedCrawler {
  const { dialect = usualReading, accessPolicy = usualReading } = crawler ?? {};
  const ignoresRest = fileLengthOf(accessPolicies[accessPolicy]).rest === "ignored";
  return { productToken, dialect, accessPolicy, ignoresRest, hasOwnDialect: crawler?.dialect !== undefined };
}
