// Makes an input format from a user's pattern. The format's name contains the pattern, so that a worker or a resumed run can rebuild the
// format.
import { isPatternProblem, logFormatOf, patternIn } from "@robots-stream/logs";
import { UsageError } from "../../errors.ts";
import type { InputFormat } from "../../records/batch.ts";
import { shownWordOf } from "../../text.ts";
import { lineLogInput } from "./lines.ts";

const prefix = "log-format ";

/** Maximum length of a pattern in characters. A line in a server's configuration has a few thousand at most. */
const longestPattern = 10_000;

/**
 * The input format for the pattern `written`, which has the form of the server's configuration. Throws a `UsageError` for a pattern that is
 * too long or invalid. Its message begins with `shown`, which names the pattern, and contains the position of the fault if it is known.
 */
export function logFormatInput(written: string, shown: string): InputFormat {
  if (written.length > longestPattern) {
    throw new UsageError("wrong-value", `${shown}: is longer than ${longestPattern} characters`);
  }
  const pattern = patternIn(written);
  const log = logFormatOf(pattern, prefix + pattern);
  if (!isPatternProblem(log)) return lineLogInput(log);
  const { message, position, hint } = log;
  const at = position === undefined ? "" : ` at character ${position}: ${aroundOf(pattern, position)}:`;
  throw new UsageError("wrong-value", `${shown}${at === "" ? ":" : at} ${message}`, hint);
}

/** The format whose name `logFormatInput` made; undefined for any other name. */
export function ownLogInput(name: string): InputFormat | undefined {
  if (!name.startsWith(prefix)) return undefined;
  const log = logFormatOf(name.slice(prefix.length), name);
  return isPatternProblem(log) ? undefined : lineLogInput(log);
}

/** The part of the pattern around a position, for a message. */
function aroundOf(pattern: string, position: number): string {
  const from = Math.max(0, position - 11);
  return shownWordOf(`${from > 0 ? "…" : ""}${pattern.slice(from, position + 30)}`, 60);
}
