// The load of a client → the same load for origins that the caller has parsed already. Imports nothing of Node's.
import type { RobotsClient } from "./types.ts";

type Load = RobotsClient["load"];

/** Loads that parse no origin, by the `load` of their client. */
const uncheckedLoads = new WeakMap<Load, Load>();

/** Pairs a client's `load` with one that takes every text for an origin as `parseTarget` writes it. */
export function pairLoads(load: Load, unchecked: Load): void {
  uncheckedLoads.set(load, unchecked);
}

/**
 * The load to call with an origin as `parseTarget` writes it: for the `load` of a client of this package one that does not parse the
 * origin again, for any other function that function. By the function and not by its object: an object that is made from a client
 * and has a `load` of its own keeps that.
 */
export function parsedOriginLoadOf<T extends (...given: never[]) => unknown>(load: T): T {
  return (uncheckedLoads.get(load as unknown as Load) as unknown as T | undefined) ?? load;
}
