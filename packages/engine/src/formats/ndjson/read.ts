// Reads newline-delimited JSON: one record per line, with its bytes unchanged. A walk over the line finds the record's URL.
import { optionText } from "../../common/caller-words.ts";
import type { Block } from "../../records/blocks.ts";
import { type LineProblem, type LineTaker, readLines, rejectOf, trimmed } from "../line-reader.ts";
import { noRecords, PackedRecords } from "../../records/packed.ts";
import { utf8TextOf } from "../../common/text.ts";
import type { ReadOptions } from "../input-format.ts";
import type { Batch, ReaderKnowledge, Reject } from "../../records/batch.ts";
import { RowHeads } from "../../records/row-heads.ts";
import { type AskedMembers, noMembers } from "./asked-members.ts";
import {
  fieldBytesOf,
  type Fields,
  fieldsKnownAs,
  fieldsOf,
  fieldTextOf,
  knowledgeOf,
  lacksField,
  membersOf,
  numberFields,
  takenMember,
  urlMember,
} from "./fields.ts";
import { type Base, isHostOfRequest, type LogProblem } from "@robots-stream/logs";
import { baseOfPaths, hostBeside, isOtherHost, otherHost, unaskedHost, usualHostNames } from "../host-beside.ts";
import { likelyNestedHost, likelyUrlParts } from "../likely-field.ts";
import { composedUrlOf, type OtherPart } from "../url-parts.ts";
import { isDigit } from "../../records/words.ts";
import { textOfJson } from "./tokens.ts";
import { ObjectWalker } from "./walk.ts";

export function readNdjson(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  return readLines(chunks, options, new ObjectRecords(options));
}

/** A member that may name the host of a request. */
interface HostMember {
  readonly name: string;
  /** The index of the member in the result of `membersOf`. */
  readonly member: number;
}

/** The names that hosts have in records: the usual ones, with "_" and, for those of headers, with "-". */
const hostMembers: readonly string[] = [...usualHostNames, "x-forwarded-host", "x-host-header", "cs-host", "Host"];
const noBytes = new Uint8Array();

class ObjectRecords implements LineTaker {
  readonly #options: ReadOptions;
  /** The heads; undefined if the writer uses the records' own bytes as heads (`keepsObjects`), so that no strings are needed. */
  readonly #heads: RowHeads | undefined;
  /** The members that walks look for: none until the fields are known. */
  #members: AskedMembers = noMembers;
  /** The base of records whose URL is only a path; undefined if no such record is read, or if the user named the field with the host. */
  readonly #baseOfPaths: Base | undefined;
  /** The last of `#members`: fields that may name a host. */
  #hosts: readonly HostMember[] = [];
  #fields: Fields | undefined;
  #known: ReaderKnowledge | undefined;
  /** The current block, a walker over its lines, and its records; the number of records in the last block. */
  #block: Block | undefined;
  #walker: ObjectWalker | undefined;
  #records: PackedRecords = noRecords();
  #expected = 0;

