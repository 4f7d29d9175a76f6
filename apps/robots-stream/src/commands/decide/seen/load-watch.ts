// Watches the loads of origins: which one has taken the longest so far, and which ones take long.
import type { RobotsSource, SourcedRobots } from "@robots-stream/engine/internal";

/** A load that takes this long is reported by `--verbose`, and shown in the progress line. */
const longLoadMs = 5_000;

/** A load under way. */
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
  /** In the order of their beginning. */
  readonly #begun = new Map<string, Begun>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The same source; its loads are watched. Sources that answer at once are returned unchanged. */
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

  /** The load that has taken the longest, if it takes long. */
  longest(): LoadUnderWay | undefined {
    const [first] = this.#begun;
    if (first === undefined) return undefined;
    const [origin, { at }] = first;
    const ms = this.#now() - at;
    return ms < longLoadMs ? undefined : { origin, ms };
  }

  /** The loads that take long, each once, and the number of all running loads. */
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
