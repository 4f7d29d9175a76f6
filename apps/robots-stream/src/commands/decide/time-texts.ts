// Reads the time texts of records. Caches the results, because neighbouring records often have the same time.
import { readTime } from "@robots-stream/engine/internal";
import type { LogClock } from "@robots-stream/logs";

const mostTimes = 100;

/** Reads time texts, and caches the results. */
export class TimeTexts {
  readonly #times = new Map<string, ReturnType<typeof readTime>>();
  readonly #clock: LogClock | undefined;

  /** `clock`: the clock that wrote times without a zone; undefined: such times are read as UTC. */
  constructor(clock: LogClock | undefined) {
    this.#clock = clock;
  }

  read(time: string): ReturnType<typeof readTime> {
    let read = this.#times.get(time);
    if (read === undefined) {
      if (this.#times.size === mostTimes) this.#times.clear();
      read = readTime(time.trim(), this.#clock);
      this.#times.set(time, read);
    }
    return read;
  }
}
