// Measures the running loads of robots.txt files, and finds the longest load and slow loads.
import type { RobotsSource, SourcedRobots } from "@robots-stream/engine/internal";

/** A load that has taken this many milliseconds is slow. `--verbose` and the progress line report slow loads. */
const longLoadMs = 5_000;

/** A running load: its origin, and the milliseconds since its start. */
export interface LoadUnderWay {
  readonly origin: string;
  readonly ms: number;
}

interface Begun {
  readonly at: number;
  /** Whether `takeLong` has already returned this load. */
  isTaken: boolean;
}

/** The running loads of one run. */
export class LoadWatch {
  readonly #now: () => number;
  /** The running loads by origin, in the order in which they began. */
  readonly #begun = new Map<string, Begun>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns a source that records the start and the end of each load of `source`. Returns a source of saved files unchanged. */
  watch(source: RobotsSource): RobotsSource {
    if (!source.isRemote) return source;
    return {
      ...source,
      load: async (origin, signal): Promise<SourcedRobots> => {
        this.#begun.set(origin, { at: this.#now(), isTaken: false });
        try {
          return await source.load(origin, signal);
        } finally {
          this.#begun.delete(origin);
        }
      },
    };
  }

  /** Returns the longest running load if this load is slow, else undefined. */
  longest(): LoadUnderWay | undefined {
    const [first] = this.#begun;
    if (first === undefined) return undefined;
    const [origin, { at }] = first;
    const ms = this.#now() - at;
    return ms < longLoadMs ? undefined : { origin, ms };
  }

  /** Returns the slow loads that no earlier call returned. `all`: the number of all running loads. */
  takeLong(): { readonly loads: readonly LoadUnderWay[]; readonly all: number } {
    const now = this.#now();
    const loads: LoadUnderWay[] = [];
    for (const [origin, begun] of this.#begun) {
      if (now - begun.at < longLoadMs) break;
      if (!begun.isTaken) loads.push({ origin, ms: now - begun.at });
      begun.isTaken = true;
    }
    return { loads, all: this.#begun.size };
  }
}
