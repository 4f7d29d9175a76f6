// Combines all statements into a usage: the most restrictive value of each category (draft-ietf-aipref-vocab-08 §5.1).
import type { Category, Preference, PreferenceValue, Reason, Usage, UseLimit } from "./types.ts";
import { signalNames } from "./signals.ts";
import type { Saying, UseReason } from "./statements.ts";
import { categories } from "./vocabulary.ts";

const restrictiveness: Readonly<Record<PreferenceValue, number>> = { unknown: 0, allow: 1, disallow: 2 };
const useOrder: readonly UseLimit["value"][] = ["immediate", "reference", "full"];

/** The maximum number of reasons that are listed for a category. A file of 500 KB may have twenty thousand equal statements. */
const mostReasons = 50;

/**
 * Makes a deeply frozen usage. The reasons of a category are in the order of `signalNames`; reasons of the same signal keep their order in
 * `sayings`.
 */
export function usageFrom(sayings: readonly Saying[], uses: readonly UseReason[], licences: readonly string[]): Usage {
  const preferences = Object.fromEntries(
    categories.map((category) => [category, preferenceFrom(sayings, category)]),
  ) as Record<Category, Preference>;
  return Object.freeze({
    ...preferences,
    ...(uses.length === 0 ? {} : { use: useFrom(uses) }),
    licences: Object.freeze([...new Set(licences)].slice(0, mostReasons)),
  });
}

function preferenceFrom(sayings: readonly Saying[], category: Category): Preference {
  const by: Reason[] = [];
  let value: PreferenceValue = "unknown";
  for (const { category: about, reason } of sayings) {
    if (about !== category) continue;
    by.push(reason);
    if (restrictiveness[reason.value] > restrictiveness[value]) value = reason.value;
  }
  by.sort((one, other) => signalNames.indexOf(one.signal) - signalNames.indexOf(other.signal));
  const others = by.length - mostReasons;
  if (others <= 0) return Object.freeze({ value, by: Object.freeze(by) });
  const shown = by.slice(0, mostReasons);
  if (!shown.some((reason) => reason.value === value))
    shown[mostReasons - 1] = by.find((reason) => reason.value === value)!;
  return Object.freeze({ value, by: Object.freeze(shown), others });
}

function useFrom(uses: readonly UseReason[]): UseLimit {
  const value = useOrder.find((each) => uses.some((use) => use.value === each))!;
  return Object.freeze({ value, by: Object.freeze(uses.slice(0, mostReasons).map(({ reason }) => reason)) });
}
