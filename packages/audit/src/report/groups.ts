// Splits a robots.txt into lines with the names of their groups. The lines serve to show a file, never to decide a request.
import { type AuditCrawler, groupNamesOf } from "../states/crawlers.ts";

/** A line of a robots.txt. */
export interface TextLine {
  /** The line number, from 1. */
  readonly number: number;
  readonly text: string;
  /** The lower-case key; "" for a line without a key. */
  readonly key: string;
  readonly value: string;
  /** The lower-case names of the line's group; empty before the first user-agent line. All lines of a group share one list. */
  readonly names: readonly string[];
}

/** The lines of a text. Only allow and disallow lines end the user-agent lines of a group (RFC 9309 §2.2). */
export function textLinesOf(text: string): readonly TextLine[] {
  let isGroupOpen = false;
  let names: string[] = [];
  const lines = text.split(/\r\n|\r|\n/u);
  // A line break at the end of the text begins no line.
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, at) => {
    const [, written = "", rest = ""] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/u.exec(line) ?? [];
    const key = written.toLowerCase();
    const value = rest.trim();
    if (key === "user-agent") {
      if (!isGroupOpen) names = [];
      names.push(value.toLowerCase());
      isGroupOpen = true;
    } else if (key === "allow" || key === "disallow") isGroupOpen = false;
    return { number: at + 1, text: line, key, value, names };
  });
}

/** The groups of a file, by their names. */
export class FileGroups {
  /** The number of lines that disallow something, by lower-case name. */
  readonly #restrictions = new Map<string, number>();
  /** The results of `restrictionsFor`. */
  readonly #restrictionsFor = new Map<AuditCrawler, number>();

  constructor(lines: readonly TextLine[]) {
    const byGroup = new Map<readonly string[], number>();
    for (const { key, value, names } of lines) {
      const isRestricting = key === "disallow" && value !== "";
      byGroup.set(names, (byGroup.get(names) ?? 0) + (isRestricting ? 1 : 0));
    }
    for (const [names, count] of byGroup) {
      for (const name of new Set(names)) this.#restrictions.set(name, (this.#restrictions.get(name) ?? 0) + count);
    }
  }

  /** The name of the group that binds a crawler; undefined if no group binds it. */
  nameFor(crawler: AuditCrawler): string | undefined {
    const names = groupNamesOf(crawler).map((name) => name.toLowerCase());
    return names.find((name) => this.#restrictions.has(name));
  }

  /** The number of lines that disallow something for a crawler. */
  restrictionsFor(crawler: AuditCrawler): number {
    let count = this.#restrictionsFor.get(crawler);
    if (count === undefined) {
      count = this.#restrictions.get(this.nameFor(crawler) ?? "") ?? 0;
      this.#restrictionsFor.set(crawler, count);
    }
    return count;
  }
}
