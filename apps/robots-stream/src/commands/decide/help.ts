// Renders the text of --help from the table of flags and the lists of their values.
import { crawlerSets } from "@robots-stream/agents";
import { renderRows, widthOf } from "../../shell/flag-help.ts";
import { commands } from "../list.ts";
import { flags, sections } from "./flags.ts";
import { failConditions, inputFormats, outputFormats } from "@robots-stream/engine/internal";

/** Renders a line for each command with a name. */
function renderCommands(): string {
  const rows = commands.map(
    ({ name, args, about }) => [`  robots-stream ${name} ${args}`, `${about}; ${name} --help`] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.map(([left, right]) => left.padEnd(width) + right).join("\n");
}

/** The text of --help. */
export function renderHelp(): string {
  const width = widthOf(flags);
  const parts = sections.map(
    (section) => `${section}
${renderRows(
  flags.filter((flag) => flag.section === section),
  width,
)}`,
  );
  const list = (what: readonly { readonly name: string; readonly about: string }[]): string =>
    what.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join("\n");
  return `robots-stream: may this crawler fetch each URL, and which robots.txt line says so?

Usage
  robots-stream --agent TOKEN [flags] [FILE …]
  … | robots-stream --agent TOKEN [flags]
${renderCommands()}

Reads URL logs from files or stdin ("-"), gets the robots.txt of every origin once, and writes each
record back with one added answer.

Examples
  robots-stream --agent bingbot urls.ndjson
  robots-stream --agent Googlebot --agent GPTBot --output csv --summary crawl.csv > decided.csv
  robots-stream --agent bingbot --robots saved/ --fail-on disallowed urls.txt.gz

${parts.join("\n\n")}

Input formats
${list(inputFormats)}

Output formats
${list(outputFormats)}

Sets of --agents
${list(crawlerSets)}

Conditions of --fail-on
${list(failConditions)}

Exit codes
  0  all input was processed
  1  a --fail-on condition was met
  2  wrong usage, or input without URLs: nothing was decided
  3  reading or writing failed midway, or no record of a longer run has a URL
  130, 143, 129  stopped by Ctrl-C, SIGTERM, SIGHUP; what was decided is written
`;
}
