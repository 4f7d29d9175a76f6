// Runs the command `man`, which prints the manual page robots-stream(1), in the macros of man(7), and returns its exit code. The package's
// build writes the page to robots-stream.1.
import { UsageError } from "@robots-stream/engine";
import { commandBody } from "../../cli/command-body.ts";
import { describedCommands, type DescribedCommand } from "../../cli/command.ts";
import { outputFlags, outputOf } from "../../cli/output-format.ts";
import { versionOf } from "../../version.ts";
import type { Flag } from "../../cli/flag.ts";
import { aboutOf, valueTextOf } from "../../cli/help-text.ts";

const formats = [{ name: "text" }] as const;

export const manCommand = commandBody({
  name: "man",
  flags: outputFlags(formats),
  help: {
    start: `
robots-stream man: the manual page

Usage
  robots-stream man [flags]

Prints the page robots-stream(1) for man, mandoc or groff. npm installs the same page with the package.

Examples
  robots-stream man | man -l -
  robots-stream man > ~/.local/share/man/man1/robots-stream.1
`,
    exitCodes: {
      0: "the page was printed",
      2: "wrong usage",
      3: "the output could not be written",
    },
  },
  async run({ values, files: names, commands = [], printText }) {
    if (names.length > 0)
      throw new UsageError("wrong-value", "man takes no arguments: there is one page for all commands");
    const page = manualOf(await describedCommands(commands), versionOf());
    const output = outputOf(values, formats);
    return printText(output, page);
  },
});

function manualOf(described: readonly DescribedCommand[], version: string): string {
  const main = described.find(({ name }) => name === "")!;
  const named = described.filter(({ name }) => name !== "");
  const lines = [
    `.TH ROBOTS\\-STREAM 1 "" "robots\\-stream ${escaped(version)}" "User Commands"`,
    ".SH NAME",
    String.raw`robots\-stream \- may this crawler fetch each URL, and which robots.txt line says so`,
    ".SH SYNOPSIS",
    String.raw`.B robots\-stream`,
    escaped(main.args),
    ...named.flatMap(({ name, args }) => [
      ".br",
      String.raw`.B robots\-stream ${escaped(name)}`,
      ...(args === "" ? [] : [escaped(args)]),
    ]),
    String.raw`.br`,
    String.raw`.B robots\-stream help`,
    "[COMMAND]",
    ".SH DESCRIPTION",
    ...paragraph(
      "Reads lists of URLs, tables and access logs from files or standard input. Gets the robots.txt of every origin (scheme, host and port) once. Writes each record back with the decision, the rule and its line number. On a terminal the rows are a table for people; pipes and files get NDJSON.",
    ),
    ...paragraph("To read a file that is named like a command, write its path: ./explain."),
    ".SH OPTIONS",
    ...main.flags.flatMap(flagLines),
    ".SH COMMANDS",
    ...named.flatMap((command) => [
      `.SS robots\\-stream ${escaped(command.name)} ${escaped(command.args)}`.trimEnd(),
      ...paragraph(`${command.about[0]!.toUpperCase()}${command.about.slice(1)}.`),
      ...command.flags.flatMap(flagLines),
    ]),
    ".SH EXIT STATUS",
    ...exitCodes.flatMap(([code, about]) => [".TP", code, ...textLines(about)]),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([name, about]) => [".TP", `.B ${escaped(name)}`, ...textLines(about)]),
    ".SH EXAMPLES",
    ...examples.flatMap((example) => [".PP", ".nf", escaped(example), ".fi"]),
    ".SH SEE ALSO",
    ...paragraph("RFC 9309, Robots Exclusion Protocol. https://github.com/robots-stream/robots-stream"),
  ];
  // A heading already begins a paragraph, so a .PP line directly after a heading is removed.
  return `${lines.filter((line, at) => line !== ".PP" || !/^\.S[HS]/.test(lines[at - 1]!)).join("\n")}\n`;
}

const exitCodes: readonly (readonly [code: string, about: string])[] = [
  ["0", "All input was processed."],
  ["1", "A condition of --fail-on was met."],
  ["2", "Wrong usage, or no URL in the first 100 records; nothing was decided."],
  ["3", "Reading or writing failed midway, or all input was read and no record has a URL."],
  ["129, 130, 143", "Stopped by SIGHUP, SIGINT, SIGTERM. All decided records are written."],
];

const environment: readonly (readonly [name: string, about: string])[] = [
  ["COLUMNS", "The width of tables and help texts, instead of the terminal's."],
  ["NO_COLOR, FORCE_COLOR", "NO_COLOR: no colours. FORCE_COLOR: colours for any output."],
  ["ROBOTS_STREAM_CACHE", "The same as --cache, which takes precedence."],
  ["http_proxy, https_proxy, all_proxy, no_proxy", "The same as --proxy, which takes precedence."],
];

const examples: readonly string[] = [
  "robots-stream --agent bingbot urls.ndjson",
  "robots-stream --agent-field user_agent --base https://example.com --only disallowed access.log.gz",
  "robots-stream --agent Googlebot --agent GPTBot --output csv --summary crawl.csv > decided.csv",
  "robots-stream explain https://example.com/page --agent bingbot",
];

function flagLines(flag: Flag): string[] {
  const { name, short, value } = flag;
  const names = [...(short === undefined ? [] : [`\\-${short}`]), escaped(`--${name}`)].map(
    (each) => `\\fB${each}\\fR`,
  );
  const shown =
    value === undefined ? "" : escaped(valueTextOf(flag)).replace(escaped(value), (word) => `\\fI${word}\\fR`);
  return [".TP", names.join(", ") + shown, ...textLines(aboutOf(flag))];
}

function paragraph(text: string): string[] {
  return [".PP", ...textLines(text)];
}

/** Splits a text into escaped lines of the page, one for each sentence. */
function textLines(text: string): string[] {
  return text.split(/(?<=[.:;]) (?=[A-Z])/).map((sentence) => {
    const line = escaped(sentence);
    // roff reads a line that begins with "." or "'" as a request, so the line gets the prefix \&.
    return /^[.']/.test(line) ? `\\&${line}` : line;
  });
}

/** Escapes the characters that roff interprets. Without escapes, roff would print ASCII hyphens as other characters. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "\\&...")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga");
}
