// Reads the texts of the fields that compose a URL from the last object of a walk.
import type { PartTexts } from "../url-parts.ts";
import type { AskedMembers } from "./asked-members.ts";
import { type Field, type Fields, fieldTextOf, firstOf, longestNumber, nestedValueOf, rawValueOf } from "./fields.ts";
import type { ObjectWalker } from "./walk.ts";

/**
 * The texts of the URL's parts other than the path, in the last object. A text is undefined for an absent field or the value null. It is
 * null for a value that is neither a text nor a number, and for a number that is too long or may not be exact.
 */
export function partTextsOf(
  walker: ObjectWalker,
  members: AskedMembers,
  { parts }: Fields,
): { readonly [Name in keyof PartTexts]: string | null | undefined } {
  return Object.fromEntries(parts.map(({ name, field, member }) => [name, partTextOf(walker, members, member, field)]));
}

/** The text of one field, as in the result of `partTextsOf`. A number, such as a port, is converted to its text. */
export function partTextOf(
  walker: ObjectWalker,
  members: AskedMembers,
  member: number,
  field: Field,
): string | null | undefined {
  const text = fieldTextOf(walker, members, member, field);
  if (text !== null) return text;
  const raw = rawValueOf(walker, members, member)!;
  if (field.path.length === 0 && !raw.startsWith("[")) {
    if (raw === "null") return undefined;
    return raw.length <= longestNumber && /^-?\d[\d.eE+-]*$/.test(raw) ? raw : null;
  }
  const value = firstOf(nestedValueOf(raw, field.path));
  if (value === null) return undefined;
  // An unsafe integer may not be exact.
  return typeof value === "number" && (Number.isSafeInteger(value) || !Number.isInteger(value)) ? String(value) : null;
}
