// Lists the directives that an engine documents or that are in use, with the kind of value that each has and the valid values.
import { instantOf } from "./dates.ts";
import { asciiLowerOf } from "./words.ts";

/** The kind of a directive's value. */
export type ValueKind = "number" | "preview" | "date";

const withValue: ReadonlyMap<string, ValueKind> = new Map([
  ["max-snippet", "number"],
  ["max-video-preview", "number"],
  ["max-image-preview", "preview"],
  ["unavailable_after", "date"],
]);

/** Directives without a value. `noai` and `noimageai` have no specification, and no engine documents an effect. */
const withoutValue: ReadonlySet<string> = new Set(
  `all archive follow index indexifembedded noai noarchive nocache nofollow noimageai noimageindex noindex none noodp
   nositelinkssearchbox nosnippet notranslate noyaca noydir`.split(/\s+/),
);

/** Whether a lower-case name is the name of a known directive. */
export function isKnownDirective(name: string): boolean {
  return withValue.has(name) || withoutValue.has(name);
}

/**
 * The known directives that an author probably meant by an unknown name in lower case, such as "no-index", "noindexs" or "noindex nofollow";
 * "" if there are none.
 */
export function meantBy(name: string): string {
  const text = name.slice(0, 100);
  const letters = text.replaceAll(/[^a-z]/g, "");
  if (isKnownDirective(letters)) return letters;
  const words = text.split(/[^a-z_-]+/).filter((word) => word !== "");
  if (words.length > 1 && words.every(isKnownDirective)) return words.join(", ");
  return [...withoutValue].find((known) => known.length > 5 && isOneEditAway(letters, known)) ?? "";
}

/** Whether inserting, deleting or replacing one character, or swapping two neighbours, turns one word into the other. */
function isOneEditAway(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1) ||
    (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
  );
}

/** The sizes of an image preview, from the most to the least restrictive. */
export const previewSizes: readonly string[] = ["none", "standard", "large"];

/**
 * The kind of value of the directive with this name in lower case; undefined for a directive without a value and for an unknown directive.
 */
export function valueKindOf(name: string): ValueKind | undefined {
  return withValue.get(name);
}

/**
 * The rank of a directive's value: a greater rank is less restrictive. The rank is the number of characters or seconds (infinity for `-1`,
 * which means no limit), the position in `previewSizes`, or the date in seconds since 1970. Undefined for a value that is not valid.
 */
export function rankOf(kind: ValueKind, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  switch (kind) {
    case "number": {
      if (!/^(?:-1|\d{1,15})$/.test(value)) return undefined;
      const number = Number(value);
      return number === -1 ? Number.POSITIVE_INFINITY : number;
    }
    case "preview": {
      const index = previewSizes.indexOf(asciiLowerOf(value));
      return index === -1 ? undefined : index;
    }
    case "date":
      return instantOf(value);
  }
}
