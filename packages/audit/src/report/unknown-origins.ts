// Names the origins of a log whose robots.txt is not known, and what the reader can do.
import { tableRowsOf } from "../document/table-rows.ts";
import type { DocumentOrigin } from "../document/types.ts";
import { shownOriginOf } from "./finding-words.ts";
import { amountOf } from "./numbers.ts";
import type { Advice } from "./types.ts";

/** The words about origins whose robots.txt is not known. */
interface UnknownOrigins {
  /** "the robots.txt of www.shop.example is not known"; undefined if no such origin has a name. */
  readonly text: string | undefined;
  /** The advice about the origin with the most requests, after a semicolon; may be empty. */
  readonly remedy: string;
}

/** The origins that have requests without a known robots.txt. The one with the most requests is named; of equal ones, the first by name. */
export function unknownOriginsOf(origins: readonly DocumentOrigin[], { otherHost }: Advice = {}): UnknownOrigins {
  const unknown = origins.flatMap((origin) => {
    if (origin.isKnown || origin.origin === "" || origin.origin === "…") return [];
    let requests = 0;
    for (const [, , , state, , count] of tableRowsOf(origin, "times")) {
      if (state === "undecidable:no-file") requests += count;
    }
    return requests > 0 ? [{ name: origin.origin, requests }] : [];
  });
  const [most] = unknown.toSorted((one, other) => other.requests - one.requests || (one.name < other.name ? -1 : 1));
  if (most === undefined) return { text: undefined, remedy: "" };
  const remedy = otherHost === undefined ? "" : `; ${otherHost(most.name.slice(most.name.indexOf("//") + 2))}`;
  const shown = shownOriginOf(most.name);
  if (unknown.length === 1) return { text: `the robots.txt of ${shown} is not known`, remedy };
  const all = amountOf(unknown.length, "origin");
  return { text: `the robots.txt files of ${all} are not known, the busiest is ${shown}`, remedy };
}
