// Keeps the origins whose saved robots.txt files could not be read because their entries are damaged. A run with such an origin fails.
import { countText } from "../figures.ts";

/** The maximum number of origins that are kept by name: a checkpoint contains them. */
const mostNames = 10_000;

/** The origins that a run asked for and whose entries are damaged. */
export class DamagedOrigins {
  readonly #origins = new Set<string>();
  #isFull = false;
  #unnamed = 0;

  /** Adds an origin; to be passed as `onDamaged`. */
  readonly add = (origin: string): void => {
    if (this.#origins.size < mostNames) this.#origins.add(origin);
    else if (!this.#origins.has(origin)) this.#isFull = true;
  };

  /** Counts a damaged entry whose origin is not known. */
  readonly addUnnamed = (): void => {
    this.#unnamed++;
  };

  /** Whether an entry of this origin is, or may be, damaged. */
  readonly has = (origin: string): boolean => this.#unnamed > 0 || this.#isFull || this.#origins.has(origin);

  /** The origins, of which the first `mostNames` are kept. */
  get names(): readonly string[] {
    return [...this.#origins];
  }

  /** The sentence about these origins; undefined if there are none. `counted`: how the run treated them. */
  sentence(counted: string): string | undefined {
    const { size } = this.#origins;
    if (size === 0 && this.#unnamed === 0) return undefined;
    if (size === 0) {
      return `${countText(this.#unnamed, "saved robots.txt", "saved robots.txt files")} could not be read, because entries are damaged; ${counted}`;
    }
    const count = this.#isFull ? `more than ${countText(size, "origin")}` : countText(size, "origin");
    return `the saved robots.txt of ${count} could not be read, because entries are damaged; ${counted}`;
  }
}
