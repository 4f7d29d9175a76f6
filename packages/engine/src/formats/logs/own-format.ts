// Makes an input format from a user's pattern. The format's name contains the pattern: a checkpoint has the name, and a run with another
// pattern is not resumed.
import { isPatternProblem, logFormatOf, patternIn } from "@robots-stream/logs";
import { UsageError } from "../../common/errors.ts";
import type { InputFormat } from "../input-format.ts";
import { shownWordOf } from "../../common/text.ts";
import { lineLogInput } from "./lines.ts";

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
  const log = logFormatOf(pattern, `log-format ${pattern}`);
  if (!isPatternProblem(log)) return lineLogInput(log);
  const { message, position, hint } = log;
  const at = position === undefined ? "" : ` at character ${position}: ${aroundOf(pattern, position)}:`;
  throw new UsageError("wrong-value", `${shown}${at === "" ? ":" : at} ${message}`, hint);
}

/** The part of the pattern around a position, for a message. */
function aroundOf(pattern: string, position: number): string {
  const from = Math.max(0, position - 11);
  return shownWordOf(`${from > 0 ? "…" : ""}${pattern.slice(from, position + 30)}`, 60);
}
