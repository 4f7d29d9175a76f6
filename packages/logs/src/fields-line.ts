// Reads the line that names the fields of a log, `#Fields: date time …`, and makes the problem of a line with another number of fields.
import type { LogProblem } from "./types.ts";

const beginning = "#Fields:";

/** The names of a #Fields line. */
export function namesIn(line: string): readonly string[] {
  return line
    .slice(beginning.length)
    .split(/[ \t]+/)
    .filter((name) => name !== "");
}

/** The problem of a line with `count` fields after a #Fields line with `named` names. */
export function otherCount(count: number, named: number): LogProblem {
  const message = `has ${count} field${count === 1 ? "" : "s"} where #Fields names ${named}`;
  return { code: "not-a-log-line", message };
}
