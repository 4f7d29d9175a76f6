// Reads URLs and objects into batches of records. An item without a URL is a reject, with its reason.
import { type AskedText, usualTextNames } from "../formats/asked-fields.ts";
import { baseOfPaths, isOtherHost, otherHost, usualHostNames } from "../formats/host-beside.ts";
import { pathFieldOf } from "../formats/url-parts.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { InputOptions } from "../sources/input.ts";
import type { Batch, Reject, RejectCode } from "../records/batch.ts";
import { type FieldTexts, RowHeads } from "../records/row-heads.ts";
import { byteStringOf, printableOf } from "../common/text.ts";
import type { HeldRecords } from "./held-records.ts";
import type { RecordReject } from "./types.ts";

/** Maximum number of records in a batch. */
const mostAtOnce = 1_000;

/** A boxed item. A generator awaits a yielded object with a member `then`, which a record may have; the box has none. */
export interface Boxed<T> {
  readonly value: T;
}

interface ObjectRecordsOptions {
  readonly read: InputOptions;
  readonly held: HeldRecords;
  onReject(reject: RecordReject): void;
}

/** Reads records into batches. No record causes an error; an error of the iterable `records` is passed on. */
export async function* objectBatchesOf(
  records: AsyncIterable<Boxed<unknown>>,
  { read, held, onReject }: ObjectRecordsOptions,
): AsyncGenerator<Batch> {
  const find = createFinder(read);
  const heads = new RowHeads();
  let line = 0;
  for await (const some of together(records)) {
    const rejects: Reject[] = [];
    heads.begin();
    for (const record of some) {
      line++;
      const found = find(record);
      if (found.code !== undefined) {
        const { code, message } = found;
        rejects.push({ source: "", line, code, message, text: "" });
        onReject({ code, message, line, record });
        continue;
      }
      const { url, fields } = found;
      heads.add(held.hold(record, url, url.length * 2), url, fields);
    }
    yield { records: heads.finish(), rejects };
    await held.room();
  }
}

type Found =
  | { readonly code?: undefined; readonly url: string; readonly fields: FieldTexts }
  | { readonly code: RejectCode; readonly message: string };

/**
 * Creates a function that returns a record's URL, User-Agent header and requested texts, or the reason why the record is a reject. Header
 * and texts are byte strings.
 */
function createFinder({
  urlField: named,
  agentField,
  texts,
  base,
  maxLineBytes,
}: InputOptions): (record: unknown) => Found {
  const urlField = pathFieldOf(named) ?? "url";
  const shown = printableOf(urlField, 60);
  const noUrl: Found = { code: "no-url-field", message: `has no field "${shown}"` };
  const noText: Found = { code: "url-not-text", message: `has no text in the field "${shown}"` };
  const noObject: Found = { code: "not-an-object", message: "is neither a URL nor an object" };
  const tooLong: Found = {
    code: "too-long",
    message: `has a URL longer than ${maxLineBytes} characters (maxLineBytes)`,
  };
  const origin = base === undefined ? "" : `${base.scheme}://${base.host}`;
  const urlOf = createField(urlField);
  const agentOf = agentField === undefined ? undefined : createField(agentField);
  const textsIn = createTextFinder(texts);
  const pathBase = baseOfPaths(named, base);
  const hosts = pathBase === undefined ? [] : usualHostNames.map((name) => ({ name, textIn: createField(name) }));
  return (record) => {
    let url: unknown;
    let agent: unknown;
    let found: FieldTexts = {};
    let host: string | undefined;
    if (typeof record === "string") url = record;
    else if (typeof record !== "object" || record === null) return noObject;
    else {
      try {
        url = urlOf(record);
        agent = agentOf?.(record);
        found = textsIn(record);
        if (pathBase !== undefined && typeof url === "string" && url.startsWith("/")) {
          host = hosts.find(({ name, textIn }) => {
            const text = textIn(record);
            return typeof text === "string" && isOtherHost(name, text, pathBase);
          })?.name;
        }
      } catch {
        // A getter or a proxy of the record threw.
        return noText;
      }
      if (url === undefined) return noUrl;
    }
    if (typeof url !== "string") return noText;
    if (url.length > maxLineBytes) return tooLong;
    if (host !== undefined) return otherHost;
    return {
      url: origin !== "" && url.startsWith("/") ? origin + url : url,
      fields: typeof agent === "string" ? { ...found, agent: byteStringOf(agent) } : found,
    };
  };
}

/**
 * Creates a function that returns the texts of a record that `asked` names, as byte strings. An array of texts becomes one text with a line
 * for each. For a text without a field name, the function tries the usual names.
 */
function createTextFinder(asked: readonly AskedText[] = []): (record: object) => FieldTexts {
  const finders = asked.map(({ name, field }) => {
    const fields = (field === undefined ? usualTextNames[name] : [field]).map(createField);
    return { name, fields };
  });
  const textIn = (record: object, fields: readonly ((record: object) => unknown)[]): string | undefined => {
    for (const fieldOf of fields) {
      const value = fieldOf(record);
      if (typeof value === "string") return byteStringOf(value);
      if (Array.isArray(value) && value.every((each) => typeof each === "string"))
        return byteStringOf(value.join("\n"));
    }
    return undefined;
  };
  return (record) => Object.fromEntries(finders.map(({ name, fields }) => [name, textIn(record, fields)]));
}

/** Creates a function that reads the field `name`; if there is no such member, `name` is a path through nested objects. */
function createField(name: string): (record: object) => unknown {
  const path = name.split(".");
  const whole = createMember(name);
  const members = path.map(createMember);
  return (record) => {
    const value = whole(record);
    if (value !== undefined || path.length === 1) return value;
    let step: unknown = record;
    for (const member of members) {
      if (typeof step !== "object" || step === null) return undefined;
      step = member(step);
    }
    return step;
  };
}

/** Creates a function that reads a member, also through a getter of the class. Members of Object.prototype ("constructor") are ignored. */
function createMember(name: string): (record: object) => unknown {
  const isCommon = name in Object.prototype;
  return (record) =>
    isCommon && !Object.hasOwn(record, name) ? undefined : (record as Readonly<Record<string, unknown>>)[name];
}

/** Groups the records that are ready into arrays of at most `mostAtOnce`; no record waits for a later one. */
async function* together(records: AsyncIterable<Boxed<unknown>>): AsyncGenerator<readonly unknown[]> {
  let some: unknown[] = [];
  let end: { readonly error?: unknown } | undefined;
  let onMore: (() => void) | undefined;
  let onRoom: (() => void) | undefined;
  const collect = async (): Promise<void> => {
    for await (const { value: record } of records) {
      if (some.push(record) === 1) onMore?.();
      if (some.length >= mostAtOnce) await new Promise<void>((resolve) => (onRoom = resolve));
    }
  };
  void collect()
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error }),
    )
    .then(() => onMore?.());
  while (end === undefined || some.length > 0) {
    if (some.length === 0) await new Promise<void>((resolve) => (onMore = resolve));
    if (end === undefined && some.length < mostAtOnce) await nextTurn();
    const taken = some;
    some = [];
    onRoom?.();
    if (taken.length > 0) yield taken;
  }
  if ("error" in end) throw end.error;
}
