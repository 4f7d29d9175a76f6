// Finds the fields with the URL and the requested texts in the first record of a source, and the texts of these fields in every record.
import { valueAt } from "@robots-stream/logs";
import type { ReadOptions } from "../input-format.ts";
import type { ReaderKnowledge } from "../../records/batch.ts";
import { type AskedField, type TextField, textFields } from "../../records/packed.ts";
import { byteStringOf, urlTextOf, utf8TextOf } from "../../common/text.ts";
import {
  indexOfUsual,
  indexOfUsualField,
  missingAgentField,
  missingUrlField,
  takenName,
  usualAgentName,
} from "../url-field.ts";
import {
  askedNames,
  type AskedText,
  checkMissingText,
  checkMissingTime,
  usualTextNames,
  usualTimeNames,
} from "../asked-fields.ts";
import { missingPartField, type OtherPart, otherParts, pathFieldOf } from "../url-parts.ts";
import { likelyUrlField, likelyUrlParts } from "../likely-field.ts";
import { AskedMembers } from "./asked-members.ts";
import { byteStringOfJson, textOfJson } from "./tokens.ts";
import type { ObjectWalker } from "./walk.ts";

/** A field: a member of the object, and the path within its value when the field is nested. */
export interface Field {
  /** The member's name, as bytes. */
  readonly key: Uint8Array;
  readonly path: readonly string[];
  /** The name as the user wrote it, for messages. */
  readonly shown: string;
}

/** The fields of one source. */
export interface Fields {
  /** The field with the URL; if `isComposed`, the field with the URL's path, or the first field of a template. */
  readonly url: Field;
  /** The fields with the other parts of the URL; empty when `url` is the URL. */
  readonly parts: readonly FieldOf<OtherPart>[];
  /** Whether the URL is composed of `url` and `parts`. */
  readonly isComposed: boolean;
  /** The fields that the engine needs besides the URL, with `agentField` for example. */
  readonly asked: readonly AskedFieldOf[];
}

/** A field with a part of the URL, or with a text that the engine needs besides the URL. */
interface FieldOf<Name> {
  readonly name: Name;
  readonly field: Field;
  /** The index of the field's member in the result of `membersOf`. */
  readonly member: number;
}

/** A field that the engine needs besides the URL. */
export type AskedFieldOf = FieldOf<AskedField>;

// The first indexes in the result of `membersOf`. The parts of the URL and the requested fields have the indexes from 2 on.
export const takenMember = 0;
export const urlMember = 1;
const firstFurtherMember = 2;

/**
 * The members that walks look for: the result key, which no record may have, the member of each field, and at the end those of `others`.
 */
export function membersOf(
  { url, parts, asked }: Fields,
  resultKey: string,
  others: readonly string[] = [],
): AskedMembers {
  const further = [...parts, ...asked].map(({ field }) => field.key);
  const rest = others.map((name) => Buffer.from(name, "latin1"));
  return new AskedMembers([Buffer.from(resultKey, "latin1"), url.key, ...further, ...rest]);
}

type FurtherName = OtherPart | "agent" | "time" | TextField;

function fieldsBy(url: Field, isComposed: boolean, fieldCalled: (name: FurtherName) => Field | undefined): Fields {
  let member = firstFurtherMember;
  const found = <Name extends FurtherName>(names: readonly Name[]): FieldOf<Name>[] =>
    names.flatMap((name) => {
      const field = fieldCalled(name);
      return field === undefined ? [] : [{ name, field, member: member++ }];
    });
  return { url, isComposed, parts: isComposed ? found(otherParts) : [], asked: found(askedNames) };
}

/** Converts the fields to a reader's state, with which another reader can continue. */
export function knowledgeOf({ url, parts, isComposed, asked }: Fields): ReaderKnowledge {
  const fields = [{ name: "url", field: url }, ...parts, ...asked];
  const known = fields.flatMap(({ name, field }) => [
    [name, nameOf(field)],
    [`${name}Path`, field.path],
    [`${name}Shown`, field.shown],
  ]);
  return { ...(Object.fromEntries(known) as ReaderKnowledge), isComposed };
}

/** Restores the fields from another reader's state; undefined when the state has no fields. */
export function fieldsKnownAs(known: ReaderKnowledge | undefined): Fields | undefined {
  const url = fieldKnownAs("url", known);
  if (url === undefined) return undefined;
  return fieldsBy(url, known?.["isComposed"] === true, (name) => fieldKnownAs(name, known));
}

