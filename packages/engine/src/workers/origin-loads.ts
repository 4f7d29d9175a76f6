// Loads the robots.txt of each origin that workers request: once while the result is fresh, however many workers request it.
import { CountedOrigins } from "../origins/counted-origins.ts";
import { KnownRobots } from "../origins/known-robots.ts";
import { constantOf } from "../robots/parsed.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import type { Tally } from "../tally.ts";
import type { LoadedOrigin, OriginReport } from "./messages.ts";

export interface OriginLoadsOptions {
  readonly source: RobotsSource;
  readonly tally: Tally;
  readonly signal: AbortSignal;
  /** Called with the first result of each origin and with each later result from the network, and once for each origin that workers report. */
  readonly onOrigin?: ((origin: string, robots: SourcedRobots) => void) | undefined;
  /**
   * Maximum number of results in `#known`; `mostKnown` when absent. When `#known` is full, all results are deleted, and an origin is loaded
   * again when a worker requests it.
   */
  readonly mostKnown?: number;
}

const mostKnown = 2_000_000;

/** Loads the origins of a run for all its workers. */
export class OriginLoads {
  /** Number of loads in progress. */
  underWay = 0;
  readonly #options: OriginLoadsOptions;
  /** By origin: the promise of its load while the load is in progress, then the number of the result in `#known`. */
  readonly #loads = new Map<string, Promise<LoadedOrigin> | number>();
  #known: KnownRobots;
  #count = 0;
  /**
   * For each origin whose result is in `#known`: the time until which the result is fresh, in milliseconds since 1970. Absent for a result
   * that is always fresh.
   */
  readonly #freshUntil = new Map<string, number>();
  /** Counted origins that are not in `#loads`: their results were deleted, or workers reported them. */
  readonly #counted = new CountedOrigins();

  constructor(options: OriginLoadsOptions) {
    this.#options = options;
    this.#known = new KnownRobots(options.source, options.signal);
  }

  /** The robots.txt in force for an origin. Rejects with the errors of the source. */
  load(origin: string): Promise<LoadedOrigin> | LoadedOrigin {
    const known = this.#loads.get(origin);
    const freshUntil = this.#freshUntil.get(origin);
    if (typeof known === "number" && (freshUntil === undefined || Date.now() < freshUntil)) {
      return loadedOf(origin, { ...this.#known.again(known, origin), freshUntil });
    }
    const load =
      typeof known === "object" ? known : this.#load(origin, known === undefined && !this.#counted.has(origin));
    this.#loads.set(origin, load);
    return load;
  }

  /** Deletes the results, but not the loads in progress. */
  #forgetAll(): void {
    this.#known.close();
    this.#known = new KnownRobots(this.#options.source, this.#options.signal);
    this.#count = 0;
    this.#freshUntil.clear();
    for (const [origin, load] of this.#loads) {
      if (typeof load !== "number") continue;
      this.#loads.delete(origin);
      this.#counted.add(origin);
    }
  }

  /** Frees the results. */
  close(): void {
    this.#known.close();
  }

  /** Counts an origin that a worker has loaded from saved files; further reports of the same origin are ignored. */
  report({ origin, access, code }: OriginReport): void {
    const { tally, onOrigin } = this.#options;
    if (this.#counted.has(origin)) return;
    this.#counted.add(origin);
    tally.origins++;
    countAccess(tally, access);
    onOrigin?.(origin, constantOf(access, code));
  }

  async #load(origin: string, isNew: boolean): Promise<LoadedOrigin> {
    const { source, tally, signal, onOrigin } = this.#options;
    const most = this.#options.mostKnown ?? mostKnown;
    if (isNew) tally.origins++;
    this.underWay++;
    try {
      const robots = await source.load(origin, signal);
      if (isNew || robots.fetched) onOrigin?.(origin, robots);
      if (robots.fetched) tally.fetches++;
      if (isNew && robots.isDowngraded === true) tally.downgraded++;
      if (isNew) countAccess(tally, robots.access);
      const loaded = loadedOf(origin, robots);
      if (this.#count === most) this.#forgetAll();
      const number = this.#count++;
      if (robots.freshUntil !== undefined) this.#freshUntil.set(origin, robots.freshUntil);
      if (this.#known.remember(number, { ...robots, body: loaded.body }, true)) this.#loads.set(origin, number);
      return loaded;
    } finally {
      this.underWay--;
    }
  }
}

function loadedOf(origin: string, { access, code, body, freshUntil }: SourcedRobots): LoadedOrigin {
  const file = access === "successful" ? (body ?? new Uint8Array(0)) : undefined;
  return { origin, access, code, body: file, freshUntil };
}

function countAccess(tally: Tally, access: LoadedOrigin["access"]): void {
  if (access === "unavailable") tally.unavailable++;
  if (access === "unreachable") tally.unreachable++;
}
