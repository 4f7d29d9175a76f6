// Reads the lines that describe a log, `#Fields: date time …` and `#Date: …`, joins dates and times, and finds lines with other fields.
import { joinedLines, mayBeClient } from "./joined-lines.ts";
import type { LogProblem } from "./types.ts";
import { timeIn } from "./instant.ts";

const beginning = "#Fields:";

/** The names of a #Fields line. */
export function namesIn(line: string): readonly string[] {
  return line
    .slice(beginning.length)
    .split(/[ \t]+/)
    .filter((name) => name !== "");
}

/** A date and a time of day in UTC as one time; undefined if one of them is missing. */
export function utcOf(date: string | undefined, time: string | undefined): string | undefined {
  return date === undefined || time === undefined ? undefined : `${date}T${time}Z`;
}

/**
 * The problem of a line with these fields after a #Fields line with `named` names; undefined for a line with the right number of fields that
 * holds no beginning of another line. `valueOf` returns the field with a name.
 */
export function problemOfFields(
  fields: readonly string[],
  named: number,
  valueOf: (name: string) => string | undefined,
): LogProblem | undefined {
  const count = fields.length;
  if (count > named && fields.filter((field) => endsWithDate.test(field)).length > 1) return joinedLines;
  if (count !== named) {
    const message = `has ${count} field${count === 1 ? "" : "s"} where #Fields names ${named}`;
    return { code: "not-a-log-line", message };
  }
  const [date = "", client = "", status] = [
    valueOf("date") ?? valueOf("date-local"),
    valueOf("c-ip"),
    valueOf("sc-status"),
  ];
  // A line that was cut in its first field has the right number of fields; so may a line whose second part was cut, too.
  if (date.length > dateLength && endsWithDate.test(date)) return joinedLines;
  if (!client.includes(",") && !mayBeClient(client)) return joinedLines;
  const isStatus = status === undefined || /^(?:\d{3}|-|.*\/\d{3})$/.test(status);
  const isTwice = (): boolean =>
    fields.filter((each, at) => isTimeOfDay.test(each) && endsWithDate.test(fields[at - 1]!)).length > 1;
  return !isStatus && isTwice() ? joinedLines : undefined;
}

const endsWithDate = /\d{4}-\d\d-\d\d"?$/;
const dateLength = 10;
const isTimeOfDay = /^"?\d\d:\d\d:\d\d/;

const secondsPerDay = 86_400;
/** Servers write a line when the response ends, so neighbouring lines may be out of order by this number of seconds. */
const mostOutOfOrder = 300;
/** The number of seconds after midnight in which a line of the second before it may still be written. */
const aroundMidnight = 60;

/** The days of a log's lines, given in the order of the log. */
export class HeadingDate {
  /** The day of the last line, in days since 1970; NaN while the day is not known. */
  #day = Number.NaN;
  /** The last time of day, in seconds. */
  #last = 0;
  /** Whether the day of the last line was found by a time of day that went back. */
  #hasTurned = false;

  /** Takes a line that begins with "#". */
  takeHeading(line: string): void {
    const [, written] = /^#(?:Start-)?Date:\s*(.*\S)/i.exec(line) ?? [];
    if (written === undefined) return;
    // The specification's own example writes the date as 12-Jan-1996.
    const time = timeIn(written.replace(/^(\d{1,2})-([a-z]{3})-(\d{4}) /i, "$1/$2/$3:"));
    this.#day = time === undefined ? Number.NaN : Math.floor(time.ms / 1_000 / secondsPerDay);
    this.#last = time === undefined ? 0 : (time.ms / 1_000) % secondsPerDay;
    this.#hasTurned = false;
  }

  /**
   * The time of a line with its date, in UTC; undefined if the date is not known. If the time of day goes back by more than twelve hours, a
   * day has ended. If it goes back by less, several days may have passed: the date is then not known before the next heading.
   */
  utcOf(timeOfDay: string): string | undefined {
    const time = timeIn(`2000-01-01T${timeOfDay}Z`);
    if (time === undefined || Number.isNaN(this.#day)) return undefined;
    const seconds = (time.ms / 1_000) % secondsPerDay;
    const back = this.#last - seconds;
    if (back > secondsPerDay / 2) {
      this.#day++;
      this.#last = seconds;
      this.#hasTurned = true;
    } else if (back > mostOutOfOrder) this.#day = Number.NaN;
    // Just after midnight, a line of just before midnight may be of the day before, or of the end of this day.
    else if (this.#hasTurned && this.#last < aroundMidnight && seconds >= secondsPerDay - aroundMidnight)
      return undefined;
    if (Number.isNaN(this.#day)) return undefined;
    this.#last = Math.max(this.#last, seconds);
    return `${new Date(this.#day * secondsPerDay * 1_000).toISOString().slice(0, 10)}T${timeOfDay}Z`;
  }

  /** A heading with which another instance continues; undefined while the date is not known. */
  get heading(): string | undefined {
    if (Number.isNaN(this.#day)) return undefined;
    const at = new Date((this.#day * secondsPerDay + this.#last) * 1_000).toISOString();
    return `#Date: ${at.slice(0, 10)} ${at.slice(11, 19)}`;
  }
}
