// Builds the heads of rows from the bytes of log lines, by copying fields. Lines whose fields cannot be copied are left to the log's
// parser.
import type { LogClock, LogFact } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-memo.ts";
import type { AskedField, FieldSpans, PackedRecords } from "../../records/packed.ts";
import type { RowHeads } from "../../records/row-heads.ts";
import { type Words, putBytes, putWords, wordsOf } from "../../records/words.ts";
import { Instants } from "./instants.ts";
import { LineFields, type LineFieldsOptions } from "./line-fields.ts";
import { endOfAddress, isMissing } from "./plain-fields.ts";
import { type RowShape, requestFacts } from "./row.ts";

export interface PlainRowsOptions extends Omit<LineFieldsOptions, "readsTime"> {
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

interface Member {
  readonly kind: number;
  readonly opening: Words;
  /** The index in `LineFields.places` of the start of the member's field. */
  readonly place: number;
}

const quote = 0x22;

/** Builds the heads of one log's rows. */
export class PlainRows {
  readonly #keepsLine: boolean;
  readonly #writesRows: boolean;
  readonly #asksAgent: boolean;
  readonly #asksTime: boolean;
  /** The fields that are stored after each head if the run needs them. */
  readonly #asked: readonly { readonly name: AskedField; readonly place: number; readonly hasPort: boolean }[];
  /** The records that the last fields were stored for, and their spans of the fields in `#asked`, in the same order. */
  #packed: PackedRecords | undefined;
  #spans: readonly FieldSpans[] = [];
  readonly #hasAgentMember: boolean;
  readonly #fields: LineFields;
  readonly #members: readonly Member[];
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
    const fields = new LineFields({ ...options, readsTime: asksTime || shape.facts.includes("time") });
    this.#fields = fields;
    this.#keepsLine = shape.keepsLine;
    this.#asksAgent = asksAgent;
    this.#asksTime = asksTime;
    const asked = asksRequest ? requestFacts : [];
    this.#asked = [
      ...asked.map((name) => ({ name, place: fields.placeOf(name), hasPort: false })),
      ...(asksAddress ? [{ name: "address" as const, place: fields.client, hasPort: fields.hasPort }] : []),
    ].filter(({ place }) => place >= 0);
    this.#writesRows = !asksRequest;
    this.#hasAgentMember = shape.facts.includes("userAgent");
    this.#urlOpening = wordsOf(`${openings[0]!}"`);
    this.#lineOpening = openings.at(-1)!;
    this.#members = shape.facts.flatMap((fact, index) => {
      const hasPort = fact === "client" && fields.hasPort;
      const kind = hasPort ? isAddress : kindOf(fact);
      const place = hasPort
        ? fields.client
        : kind === isTime
          ? fields.time
          : kind === isAgent
            ? fields.agent
            : fields.placeOf(fact);
      const opening = openings[index + 1]!;
      return place < 0 ? [] : [{ kind, place, opening: wordsOf(kind === isNumber ? opening : `${opening}"`) }];
    });
    this.#hasLocalTime = pattern.hasLocalTime === true;
    this.#instants = new Instants(logClock);
    const { headerOf } = pattern;
    this.#headers =
      headerOf === undefined
        ? undefined
        : new ByteMemo((field) => {
            const header = headerOf(field);
            return JSON.stringify(header).length === header.length + 2 ? wordsOf(header) : undefined;
          });
    this.#fixedBytes = 64 + openings.reduce((sum, opening) => sum + opening.length + 8, 0);
  }

  /**
   * Adds the record of the line at `start`. Returns the offset of the next line, or -1 when only the log's parser can read the line; no
   * record is added then.
   */
  take(bytes: Buffer, view: DataView, start: number, heads: RowHeads): number {
    const fields = this.#fields;
    const next = fields.find(bytes, view, start);
    if (next < 0) return -1;
    const { places } = fields;
    const origin = fields.beginning;
    const headerAt = fields.agent;
    const header =
      headerAt < 0 || this.#headers === undefined
        ? undefined
        : this.#headers.resultOf(bytes, places[headerAt]!, places[headerAt + 1]!);
    if (header === undefined && this.#headers !== undefined && headerAt >= 0) return -1;
    heads.makeRoom(this.#fixedBytes + origin.length + 2 * (next - start + (header?.length ?? 0)));
    const out = heads.view;
    const from = heads.to;
    const urlStart = putWords(this.#urlOpening, out, from);
    const urlEnd = fields.putTarget(bytes, view, out, putWords(origin, out, urlStart));
    out.setInt8(urlEnd, quote);
    let to = urlEnd + 1;
    let agentStart = 0;
    let agentEnd = 0;
    let timeStart = 0;
    let timeEnd = 0;
    const members = this.#members;
    for (let index = 0; index < members.length; index++) {
      const { kind, opening, place } = members[index]!;
      const fieldStart = places[place]!;
      const fieldEnd = places[place + 1]!;
      if (isMissing(bytes, fieldStart, fieldEnd)) {
        if (kind === isTime) return -1;
        continue;
      }
      const valueStart = putWords(opening, out, to);
      if (kind === isTime) {
        to = this.#putTime(bytes, view, places, place, out, valueStart);
        if (to < 0) return -1;
        timeStart = valueStart;
        timeEnd = to - 1;
        continue;
      }
      to =
        header !== undefined && kind === isAgent
          ? putWords(header, out, valueStart)
          : putBytes(
              view,
              fieldStart,
              kind === isAddress ? endOfAddress(bytes, fieldStart, fieldEnd) : fieldEnd,
              out,
              valueStart,
            );
      if (kind === isNumber) continue;
      if (kind === isAgent) {
        agentStart = valueStart;
        agentEnd = to;
      }
      out.setInt8(to++, quote);
    }
    heads.to = to;
    if (this.#keepsLine) this.#addLine(bytes, start, next, heads);
    const { packed } = heads;
    const headEnd = heads.to;
    if (this.#asksTime && fields.time >= 0 && timeEnd === 0) {
      // The row lacks the time, so the time is stored after the head.
      timeStart = headEnd;
      const after = this.#putTime(bytes, view, places, fields.time, heads.view, timeStart);
      if (after < 0) {
        heads.to = from;
        return -1;
      }
      timeEnd = after - 1;
      heads.to = after;
    }
    packed.push(from, this.#writesRows ? headEnd : from, urlStart, urlEnd);
    if (fields.host < 0 && origin.length > 0) packed.assumeOrigin();
    if (this.#asksTime && timeEnd > 0) packed.pushField("time", timeStart, timeEnd);
    if (this.#asked.length > 0) this.#keepFields(bytes, view, start, next, heads);
    if (fields.hasServerPath) packed.pushDecodedField("serverPath", "1");
    if (!this.#asksAgent) return next;
    if (headerAt < 0) {
      packed.pushDecodedField("noAgentField", "1");
      return next;
    }
    if (this.#hasAgentMember) {
      if (agentEnd > 0) packed.pushField("agent", agentStart, agentEnd);
    } else if (!isMissing(bytes, places[headerAt]!, places[headerAt + 1]!)) {
      // The row lacks the header, so the header is stored after the head.
      agentStart = heads.to;
      heads.to =
        header === undefined
          ? putBytes(view, places[headerAt]!, places[headerAt + 1]!, heads.view, agentStart)
          : putWords(header, heads.view, agentStart);
      packed.pushField("agent", agentStart, heads.to);
    }
    return next;
  }

  #putTime(bytes: Buffer, view: DataView, places: Int32Array, place: number, out: DataView, to: number): number {
    const { date } = this.#fields;
    const start = places[place]!;
    const end = places[place + 1]!;
    const instants = this.#instants;
    if (date < 0) return instants.putTime(bytes, view, start, end, out, to);
    const [dateStart, dateEnd] = [places[date]!, places[date + 1]!];
    return instants.putDateAndTime(bytes, view, dateStart, dateEnd, start, end, out, to, this.#hasLocalTime);
  }

  /** Stores the line after the head, and the spans of the requested fields in it. */
  #keepFields(bytes: Buffer, view: DataView, lineStart: number, next: number, heads: RowHeads): void {
    const { packed } = heads;
    const { places } = this.#fields;
    const asked = this.#asked;
    const shift = heads.to - lineStart;
    heads.to = putBytes(view, lineStart, next, heads.view, heads.to);
    if (packed !== this.#packed) {
      this.#packed = packed;
      this.#spans = asked.map(({ name }) => packed.spansOf(name));
    }
    for (let index = 0; index < asked.length; index++) {
      const { place, hasPort } = asked[index]!;
      const from = places[place]!;
      const end = hasPort ? endOfAddress(bytes, from, places[place + 1]!) : places[place + 1]!;
      if (isMissing(bytes, from, end)) continue;
      this.#spans[index]!.set(packed.count - 1, from + shift, end + shift);
    }
  }

  /** Adds the member with the whole line, without its line end, to the head. */
  #addLine(bytes: Buffer, start: number, next: number, heads: RowHeads): void {
    let end = next - 1;
    while (end > start && bytes[end - 1] === 0x0d) end--;
    const member = this.#lineOpening + JSON.stringify(bytes.toString("latin1", start, end));
    heads.makeRoom(member.length + 2 * (next - start));
    heads.to += heads.bytes.write(member, heads.to, "latin1");
  }
}

function kindOf(fact: LogFact): number {
  if (fact === "time") return isTime;
  if (fact === "userAgent") return isAgent;
  return fact === "status" || fact === "bytes" ? isNumber : isText;
}
