// The last object of a walk and the fields that compose its URL in, the texts of these fields out.
import type { PartTexts } from "../url-parts.ts";
import type { AskedMembers } from "./asked-members.ts";
import { type Field, type Fields, fieldTextOf, firstOf, longestNumber, nestedValueOf, rawValueOf } from "./fields.ts";
import type { ObjectWalker } from "./walk.ts";

/** The texts of the parts of the URL in the last object, without its path; null for a value that is neither text, number nor null. */
export function partTextsOf(
  walker: ObjectWalker,
  members: AskedMembers,
  { parts }: Fields,
): { readonly [Name in keyof PartTexts]: string | null | undefined } {
  return Object.fromEntries(parts.map(({ name, field, member }) => [name, partTextOf(walker, members, member, field)]));
}

/** The text of a field of which the URL is composed: a number, such as a port, is its own text. */
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
  // A greater integer is not exact any more.
  return typeof value === "number" && (Number.isSafeInteger(value) || !Number.isInteger(value)) ? String(value) : null;
}
