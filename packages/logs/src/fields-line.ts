// Reads the line that names the fields of a log, `#Fields: date time …`, joins dates and times, and finds lines with other fields.
import { joinedLines, mayBeClient } from "./joined-lines.ts";
import type { LogProblem } from "./types.ts";

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
