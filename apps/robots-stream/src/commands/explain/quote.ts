// Selects the lines of a robots.txt that explain a decision, with notes to them, as a compiler quotes source lines; and makes rows about the
// preferences for the use of content that the file states.
import { printableOf } from "@robots-stream/engine/internal";
import type { Answer } from "./answer.ts";
import type { Preference, Reason } from "@robots-stream/preferences";

/** A line of the robots.txt to show. `line`: its number, from 1. `note`: the text below the line; empty without a note. */
export interface QuotedLine {
  readonly line: number;
  /** The text of the line, truncated to `shownLength` characters, with control characters as escapes. */
  readonly text: string;
  readonly note: string;
  /** "winner": the rule that decides. "match": another matching rule. "user-agent": a line of a binding group. "plain": any other line. */
  readonly kind: "winner" | "match" | "user-agent" | "plain";
}

// The first `shownMatches` matching rules are shown, and also the winner and the runner-up. Further matching rules are only counted.
const shownMatches = 12;
const shownUserAgents = 12;
const shownBetween = 4;
const shownUsages = 8;
const shownLength = 160;

/** Returns the lines to show, in the order of the file. */
export function quotedLinesOf(answer: Answer): readonly QuotedLine[] {
  const { trace, read } = answer;
  const quoted = new Map<number, Omit<QuotedLine, "line" | "text">>();
  const { groups, matches, winner, runnerUp } = trace;
  const first = (winner === undefined ? groups : [groupOf(winner.rule.line), ...groups]).filter(
    (group) => group !== undefined,
  );
  for (const { userAgents, joins } of first) {
    if (quoted.size >= shownUserAgents) break;
    for (const { line, productToken } of userAgents) {
      if (quoted.size >= shownUserAgents) break;
      const name = productToken === "*" ? "every crawler" : productToken;
      quoted.set(line, { kind: "user-agent", note: `names ${printableOf(name, 60)}` });
    }
    const lastNamed = userAgents.at(-1)?.line ?? 0;
    for (const { afterLine, beforeLine, records } of joins.filter((join) => join.afterLine >= lastNamed).slice(0, 2)) {
      for (let line = afterLine + 1; line < beforeLine && line <= afterLine + shownBetween; line++) {
        const name = records.find((record) => record.line === line)?.name;
        quoted.set(line, {
          kind: "plain",
          note: name === undefined ? "" : `${name} does not end the list of user-agent lines`,
        });
      }
      if (!quoted.has(beforeLine))
        quoted.set(beforeLine, { kind: "plain", note: "so this line belongs to the same group" });
    }
  }
  const shown = new Set([winner, runnerUp, ...matches.slice(0, shownMatches)]);
  for (const match of shown) {
    if (match === undefined) continue;
    const { rule, pattern, octets } = match;
    const as = pattern === rule.pattern ? "matches" : `matches as ${JSON.stringify(printableOf(pattern, 60))}`;
    const rank = match === winner ? ": decides" : match === runnerUp ? ": the runner-up" : "";
    const note = `${as} with ${octets} ${octets === 1 ? "octet" : "octets"}${rank}`;
    quoted.set(rule.line, { kind: match === winner ? "winner" : "match", note: printableOf(note, 200) });
  }
  for (const [line, said] of [...usageNotesOf(answer)].slice(0, shownUsages)) {
    const before = quoted.get(line);
    const note = before === undefined || before.note === "" ? said : `${before.note}; ${said}`;
    quoted.set(line, { kind: before?.kind ?? "plain", note });
  }
  return [...quoted]
    .toSorted(([one], [other]) => one - other)
    .map(([line, { kind, note }]) => ({
      line,
      text: printableOf(read.lines.textOf(line).replaceAll("\t", " ").trimEnd(), shownLength),
      note,
      kind,
    }));

  /** Returns the group of a rule at `line`: the last binding group whose user-agent lines are all above the rule. */
  function groupOf(line: number): (typeof groups)[number] | undefined {
    return groups.findLast(({ toLine }) => toLine < line);
  }
}

/** Returns the number of matching rules that are not among the quoted lines. */
export function hiddenMatchesOf({ trace }: Answer, quoted: readonly QuotedLine[]): number {
  return trace.matches.length - quoted.filter(({ kind }) => kind === "winner" || kind === "match").length;
}

const categories = ["train-ai", "search", "ai-input"] as const;
const mostReasons = 3;
const mostLicences = 3;

const whys: Readonly<Record<NonNullable<Reason["because"]>, string>> = {
  "not-a-dictionary": ", which is not a dictionary",
  "unknown-value": ", which states no preference",
  partial: "",
  "no-effect": "",
};

/**
 * Returns rows of name and value: one for each category about which the file has a statement, one for `use` if the file states it, and one
 * for each of the first `mostLicences` licences. One more row has the number of further licences.
 */
export function usageRowsOf({ usage }: Pick<Answer, "usage">): [string, string][] {
  if (usage === undefined) return [];
  const rows: [string, string][] = [];
  for (const category of categories) {
    const { value, by } = usage[category];
    if (by.length > 0) rows.push([category, `${value} (${reasonsOf(by)})`]);
  }
  if (usage.use !== undefined) rows.push(["use", `${usage.use.value} (${reasonsOf(usage.use.by)})`]);
  for (const licence of usage.licences.slice(0, mostLicences)) rows.push(["licence", printableOf(licence, 300)]);
  if (usage.licences.length > mostLicences) rows.push(["licence", `and ${usage.licences.length - mostLicences} more`]);
  return rows;
}

function reasonsOf(by: readonly Omit<Reason, "value">[]): string {
  const shown = by.slice(0, mostReasons).map(({ signal, line, because }) => {
    return `${signal} on line ${line}${because === undefined ? "" : whys[because]}`;
  });
  if (by.length > shown.length) shown.push(`${by.length - shown.length} more`);
  return shown.join("; ");
}

/** Returns a note for each line that states preferences, by line number. The note lists the preferences. */
function usageNotesOf({ usage }: Pick<Answer, "usage">): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  if (usage === undefined) return notes;
  const add = (line: number | undefined, note: string): void => {
    if (line === undefined) return;
    const before = notes.get(line);
    notes.set(line, before === undefined ? note : `${before}, ${note}`);
  };
  for (const category of categories) {
    const { by }: Preference = usage[category];
    for (const { line, value } of by) add(line, `${category}: ${value}`);
  }
  for (const { line, statement } of usage.use?.by ?? []) add(line, statement);
  return notes;
}
