// Converts an instant that was written as bytes to seconds since 1970.
import { viewOf } from "../../records/words.ts";

const zero = 0x30;
/** Where the seconds are in `2025-12-10T10:00:00Z`. */
const utcSecondAt = 17;

/** Converts written instants, `2025-12-10T10:00:00.123Z`. Of neighbouring instants, only the first one of each minute is computed. */
export class WrittenInstant {
  #bytes = Buffer.alloc(64);
  #view = viewOf(this.#bytes);
  readonly #minute = Buffer.alloc(utcSecondAt);
  #minuteSeconds = Number.NaN;

  /** Room for writing an instant whose fraction has at most `digits` digits. */
  roomFor(digits: number): DataView {
    if (this.#bytes.length < digits + 64) {
      this.#bytes = Buffer.alloc(digits * 2 + 64);
      this.#view = viewOf(this.#bytes);
    }
    return this.#view;
  }

  /** The seconds of the written instant; `to` is the offset after it, as the writing method returned it. */
  secondsUpTo(to: number): number {
    if (to < 0) return Number.NaN;
    const bytes = this.#bytes;
    const minute = this.#minute;
    let at = utcSecondAt - 1;
    while (at >= 0 && bytes[at] === minute[at]) at--;
    if (at >= 0) {
      bytes.copy(minute, 0, 0, utcSecondAt);
      this.#minuteSeconds = Date.parse(`${bytes.toString("latin1", 0, utcSecondAt)}00Z`) / 1_000;
    }
    return this.#minuteSeconds + (bytes[utcSecondAt]! - zero) * 10 + bytes[utcSecondAt + 1]! - zero;
  }
}
