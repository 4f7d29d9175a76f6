// Computes the state of a request and its ground from a window of versions and the decision of each version.
import type { Window } from "../history/types.ts";
import type { Bound } from "./crawlers.ts";
import { type Direction, type StateCode } from "./states.ts";

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
