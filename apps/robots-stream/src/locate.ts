// Batches of records in, each record's origin and target out: which robots.txt holds for it, and what it is asked.
import { type UrlProblem, parseTarget, problemOf } from "@robots-stream/url";
import type { Batch } from "./input/types.ts";
import type { OriginState, OriginTable } from "./origins.ts";

/** The records of a batch, as arrays of equal length. */
export interface LocatedBatch {
  /** The beginnings of the output rows, see `Batch`. */
  readonly heads: readonly string[];
  /** undefined: no robots.txt speaks about the URL. */
  readonly states: readonly (OriginState | undefined)[];
  /** What the rules are compared with; where there is no origin, why. */
  readonly targets: readonly string[];
}

/** Locates every record; the loading of new origins begins here. */
export function locate({ heads, urls }: Batch, origins: OriginTable): LocatedBatch {
  const states: (OriginState | undefined)[] = [];
  const targets: string[] = [];
  // Neighbours often share their origin.
  let last: OriginState | undefined;
  for (const url of urls) {
    const parsed = parseTarget(url);
    if (parsed === undefined) {
      states.push(undefined);
      targets.push(problemOf(url) ?? ("invalid-url" satisfies UrlProblem));
      continue;
    }
    if (last?.origin !== parsed.origin) last = origins.stateOf(parsed.origin);
    states.push(last);
    targets.push(parsed.target);
  }
  return { heads, states, targets };
}
