// The first record of a source in, the fields with the URL and the asked texts out; then the texts of these fields.
import type { ReadOptions, ReaderKnowledge } from "../../records/batch.ts";
import type { AskedField } from "../../records/packed.ts";
import { byteStringOf, urlTextOf, utf8TextOf } from "../../text.ts";
import { indexOfUsualField, missingAgentField, missingUrlField, takenName } from "../url-field.ts";
import { type AskedTime, indexOfUsualTime, missingTimeField } from "../time-field.ts";
import { likelyUrlField } from "./likely-field.ts";
import { AskedMembers } from "./asked-members.ts";
import { byteStringOfJson, textOfJson } from "./strings.ts";
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
  readonly url: Field;
  /** The fields that the run looks at in addition to the URL, with `--agent-field` for example. */
  readonly asked: readonly AskedFieldOf[];
}

/** A field that the run looks at in addition to the URL. */
export interface AskedFieldOf {
  readonly name: AskedField;
  readonly field: Field;
  /** The index of its member in `membersOf`. */
  readonly member: number;
}

// The indexes of the first members in `membersOf`.
export const takenMember = 0;
export const urlMember = 1;
const firstAskedMember = 2;

/** The members that walks look for: the result's, which no record may have, and the one of each field. */
export function membersOf({ url, asked }: Fields, resultKey: string): AskedMembers {
  return new AskedMembers([Buffer.from(resultKey, "latin1"), url.key, ...asked.map(({ field }) => field.key)]);
}

function fieldsBy(url: Field, fields: Readonly<Partial<Record<AskedField, Field | undefined>>>): Fields {
  const found = (["agent", "time"] as const).flatMap((name) => {
    const field = fields[name];
    return field === undefined ? [] : [{ name, field }];
  });
  return { url, asked: found.map((each, index) => ({ ...each, member: firstAskedMember + index })) };
}

/** The fields as part of the reader's state, so that another reader can continue. */
export function knowledgeOf({ url, asked }: Fields): ReaderKnowledge {
  const fields = [{ name: "url", field: url }, ...asked];
  return Object.fromEntries(
    fields.flatMap(({ name, field }) => [
      [name, nameOf(field)],
      [`${name}Path`, field.path],
      [`${name}Shown`, field.shown],
    ]),
  ) as ReaderKnowledge;
}

/** The fields from another reader's state; undefined when it had none. */
export function fieldsKnownAs(known: ReaderKnowledge | undefined): Fields | undefined {
  const url = fieldKnownAs("url", known);
  if (url === undefined) return undefined;
  return fieldsBy(url, { agent: fieldKnownAs("agent", known), time: fieldKnownAs("time", known) });
}

