// Computes what is in force for an origin: the access result, by the outage steps of a policy, and the file with its matchers, on demand (RFC
// 9309 §2.3.1). Pure.
import type { AccessPolicy, OutageStep } from "./policy.ts";
import type { AccessResult, LastCopy, LoadedRobots, StoredRobots } from "../common/types.ts";
import { wholeBodyOf } from "../common/body.ts";
import { definedOf } from "../common/defined.ts";
import {
  type DialectName,
  type RobotsTxt,
  createMatcher,
  unavailableMatcher,
  unreachableMatcher,
} from "@robots-stream/core";
import { parseUnchanging } from "@robots-stream/core/internal";

/** The access result and the file in force for an origin. */
export interface InForce {
  readonly access: AccessResult;
  /** The file, when `access` is "successful". */
  readonly body?: Uint8Array;
  /** Whether the copy from before an outage is in force. */
  readonly stale: boolean;
}

const disallowed: InForce = Object.freeze({ access: "unreachable", stale: false });
const unrestricted: InForce = Object.freeze({ access: "unavailable", stale: false });

/** Returns the access result and the file in force at `now`. An entry that is not "unreachable" is in force unchanged. */
export function inForceAt(stored: StoredRobots, policy: AccessPolicy, now: number): InForce {
  if (stored.access !== "unreachable") return answerOf(stored.access, wholeBodyOf(stored), false);
  const since = stored.unreachableSince ?? stored.fetchedAt;
  const step = policy.outage.findLast(({ fromMs }) => now - since >= fromMs) ?? policy.outage[0];
  if (step === undefined) return disallowed;
  return stored.lastCopy === undefined
    ? effectOf(step.withoutCopy, stored)
    : effectOf(step.withCopy, stored, stored.lastCopy);
}

function effectOf(effect: OutageStep["withCopy"], stored: StoredRobots, copy?: LastCopy): InForce {
  switch (effect) {
    case "disallow":
      return disallowed;
    case "allow":
      return unrestricted;
    case "allow-if-answering":
      // Any status is an answer; a failure, such as an unresolvable name or a refused connection, is not.
      return stored.status === undefined ? disallowed : unrestricted;
    case "last-copy":
      return copy === undefined ? disallowed : answerOf(copy.access, copy.body, true);
  }
}

function answerOf(access: "successful" | "unavailable", body: Uint8Array | undefined, stale: boolean): InForce {
  if (access === "unavailable") return { access, stale };
  return { access, body: body ?? new Uint8Array(0), stale };
}

/** The members of a new entry that record an outage: its start and the copy from before it. Empty unless `access` is "unreachable". */
export function outageOf(
  access: AccessResult,
  previous: StoredRobots | undefined,
  now: number,
): { readonly unreachableSince?: number; readonly lastCopy?: LastCopy } {
  if (access !== "unreachable") return {};
  if (previous === undefined) return { unreachableSince: now };
  if (previous.access !== "unreachable") return { unreachableSince: now, lastCopy: copyOf(previous, previous.access) };
  // If the stored outage began after `now`, the clock was set back.
  const unreachableSince = Math.min(previous.unreachableSince ?? previous.fetchedAt, now);
  return { unreachableSince, ...(previous.lastCopy === undefined ? {} : { lastCopy: previous.lastCopy }) };
}

function copyOf(entry: StoredRobots, access: "successful" | "unavailable"): LastCopy {
  const { fetchedAt, code, status, truncated, cutAtBytes } = entry;
  return definedOf<LastCopy>({ fetchedAt, access, code, status, body: wholeBodyOf(entry), truncated, cutAtBytes });
}

/** Parses the file in force and makes matchers. The functions do not use `this`. */
export type InForceReader = Pick<LoadedRobots, "robotsIn" | "matcherOf">;

/**
 * Returns a reader of `body`, the file in force; the caller must not change its bytes afterwards. The reader parses the body on first
 * use, at most once per dialect: a caller that only counts status codes does not pay for parsing. For "unavailable" and "unreachable", and
 * without a body, `matcherOf` returns a constant matcher.
 */
export function readerOf(access: AccessResult, body: Uint8Array | undefined): InForceReader {
  let parsed: Map<DialectName, RobotsTxt> | undefined;
  const robotsIn = (dialect: DialectName): RobotsTxt | undefined => {
    if (body === undefined) return undefined;
    let robots = (parsed ??= new Map()).get(dialect);
    if (robots === undefined) parsed.set(dialect, (robots = parseUnchanging(body, { dialect })));
    return robots;
  };
  return {
    robotsIn,
    matcherOf(productTokens, options) {
      if (access === "unavailable") return unavailableMatcher;
      const robots = access === "unreachable" ? undefined : robotsIn(options?.dialect ?? "google");
      return robots === undefined
        ? unreachableMatcher
        : createMatcher(robots, productTokens, { tokenMatch: options?.tokenMatch });
    },
  };
}
