// Builds the heads of rows from the bytes of log lines, by copying fields. Lines whose fields cannot be copied are left to the log's
// parser.
import type { LogClock, LogFact } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-keys.ts";
import type { AskedField, FieldSpans, PackedRecords } from "../../records/packed.ts";
import type { RowHeads } from "../../records/row-heads.ts";
import { putBytes, putWords, type Words, wordsOf } from "../../records/words.ts";
import { Instants } from "./instants.ts";
import { LineFields, type LineFieldsOptions } from "./line-fields.ts";
import { endOfAddress, isMissing } from "./plain-fields.ts";
import { requestFacts, type RowShape } from "./row.ts";

export interface PlainRowsOptions extends LineFieldsOptions {
  readonly shape: RowShape;
  /** The bytes before each member's value, by the index of the member in a row. */
  readonly openings: readonly string[];
  /** Whether the run needs the User-Agent header of each record. */
  readonly asksAgent: boolean;
  /** Whether the run needs the time of each record. */
  readonly asksTime: boolean;
  /** Whether the run needs the client's address of each record. */
  readonly asksAddress: boolean;
  /** The clock that wrote times without a zone. */
  readonly logClock?: LogClock | undefined;
  /** Whether the run needs the method, status, bytes and Referer header of each record, and writes no rows. */
  readonly asksRequest: boolean;
}

// The kinds of a member's value: a copied text, a number, a User-Agent header, a time, the address in a field with an address and a port.
const isText = 0;
const isNumber = 1;
const isAgent = 2;
const isTime = 3;
const isAddress = 4;

/** A field of the line that is copied to the row, or stored after the head. */
interface CopiedField {
  readonly kind: number;
  /** The index in `LineFields.places` of the field's start. */
  readonly place: number;
}

/** A member of the row, with the bytes before its value. */
interface Member extends CopiedField {
  readonly opening: Words;
}

/** A field that the run needs. A time without a name is only tested. */
interface Asked extends CopiedField {
  readonly name: AskedField | undefined;
}

const quote = 0x22;

/** Builds the heads of one log's rows. */
export class PlainRows {
  readonly #keepsLine: boolean;
  readonly #writesRows: boolean;
  readonly #asksAgent: boolean;
  readonly #fields: LineFields;
  readonly #members: readonly Member[];
  /** The fields that are stored after each head. */
  readonly #asked: readonly Asked[];
  /** The records that the last fields were stored for, and their spans of the fields in `#asked`, in the same order. */
  #packed: PackedRecords | undefined;
  #spans: readonly (FieldSpans | undefined)[] = [];
  readonly #urlOpening: Words;
  readonly #lineOpening: string;
  readonly #hasLocalTime: boolean;
  /** User-Agent headers by the bytes of their fields, for a log whose fields are not the headers themselves (`LogPattern.headerOf`). */
  readonly #headers: ByteMemo<Words | undefined> | undefined;
  readonly #instants: Instants;
  /** Maximum number of bytes of a head in addition to the origin and the fields of the line. */
  readonly #fixedBytes: number;

