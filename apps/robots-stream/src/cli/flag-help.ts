// Renders a table of flags as lines of a help text (help-text.ts wraps them) or as a table in Markdown.
import type { Flag } from "./flag.ts";

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
