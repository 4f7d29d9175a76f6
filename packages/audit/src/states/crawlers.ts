// Defines the facts about a crawler that the audit needs. These facts come from the registry of @robots-stream/agents.
import type { PolicyName } from "../history/types.ts";

/** Whether robots.txt binds a crawler, according to its operator. */
export type Bound = "yes" | "own-group" | "by-name" | "no" | "undocumented";

/** One crawler of the registry. */
export interface AuditCrawler {
  readonly productToken: string;
  readonly operator: string;
  /** "program" is software that anyone may run: no operator is responsible for its requests. */
  readonly kind: "crawler" | "user-triggered" | "program" | "control-token";
  readonly purposes: readonly string[];
  /**
   * `own-group`: only a group that names the crawler binds it, and `*` does not; the caller's decisions must respect this. `by-name`: a
   * request that a group for `*` decides, or no group, counts as not bound, because the operator documents another rule for it.
   */
  readonly bound: Bound;
  /**
   * The names by which a robots.txt may address the crawler. The first name that has a group in the file selects the group that binds the
   * crawler. The last name is `*` if the group for `*` binds the crawler, too. Default: the product token, then `*` unless `bound` is
   * `own-group` or `by-name`.
   */
  readonly groupNames?: readonly string[] | undefined;
  /** The access policy by which the crawler interprets the results of exchanges; "rfc9309" if its operator documents none. */
  readonly accessPolicy: PolicyName;
  /** Whether the crawler honours Crawl-delay, according to its operator. */
  readonly honoursCrawlDelay: boolean;
}

/** The names of a crawler's groups, with their default. */
export function groupNamesOf({ groupNames, productToken, bound }: AuditCrawler): readonly string[] {
  return groupNames ?? (bound === "own-group" || bound === "by-name" ? [productToken] : [productToken, "*"]);
}
