// Renders tables of flags as lines of a help text or as Markdown, and wraps a help text. Before wrapping, each paragraph, row and example is one line.
import type { Flag } from "./flag.ts";

/** Minimum width of a description beside its name. With less room, the description begins on a line of its own. */
const leastDescription = 28;
const ownLineIndent = 8;
/** Maximum length of a line on any terminal, because longer lines are hard to read. */
export const mostHelpColumns = 100;

/** A help text, which is wrapped to the width of the output when it is printed. */
export interface HelpText {
  readonly help: string;
}

/** Wraps every line to at most `columns` columns, as far as its words allow. */
export function wrapHelp(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (line.length <= columns ? [line] : wrapLine(line, columns)))
    .join("\n");
}

/** A name and its description, with two or more spaces between them. */
const row = /^(\s*\S.*?\s{2,})(\S.*)$/;

function wrapLine(line: string, columns: number): readonly string[] {
  const [, name, description] = row.exec(line) ?? [];
  if (name === undefined || description === undefined) {
    const indent = /^\s*/.exec(line)![0].length;
    // An indented line is an example. Its continuation lines are indented further.
    const lines = wrapWords(line.trim(), columns - indent - (indent === 0 ? 0 : 4));
    return lines.map((words, at) => " ".repeat(indent === 0 || at === 0 ? indent : indent + 4) + words);
  }
  if (columns - name.length >= leastDescription) {
    const lines = wrapWords(description, columns - name.length);
    return lines.map((words, at) => (at === 0 ? name : " ".repeat(name.length)) + words);
  }
  const lines = wrapWords(description, columns - ownLineIndent).map((words) => " ".repeat(ownLineIndent) + words);
  return [...wrapLine(name.trimEnd(), columns), ...lines];
}

/** Distributes the words over lines of at most `width` columns. A longer word gets a line of its own. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** The text after a flag's name: " VALUE", "[=VALUE]", or nothing. */
export function valueTextOf({ value, takes }: Flag): string {
  if (value === undefined) return "";
  return takes === undefined ? ` ${value}` : `[=${value}]`;
}

/** The number of columns that the names of these flags need. */
export function widthOf(table: readonly Flag[]): number {
  return Math.max(...table.map((flag) => namesOf(flag).length)) + 2;
}

/** One line per flag: the flag's names in the first `width` columns, then its description and its default. */
export function renderRows(table: readonly Flag[], width: number = widthOf(table)): string {
  return table.map((flag) => namesOf(flag).padEnd(width) + aboutOf(flag)).join("\n");
}

/** What a flag does, and its default. */
export function aboutOf({ about, otherwise }: Pick<Flag, "about" | "otherwise">): string {
  return otherwise === undefined ? about : `${about} [${otherwise}]`;
}

/** The first sentence of a flag's description, without its full stop, for completions. */
export function shortAboutOf({ about }: Pick<Flag, "about">): string {
  const [first = about] = /^.*?(?=\. [A-Z]|\.$|$)/.exec(about) ?? [];
  return first;
}

function namesOf(flag: Flag): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  return `  ${short}--${flag.name}${valueTextOf(flag)}`;
}

/** The flags as a table in Markdown. */
export function renderMarkdownTable(table: readonly Flag[]): string {
  const rows = table.map((flag) => {
    const names = flag.short === undefined ? `\`--${flag.name}\`` : `\`-${flag.short}\`, \`--${flag.name}\``;
    const value = flag.value === undefined ? "" : ` \`${valueTextOf(flag).trim().replaceAll("|", "\\|")}\``;
    return `| ${names}${value} | ${flag.about.replaceAll("|", "\\|")} | ${flag.otherwise ?? ""} |`;
  });
  return ["| Flag | What it does | Otherwise |", "|---|---|---|", ...rows].join("\n");
}
