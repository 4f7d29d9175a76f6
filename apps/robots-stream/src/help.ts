// The table of flags and what they choose from in, the text of --help out.
import { crawlerSets } from "@robots-stream/agents";
import { renderRows, widthOf } from "./flag-help.ts";
import { flags, sections } from "./flags.ts";
import { inputFormats } from "./input/formats.ts";
import { outputFormats } from "./output/formats.ts";
import { failConditions } from "./tally.ts";

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
  robots-stream explain URL … --agent TOKEN   why, with the lines quoted; explain --help
  robots-stream agents [NAME]                 the crawlers that are known; agents --help
  robots-stream lint FILE|URL …               what does not do what it seems to do; lint --help
  robots-stream detect FILE …                 how a file would be read; detect --help
  robots-stream cache ls|show|export|…        what was fetched, and when; cache --help

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
  0  all input was processed            3    reading or writing failed midway
  1  a --fail-on condition was met      130  stopped by Ctrl-C; what was decided is written
  2  wrong usage, nothing was read      143  the same by SIGTERM (129 by SIGHUP)
`;
}
