// Computes the state of a request and its ground from a window of versions, the decision of each version, and the facts about the crawler.
import type { PolicyName, Window } from "../history.ts";
import type { Direction, StateCode } from "./states.ts";

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
  /**
   * For how many hours after a change the crawler may still use the file before, according to its operator. Nothing is proven about a request
   * if an older file than those of the last 24 hours may be meant. Default: 24.
   */
  readonly copyHours?: number | undefined;
  /** Whether the crawler honours Crawl-delay, according to its operator. */
  readonly honoursCrawlDelay: boolean;
}

/** The names of a crawler's groups, with their default. */
export function groupNamesOf({ groupNames, productToken, bound }: AuditCrawler): readonly string[] {
  return groupNames ?? (bound === "own-group" || bound === "by-name" ? [productToken] : [productToken, "*"]);
}

/** The decision about a request under one version, such as a Decision of @robots-stream/core. */
export interface AuditDecision {
  readonly allowed: boolean;
  /** "rule", "no-rule", "no-group", "unavailable", … */
  readonly because: string;
  /** The deciding rule; missing if no rule decided. */
  readonly rule?: { readonly type: string; readonly pattern: string; readonly line: number };
  /** The name by which the group was selected. */
  readonly productToken?: string;
  /** The names of the group's user-agent lines. Default: only `productToken`. */
  readonly groupTokens?: readonly string[];
  /**
   * The dialect in which the file was read for the crawler. Default: not specified. Requests that were decided by a rule in different
   * dialects are counted apart, because the rule may be on different lines.
   */
  readonly dialect?: string;
  /** Whether exactly one of the dialects google and rfc9309 disallows the request. */
  readonly disputed?: boolean;
}

/** The result of judging a request. */
export interface Judgement {
  readonly state: StateCode;
  /** The newest interval of the window; -1 for undecidable requests. */
  readonly interval: number;
  /** The version of this interval; empty for undecidable requests. */
  readonly version: string;
  /** The decision of that version; undefined for undecidable requests. */
  readonly decision: AuditDecision | undefined;
  readonly direction: Direction;
  /** Whether dated observations prove which versions the crawler may have used. */
  readonly proven: boolean;
  readonly disputed: boolean;
}

/**
 * Judges a request for an ordinary target: not /robots.txt, not `*`, and not the target of CONNECT.
 *
 * @param window the versions that the crawler may have used for the request
 * @param decisions the decision of each of `window.versions`, in their order
 * @param bound whether robots.txt binds the crawler, according to the registry
 */
export function judge(window: Window, decisions: readonly AuditDecision[], bound: Bound): Judgement {
  const newest = decisions.at(-1);
  if (newest === undefined) return undecidable(`undecidable:${window.gap ?? "no-file"}`);
  const disallowing = decisions.filter(({ allowed }) => !allowed).length;
  const isMixed = disallowing > 0 && disallowing < decisions.length;
  if (isMixed && window.timeless) return undecidable("undecidable:no-time");
  const outcome = isMixed ? "grace" : disallowing === 0 ? "allowed" : "violation";
  return {
    state: isBoundBy(decisions, bound) ? outcome : `not-bound:${outcome}`,
    interval: window.interval,
    version: window.versions.at(-1) ?? "",
    decision: newest,
    direction: !isMixed ? "none" : newest.allowed ? "loosened" : "tightened",
    proven: window.proven,
    disputed: decisions.some(({ disputed }) => disputed === true),
  };
}

/** Whether the files that made these decisions about a crawler all bind it; `bound` is the crawler's. */
export function isBoundBy(decisions: readonly AuditDecision[], bound: Bound): boolean {
  if (bound !== "by-name") return bound !== "no";
  return !decisions.some(({ because, productToken }) => productToken === "*" || because === "no-group");
}

function undecidable(state: StateCode): Judgement {
  return {
    state,
    interval: -1,
    version: "",
    decision: undefined,
    direction: "none",
    proven: false,
    disputed: false,
  };
}
