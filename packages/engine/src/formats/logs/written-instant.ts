// An instant that was written as bytes in, its seconds since 1970 out.
import { viewOf } from "../../records/words.ts";

const zero = 0x30;
/** Where the seconds are in `2025-12-10T10:00:00Z`. */
const utcSecondAt = 17;

/** An instant that was written, `2025-12-10T10:00:00.123Z`, in seconds: of neighbouring ones only the first of a minute is computed. */
export class WrittenInstant {
  #bytes = Buffer.alloc(64);
  #view = viewOf(this.#bytes);
  readonly #minute = Buffer.alloc(utcSecondAt);
  #minuteSeconds = Number.NaN;

  /** Where an instant is written whose fraction has at most `digits` digits. */
  roomFor(digits: number): DataView {
    if (this.#bytes.length < digits + 64) {
      this.#bytes = Buffer.alloc(digits * 2 + 64);
      this.#view = viewOf(this.#bytes);
    }
    return this.#view;
  }

  /** Its seconds; `to` is what the member that wrote it returned. */
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
