// Tests whether the time of a record is in the window of `--since` and `--until`.
import type { PackedRecords } from "../records/packed.ts";
import { RecordTimes } from "./record-times.ts";

/** The window of `--since` and `--until`, in milliseconds since the epoch: from `sinceMs` on, and before `untilMs`. */
export interface TimeWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Compares the times of records with a window. */
export class TimeFilter {
  #unread = 0;
  readonly #window: TimeWindow;
  readonly #times = new RecordTimes();

  constructor(window: TimeWindow) {
    this.#window = window;
  }

  /** Whether the record's time is outside the window. A record whose time cannot be read is counted, and is not outside. */
  isOutside(packed: PackedRecords, record: number): boolean {
    const ms = this.#times.msOf(packed, record);
    if (Number.isNaN(ms)) {
      this.#unread++;
      return false;
    }
    const { sinceMs, untilMs } = this.#window;
    return ms < sinceMs || ms >= untilMs;
  }

  /** Removes a record from the count of `takeUnread`. Call it if a record that is not outside is left out for another reason. */
  leaveOut(packed: PackedRecords, record: number): void {
    if (Number.isNaN(this.#times.msOf(packed, record))) this.#unread--;
  }

  /** The number of records, since the last call of this method, whose time could not be read. Excludes records that were left out. */
  takeUnread(): number {
    const count = this.#unread;
    this.#unread = 0;
    return count;
  }
}
