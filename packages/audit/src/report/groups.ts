// Splits a robots.txt into lines with the names of their groups. The lines serve to show a file, never to decide a request.
import { type AuditCrawler, groupNamesOf } from "../states/judge.ts";

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
  /** The names of the line's group as Google's parser reads them: misspelt keys are forgiven, and a name is only the beginning of a value. */
  readonly forgivenNames: readonly string[];
  /** Whether the line disallows something, and whether it does for Google's parser. */
  readonly isRestricting: boolean;
  readonly isForgivenRestricting: boolean;
}

/** Collects the names of groups line by line. Only allow and disallow lines end the user-agent lines of a group (RFC 9309 §2.2). */
class GroupNames {
  names: string[] = [];
  #isOpen = false;

  add(key: string, names: readonly string[]): readonly string[] {
    if (key === "user-agent") {
      if (!this.#isOpen) this.names = [];
      this.names.push(...names);
      this.#isOpen = true;
    } else if (key === "allow" || key === "disallow") this.#isOpen = false;
    return this.names;
  }
}

/** A key as Google's parser reads it: the known key, or the known misspelling, with which it begins. */
function forgivenKeyOf(key: string): string {
  if (/^user[- ]?agent/u.test(key)) return "user-agent";
  return (
    /^(?:allow|sitemap)/u.exec(key)?.[0] ??
    (/^(?:diss?allow|diss?alow|diasllow|disallaw)/u.test(key) ? "disallow" : key)
  );
}

/** The maximum number of characters in which names are looked for. */
const longestNames = 100;

/** All names that a user-agent value may be for Google's parser, in lower case. */
function forgivenNamesOf(value: string): readonly string[] {
  if (/^\*(?:\s|$)/u.test(value)) return ["*"];
  const start = value.slice(0, longestNames);
  const ends = [...start.matchAll(/[\s/*;(]/gu)].map(({ index }) => start.slice(0, index));
  return [...new Set([value, /^[a-z_-]*/u.exec(start)![0], ...ends])].filter((name) => name !== "" && name !== "*");
}

/** The lines of a text. */
export function textLinesOf(text: string): readonly TextLine[] {
  const written = new GroupNames();
  const forgiven = new GroupNames();
  const lines = text.split(/\r\n|\r|\n/u);
  // A line break at the end of the text begins no line.
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, at) => {
    const [, writtenKey = "", rest = ""] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/u.exec(line) ?? [];
    const key = writtenKey.toLowerCase();
    const value = rest.trim();
    const [content = ""] = line.split("#", 1);
    const [, keyOrWord = "", valueOrWord = ""] =
      /^\s*([^:]*?)\s*:(.*)$/u.exec(content) ?? /^\s*(\S+)\s+(\S+)\s*$/u.exec(content) ?? [];
    const forgivenKey = forgivenKeyOf(keyOrWord.toLowerCase());
    const forgivenValue = valueOrWord.trim().toLowerCase();
    return {
      number: at + 1,
      text: line,
      key,
      value,
      names: written.add(key, [value.toLowerCase()]),
      forgivenNames: forgiven.add(forgivenKey, forgivenKey === "user-agent" ? forgivenNamesOf(forgivenValue) : []),
      isRestricting: key === "disallow" && value !== "",
      isForgivenRestricting: forgivenKey === "disallow" && forgivenValue !== "",
    };
  });
}

/** One reading of a file: the number of lines that disallow something, by lower-case name. */
class Restrictions {
  readonly #counts = new Map<string, number>();

  constructor(lines: readonly (readonly [names: readonly string[], isRestricting: boolean])[]) {
    const byGroup = new Map<readonly string[], number>();
    for (const [names, isRestricting] of lines) byGroup.set(names, (byGroup.get(names) ?? 0) + (isRestricting ? 1 : 0));
    for (const [names, count] of byGroup) {
      for (const name of new Set(names)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
    }
  }

  /** The name of the group that binds a crawler; undefined if no group binds it. */
  nameFor(crawler: AuditCrawler): string | undefined {
    return groupNamesOf(crawler)
      .map((name) => name.toLowerCase())
      .find((name) => this.#counts.has(name));
  }

  countFor(crawler: AuditCrawler): number {
    return this.#counts.get(this.nameFor(crawler) ?? "") ?? 0;
  }
}

/**
 * The groups of a file, by their names. The dialect of a crawler is not known here, so that nothing is said about a crawler for which
 * Google's parser and RFC 9309 choose different groups.
 */
export class FileGroups {
  readonly #written: Restrictions;
  readonly #forgiven: Restrictions;
  /** The results of `restrictionsFor`. */
  readonly #restrictionsFor = new Map<AuditCrawler, number>();

  constructor(lines: readonly TextLine[]) {
    this.#written = new Restrictions(lines.map(({ names, isRestricting }) => [names, isRestricting]));
    this.#forgiven = new Restrictions(
      lines.map(({ forgivenNames, isForgivenRestricting }) => [forgivenNames, isForgivenRestricting]),
    );
  }

  /** The names of the groups that bind a crawler in the two readings; undefined if no group binds it. */
  namesFor(crawler: AuditCrawler): readonly [written: string | undefined, forgiven: string | undefined] {
    return [this.#written.nameFor(crawler), this.#forgiven.nameFor(crawler)];
  }

  /** The number of lines that certainly disallow something for a crawler. */
  restrictionsFor(crawler: AuditCrawler): number {
    let count = this.#restrictionsFor.get(crawler);
    if (count === undefined) {
      count = Math.min(this.#written.countFor(crawler), this.#forgiven.countFor(crawler));
      this.#restrictionsFor.set(crawler, count);
    }
    return count;
  }
}
