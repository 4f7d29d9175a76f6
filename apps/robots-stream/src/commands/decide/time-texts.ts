// Converts the time texts of records to milliseconds since 1970. Caches the results, because neighbouring records often have the same time.
import { timeMsOf } from "@robots-stream/engine/internal";

const mostTimes = 100;

/** Converts time texts to milliseconds, and caches the results. */
export class TimeTexts {
  readonly #times = new Map<string, number>();

  /** Returns milliseconds since 1970; NaN for a text that is not a time. */
  msOf(time: string): number {
    let ms = this.#times.get(time);
    if (ms === undefined) {
      if (this.#times.size === mostTimes) this.#times.clear();
      ms = timeMsOf(time.trim());
      this.#times.set(time, ms);
    }
    return ms;
  }
}
