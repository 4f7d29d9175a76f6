// Writes a census in the requested format.
import { type CensusDocument, documentTextOf, printText } from "@robots-stream/census";
import type { Printed, Running } from "../../cli/command-body.ts";
import type { Output } from "../../cli/output-format.ts";
import { writeText } from "../../cli/ending.ts";
import { endedBySignals } from "../../cli/ended-by-signals.ts";
import { columnsOf } from "../../cli/terminal-width.ts";

/** The output formats; the first is the default. */
export const censusFormats: readonly [CensusFormat, ...CensusFormat[]] = [{ name: "text" }, { name: "json" }];

export interface CensusFormat {
  readonly name: "text" | "json";
}

/** Writes the document. */
export async function writeCensus(
  document: CensusDocument,
  { output, title }: { readonly output: Output<CensusFormat>; readonly title: string | undefined },
  stream: Printed,
  { env }: Pick<Running, "env">,
): Promise<void> {
  const print = {
    text: () => printText(document, { title, columns: columnsOf(stream, env) }),
    json: () => documentTextOf(document),
  }[output.format.name];
  await writeText(stream, endedBySignals(print));
}
