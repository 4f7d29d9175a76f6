// Writes a census in the requested format.
import { type CensusDocument, documentTextOf, printText } from "@robots-stream/census";
import type { CommandRun } from "../../cli/command.ts";
import type { CommandOutput } from "../../cli/command-output.ts";
import { writeText } from "../../cli/ending.ts";
import { endedBySignals } from "../../cli/ended-by-signals.ts";
import { columnsOf } from "../../cli/terminal-width.ts";
import type { CensusSettings } from "./flags.ts";

/** Writes the document. */
export async function writeCensus(
  document: CensusDocument,
  { output, title }: Pick<CensusSettings, "output" | "title">,
  stream: CommandOutput["stream"],
  { env }: Pick<CommandRun, "env">,
): Promise<void> {
  const print = {
    text: () => printText(document, { title, columns: columnsOf(stream, env) }),
    json: () => documentTextOf(document),
  }[output.format.name];
  await writeText(stream, endedBySignals(print));
}
