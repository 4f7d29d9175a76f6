// Reads the preferences about each category from the bytes of one statement (draft-ietf-aipref-attach-05 §3.2, vocab-08 §6).
import { parseDictionary, signalMembersOf, textOf, useValues } from "@robots-stream/core/internal";
import { shownOf } from "./shown.ts";
import type { Category, Reason, UseLimit } from "./types.ts";
import { rowOf, valueIn, vocabulary } from "./vocabulary.ts";

/** The place of a statement: the members of a reason that are the same for all keys of the statement. */
export type Place = Pick<Reason, "line" | "path" | "scope">;

/** The preference of one statement about one category. */
export interface Saying {
  readonly category: Category;
  readonly reason: Reason;
}

/** The preferences of one statement. */
export interface Sayings {
  readonly sayings: readonly Saying[];
  readonly uses: readonly UseReason[];
}

/** One value of the key `use` of Content-Signal. */
export interface UseReason {
  readonly value: UseLimit["value"];
  readonly reason: Omit<Reason, "value">;
}

/** An upper bound of the bytes of a shown text. */
const mostShownBytes = 1000;
const noUses: readonly UseReason[] = [];

/**
 * The preferences of a Content-Usage statement: a Dictionary of Structured Fields whose values are the tokens `y` and `n`. If the bytes are
 * not a Dictionary, each category of the signal has the value "unknown".
 */
export function contentUsageSayings(bytes: Uint8Array, start: number, place: Place): Sayings {
  const { members } = parseDictionary(bytes, start);
  const sayings: Saying[] = [];
  if (members === undefined) {
    // A character has at most four bytes.
    const statement = shownOf(textOf(bytes, start, Math.min(bytes.length, start + mostShownBytes)));
    const reason: Reason = Object.freeze({
      signal: "content-usage",
      value: "unknown",
      statement,
      ...place,
      because: "not-a-dictionary",
    });
    for (const { signal, categories } of vocabulary) {
      if (signal !== "content-usage") continue;
      for (const category of categories) sayings.push({ category, reason });
    }
    return { sayings, uses: noUses };
  }
  for (const { key, type, text } of members.values()) {
    const value = type === "token" ? text : undefined;
    const statement = text === "" ? key : `${key}=${text}`;
    sayings.push(...sayingsOf("content-usage", key, value, statement, place));
  }
  return { sayings, uses: noUses };
}

/** The preferences of a Content-Signal statement: `key=yes` and `key=no`, separated by commas. */
export function contentSignalSayings(bytes: Uint8Array, start: number, place: Place): Sayings {
  const sayings: Saying[] = [];
  const uses: UseReason[] = [];
  for (const { key, value } of signalMembersOf(bytes, start, bytes.length)) {
    const statement = value === undefined ? key : `${key}=${value}`;
    if (key === "use" && value !== undefined && useValues.includes(value)) {
      const reason = Object.freeze({ signal: "content-signal", statement, ...place } as const);
      uses.push({ value: value as UseLimit["value"], reason });
    }
    sayings.push(...sayingsOf("content-signal", key, value, statement, place));
  }
  return { sayings, uses };
}

/**
 * The preferences that a key with a value states, one for each category of the key; empty if the vocabulary does not have the key. `value`
 * is undefined for a value without a meaning.
 */
export function sayingsOf(
  signal: Reason["signal"],
  key: string,
  value: string | undefined,
  statement: string,
  place: Place & Pick<Reason, "policy">,
): readonly Saying[] {
  const row = rowOf(signal, key);
  if (row === undefined) return [];
  const said = value === undefined ? "unknown" : valueIn(row, value);
  const isKnown = value !== undefined && Object.hasOwn(row.values, value);
  const because =
    said !== "unknown" ? undefined : !isKnown ? "unknown-value" : signal === "bing" ? "partial" : "no-effect";
  const reason: Reason = Object.freeze({
    signal,
    value: said,
    statement: shownOf(statement),
    ...place,
    ...(because === undefined ? {} : { because }),
  });
  return row.categories.map((category) => ({ category, reason }));
}