function fieldKnownAs(name: "url" | FurtherName, known: ReaderKnowledge | undefined): Field | undefined {
  const key = known?.[name];
  if (typeof key !== "string") return undefined;
  return fieldOf(key, known?.[`${name}Path`] as readonly string[], String(known?.[`${name}Shown`]));
}

function fieldOf(key: string, path: readonly string[], shown: string): Field {
  return { key: Buffer.from(key, "latin1"), path, shown };
}

function nameOf({ key }: Field): string {
  return Buffer.from(key).toString("latin1");
}

/**
 * Finds the fields in the first record, which begins at `start` and which the walker has just walked over. Throws a `UsageError` when the
 * record lacks a required field, or has a member with the name of the result key.
 */
export function fieldsOf(walker: ObjectWalker, start: number, options: ReadOptions): Fields {
  const { text } = walker;
  const keys: string[] = [];
  let urlPlace: number | undefined;
  walker.eachMember(start, (keyStart, keyEnd, valueStart) => {
    keys.push(byteStringOfJson(text.slice(keyStart, keyEnd)));
    if (/^"(?:https?|ftp):/i.test(text.slice(valueStart, valueStart + 8))) urlPlace ??= keys.length;
  });
  const { source, urlField, agentField, time, texts = [], writer } = options;
  if (keys.includes(writer.resultKey)) throw takenName(source, utf8TextOf(writer.resultKey));
  const first = { walker, start, keys, names: keys.map(utf8TextOf) };
  const url = urlFieldOf(first, urlPlace, options);
  const agent = agentField === undefined ? undefined : agentFieldOf(first, agentField, source);
  const parts: Partial<Record<FurtherName, string | undefined>> = typeof urlField === "object" ? urlField : {};
  return fieldsBy(url, typeof urlField === "object", (name) => {
    if (name === "agent") return agent;
    const asked = name === "time" ? time : texts.find((each) => each.name === name);
    const named = asked === undefined ? parts[name] : asked.field;
    if (asked === undefined && named === undefined) return undefined;
    const usual = name === "time" ? usualTimeNames : isTextField(name) ? usualTextNames[name] : [];
    const field = fieldNamed(first, named, (names) => indexOfUsual(usual, names));
    if (field !== undefined) return field;
    if (name === "time") {
      checkMissingTime(source, time!, first.names);
      return undefined;
    }
    if (!isTextField(name)) throw missingPartField(source, name, named!, first.names);
    // A first record may lack an optional text: later records have it in the field that the user named, or in one with the first usual name.
    checkMissingText(source, asked as AskedText, first.names);
    const later = named ?? usual[0]!;
    return fieldOf(byteStringOf(later), [], later);
  });
}

/** The first record of a source, over which the walker has just walked, and the names of its members, as bytes and as texts. */
interface FirstRecord {
  readonly walker: ObjectWalker;
  readonly start: number;
  readonly keys: readonly string[];
  readonly names: readonly string[];
}

/** The field that the user named; without a name, the member that `usualIn` finds among the names of members. */
function fieldNamed(
  first: FirstRecord,
  named: string | undefined,
  usualIn: (keys: readonly string[]) => number,
): Field | undefined {
  if (named !== undefined) return askedFieldOf(first, named);
  const usual = first.keys[usualIn(first.keys)];
  return usual === undefined ? undefined : fieldOf(usual, [], utf8TextOf(usual));
}

/**
 * The field with the User-Agent header. The first record may lack it; later records have it as a member of this name, or at this path.
 * Throws a `UsageError` if the first record has another field with a usual name, because the given name is then probably mistyped.
 */
function agentFieldOf(first: FirstRecord, asked: string, source: string): Field {
  const found = askedFieldOf(first, asked);
  if (found === undefined && usualAgentName(first.names) !== undefined)
    throw missingAgentField(source, asked, first.names);
  return found ?? fieldAt(asked);
}

function isTextField(name: FurtherName): name is TextField {
  return (textFields as readonly string[]).includes(name);
}

function urlFieldOf(first: FirstRecord, urlPlace: number | undefined, { source, urlField }: ReadOptions): Field {
  const named = pathFieldOf(urlField);
  const field = fieldNamed(first, named, indexOfUsualField);
  if (field !== undefined) return field;
  const { walker, start, names } = first;
  const record = utf8TextOf(walker.text.slice(start, walker.close + 1));
  const likely = likelyUrlField(record);
  const likelyParts = likely === undefined ? likelyUrlParts(record) : undefined;
  throw missingUrlField(source, named, names, { urlPlace, byPlace: false, likelyUrlField: likely, likelyParts });
}

/** The field at a path through nested objects, such as "request.url". */
function fieldAt(name: string): Field {
  const [first = "", ...path] = name.split(".");
  return fieldOf(byteStringOf(first), path, name);
}

/** Whether the last object has no value at all in a field. */
export function lacksField(walker: ObjectWalker, members: AskedMembers, { member, field }: AskedFieldOf): boolean {
  const raw = rawValueOf(walker, members, member);
  return raw === undefined || (field.path.length > 0 && nestedValueOf(raw, field.path) === undefined);
}

/**
 * Finds the field with a name from the user: the member with exactly this name, otherwise the value at this path through nested objects
 * ("request.url"). Undefined when the record has neither.
 */
function askedFieldOf({ walker, start, keys }: FirstRecord, name: string): Field | undefined {
  const asked = byteStringOf(name);
  if (keys.includes(asked)) return fieldOf(asked, [], name);
  const field = fieldAt(name);
  const members = new AskedMembers([field.key]);
  if (field.path.length === 0 || !walker.walk(start, members)) return undefined;
  return fieldTextOf(walker, members, 0, field) === undefined ? undefined : field;
}

/**
 * The text of a field in the last object; undefined when the field is absent, null when its value is not a string. If the value is a list,
 * its first element is taken as the value. With `readsNumbers`, a number, such as a port, has its text, unless it is too long or may not be
 * exact; and the value null is an absent field.
 */
export function fieldTextOf(
  walker: ObjectWalker,
  members: AskedMembers,
  member: number,
  { path }: Field,
  readsNumbers = false,
): string | null | undefined {
  const raw = rawValueOf(walker, members, member);
  if (raw === undefined) return undefined;
  if (path.length > 0 || raw.startsWith("[")) {
    const value = firstOf(nestedValueOf(raw, path));
    if (typeof value === "string" || value === undefined) return value;
    if (!readsNumbers) return null;
    if (value === null) return undefined;
    // An unsafe integer may not be exact.
    const isExact = typeof value === "number" && (Number.isSafeInteger(value) || !Number.isInteger(value));
    return isExact ? String(value) : null;
  }
  if (raw.startsWith('"')) return members.isEscaped(member) ? textOfJson(raw) : urlTextOf(raw.slice(1, -1));
  if (!readsNumbers) return null;
  if (raw === "null") return undefined;
  return raw.length <= longestNumber && /^-?\d[\d.eE+-]*$/.test(raw) ? raw : null;
}

/** Requested fields whose values may be numbers. */
export const numberFields: ReadonlySet<string> = new Set(["time", "status"]);

/**
 * The bytes of a requested field's text in the last object; undefined without such a text. A time or a status may also be a number. Of a
 * list, the first element is taken as the User-Agent header, the time or the status; the elements of a list of other texts are joined with
 * line feeds.
 */
export function fieldBytesOf(
  walker: ObjectWalker,
  members: AskedMembers,
  { name, member, field: { path } }: AskedFieldOf,
): string | undefined {
  const raw = rawValueOf(walker, members, member);
  if (raw === undefined) return undefined;
  if (path.length > 0 || raw.startsWith("[")) {
    const value = nestedValueOf(raw, path);
    const one = name === "agent" || numberFields.has(name) ? firstOf(value) : value;
    const text = typeof one === "number" && numberFields.has(name) ? String(one) : one;
    return typeof text === "string" ? byteStringOf(text) : linesOf(value);
  }
  if (!raw.startsWith('"')) return numberFields.has(name) ? raw.slice(0, longestNumber) : undefined;
  return members.isEscaped(member) ? byteStringOf(textOfJson(raw)) : raw.slice(1, -1);
}

/** The texts of a list as lines; undefined for any other value. */
function linesOf(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  return isList ? byteStringOf(value.join("\n")) : undefined;
}

/** Largest number of characters that are read of a number. */
const longestNumber = 100;

function rawValueOf({ text }: ObjectWalker, members: AskedMembers, member: number): string | undefined {
  return members.has(member) ? text.slice(members.startOf(member), members.endOf(member)) : undefined;
}

/** The value at a path within a member's value; undefined if there is none. */
function nestedValueOf(raw: string, path: readonly string[]): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8TextOf(raw));
  } catch {
    // `raw` is valid JSON, so JSON.parse throws only if the value is nested too deeply.
    return undefined;
  }
  return valueAt(value, path);
}

/** The first element of an array; any other value unchanged. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : value;
}
