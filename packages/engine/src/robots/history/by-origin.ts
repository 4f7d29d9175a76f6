// Lists the origins of a history one after another, each with all of its observations and files.
import type { Observation } from "@robots-stream/fetch/history";
import { groupsOf } from "./captures.ts";
import { type Bodies, SeenRobots } from "./seen-robots.ts";

/** An origin with all of its observations, and the files of its versions. */
interface SeenOrigin {
  readonly origin: string;
  readonly observations: readonly Observation[];
  /** The file of a version, the SHA-256 of an observation. */
  bodyOf(version: string): Uint8Array;
  /** Whether only the beginning of a version's file is known. */
  isCut(version: string): boolean;
}

/**
 * Every origin once, with all of its observations. Nothing of lazy sources is kept, so memory does not grow with the number of their
 * origins.
 */
export function* seenByOrigin(seen: SeenRobots): Generator<SeenOrigin> {
  const rest = new Map(groupsOf(seen.observations));
  const sources = seen.lazySources;
  for (const [number, source] of sources.entries()) {
    const [earlier, later] = [sources.slice(0, number), sources.slice(number + 1)];
    for (const { origin, entries } of source.byOrigin()) {
      if (earlier.some((each) => !isEmpty(each.entriesOf(origin)))) continue;
      const own = new SeenRobots(seen.maxBytes, bodiesOfOrigin());
      for (const entry of entries) own.addEntry(entry);
      for (const each of later) for (const entry of each.entriesOf(origin)) own.addEntry(entry);
      yield seenOriginOf(origin, [...(rest.get(origin) ?? []), ...own.observations], [own, seen]);
      rest.delete(origin);
    }
  }
  for (const [origin, observations] of rest) yield seenOriginOf(origin, observations, [seen]);
}

/** Keeps the files of one origin in memory. */
function bodiesOfOrigin(): Bodies {
  const bodies: Uint8Array[] = [];
  return { keep: (body) => bodies.push(body) - 1, read: (position) => bodies[position]!, close: () => undefined };
}

function seenOriginOf(origin: string, observations: readonly Observation[], stores: readonly SeenRobots[]): SeenOrigin {
  const storeOf = (version: string): SeenRobots => stores.find((store) => store.has(version))!;
  return {
    origin,
    observations,
    bodyOf: (version) => storeOf(version).bodyOf(version)!,
    isCut: (version) => stores.some((store) => store.cutAtBytesOf(version) !== undefined),
  };
}

function isEmpty(items: Iterable<unknown>): boolean {
  return items[Symbol.iterator]().next().done === true;
}
