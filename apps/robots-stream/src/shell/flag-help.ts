// Renders a table of flags as rows of a help text or as a table in Markdown.
import type { FlagShape } from "./command-line.ts";

/** Width of a help text in columns. */
const columns = 100;

/** The text after a flag's name: " VALUE", "[=VALUE]", or nothing. */
function valueOf({ value, takes }: FlagShape<string>): string {
  if (value === undefined) return "";
  return takes === undefined ? ` ${value}` : `[=${value}]`;
}

/** Columns that the names of these flags need. */
export function widthOf(table: readonly FlagShape<string>[]): number {
  return Math.max(...table.map((flag) => namesOf(flag).length)) + 2;
}

/** One row per flag: the flag's names in the first `width` columns, then its description and its default. */
export function renderRows(table: readonly FlagShape<string>[], width: number = widthOf(table)): string {
  return table
    .map((flag) => {
      const { about, otherwise } = flag;
      const text = otherwise === undefined ? about : `${about} [${otherwise}]`;
      return namesOf(flag).padEnd(width) + wrap(text, columns - width).join(`\n${" ".repeat(width)}`);
    })
    .join("\n");
}

function namesOf(flag: FlagShape<string>): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  return `  ${short}--${flag.name}${valueOf(flag)}`;
}

function wrap(text: string, width: number): string[] {
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

/** The flags as a table in Markdown. */
export function renderMarkdownTable(table: readonly FlagShape<string>[]): string {
  const rows = table.map((flag) => {
    const names = flag.short === undefined ? `\`--${flag.name}\`` : `\`-${flag.short}\`, \`--${flag.name}\``;
    const value = flag.value === undefined ? "" : ` \`${valueOf(flag).trim().replaceAll("|", "\\|")}\``;
    return `| ${names}${value} | ${flag.about.replaceAll("|", "\\|")} | ${flag.otherwise ?? ""} |`;
  });
  return ["| Flag | What it does | Otherwise |", "|---|---|---|", ...rows].join("\n");
}
