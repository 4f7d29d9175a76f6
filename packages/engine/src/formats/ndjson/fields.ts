// The first record of a source in, the fields with the URL and the User-Agent header out; then the texts of these fields.
import type { ReadOptions, ReaderKnowledge } from "../../records/batch.ts";
import { byteStringOf, urlTextOf, utf8TextOf } from "../../text.ts";
import { indexOfUsualField, missingAgentField, missingUrlField, takenName } from "../url-field.ts";
import { type AskedTime, indexOfUsualTime, missingTimeField } from "../time-field.ts";
import { likelyUrlField } from "./likely-field.ts";
import { byteStringOfJson, textOfJson } from "./strings.ts";
import { quote } from "./tokens.ts";
import { type ObjectWalker, noName } from "./walk.ts";

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
  /** Set with `--agent-field`. */
  readonly agent: Field | undefined;
  /** Set when times are asked for. */
  readonly time: Field | undefined;
}

/** The fields as part of the reader's state, so that another reader can continue. */
export function knowledgeOf({ url, agent, time }: Fields): ReaderKnowledge {
  return {
    url: nameOf(url),
    urlPath: url.path,
    urlShown: url.shown,
    ...(agent === undefined ? {} : { agent: nameOf(agent), agentPath: agent.path, agentShown: agent.shown }),
    ...(time === undefined ? {} : { time: nameOf(time), timePath: time.path, timeShown: time.shown }),
  };
}

/** The fields from another reader's state; undefined when it had none. */
export function fieldsKnownAs(known: ReaderKnowledge | undefined): Fields | undefined {
  const url = fieldKnownAs("url", known);
  if (url === undefined) return undefined;
  return { url, agent: fieldKnownAs("agent", known), time: fieldKnownAs("time", known) };
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
  const url = urlFieldOf(walker, start, options);
  const { agentField, time } = options;
  return {
    url,
    agent: agentField === undefined ? undefined : agentFieldOf(walker, start, agentField, options),
    time: time === undefined ? undefined : timeFieldOf(walker, start, time, options),
  };
}

function urlFieldOf(walker: ObjectWalker, start: number, options: ReadOptions): Field {
  const { source, urlField, writer } = options;
  const { text } = walker;
  const keys: string[] = [];
  let urlPlace: number | undefined;
  walker.walk(start, noName, Buffer.from(writer.resultKey, "latin1"), (keyStart, keyEnd, valueStart) => {
    keys.push(byteStringOfJson(text.slice(keyStart, keyEnd)));
    if (/^"(?:https?|ftp):/i.test(text.slice(valueStart, valueStart + 8))) urlPlace ??= keys.length;
  });
  if (walker.isTaken) throw takenName(source, utf8TextOf(writer.resultKey));
  if (urlField !== undefined) {
    const asked = askedFieldOf(walker, start, urlField, keys);
    if (asked !== undefined) return asked;
  } else {
    const key = keys[indexOfUsualField(keys)];
    if (key !== undefined) return fieldOf(key, [], utf8TextOf(key));
  }
  const likely = likelyUrlField(utf8TextOf(text.slice(start, walker.close + 1)));
  throw missingUrlField(source, urlField, keys.map(utf8TextOf), { urlPlace, byPlace: false, likely });
}

function agentFieldOf(walker: ObjectWalker, start: number, name: string, { source }: ReadOptions): Field {
  const { text } = walker;
  const keys: string[] = [];
  walker.walk(start, noName, noName, (keyStart, keyEnd) => {
    keys.push(byteStringOfJson(text.slice(keyStart, keyEnd)));
  });
  const field = askedFieldOf(walker, start, name, keys);
  if (field === undefined) throw missingAgentField(source, name, keys.map(utf8TextOf));
  return field;
}

function timeFieldOf(walker: ObjectWalker, start: number, asked: AskedTime, { source }: ReadOptions): Field {
  const { text } = walker;
  const keys: string[] = [];
  walker.walk(start, noName, noName, (keyStart, keyEnd) => {
    keys.push(byteStringOfJson(text.slice(keyStart, keyEnd)));
  });
  const usual = keys[indexOfUsualTime(keys)];
  const field =
    asked.field !== undefined
      ? askedFieldOf(walker, start, asked.field, keys)
      : usual === undefined
        ? undefined
        : fieldOf(usual, [], utf8TextOf(usual));
  if (field === undefined) throw missingTimeField(source, asked.field, keys.map(utf8TextOf));
  return field;
}

/** A record's time, a string or a number, as bytes; "" when it has none. Afterwards the walker's result is of that field. */
export function timeOf(walker: ObjectWalker, start: number, { time }: Fields): string {
  if (time === undefined) return "";
  walker.walk(start, time.key, noName);
  const text = fieldTextOf(walker, time);
  if (typeof text === "string") return byteStringOf(text);
  const { valueStart, valueEnd } = walker;
  if (valueStart < 0 || time.path.length > 0) return "";
  return walker.text.slice(valueStart, Math.min(valueEnd, valueStart + 100));
}

/** A member with exactly the given name precedes a path through nested objects ("request.url"). */
function askedFieldOf(walker: ObjectWalker, start: number, name: string, keys: readonly string[]): Field | undefined {
  const asked = byteStringOf(name);
  if (keys.includes(asked)) return fieldOf(asked, [], name);
  const [first = "", ...path] = name.split(".");
  const field = fieldOf(byteStringOf(first), path, name);
  if (path.length === 0 || !walker.walk(start, field.key, noName)) return undefined;
  return fieldTextOf(walker, field) === undefined ? undefined : field;
}

/**
 * The text of a field, which the walker's last walk had to look for; undefined when the field is absent, null when its value
 * is not a string.
 */
export function fieldTextOf(walker: ObjectWalker, field: Field): string | null | undefined {
  const { valueStart, valueEnd, text } = walker;
  if (valueStart < 0) return undefined;
  if (field.path.length > 0) return nestedTextOf(text.slice(valueStart, valueEnd), field.path);
  if (text.charCodeAt(valueStart) !== quote) return null;
  if (!walker.isValueEscaped) return urlTextOf(text.slice(valueStart + 1, valueEnd - 1));
  return textOfJson(text.slice(valueStart, valueEnd));
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
