// Keeps the origins whose saved robots.txt files could not be read because their entries are damaged. A run with such an origin fails.
import { countText } from "../figures.ts";

/** The origins that a run asked for and whose entries are damaged. */
export class DamagedOrigins {
  readonly #origins = new Set<string>();

  /** Adds an origin; to be passed as `onDamaged`. */
  readonly add = (origin: string): void => {
    this.#origins.add(origin);
  };

  /** The sentence about these origins; undefined if there are none. `counted`: how the run treated them. */
  sentence(counted: string): string | undefined {
    const { size } = this.#origins;
    if (size === 0) return undefined;
    return `the saved robots.txt of ${countText(size, "origin")} could not be read, because entries are damaged; ${counted}`;
  }
}
