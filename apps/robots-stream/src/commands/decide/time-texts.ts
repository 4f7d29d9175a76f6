// The texts of the times of records in, milliseconds since 1970 out. Keeps the last ones, as neighbouring records often share a time.
import { timeMsOf } from "@robots-stream/engine/internal";

const mostTimes = 100;

/** Reads times, of which records in a row share many. */
export class TimeTexts {
  readonly #times = new Map<string, number>();

  /** Milliseconds since 1970; NaN for a text that is no time. */
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
