// What the audit needs to know of a crawler; the registry of @robots-stream/agents gives it.
import type { PolicyName } from "../history/types.ts";

/** Whether robots.txt binds a crawler, as its operator says. */
export type Bound = "yes" | "own-group" | "no" | "undocumented";

/** One crawler of the registry. */
export interface AuditCrawler {
  readonly productToken: string;
  readonly operator: string;
  readonly kind: "crawler" | "user-triggered" | "control-token";
  readonly purposes: readonly string[];
  /** `own-group`: only by a group that names it; its decisions must say so. */
  readonly bound: Bound;
  /** The access policy by which it reads the results of exchanges; "rfc9309" where its operator documents none. */
  readonly accessPolicy: PolicyName;
  /** Whether its operator says that it honours Crawl-delay. */
  readonly honoursCrawlDelay: boolean;
}
