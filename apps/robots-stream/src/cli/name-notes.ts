// Makes sentences about the names of crawlers: names that are matched as a whole, names that may be mistyped, and records that name none.
import type { OwnCrawler } from "@robots-stream/agents";
import { nearestOf } from "@robots-stream/core/internal";
import { isProductToken } from "@robots-stream/core/product-tokens";
import { crawlerListOf, type Question, shownWordOf } from "@robots-stream/engine/internal";
import { namedSetsOf } from "./requested-agents.ts";
import { numberText } from "./figures.ts";

/**
 * Passes a sentence to `say` for each name that is matched as a whole because it is not a product token. Names of crawlers that belong to
 * one of the named `sets` are left out, because the caller did not write these names.
 */
export function sayWholeNames(
  questions: readonly Question[],
  say: (sentence: string) => void,
  sets: readonly string[] = [],
): void {
  const members = new Set(
    sets
      .flatMap((set) => (namedSetsOf(set) ?? []).flatMap(({ crawlers }) => crawlers))
      .map(({ productToken }) => productToken),
  );
  const whole = questions.filter(
    ({ agent, tokenMatch }) => tokenMatch === "whole" && !isProductToken(agent) && !members.has(agent),
  );
  for (const name of new Set(whole.map(({ agent }) => agent))) {
    say(
      `${shownWordOf(name, 100)} is not a product token (RFC 9309 §2.2.1); user-agent lines are compared with the whole name`,
    );
  }
}

/**
 * Maximum number of names that are checked for typing mistakes: each is compared with every known crawler, and a list in a file may be
 * long.
 */
const mostCompared = 50;

/** Passes a sentence to `say` for each unknown name that resembles the name of a known crawler. Other unknown names are not mistakes. */
export function sayMistypedNames(
  names: Iterable<string>,
  say: (sentence: string) => void,
  own?: readonly OwnCrawler[],
): void {
  const list = crawlerListOf(own);
  const unknown = [...new Set(names)].filter((name) => list.crawlerOf(name) === undefined);
  const known = list.crawlers.map(({ productToken }) => productToken);
  // The majority of the names end in "bot", which would make any two short names similar.
  const stems = known.map(stemOf);
  for (const name of unknown.slice(0, mostCompared)) {
    const stem = stemOf(name);
    // A stem of one or two characters resembles too many names: "my-bot" is not a mistyped name.
    const near = stem.length < 3 ? undefined : nearestOf(stem, stems);
    if (near === undefined) continue;
    say(`${shownWordOf(name, 100)}: no crawler of this name is known; did you mean ${known[stems.indexOf(near)]!}?`);
  }
}

function stemOf(name: string): string {
  return name.length > 3 ? name.replace(/-?bot$/i, "") : name;
}

/**
 * The note about `count` such records: records of JSON may lack the field, and a log's later heading may name other fields than its first.
 * No note without such a record.
 */
export function agentNotesOf(count: number): readonly string[] {
  if (count === 0) return [];
  const [records, have] = count === 1 ? ["1 record", "has"] : [`${numberText(count)} records`, "have"];
  return [
    `${records} ${have} no field for the User-Agent header (of a log, see the #Fields lines), so no crawler is known`,
  ];
}
