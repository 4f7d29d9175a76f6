// Reads newline-delimited JSON: one record per line, with its bytes unchanged. A walk over the line finds the record's URL.
import { optionMark, optionText } from "../../common/caller-words.ts";
import { type Block, blocksOf, keptOf, mostRejectsAtOnce, placeIn } from "../../records/blocks.ts";
import { PackedRecords, noRecords } from "../../records/packed.ts";
import { utf8TextOf } from "../../common/text.ts";
import type { ReadOptions } from "../input-format.ts";
import type { Batch, ReaderKnowledge, Reject, RejectCode } from "../../records/batch.ts";
import { RowHeads } from "../../records/row-heads.ts";
import { type AskedMembers, noMembers } from "./asked-members.ts";
import {
  type Fields,
  fieldBytesOf,
  fieldTextOf,
  numberFields,
  fieldsKnownAs,
  fieldsOf,
  lacksField,
  knowledgeOf,
  membersOf,
  takenMember,
  urlMember,
} from "./fields.ts";
import { type Base, type LogProblem, isHostOfRequest } from "@robots-stream/logs";
import { baseOfPaths, hostBeside, isOtherHost, otherHost, unaskedHost, usualHostNames } from "../host-beside.ts";
import { likelyNestedHost, likelyUrlParts } from "../likely-field.ts";
import { partTextOf, partTextsOf } from "./part-texts.ts";
import { composedUrlOf } from "../url-parts.ts";
import { textOfJson } from "./strings.ts";
import { ObjectWalker } from "./walk.ts";

export async function* readNdjson(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const reader = new NdjsonReader(options);
  const { lineEnd, maxLineBytes, from } = options;
  for await (const block of blocksOf(chunks, lineEnd, maxLineBytes, from?.offset)) yield* reader.batchesOf(block);
}

/** The records and rejects of one block that have not been yielded yet. */
interface Part {
  readonly records: PackedRecords;
  rejects: Reject[];
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

class NdjsonReader {
  readonly #options: ReadOptions;
  /** The heads; undefined if the writer uses the records' own bytes as heads (`keepsObjects`), so that no strings are needed. */
  readonly #heads: RowHeads | undefined;
  /** The members that walks look for: none until the fields are known. */
  #members: AskedMembers = noMembers;
  /** The base of records whose URL is only a path; undefined if no such record is read, or if the user named the field with the host. */
  readonly #baseOfPaths: Base | undefined;
  /** The last of `#members`: fields that may name a host. */
  #hosts: readonly HostMember[] = [];
  /** The number of the current line, from 1. */
  #line: number;
  #fields: Fields | undefined;
  #known: ReaderKnowledge | undefined;
  /** Number of records in the last block. */
  #expected = 0;

