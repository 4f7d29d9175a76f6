// Newline-delimited JSON in, one record a line: its bytes kept, its URL found by a walk over the line.
import type { UsageError } from "../../errors.ts";
import { bytesOf, textOf, urlTextOf } from "../../text.ts";
import { blocksOf, keptOf, mostRejectsAtOnce, placeIn } from "../../records/blocks.ts";
import { type ObjectScan, createObjectScan, isJsonValue, keyOf, scanObject } from "./scan.ts";
import { JsonWalker } from "./walk.ts";
import { PackedRecords } from "../../records/packed.ts";
import type {
  Batch,
  InputFormat,
  Place,
  ReadOptions,
  ReaderKnowledge,
  Reject,
  RejectCode,
} from "../../records/batch.ts";
import { indexOfUsualField, missingAgentField, missingUrlField, takenName } from "../url-field.ts";

/** NDJSON, also called JSON Lines. */
export const ndjson: InputFormat = {
  name: "ndjson",
  about: "one JSON object a line",
  endings: [".ndjson", ".jsonl", ".ldjson", ".json"],
  recordsAre: "lines",
  read,
};

/** Where the URL is: a member's name as bytes, and the way down from its value when the field is nested. */
interface Field {
  readonly key: string;
  readonly path: readonly string[];
  readonly shown: string;
}

async function* read(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const { source, lineEnd, maxLineBytes, givesPlaces, from, writer } = options;
  const found = createObjectScan();
  let field = fieldKnownAs("url", from?.known);
  let line = from?.line ?? 0;
  let expected = 0;
  // Heads that are the records' own bytes need no string.
  const packs = writer.keepsObjects && options.base === undefined && options.agentField === undefined;
  let agentField = fieldKnownAs("agent", from?.known);
  let known: ReaderKnowledge | undefined;
  for await (const block of blocksOf(chunks, lineEnd, maxLineBytes, from?.offset)) {
    const { bytes, overlong } = block;
    const heads: string[] = [];
    const urls: string[] = [];
    const packed = packs ? new PackedRecords(bytes, bytes, expected) : undefined;
    let walker: JsonWalker | undefined;
    let rejects: Reject[] = [];
    const agents: string[] | undefined = options.agentField === undefined ? undefined : [];
    const reject = (code: RejectCode, message: string, raw: string): void => {
      rejects.push({ source, line, code, message, ...keptOf(code, raw, maxLineBytes) });
    };
    let next = 0;
    while (next < bytes.length) {
      if (rejects.length >= mostRejectsAtOnce) {
        yield { heads: [], urls: [], rejects };
        rejects = [];
      }
      line++;
      const lineStart = next;
      if (packed !== undefined && field?.path.length === 0 && !overlong) {
        walker ??= new JsonWalker(block, field.key, writer.resultKey, lineEnd);
        if (walker.walk(lineStart) && walker.next - lineStart <= maxLineBytes) {
          next = walker.next;
          const { urlStart, urlEnd, close } = walker;
          if (!walker.isUrlEscaped) packed.push(lineStart, close, urlStart, urlEnd);
          else packed.pushDecoded(lineStart, close, stringOf(bytes.toString("latin1", urlStart - 1, urlEnd + 1)));
          continue;
        }
      }
      const { text } = block;
      const lineEndAt = text.indexOf(lineEnd, next);
      let end = lineEndAt < 0 ? text.length : lineEndAt;
      next = end + 1;
      if (overlong || end - lineStart > maxLineBytes) {
        reject("too-long", `is longer than ${maxLineBytes} bytes (--max-line-bytes)`, text.slice(lineStart, end));
        if (overlong) break;
        continue;
      }
      let start = lineStart;
      while (start < end && isSpace(text.charCodeAt(start))) start++;
      if (start === end) continue;
      while (isSpace(text.charCodeAt(end - 1))) end--;

      if (field === undefined) {
        try {
          field = fieldOf(text, start, end, options, found);
          if (field !== undefined && options.agentField !== undefined) {
            agentField = agentFieldOf(text, start, end, options.agentField, options, found);
          }
        } catch (error) {
          // The lines before are told first: they may have come in an earlier chunk as well.
          if (rejects.length > 0) yield { heads, urls, rejects };
          throw error;
        }
        if (field !== undefined) options.onLayout?.({ urlField: field.shown });
      }
      if (!scanObject(text, start, end, field?.key ?? "", writer.resultKey, found)) {
        const raw = text.slice(start, end);
        const { code, message } = whyNoObject(raw, found, lineStart);
        reject(code, message, raw);
        continue;
      }
      const url = field === undefined ? undefined : urlOf(text, field, found);
      if (typeof url !== "string") {
        const raw = text.slice(start, end);
        const name = field?.shown ?? "url";
        if (url === undefined) reject("no-url-field", `has no field "${name}"`, raw);
        else reject("url-not-text", `has no text in the field "${name}"`, raw);
        continue;
      }
      if (found.taken) {
        const key = textOf(writer.resultKey);
        reject("key-taken", `already has a member "${key}"; --result-key names another`, text.slice(start, end));
        continue;
      }
      if (packed !== undefined) packed.pushDecoded(start, found.close, url);
      else {
        heads.push(writer.headOfObject(text, start, found.close));
        urls.push(url);
        agents?.push(agentField === undefined ? "" : agentOf(text, start, end, agentField, found));
      }
    }
    if (givesPlaces === true && field !== undefined) known ??= knowledgeOf(field, agentField);
    const place = known === undefined || overlong ? undefined : placeIn(block, 0, line, known);
    if (packed !== undefined) {
      packed.recycle = () => block.recycle();
      expected = packed.count;
      if (expected > 0 || rejects.length > 0) yield { heads, urls, rejects, packed, place };
      continue;
    }
    block.recycle();
    if (heads.length === 0 && rejects.length === 0) continue;
    yield agents === undefined ? { heads, urls, rejects, place } : { heads, urls, rejects, agents, place };
  }
}

