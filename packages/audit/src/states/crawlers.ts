// The facts about a crawler that the audit needs; they come from the registry of @robots-stream/agents.
import type { PolicyName } from "../history/types.ts";

/** Whether robots.txt binds a crawler, as its operator says. */
export type Bound = "yes" | "own-group" | "no" | "undocumented";

/** One crawler of the registry. */
export interface AuditCrawler {
  readonly productToken: string;
  readonly operator: string;
  /** "program": software that anyone may run, so that no operator is responsible for its requests. */
  readonly kind: "crawler" | "user-triggered" | "program" | "control-token";
  readonly purposes: readonly string[];
  /** `own-group`: only by a group that names it; its decisions must say so. */
  readonly bound: Bound;
  /**
   * The names to look for in a robots.txt: the group of the first one in the file binds the crawler. If the group for `*` binds it too, `*`
   * is the last name. Default: its product token, then `*`.
   */
  readonly groupNames?: readonly string[] | undefined;
  /** The access policy by which the crawler interprets the results of exchanges; "rfc9309" if its operator documents none. */
  readonly accessPolicy: PolicyName;
  /** Whether its operator says that it honours Crawl-delay. */
  readonly honoursCrawlDelay: boolean;
}