  constructor({
    shape,
    openings,
    asksAgent,
    asksTime,
    asksAddress,
    asksRequest,
    logClock,
    ...options
  }: PlainRowsOptions) {
    const { pattern } = options;
    const fields = new LineFields(options);
    this.#fields = fields;
    this.#keepsLine = shape.keepsLine;
    this.#asksAgent = asksAgent;
    this.#writesRows = !asksRequest;
    this.#urlOpening = wordsOf(`${openings[0]!}"`);
    this.#lineOpening = openings.at(-1)!;
    const fieldOf = (fact: LogFact): CopiedField => ({ kind: kindOf(fact, fields), place: placeOf(fact, fields) });
    this.#members = shape.facts
      .map((fact, index) => ({ ...fieldOf(fact), opening: openings[index + 1]! }))
      .filter(({ place }) => place >= 0)
      .map((member) => {
        return { ...member, opening: wordsOf(member.kind === isNumber ? member.opening : `${member.opening}"`) };
      });
    const time = asksTime ? [{ ...fieldOf("time"), name: "time" as const }] : [];
    // The scanner of text does not test the time, so that each time is read.
    const isRead = asksTime || shape.facts.includes("time") || pattern.members !== undefined;
    const tested = isRead ? [] : [{ ...fieldOf("time"), name: undefined }];
    this.#asked = [
      ...time,
      ...tested,
      ...(asksRequest ? requestFacts : []).map((name) => ({ ...fieldOf(name), name })),
      ...(asksAddress ? [{ ...fieldOf("client"), name: "address" as const }] : []),
      ...(asksAgent ? [{ ...fieldOf("userAgent"), name: "agent" as const }] : []),
    ].filter(({ place }) => place >= 0);
    this.#hasLocalTime = pattern.hasLocalTime === true;
    this.#instants = new Instants(logClock);
    const { headerOf } = pattern;
    this.#headers =
      headerOf === undefined || fields.agent < 0
        ? undefined
        : new ByteMemo((field) => {
            const header = headerOf(field);
            return JSON.stringify(header).length === header.length + 2 ? wordsOf(header) : undefined;
          });
    this.#fixedBytes = 128 + openings.reduce((sum, opening) => sum + opening.length + 8, 0);
  }

  /**
   * Adds the record of the line at `start`. Returns the offset of the next line, or -1 when only the log's parser can read the line; no
   * record is added then.
   */
  take(bytes: Buffer, view: DataView, start: number, heads: RowHeads): number {
    const fields = this.#fields;
    const next = fields.find(bytes, view, start);
    if (next < 0) return -1;
    const { places, agent } = fields;
    const origin = fields.beginning;
    const header = this.#headers?.resultOf(bytes, places[agent]!, places[agent + 1]!);
    if (header === undefined && this.#headers !== undefined) return -1;
    heads.makeRoom(this.#fixedBytes + origin.length + 3 * (next - start) + 2 * (header?.length ?? 0));
    const out = heads.view;
    const from = heads.to;
    const urlStart = putWords(this.#urlOpening, out, from);
    const urlEnd = fields.putTarget(bytes, view, out, putWords(origin, out, urlStart));
    out.setInt8(urlEnd, quote);
    let to = urlEnd + 1;
    const members = this.#members;
    for (let index = 0; index < members.length; index++) {
      const member = members[index]!;
      const { kind, opening, place } = member;
      if (kind !== isTime && isMissing(bytes, places[place]!, places[place + 1]!)) continue;
      to = this.#put(bytes, view, member, header, out, putWords(opening, out, to));
      if (to < 0) return -1;
      if (kind !== isNumber) out.setInt8(to++, quote);
    }
    heads.to = to;
    if (this.#keepsLine) this.#addLine(bytes, start, next, heads);
    const { packed } = heads;
    const headEnd = this.#writesRows ? heads.to : from;
    if (!this.#keepFields(bytes, view, header, heads)) {
      heads.to = from;
      return -1;
    }
    packed.push(from, headEnd, urlStart, urlEnd);
    if (fields.host < 0 && origin.length > 0) packed.assumeOrigin();
    if (fields.hasServerPath) packed.pushDecodedField("serverPath", "1");
    if (this.#asksAgent && (agent < 0 || fields.lacksAgents)) packed.pushDecodedField("noAgentField", "1");
    return next;
  }

  /**
   * Writes the value of a field to `out` at `to`, and returns the offset after it; -1 for a time that only the parser can read. `header`: the
   * User-Agent header of a log with `#headers`.
   */
  #put(
    bytes: Buffer,
    view: DataView,
    { kind, place }: CopiedField,
    header: Words | undefined,
    out: DataView,
    to: number,
  ): number {
    const { places, date } = this.#fields;
    const start = places[place]!;
    const end = places[place + 1]!;
    if (kind === isAgent && header !== undefined) return putWords(header, out, to);
    if (kind === isAddress) return putBytes(view, start, endOfAddress(bytes, start, end), out, to);
    if (kind !== isTime) return putBytes(view, start, end, out, to);
    if (date < 0) return this.#instants.putTime(bytes, view, start, end, out, to);
    const [dateStart, dateEnd] = [places[date]!, places[date + 1]!];
    return this.#instants.putDateAndTime(view, dateStart, dateEnd, start, end, out, to, this.#hasLocalTime);
  }

  /** Stores the requested fields of the next record after its head. Returns false for a time that only the parser can read. */
  #keepFields(bytes: Buffer, view: DataView, header: Words | undefined, heads: RowHeads): boolean {
    const { packed } = heads;
    const { places } = this.#fields;
    const asked = this.#asked;
    if (packed !== this.#packed) {
      this.#packed = packed;
      this.#spans = asked.map(({ name }) => (name === undefined ? undefined : packed.spansOf(name)));
    }
    for (let index = 0; index < asked.length; index++) {
      const field = asked[index]!;
      const { kind, place } = field;
      if (kind !== isTime && isMissing(bytes, places[place]!, places[place + 1]!)) continue;
      const start = heads.to;
      const end = this.#put(bytes, view, field, header, heads.view, start);
      // A time precedes the other fields, so none of them is stored.
      if (end < 0) return false;
      const spans = this.#spans[index];
      if (spans === undefined) continue;
      spans.set(packed.count, start, end);
      heads.to = end;
    }
    return true;
  }

  /** Adds the member with the whole line, without its line end, to the head. */
  #addLine(bytes: Buffer, start: number, next: number, heads: RowHeads): void {
    let end = next - 1;
    while (end > start && bytes[end - 1] === 0x0d) end--;
    const member = this.#lineOpening + JSON.stringify(bytes.toString("latin1", start, end));
    heads.makeRoom(this.#fixedBytes + member.length + 2 * (next - start));
    heads.to += heads.bytes.write(member, heads.to, "latin1");
  }
}

function kindOf(fact: LogFact, { hasPort }: LineFields): number {
  if (fact === "time") return isTime;
  if (fact === "userAgent") return isAgent;
  if (fact === "client" && hasPort) return isAddress;
  return fact === "status" || fact === "bytes" ? isNumber : isText;
}

function placeOf(fact: LogFact, fields: LineFields): number {
  if (fact === "time") return fields.time;
  if (fact === "userAgent") return fields.agent;
  return fact === "client" ? fields.client : fields.placeOf(fact);
}
