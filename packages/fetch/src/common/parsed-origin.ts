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
 * Returns the function to call with an origin that `parseTarget` wrote. For the `load` of a client of this package, this is the variant
 * that does not parse the origin again; any other function is returned unchanged. The variants are found by function, not by client: an
 * object that inherits from a client, but has another `load`, keeps its `load`.
 */
export function parsedOriginLoadOf<T extends (...given: never[]) => unknown>(load: T): T {
  return (uncheckedLoads.get(load as unknown as Load) as unknown as T | undefined) ?? load;
}