  constructor(options: ReadOptions) {
    const { writer, from } = options;
    this.#options = options;
    this.#heads = writer.keepsObjects ? undefined : new RowHeads();
    this.#baseOfPaths = baseOfPaths(options.urlField, options.base);
    this.#fields = fieldsKnownAs(from?.known);
    if (this.#fields !== undefined) this.#lookFor(this.#fields);
  }

  begin(block: Block): void {
    const { bytes } = block;
    this.#block = block;
    this.#walker = new ObjectWalker(block, this.#options.lineEnd);
    this.#heads?.begin(bytes.length);
    this.#records = this.#heads?.packed ?? new PackedRecords(bytes, bytes, this.#expected);
  }

  takePlain(lineStart: number): number {
    const walker = this.#walker!;
    const fields = this.#fields;
    const start = walker.skipSpace(lineStart);
    if (fields === undefined || !walker.walk(start, this.#members)) return -1;
    if (walker.next - 1 - lineStart > this.#options.maxLineBytes) return -1;
    if (this.#heads === undefined && this.#packObject(walker, start, fields)) return walker.next;
    return this.#takeObject(walker, start, fields) === undefined ? walker.next : -1;
  }

  take(line: string, number: number, rejects: Reject[], lineStart: number): void {
    const walker = this.#walker!;
    const raw = trimmed(line);
    if (raw === "") return;
    const start = walker.skipSpace(lineStart);
    const problem = walker.walk(start, this.#members)
      ? this.#takeObject(walker, start, this.#fields ?? this.#findFields(walker, start))
      : whyNoObject(walker, start, lineStart);
    if (problem !== undefined) rejects.push(rejectOf(this.#options.source, number, problem.code, problem.message, raw));
  }

  end(): PackedRecords {
    const records = this.#records;
    const block = this.#block!;
    if (this.#heads !== undefined) {
      block.recycle();
      return this.#heads.finish();
    }
    this.#expected = records.count;
    records.recycle = () => block.recycle();
    return records;
  }

  known(): ReaderKnowledge | undefined {
    return this.#fields === undefined ? undefined : (this.#known ??= knowledgeOf(this.#fields));
  }

  /** Finds the fields in the first record, and walks over it again to set their values. Throws a `UsageError` when a field is missing. */
  #findFields(walker: ObjectWalker, start: number): Fields {
    const fields = (this.#fields = fieldsOf(walker, start, this.#options));
    this.#options.onLayout?.({ urlField: fields.url.shown });
    this.#lookFor(fields);
    walker.walk(start, this.#members);
    const base = this.#baseOfPaths;
    if (fieldTextOf(walker, this.#members, urlMember, fields.url)?.startsWith("/") !== true) return fields;
    if (base === undefined) {
      this.#tellHostBeside(utf8TextOf(walker.text.slice(start, walker.close + 1)), fields.url.shown);
      return fields;
    }
    const host = this.#hosts.find((each) => this.#isOtherHost(walker, each, base))?.name;
    const record = utf8TextOf(walker.text.slice(start, walker.close + 1));
    if (host !== undefined) throw unaskedHost(this.#options.source, fields.url.shown, host);
    // Of later records, only the members of the record itself are compared: a nested host would be replaced by that of `base`.
    const nested = likelyNestedHost(record, (_name, text) => isHostOfRequest(text));
    if (nested !== undefined) throw unaskedHost(this.#options.source, fields.url.shown, nested);
    return fields;
  }

  #tellHostBeside(record: string, path: string): void {
    const { source, urlField, base, onHostBeside } = this.#options;
    if (typeof urlField === "object" || base !== undefined || onHostBeside === undefined) return;
    const host = likelyUrlParts(record)?.host;
    if (host !== undefined) onHostBeside(hostBeside(source, path, host));
  }

  /** Sets the members that walks look for. */
  #lookFor(fields: Fields): void {
    const names = this.#baseOfPaths === undefined ? [] : hostMembers;
    this.#members = membersOf(fields, this.#options.writer.resultKey, names);
    const first = this.#members.names.length - names.length;
    this.#hosts = names.map((name, index) => ({ name, member: first + index }));
  }

  /** Whether the last object has a path as its URL, and names another host than the base. */
  #hasOtherHost(walker: ObjectWalker, url: string): boolean {
    const base = this.#baseOfPaths;
    return (
      base !== undefined && url.startsWith("/") && this.#hosts.some((host) => this.#isOtherHost(walker, host, base))
    );
  }

  #isOtherHost(walker: ObjectWalker, { name, member }: HostMember, base: Base): boolean {
    if (!this.#members.has(member)) return false;
    const text = fieldTextOf(walker, this.#members, member, { key: noBytes, path: [], shown: name });
    return typeof text === "string" && isOtherHost(name, text, base);
  }

  /**
   * Packs the object that the last walk covered. Returns false if `#takeObject` must take the object, for example because the URL is not a
   * string.
   */
  #packObject(walker: ObjectWalker, start: number, { url, isComposed, asked }: Fields): boolean {
    const members = this.#members;
    const packed = this.#records;
    const urlStart = members.startOf(urlMember);
    if (url.path.length > 0 || isComposed || members.has(takenMember) || !walker.isStringAt(urlStart)) return false;
    const urlEnd = members.endOf(urlMember);
    if (isSlash(packed.bytes[urlStart + 1]!) && this.#hosts.some(({ member }) => members.has(member))) return false;
    if (!members.isEscaped(urlMember)) packed.push(start, walker.close, urlStart + 1, urlEnd - 1);
    else packed.pushDecoded(start, walker.close, textOfJson(walker.text.slice(urlStart, urlEnd)));
    if (asked.length > 0) this.#packFields(walker, asked);
    return true;
  }

  /** Adds the requested fields of the last object to the last packed record. */
  #packFields(walker: ObjectWalker, asked: Fields["asked"]): void {
    const members = this.#members;
    const packed = this.#records;
    for (const each of asked) {
      const { name, field, member } = each;
      const start = members.startOf(member);
      if (field.path.length === 0 && walker.isStringAt(start) && !members.isEscaped(member)) {
        packed.pushField(name, start + 1, members.endOf(member) - 1);
        continue;
      }
      if (field.path.length === 0 && numberFields.has(name) && isDigit(packed.bytes[start]!)) {
        packed.pushField(name, start, members.endOf(member));
        continue;
      }
      const bytes = fieldBytesOf(walker, members, each);
      if (bytes !== undefined) packed.pushDecodedField(name, bytes);
      else if (name === "agent" && lacksField(walker, members, each)) packed.pushDecodedField("noAgentField", "1");
    }
  }

  /**
   * Composes the URL of the object that the last walk covered. Undefined when the object lacks the field with the path, null when that
   * field is not a text; a `LogProblem` when the URL cannot be composed.
   */
  #composedUrlOf(walker: ObjectWalker, fields: Fields): string | LogProblem | null | undefined {
    const { urlField } = this.#options;
    const isTemplate = typeof urlField === "object" && urlField.template !== undefined;
    const text = fieldTextOf(walker, this.#members, urlMember, fields.url, isTemplate);
    if (typeof text !== "string") return text;
    const texts: { [Name in OtherPart]?: string | undefined } = {};
    for (const { name, field, member } of fields.parts) {
      const part = fieldTextOf(walker, this.#members, member, field, true);
      if (isTemplate && part === null) {
        return { code: "no-url", message: `has neither text nor a number in the field "${field.shown}"` };
      }
      texts[name] = part ?? undefined;
    }
    return composedUrlOf(text, texts, this.#options);
  }

  /** Adds the object that the last walk covered; returns the problem of an object that cannot be a record, and then changes nothing. */
  #takeObject(walker: ObjectWalker, start: number, fields: Fields): LineProblem | undefined {
    const { url: field, asked } = fields;
    const members = this.#members;
    const { writer } = this.#options;
    const url = fields.isComposed
      ? this.#composedUrlOf(walker, fields)
      : fieldTextOf(walker, members, urlMember, field);
    if (url === undefined) return { code: "no-url-field", message: `has no field "${field.shown}"` };
    if (url === null) return { code: "url-not-text", message: `has no text in the field "${field.shown}"` };
    if (typeof url !== "string") return url;
    if (this.#hasOtherHost(walker, url)) return otherHost;
    if (members.has(takenMember)) return keyTaken(writer.resultKey);
    if (this.#heads === undefined) {
      this.#records.pushDecoded(start, walker.close, url);
      this.#packFields(walker, asked);
      return undefined;
    }
    const texts = asked.map((each) => [each.name, fieldBytesOf(walker, members, each)] as const);
    const agent = asked.find(({ name }) => name === "agent");
    const noAgentField = agent !== undefined && lacksField(walker, members, agent) ? "1" : undefined;
    this.#heads.add(writer.headOfObject(walker, start), url, { ...Object.fromEntries(texts), noAgentField });
    return undefined;
  }
}

/** The problem of an object that already has a member with the name of the result key. */
export function keyTaken(resultKey: string): LineProblem {
  const key = utf8TextOf(resultKey);
  const message = `already has a member "${key}"; choose another name with ${optionText("resultKey")}`;
  return { code: "key-taken", message };
}

/** The code and message of the reject for the last line of a walk, which is not a JSON object. `start`: offset after leading space. */
export function whyNoObject(walker: ObjectWalker, start: number, lineStart: number): LineProblem {
  const { expected, expectedAt } = walker;
  if (expectedAt === start && walker.isValue(start)) {
    return { code: "not-an-object", message: "is JSON, but not an object" };
  }
  return { code: "not-json", message: `is not JSON: expected ${expected} at column ${expectedAt - lineStart + 1}` };
}

/** Whether a URL that begins with this character is a path, or begins with an escape, which may stand for a slash. */
function isSlash(code: number): boolean {
  return code === 0x2f || code === 0x5c;
}
