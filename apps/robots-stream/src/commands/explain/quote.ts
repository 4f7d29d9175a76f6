// Selects the lines of a robots.txt that explain a decision, and adds notes to them, as a compiler quotes source lines.
import { printableOf } from "@robots-stream/engine/internal";
import type { Answer } from "./answer.ts";
import { usageNotesOf } from "./usage-rows.ts";

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
