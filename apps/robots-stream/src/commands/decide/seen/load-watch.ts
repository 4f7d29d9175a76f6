// Watches the running loads of origins, and reports the longest load and slow loads.
import type { RobotsSource, SourcedRobots } from "@robots-stream/engine/internal";

/** A load that takes this long is slow: `--verbose` reports it, and the progress line shows it. */
const longLoadMs = 5_000;

/** A running load. */
export interface LoadUnderWay {
  readonly origin: string;
  readonly ms: number;
}

interface Begun {
  readonly at: number;
  /** Whether `takeLong` has returned it. */
  isTaken: boolean;
}

/** The running loads of one run. */
export class LoadWatch {
  readonly #now: () => number;
  /** The running loads, in the order in which they began. */
  readonly #begun = new Map<string, Begun>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Wraps a source so that its loads are watched. Returns sources that answer synchronously unchanged. */
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

  /** The longest running load, if it is slow. */
  longest(): LoadUnderWay | undefined {
    const [first] = this.#begun;
    if (first === undefined) return undefined;
    const [origin, { at }] = first;
    const ms = this.#now() - at;
    return ms < longLoadMs ? undefined : { origin, ms };
  }

  /** The slow loads that no earlier call returned, and the number of all running loads. */
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
