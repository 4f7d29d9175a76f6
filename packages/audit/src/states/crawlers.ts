// What the audit needs to know of a crawler; the registry of @robots-stream/agents gives it.
import type { PolicyName } from "../history/types.ts";

/** Whether robots.txt binds a crawler, as its operator says. */
export type Bound = "yes" | "own-group" | "no" | "undocumented";

/** One crawler of the registry. */
export interface AuditCrawler {
  readonly productToken: string;
  readonly operator: string;
  /** "program": software that anyone may run, so that no operator answers for what it asks. */
  readonly kind: "crawler" | "user-triggered" | "program" | "control-token";
  readonly purposes: readonly string[];
  /** `own-group`: only by a group that names it; its decisions must say so. */
  readonly bound: Bound;
  /**
   * The names to look for in a robots.txt: the group of the first one in the file binds the crawler; `*` is the last one where it
   * binds it. Default: its product token, then `*`.
   */
  readonly groupNames?: readonly string[] | undefined;
  /** The access policy by which it reads the results of exchanges; "rfc9309" where its operator documents none. */
  readonly accessPolicy: PolicyName;
  /** Whether its operator says that it honours Crawl-delay. */
  readonly honoursCrawlDelay: boolean;
}
