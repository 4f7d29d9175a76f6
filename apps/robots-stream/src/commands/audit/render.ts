// The document of an audit in, its report written in the asked form, and the exit code, out.
import {
  AuditError,
  type AuditDocument,
  type AuditReport,
  documentTextOf,
  printCsv,
  printHtml,
  printText,
  reportOf,
} from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine/internal";
import { paintFor } from "../../shell/colours.ts";
import type { CommandOutput } from "../../shell/command-output.ts";
import { writeText } from "../../shell/ending.ts";
import { exitCodes } from "../../shell/exit-codes.ts";
import { columnsOf } from "../../shell/terminal-width.ts";
import { isMet } from "./fail-on.ts";
import type { ReportSettings } from "./report-flags.ts";

/** Writes the report; resolves to the exit code. */
export async function writeReport(
  document: AuditDocument,
  settings: ReportSettings,
  stream: CommandOutput["stream"],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { title, timeZone, failOn } = settings;
  let made: AuditReport | undefined;
  // Another copy of all rows: made only for the forms that show it.
  const report = (): AuditReport => (made ??= reportOf(document, { title, timeZone }));
  const texts = {
    text: () =>
      printText(report(), { columns: columnsOf(stream, env), colors: paintFor(stream, env)("red", "") !== "" }),
    html: () => printHtml(report()),
    json: () => documentTextOf(document),
    csv: () => printCsv(document, settings.table, { isSafe: settings.csvSafe }),
  };
  await writeText(stream, texts[settings.output.format.name]());
  return failOn !== undefined && isMet(failOn, report()) ? exitCodes.conditionMet : exitCodes.done;
}

/** Calls a function of the audit; what the user gave it becomes a `UsageError`. */
export function asUsage<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof AuditError) throw new UsageError("wrong-value", `${what}${error.message}`);
    throw error;
  }
}
