// Renders the texts of --help and -h from the table of flags and the lists of flag values. The module help-text.ts wraps the lines later.
import { crawlerSets } from "@robots-stream/agents";
import { renderRows, widthOf } from "../../cli/help-text.ts";
import type { Command } from "../../cli/command.ts";
import { flags, sections } from "./flags.ts";
import { inputFormats, outputFormats, rowChoices } from "@robots-stream/engine/internal";
import { failConditions } from "./run-flags.ts";

const question = "robots-stream: may this crawler fetch each URL, and which robots.txt line says so?";

const usage = `Usage
  robots-stream --agent TOKEN [flags] [FILE …]
  robots-stream --agent-field NAME [flags] [FILE …]
  … | robots-stream --agent TOKEN [flags]`;

const examples = `Examples
  robots-stream --agent bingbot urls.ndjson
  robots-stream --agent-field user_agent --base https://example.com --only disallowed access.log
  robots-stream --agent Googlebot --agent GPTBot --output csv --summary crawl.csv > decided.csv
  robots-stream --agent bingbot --robots saved/ --fail-on disallowed urls.txt.gz`;

/** The flags that -h shows, in this order. */
const commonFlags = [
  "agent",
  "agents",
  "agent-field",
  "input",
  "url-field",
  "base",
  "output",
  "output-file",
  "only",
  "robots",
  "summary",
  "fail-on",
] as const;

/** Returns a line for each command with a name. */
function renderCommands(commands: readonly Command[]): string {
  const rows = commands.map(({ name, args, about }) => [`  robots-stream ${name} ${args}`, about] as const);
  const width = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.map(([left, right]) => left.padEnd(width) + right).join("\n");
}

/** `commands`: every command with a name. */
export function renderHelp(commands: readonly Command[]): string {
  const width = widthOf(flags);
  const parts = sections.map((section) => `${section.name}\n${renderRows(section.flags, width)}`);
  const list = (what: readonly { readonly name: string; readonly about: string }[]): string =>
    what.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join("\n");
  const rows = rowChoices.map(({ name, about }) => ({
    name,
    about: name === "crawlers" ? `${about} (needs --agent-field)` : about,
  }));
  return `${question}

${usage}
${renderCommands(commands)}
robots-stream help COMMAND shows the flags of a command.

Reads lists of URLs, tables and access logs from files, folders of rotated logs, patterns in quotes ('logs/*.gz') or stdin ("-"). Gets the robots.txt of every origin (scheme, host and port) once. Writes each record back with the decision, the rule and its line number: as a table on a terminal, as NDJSON into pipes and files.

${examples}

${parts.join("\n\n")}

Input formats
${list(inputFormats)}

Output formats
${list(outputFormats)}

Sets of --agents
${list(crawlerSets)}

Rows of --only
${list(rows)}

Conditions of --fail-on
${list(failConditions)}

Exit codes
  0    all input was processed
  1    a --fail-on condition was met
  2    wrong usage, or input without URLs: nothing was decided
  3    reading or writing failed midway, saved robots.txt files are damaged, or all input was read and no record has a URL
  130  stopped by Ctrl-C; all decided records are written
  143  stopped by SIGTERM (129: by SIGHUP); all decided records are written
`;
}

/** `commands`: every command with a name. */
export function renderShortHelp(commands: readonly Command[]): string {
  const common = commonFlags.map((name) => flags.find((flag) => flag.name === name)!);
  const left = flags.length - common.length;
  const rows = commands.map(({ name, about }) => [`  robots-stream ${name}`, about] as const);
  const width = Math.max(...rows.map(([name]) => name.length)) + 3;
  return `${question}

${usage}

Flags
${renderRows(common)}

Commands
${rows.map(([name, about]) => name.padEnd(width) + about).join("\n")}

${examples}

robots-stream --help describes ${left} more flags, the formats and the exit codes; robots-stream help COMMAND describes a command.
`;
}
