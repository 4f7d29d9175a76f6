// Builds the heads of rows from the bytes of log lines, by copying fields. Lines whose fields cannot be copied are left to the log's
// parser.
import type { LogFact } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-keys.ts";
import { type AskedField, type FieldSpans, inSeconds, type PackedRecords } from "../../records/packed.ts";
import type { RowHeads } from "../../records/row-heads.ts";
import { putBytes, putWords, type Words, wordsOf } from "../../records/words.ts";
import type { ReadOptions } from "../input-format.ts";
import { Instants } from "./instants.ts";
import { LineFields, type LineFieldsOptions } from "./line-fields.ts";
import { endOfAddress, isMissing } from "./plain-fields.ts";
import { asksAddress, requestFacts, type RowShape } from "./row.ts";

export interface PlainRowsOptions
  extends LineFieldsOptions, Pick<ReadOptions, "agentField" | "time" | "texts" | "asksRequest" | "logClock"> {
  readonly shape: RowShape;
  /** The bytes before each member's value, by the index of the member in a row. */
  readonly openings: readonly string[];
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

/** A field that the run needs. */
interface Asked extends CopiedField {
  readonly name: AskedField;
}

const quote = 0x22;
/** The last second that fits in a span, in 2038. */
const mostSeconds = 0x7fff_ffff;

/** Builds the heads of one log's rows. */
export class PlainRows {
  readonly #keepsLine: boolean;
  readonly #writesRows: boolean;
  readonly #asksAgent: boolean;
  readonly #fields: LineFields;
  readonly #members: readonly Member[];
  readonly #asksTime: boolean;
  /** Whether the time is at least tested, because no member has it: the scanner of text does not test it. */
  readonly #readsTime: boolean;
  /** The fields that the run needs in addition to the time. */
  readonly #asked: readonly Asked[];
  /** The records that the last fields were stored for; their spans of the fields in `#asked`, in the same order, and of the time. */
  #packed: PackedRecords | undefined;
  #spans: readonly FieldSpans[] = [];
  #times: FieldSpans | undefined;
  readonly #urlOpening: Words;
  readonly #lineOpening: string;
  readonly #hasLocalTime: boolean;
  /** User-Agent headers by the bytes of their fields, for a log whose fields are not the headers themselves (`LogPattern.headerOf`). */
  readonly #headers: ByteMemo<Words | undefined> | undefined;
  readonly #instants: Instants;
  /** Maximum number of bytes of a head in addition to the origin and the fields of the line. */
  readonly #fixedBytes: number;

  constructor(options: PlainRowsOptions) {
    const { pattern, shape, openings, texts, asksRequest = false, logClock } = options;
    const asksTime = options.time !== undefined;
    const fields = new LineFields(options);
    this.#fields = fields;
    this.#keepsLine = shape.keepsLine;
    this.#asksAgent = options.agentField !== undefined;
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
    const hasTime = fields.time >= 0;
    this.#asksTime = asksTime && hasTime;
    const isTested = shape.facts.includes("time") || pattern.members !== undefined;
    this.#readsTime = hasTime && (asksTime || !isTested);
    this.#asked = [
      ...(asksRequest ? requestFacts : []).map((name) => ({ ...fieldOf(name), name })),
      ...(asksAddress(texts) ? [{ ...fieldOf("client"), name: "address" as const }] : []),
      ...(this.#asksAgent ? [{ ...fieldOf("userAgent"), name: "agent" as const }] : []),
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
    if (packed !== this.#packed) {
      this.#packed = packed;
      this.#spans = this.#asked.map(({ name }) => packed.spansOf(name));
      this.#times = this.#asksTime ? packed.spansOf("time") : undefined;
    }
    const headEnd = this.#writesRows ? heads.to : from;
    if (this.#readsTime && !this.#keepTime(bytes, view, heads)) {
      heads.to = from;
      return -1;
    }
    this.#keepFields(bytes, header, heads);
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
    const { places } = this.#fields;
    const start = places[place]!;
    const end = places[place + 1]!;
    if (kind === isTime) return this.#putTime(bytes, view, out, to);
    if (kind === isAgent && header !== undefined) return putWords(header, out, to);
    return putBytes(view, start, kind === isAddress ? endOfAddress(bytes, start, end) : end, out, to);
  }

  /** Writes the instant of the line's time as `#put` does. */
  #putTime(bytes: Buffer, view: DataView, out: DataView, to: number): number {
    const { places, date, time } = this.#fields;
    const instants = this.#instants;
    if (date < 0) return instants.putTime(bytes, view, places[time]!, places[time + 1]!, out, to);
    return instants.putTime(instants.joined, instants.joinedView, 0, this.#join(view), out, to);
  }

  /** The line's time in whole seconds since 1970; -1 for a time that has to be stored as a text. */
  #secondsOf(bytes: Buffer, view: DataView): number {
    const { places, date, time } = this.#fields;
    const instants = this.#instants;
    if (date < 0) return instants.secondsOf(bytes, view, places[time]!, places[time + 1]!);
    return instants.secondsOf(instants.joined, instants.joinedView, 0, this.#join(view));
  }

  #join(view: DataView): number {
    const { places, date, time } = this.#fields;
    return this.#instants.join(
      view,
      places[date]!,
      places[date + 1]!,
      places[time]!,
      places[time + 1]!,
      this.#hasLocalTime,
    );
  }

  /** Stores the time of the next record, unless it is only tested. Returns false for a time that only the parser can read. */
  #keepTime(bytes: Buffer, view: DataView, heads: RowHeads): boolean {
    const { packed } = heads;
    const seconds = this.#writesRows ? -1 : this.#secondsOf(bytes, view);
    if (seconds >= 0 && seconds <= mostSeconds) {
      this.#times?.set(packed.count, inSeconds, seconds);
      return true;
    }
    const end = this.#putTime(bytes, view, heads.view, heads.to);
    if (end < 0 || this.#times === undefined) return end >= 0;
    this.#times.set(packed.count, heads.to, end);
    heads.to = end;
    return true;
  }

  /** Stores the requested fields of the next record: ranges of the block, whose bytes `heads` begins with. */
  #keepFields(bytes: Buffer, header: Words | undefined, heads: RowHeads): void {
    const { packed } = heads;
    const { places } = this.#fields;
    const asked = this.#asked;
    for (let index = 0; index < asked.length; index++) {
      const { kind, place } = asked[index]!;
      const start = places[place]!;
      const end = places[place + 1]!;
      if (isMissing(bytes, start, end)) continue;
      const spans = this.#spans[index]!;
      if (kind === isAgent && header !== undefined) {
        const to = putWords(header, heads.view, heads.to);
        spans.set(packed.count, heads.to, to);
        heads.to = to;
      } else spans.set(packed.count, start, kind === isAddress ? endOfAddress(bytes, start, end) : end);
    }
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
