// Converts an instant in a buffer to seconds since 1970.
import { viewOf } from "../../records/words.ts";

const zero = 0x30;
/** Offset of the seconds in `2025-12-10T10:00:00Z`. */
const utcSecondAt = 17;

/**
 * A buffer for one instant, like `2025-12-10T10:00:00.123Z`, and its conversion. Consecutive instants of the same minute are parsed once.
 */
export class WrittenInstant {
  #bytes = Buffer.alloc(64);
  #view = viewOf(this.#bytes);
  readonly #minute = Buffer.alloc(utcSecondAt);
  #minuteSeconds = Number.NaN;

  /** A view of the buffer, to which the caller writes an instant at offset 0. The fraction may have `digits` digits. */
  roomFor(digits: number): DataView {
    if (this.#bytes.length < digits + 64) {
      this.#bytes = Buffer.alloc(digits * 2 + 64);
      this.#view = viewOf(this.#bytes);
    }
    return this.#view;
  }

  /**
   * The whole seconds since 1970 of the instant in the buffer. `to` is the result of the method that wrote the instant; NaN if `to` is
   * negative.
   */
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