function fieldKnownAs(name: "url" | "agent" | "time", known: ReaderKnowledge | undefined): Field | undefined {
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
 * The fields in the record that the walker has just walked over at `start`. Throws a `UsageError` when the record lacks a
 * field, or has a member with the name of the result key.
 */
export function fieldsOf(walker: ObjectWalker, start: number, options: ReadOptions): Fields {
  const { text } = walker;
  const keys: string[] = [];
  let urlPlace: number | undefined;
  walker.eachMember(start, (keyStart, keyEnd, valueStart) => {
    keys.push(byteStringOfJson(text.slice(keyStart, keyEnd)));
    if (/^"(?:https?|ftp):/i.test(text.slice(valueStart, valueStart + 8))) urlPlace ??= keys.length;
  });
  const { source, agentField, time, writer } = options;
  if (keys.includes(writer.resultKey)) throw takenName(source, utf8TextOf(writer.resultKey));
  const url = urlFieldOf(walker, start, keys, urlPlace, options);
  const agent = agentField === undefined ? undefined : askedFieldOf(walker, start, agentField, keys);
  if (agentField !== undefined && agent === undefined) {
    throw missingAgentField(source, agentField, keys.map(utf8TextOf));
  }
  return fieldsBy(url, {
    agent,
    time: time === undefined ? undefined : timeFieldOf(walker, start, keys, time, options),
  });
}

function timeFieldOf(
  walker: ObjectWalker,
  start: number,
  keys: readonly string[],
  { field: name }: AskedTime,
  { source }: ReadOptions,
): Field {
  const usual = keys[indexOfUsualTime(keys)];
  const named = name === undefined ? undefined : askedFieldOf(walker, start, name, keys);
  const field = name === undefined && usual !== undefined ? fieldOf(usual, [], utf8TextOf(usual)) : named;
  if (field === undefined) throw missingTimeField(source, name, keys.map(utf8TextOf));
  return field;
}

function urlFieldOf(
  walker: ObjectWalker,
  start: number,
  keys: readonly string[],
  urlPlace: number | undefined,
  { source, urlField }: ReadOptions,
): Field {
  if (urlField !== undefined) {
    const asked = askedFieldOf(walker, start, urlField, keys);
    if (asked !== undefined) return asked;
  } else {
    const key = keys[indexOfUsualField(keys)];
    if (key !== undefined) return fieldOf(key, [], utf8TextOf(key));
  }
  const likely = likelyUrlField(utf8TextOf(walker.text.slice(start, walker.close + 1)));
  throw missingUrlField(source, urlField, keys.map(utf8TextOf), { urlPlace, byPlace: false, likely });
}

/** A member with exactly the given name precedes a path through nested objects ("request.url"). */
function askedFieldOf(walker: ObjectWalker, start: number, name: string, keys: readonly string[]): Field | undefined {
  const asked = byteStringOf(name);
  if (keys.includes(asked)) return fieldOf(asked, [], name);
  const [first = "", ...path] = name.split(".");
  const field = fieldOf(byteStringOf(first), path, name);
  const members = new AskedMembers([field.key]);
  if (path.length === 0 || !walker.walk(start, members)) return undefined;
  return fieldTextOf(walker, members, 0, field) === undefined ? undefined : field;
}

/** The text of a field in the last object; undefined when the field is absent, null when its value is not a string. */
export function fieldTextOf(
  walker: ObjectWalker,
  members: AskedMembers,
  member: number,
  { path }: Field,
): string | null | undefined {
  const raw = rawValueOf(walker, members, member);
  if (raw === undefined) return undefined;
  if (path.length > 0) return nestedTextOf(raw, path);
  if (!raw.startsWith('"')) return null;
  return members.isEscaped(member) ? textOfJson(raw) : urlTextOf(raw.slice(1, -1));
}

/** The bytes of an asked field's text in the last object; undefined for a record without such a text. A time may be a number. */
export function fieldBytesOf(
  walker: ObjectWalker,
  members: AskedMembers,
  { name, member, field: { path } }: AskedFieldOf,
): string | undefined {
  const raw = rawValueOf(walker, members, member);
  if (raw === undefined) return undefined;
  if (path.length === 0 && !raw.startsWith('"')) return name === "time" ? raw.slice(0, longestNumber) : undefined;
  if (path.length === 0 && !members.isEscaped(member)) return raw.slice(1, -1);
  const text = path.length === 0 ? textOfJson(raw) : nestedTextOf(raw, path);
  return typeof text === "string" ? byteStringOf(text) : undefined;
}

/** Longest number that is looked at. */
const longestNumber = 100;

function rawValueOf({ text }: ObjectWalker, members: AskedMembers, member: number): string | undefined {
  return members.has(member) ? text.slice(members.starts[member], members.ends[member]) : undefined;
}

function nestedTextOf(raw: string, path: readonly string[]): string | null | undefined {
  let value: unknown;
  try {
    value = JSON.parse(utf8TextOf(raw));
  } catch {
    // Valid JSON, but nested too deeply for JSON.parse.
    return undefined;
  }
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return typeof value === "string" ? value : null;
}
