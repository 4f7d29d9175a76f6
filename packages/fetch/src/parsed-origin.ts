// Finds the variant of a client's `load` for origins that the caller has already parsed. Imports no Node module.
import type { RobotsClient } from "./types.ts";

type Load = RobotsClient["load"];

/** For the `load` of each client, the variant that does not parse the origin. */
const uncheckedLoads = new WeakMap<Load, Load>();

/** Pairs a client's `load` with a variant that does not check that the origin is written as `parseTarget` writes it. */
export function pairLoads(load: Load, unchecked: Load): void {
  uncheckedLoads.set(load, unchecked);
}

/**
 * Returns the function to call with an origin that `parseTarget` wrote. For the `load` of a client of this package, it is the variant
 * that does not parse the origin again; any other function is returned unchanged. The key is the function, not the client object, so
 * that an object derived from a client with its own `load` keeps that `load`.
 */
export function parsedOriginLoadOf<T extends (...given: never[]) => unknown>(load: T): T {
  return (uncheckedLoads.get(load as unknown as Load) as unknown as T | undefined) ?? load;
}