/** What a reader keeps of its fields, for `Place`. */
function knowledgeOf(url: Field, agent: Field | undefined): ReaderKnowledge {
  const known = { url: url.key, urlPath: url.path, urlShown: url.shown };
  return agent === undefined ? known : { ...known, agent: agent.key, agentPath: agent.path, agentShown: agent.shown };
}

function fieldKnownAs(name: "url" | "agent", known: Place["known"] | undefined): Field | undefined {
  const key = known?.[name];
  if (typeof key !== "string") return undefined;
  return { key, path: known?.[`${name}Path`] as readonly string[], shown: String(known?.[`${name}Shown`]) };
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}

/** Why a line is no JSON object, in code and words, from what the scan found. */
export function whyNoObject(raw: string, found: ObjectScan, lineStart: number): Pick<Reject, "code" | "message"> {
  if (!raw.startsWith("{") && isJsonValue(raw)) return { code: "not-an-object", message: "is JSON, but no object" };
  const column = found.at - lineStart + 1;
  return { code: "not-json", message: `is not JSON: expected ${found.expected} at column ${column}` };
}

/** The URL; undefined when the field is absent, null when it holds something else. */
function urlOf(text: string, field: Field, found: ObjectScan): string | null | undefined {
  if (found.valueStart < 0) return undefined;
  const { valueStart, valueEnd } = found;
  if (field.path.length > 0) return nestedOf(text.slice(valueStart, valueEnd), field.path);
  if (text.charCodeAt(valueStart) !== 0x22) return null;
  if (!found.valueEscaped) return urlTextOf(text.slice(valueStart + 1, valueEnd - 1));
  return stringOf(text.slice(valueStart, valueEnd));
}

/** What a raw JSON string, quotes included, means. */
function stringOf(raw: string): string {
  return JSON.parse(textOf(raw)) as string;
}

function nestedOf(raw: string, path: readonly string[]): string | null | undefined {
  let value: unknown;
  try {
    value = JSON.parse(textOf(raw));
  } catch {
    // Valid, but nested deeper than JSON.parse goes.
    return undefined;
  }
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return typeof value === "string" ? value : null;
}

/**
 * Where the first record has its URL; undefined when the line is no record. A member named exactly as asked goes before
 * a way through nested objects ("request.url"). Throws a `UsageError` when there is none, or when the record already
 * has a member of the result's name.
 */
function fieldOf(text: string, start: number, end: number, options: ReadOptions, found: ObjectScan): Field | undefined {
  const { source, urlField, writer } = options;
  const rawKeys: string[] = [];
  let urlPlace: number | undefined;
  const isObject = scanObject(text, start, end, "", writer.resultKey, found, (keyStart, keyEnd, valueStart) => {
    rawKeys.push(text.slice(keyStart, keyEnd));
    if (/^"(?:https?|ftp):/i.test(text.slice(valueStart, valueStart + 8))) urlPlace ??= rawKeys.length;
  });
  if (!isObject) return undefined;
  const keys = rawKeys.map(keyOf);
  const missing = (): UsageError => missingUrlField(source, urlField, keys.map(textOf), { urlPlace, byPlace: false });
  if (found.taken) throw takenName(source, textOf(writer.resultKey));
  if (urlField === undefined) {
    const key = keys[indexOfUsualField(keys)];
    if (key === undefined) throw missing();
    return { key, path: [], shown: textOf(key) };
  }
  const field = askedFieldOf(text, start, end, urlField, keys, options, found);
  if (field === undefined) throw missing();
  return field;
}

/** The field of an object that was asked for: a member of this very name, else a way through nested ones. */
function askedFieldOf(
  text: string,
  start: number,
  end: number,
  name: string,
  keys: readonly string[],
  { writer }: ReadOptions,
  found: ObjectScan,
): Field | undefined {
  const asked = bytesOf(name);
  if (keys.includes(asked)) return { key: asked, path: [], shown: name };
  const [first = "", ...path] = name.split(".");
  const key = bytesOf(first);
  if (path.length === 0 || !scanObject(text, start, end, key, writer.resultKey, found)) return undefined;
  const field: Field = { key, path, shown: name };
  return urlOf(text, field, found) === undefined ? undefined : field;
}

/** Where the first record has its User-Agent header. Throws a `UsageError` when it has none. */
function agentFieldOf(
  text: string,
  start: number,
  end: number,
  name: string,
  options: ReadOptions,
  found: ObjectScan,
): Field {
  const keys: string[] = [];
  scanObject(text, start, end, "", options.writer.resultKey, found, (keyStart, keyEnd) => {
    keys.push(keyOf(text.slice(keyStart, keyEnd)));
  });
  const field = askedFieldOf(text, start, end, name, keys, options, found);
  if (field === undefined) throw missingAgentField(options.source, name, keys.map(textOf));
  return field;
}

/** The header of a record; "" when it has none. The scan is another field's afterwards. */
function agentOf(text: string, start: number, end: number, field: Field, found: ObjectScan): string {
  if (!scanObject(text, start, end, field.key, "", found)) return "";
  return urlOf(text, field, found) ?? "";
}