  constructor(options: ReadOptions) {
    const { writer, from } = options;
    this.#options = options;
    this.#heads = writer.keepsObjects ? undefined : new RowHeads();
    this.#line = from?.line ?? 0;
    this.#baseOfPaths = baseOfPaths(options.urlField, options.base);
    this.#fields = fieldsKnownAs(from?.known);
    if (this.#fields !== undefined) this.#lookFor(this.#fields);
  }

  /** Yields the batches of a block: a batch of rejects each time there are many, and at the end one batch with all records. */
  *batchesOf(block: Block): Generator<Batch> {
    const walker = new ObjectWalker(block, this.#options.lineEnd);
    const part = this.#newPart(block);
    const size = block.bytes.length;
    for (let next = 0; next < size;) {
      try {
        next = block.overlong ? this.#rejectBlock(block, part) : this.#readLines(walker, next, size, part);
      } catch (error) {
        // Yields the rejects before the error ends the run: with smaller chunks, an earlier batch would have contained them.
        if (part.rejects.length > 0) yield { records: noRecords(), rejects: part.rejects };
        throw error;
      }
      if (next < size) {
        yield { records: noRecords(), rejects: part.rejects };
        part.rejects = [];
      }
    }
    const batch = this.#batchOf(block, part);
    if (batch.records.count > 0 || batch.rejects.length > 0) yield batch;
    else batch.records.recycle?.();
  }

  #newPart({ bytes }: Block): Part {
    this.#heads?.begin(bytes.length);
    return { records: this.#heads?.packed ?? new PackedRecords(bytes, bytes, this.#expected), rejects: [] };
  }

  /** The remaining records and rejects of a block. */
  #batchOf(block: Block, { records, rejects }: Part): Batch {
    if (this.#options.givesPlaces === true && this.#fields !== undefined) this.#known ??= knowledgeOf(this.#fields);
    const known = this.#known;
    const place = known === undefined || block.overlong ? undefined : placeIn(block, 0, this.#line, known);
    if (this.#heads !== undefined) {
      block.recycle();
      return { records: this.#heads.finish(), rejects, place };
    }
    this.#expected = records.count;
    records.recycle = () => block.recycle();
    return { records, rejects, place };
  }

  /** Reads lines from `from` on, all of them or until a batch of rejects is full; returns the offset of the next line. */
  #readLines(walker: ObjectWalker, from: number, size: number, part: Part): number {
    const { records, rejects } = part;
    const { maxLineBytes } = this.#options;
    let lineStart = from;
    while (lineStart < size && rejects.length < mostRejectsAtOnce) {
      this.#line++;
      const start = walker.skipSpace(lineStart);
      if (!walker.walk(start, this.#members)) {
        lineStart = this.#rejectLine(walker, lineStart, start, part);
        continue;
      }
      const { next } = walker;
      if (next - 1 - lineStart > maxLineBytes) this.#rejectTooLong(part, walker.text.slice(lineStart, next - 1));
      else {
        const fields = this.#fields ?? this.#findFields(walker, start);
        if (this.#heads !== undefined || !this.#packObject(walker, start, fields, records)) {
          this.#takeObject(walker, start, fields, part);
        }
      }
      lineStart = next;
    }
    return lineStart;
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
  #packObject(walker: ObjectWalker, start: number, { url, isComposed, asked }: Fields, packed: PackedRecords): boolean {
    const members = this.#members;
    const urlStart = members.starts[urlMember]!;
    if (url.path.length > 0 || isComposed || members.has(takenMember) || !walker.isStringAt(urlStart)) return false;
    const urlEnd = members.ends[urlMember]!;
    if (isSlash(packed.bytes[urlStart + 1]!) && this.#hosts.some(({ member }) => members.has(member))) return false;
    if (!members.isEscaped(urlMember)) packed.push(start, walker.close, urlStart + 1, urlEnd - 1);
    else packed.pushDecoded(start, walker.close, textOfJson(walker.text.slice(urlStart, urlEnd)));
    if (asked.length > 0) this.#packFields(walker, asked, packed);
    return true;
  }

  /** Adds the requested fields of the last object to the last packed record. */
  #packFields(walker: ObjectWalker, asked: Fields["asked"], packed: PackedRecords): void {
    const members = this.#members;
    for (const each of asked) {
      const { name, field, member } = each;
      const start = members.starts[member]!;
      if (field.path.length === 0 && walker.isStringAt(start) && !members.isEscaped(member)) {
        packed.pushField(name, start + 1, members.ends[member]! - 1);
        continue;
      }
      if (field.path.length === 0 && numberFields.has(name) && isDigit(packed.bytes[start]!)) {
        packed.pushField(name, start, members.ends[member]!);
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
    const textOf = isTemplate ? partTextOf : fieldTextOf;
    const text = textOf(walker, this.#members, urlMember, fields.url);
    if (typeof text !== "string") return text;
    const parts = partTextsOf(walker, this.#members, fields);
    const other = fields.parts.find(({ name }) => parts[name] === null);
    if (isTemplate && other !== undefined) {
      return { code: "no-url", message: `has neither text nor a number in the field "${other.field.shown}"` };
    }
    const texts = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part ?? undefined]));
    return composedUrlOf(text, texts, this.#options);
  }

  /** Adds the object that the last walk covered, or a reject for it. */
  #takeObject(walker: ObjectWalker, start: number, fields: Fields, part: Part): void {
    const { records } = part;
    const { url: field, asked } = fields;
    const members = this.#members;
    const url = fields.isComposed
      ? this.#composedUrlOf(walker, fields)
      : fieldTextOf(walker, members, urlMember, field);
    if (typeof url !== "string") {
      if (url !== undefined && url !== null) this.#rejectObject(walker, start, part, url.code, url.message);
      else {
        const message = url === undefined ? "has no field" : "has no text in the field";
        const code = url === undefined ? "no-url-field" : "url-not-text";
        this.#rejectObject(walker, start, part, code, `${message} "${field.shown}"`);
      }
    } else if (this.#hasOtherHost(walker, url)) {
      this.#rejectObject(walker, start, part, otherHost.code, otherHost.message);
    } else if (members.has(takenMember)) {
      const key = utf8TextOf(this.#options.writer.resultKey);
      const message = `already has a member "${key}"; choose another name with ${optionText("resultKey")}`;
      this.#rejectObject(walker, start, part, "key-taken", message);
    } else if (this.#heads === undefined) {
      records.pushDecoded(start, walker.close, url);
      this.#packFields(walker, asked, records);
    } else {
      const texts = asked.map((each) => [each.name, fieldBytesOf(walker, members, each)] as const);
      const agent = asked.find(({ name }) => name === "agent");
      const noAgentField = agent !== undefined && lacksField(walker, members, agent) ? "1" : undefined;
      const head = this.#options.writer.headOfObject(walker, start);
      this.#heads.add(head, url, { ...Object.fromEntries(texts), noAgentField });
    }
  }

  /** Adds the reject of a line that is not an object, unless the line is blank. Returns the offset of the next line. */
  #rejectLine(walker: ObjectWalker, lineStart: number, start: number, part: Part): number {
    const { contentEnd, lineEndAt } = walker;
    if (lineEndAt - lineStart > this.#options.maxLineBytes) {
      this.#rejectTooLong(part, walker.text.slice(lineStart, lineEndAt));
    } else if (start < contentEnd) {
      const { code, message } = whyNoObject(walker, start, lineStart);
      this.#reject(part, code, message, walker.text.slice(start, contentEnd));
    }
    return lineEndAt + 1;
  }

  /** Adds the reject of an overlong line, whose beginning is the block. Returns the offset of the block's end. */
  #rejectBlock({ bytes, text }: Block, part: Part): number {
    this.#line++;
    this.#rejectTooLong(part, text);
    return bytes.length;
  }

  #rejectObject({ text, close }: ObjectWalker, start: number, part: Part, code: RejectCode, message: string): void {
    this.#reject(part, code, message, text.slice(start, close + 1));
  }

  #rejectTooLong(part: Part, raw: string): void {
    this.#reject(
      part,
      "too-long",
      `is longer than ${this.#options.maxLineBytes} bytes${optionMark("maxLineBytes")}`,
      raw,
    );
  }

  #reject({ rejects }: Part, code: RejectCode, message: string, raw: string): void {
    const { source, maxLineBytes } = this.#options;
    rejects.push({ source, line: this.#line, code, message, ...keptOf(code, raw, maxLineBytes) });
  }
}

/** The code and message of the reject for the last line of a walk, which is not a JSON object. `start`: offset after leading space. */
export function whyNoObject(walker: ObjectWalker, start: number, lineStart: number): Pick<Reject, "code" | "message"> {
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

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
