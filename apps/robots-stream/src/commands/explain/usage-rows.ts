// Makes rows about the preferences for the use of content that a robots.txt states, and notes for the lines with these preferences.
import type { Preference, Reason } from "@robots-stream/preferences";
import { printableOf } from "@robots-stream/engine/internal";
import type { Answer } from "./answer.ts";

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
export function usageNotesOf({ usage }: Pick<Answer, "usage">): ReadonlyMap<number, string> {
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
