// The text of a robots.txt in, its lines with the names of their groups out: for showing a file, never for deciding.
import type { AuditCrawler } from "../states/crawlers.ts";

/** A line of a robots.txt. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The lower-case key; "" for a line without one. */
  readonly key: string;
  readonly value: string;
  /** The lower-case names of the user-agent lines of its group; empty before the first one. */
  readonly names: readonly string[];
}

/** The lines of a text. Only allow and disallow lines end the user-agent lines of a group (RFC 9309 §2.2). */
export function textLinesOf(text: string): readonly TextLine[] {
  let isGroupOpen = false;
  let names: readonly string[] = [];
  const lines = text.split(/\r\n|\r|\n/u);
  // A line end at the end begins no line.
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, at) => {
    const [, written = "", rest = ""] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/u.exec(line) ?? [];
    const key = written.toLowerCase();
    const value = rest.trim();
    if (key === "user-agent") {
      names = [...(isGroupOpen ? names : []), value.toLowerCase()];
      isGroupOpen = true;
    } else if (key === "allow" || key === "disallow") isGroupOpen = false;
    return { number: at + 1, text: line, key, value, names };
  });
}

/** The name of the group that binds a crawler; undefined where no group does. */
export function groupNameOf(lines: readonly TextLine[], crawler: AuditCrawler): string | undefined {
  const known = new Set(lines.flatMap(({ names }) => names));
  return groupNamesOf(crawler).find((name) => known.has(name));
}

/** The lower-case names to look for, the first one first. */
function groupNamesOf({ groupNames, productToken }: AuditCrawler): readonly string[] {
  return (groupNames ?? [productToken, "*"]).map((name) => name.toLowerCase());
}

/** How many lines disallow something for a crawler. */
export function restrictionsOf(lines: readonly TextLine[], crawler: AuditCrawler): number {
  const name = groupNameOf(lines, crawler);
  if (name === undefined) return 0;
  return lines.filter(({ key, value, names }) => key === "disallow" && value !== "" && names.includes(name)).length;
}
