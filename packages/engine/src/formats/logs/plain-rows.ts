// Lines of a log as bytes in, the heads of their rows as bytes out: for lines whose fields can be copied, which most are.
import { type Base, type LogFact, type LogPattern, type PatternField, urlOf } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-memo.ts";
import type { AskedField } from "../../records/packed.ts";
import type { RowHeads } from "../../records/row-heads.ts";
import { type Words, putBytes, putWords, wordsOf } from "../../records/words.ts";
import { Instants } from "./instants.ts";
import { isMissing } from "./plain-fields.ts";
import type { RowShape } from "./row.ts";
import { LineScanner } from "./scan.ts";

/** The settings of building rows. */
export interface PlainRowsOptions {
  readonly pattern: LogPattern;
  readonly lineEnd: "\n" | "\r";
  readonly maxLineBytes: number;
  readonly base: Base | undefined;
  readonly shape: RowShape;
  /** The bytes before each member's value. */
  readonly openings: readonly string[];
  /** Whether the User-Agent header of each record is asked for. */
  readonly asksAgent: boolean;
  /** Whether the time of each record is asked for. */
  readonly asksTime: boolean;
  /** Whether the method, the status and the bytes of each request are asked for. */
  readonly asksRequest: boolean;
  /** Whether the client's address of each record is asked for. */
  readonly asksAddress: boolean;
}

// What a member's value is: a text that is copied, a number, a User-Agent header, a time.
const isText = 0;
const isNumber = 1;
const isAgent = 2;
const isTime = 3;

interface Member {
  readonly kind: number;
  readonly opening: Words;
  /** The place of its field in the scanner's places. */
  readonly place: number;
}

const quote = 0x22;
const questionMark = 0x3f;
const hash = 0x23;
const zero = 0x30;

/** Builds the heads of one log's rows. */
export class PlainRows {
  readonly #maxLineBytes: number;
  readonly #keepsLine: boolean;
  readonly #asksAgent: boolean;
  readonly #asksTime: boolean;
  /** Fields besides header and time that are kept behind the head, with their places. */
  readonly #asked: readonly { readonly name: AskedField; readonly place: number }[];
  /** Whether the row is without the time and its number is kept: where requests are asked for. */
  readonly #givesNumbers: boolean;
  /** The place of a client before ident and user whose address is asked for; -1 otherwise. */
  readonly #askedClient: number;
  readonly #hasAgentMember: boolean;
  readonly #scanner: LineScanner;
  readonly #members: readonly Member[];
  readonly #urlOpening: Words;
  readonly #lineOpening: string;
  /** The beginning of each URL, when no field has the host. */
  readonly #origin: Words;
  /** The beginning of a URL by the bytes of its host, for https, or the scheme that the host or the settings tell; and for http. */
  readonly #origins: ByteMemo<Words | undefined>;
  readonly #httpOrigins: ByteMemo<Words | undefined>;
  /** Headers by the bytes of their fields, when fields are not the headers themselves. */
  readonly #headers: ByteMemo<Words | undefined> | undefined;
  readonly #instants = new Instants();
  /** Bytes that every head may have in addition to the fields. */
  readonly #fixedBytes: number;
  // Places in the scanner's places; -1 for a field that the pattern does not have.
  readonly #host: number;
  readonly #scheme: number;
  readonly #client: number;
  readonly #target: number;
  readonly #query: number;
  readonly #agent: number;
  readonly #date: number;
  readonly #time: number;

  constructor({
    pattern,
    lineEnd,
    maxLineBytes,
    base,
    shape,
    openings,
    asksAgent,
    asksTime,
    asksRequest,
    asksAddress,
  }: PlainRowsOptions) {
    const placeOf = (field: PatternField): number => {
      const step = pattern.steps.findIndex((each) => each.field === field);
      return step < 0 ? -1 : step * 2;
    };
    this.#maxLineBytes = maxLineBytes;
    this.#keepsLine = shape.keepsLine;
    this.#asksAgent = asksAgent;
    this.#asksTime = asksTime;
    const requestFields = asksRequest ? (["method", "status", "bytes", "referer"] as const) : [];
    this.#asked = [
      ...requestFields.map((name) => ({ name, place: placeOf(name) })),
      ...(asksAddress ? [{ name: "address" as const, place: placeOf("client") }] : []),
    ].filter(({ place }) => place >= 0);
    const clientStep = pattern.steps.findIndex(({ field }) => field === "client");
    const hasIdent = clientStep >= 0 && pattern.steps[clientStep + 2]?.field === "user";
    this.#askedClient = asksAddress && hasIdent ? clientStep * 2 : -1;
    this.#hasAgentMember = shape.facts.includes("userAgent");
    this.#scanner = new LineScanner(pattern, lineEnd, { readsTime: shape.facts.includes("time") });
    this.#host = placeOf("host");
    this.#scheme = placeOf("scheme");
    this.#client = placeOf("client");
    this.#target = placeOf("target");
    this.#query = placeOf("query");
    this.#agent = placeOf("userAgent");
    this.#date = placeOf("date");
    this.#time = placeOf(this.#date >= 0 ? "timeOfDay" : "time");
    this.#givesNumbers = asksRequest && asksTime && this.#time >= 0 && this.#date < 0 && !shape.facts.includes("time");
    this.#urlOpening = wordsOf(`${openings[0]!}"`);
    this.#lineOpening = openings.at(-1)!;
    this.#members = shape.facts.flatMap((fact, index) => {
      const kind = kindOf(fact);
      const place = kind === isTime && this.#date >= 0 ? placeOf("timeOfDay") : placeOf(fact);
      const opening = openings[index + 1]!;
      return place < 0 ? [] : [{ kind, place, opening: wordsOf(kind === isNumber ? opening : `${opening}"`) }];
    });
    const originOf = (host: string, scheme: "http" | "https" | undefined): Words | undefined => {
      const named = pattern.originOf?.(host);
      if (named === undefined) return undefined;
      const beginning = beginningOf({ scheme: scheme ?? named.scheme, host: named.host }, base);
      return beginning === undefined ? undefined : wordsOf(beginning);
    };
    const hasScheme = this.#scheme >= 0;
    this.#origins = new ByteMemo((host) => originOf(host, hasScheme ? "https" : undefined));
    this.#httpOrigins = new ByteMemo((host) => originOf(host, "http"));
    this.#origin = wordsOf(beginningOf({ scheme: undefined, host: undefined }, base) ?? "");
    const { headerOf } = pattern;
    this.#headers =
      headerOf === undefined
        ? undefined
        : new ByteMemo((field) => {
            const header = headerOf(field);
            return JSON.stringify(header).length === header.length + 2 ? wordsOf(header) : undefined;
          });
    this.#fixedBytes = 64 + openings.reduce((sum, opening) => sum + opening.length + 8, 0) + this.#origin.length;
  }

  /** Whether any line of the pattern can be read: a URL needs a host. */
  static canRead(pattern: LogPattern, base: Base | undefined): boolean {
    return base !== undefined || pattern.steps.some(({ field }) => field === "host");
  }

  /**
   * Adds the record of the line at `start`. Returns the offset of the next line, or -1 when the line is for the log's parser; then
   * nothing was added.
   */
  take(bytes: Buffer, view: DataView, start: number, heads: RowHeads): number {
    if (bytes[start] === hash) return -1;
    const next = this.#scanner.scan(bytes, view, start);
    if (next < 0 || next - 1 - start > this.#maxLineBytes) return -1;
    const { places } = this.#scanner;
    if (this.#askedClient >= 0 && !hasNoIdent(bytes, places[this.#askedClient + 1]!)) return -1;
    const origin = this.#originOf(bytes, places);
    const headerAt = this.#agent;
    const header =
      headerAt < 0 || this.#headers === undefined
        ? undefined
        : this.#headers.resultOf(bytes, places[headerAt]!, places[headerAt + 1]!);
    if (origin === undefined || (header === undefined && this.#headers !== undefined && headerAt >= 0)) return -1;
    heads.makeRoom(this.#fixedBytes + origin.length + 2 * (next - start + (header?.length ?? 0)));
    const out = heads.view;
    const from = heads.to;
    const urlStart = putWords(this.#urlOpening, out, from);
    const urlEnd = this.#putTarget(bytes, view, places, out, putWords(origin, out, urlStart));
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
          : putBytes(view, fieldStart, fieldEnd, out, valueStart);
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
    let timeMs = Number.NaN;
    if (this.#givesNumbers) {
      timeMs = this.#instants.msOfAccessTime(bytes, view, places[this.#time]!, places[this.#time + 1]!);
      if (Number.isNaN(timeMs)) {
        heads.to = from;
        return -1;
      }
    } else if (this.#asksTime && this.#time >= 0 && timeEnd === 0) {
      // The row is without the time: it is kept behind the head.
      timeStart = headEnd;
      const after = this.#putTime(bytes, view, places, this.#time, heads.view, timeStart);
      if (after < 0) {
        heads.to = from;
        return -1;
      }
      timeEnd = after - 1;
      heads.to = after;
    }
    packed.push(from, headEnd, urlStart, urlEnd);
    if (this.#host < 0) packed.assumedOrigins++;
    if (this.#givesNumbers) packed.pushNumber("time", timeMs);
    else if (this.#asksTime && timeEnd > 0) packed.pushField("time", timeStart, timeEnd);
    if (this.#asked.length > 0) this.#keepFields(bytes, view, places, heads);
    if (!this.#asksAgent || headerAt < 0) return next;
    if (this.#hasAgentMember) {
      if (agentEnd > 0) packed.pushAgent(agentStart, agentEnd);
    } else if (!isMissing(bytes, places[headerAt]!, places[headerAt + 1]!)) {
      // The row is without the header: it is kept behind the head.
      agentStart = heads.to;
      heads.to =
        header === undefined
          ? putBytes(view, places[headerAt]!, places[headerAt + 1]!, heads.view, agentStart)
          : putWords(header, heads.view, agentStart);
      packed.pushAgent(agentStart, heads.to);
    }
    return next;
  }

  /** The beginning of the line's URL; undefined when the parser has to find it. */
  #originOf(bytes: Buffer, places: Int32Array): Words | undefined {
    const host = this.#host;
    if (host < 0) return this.#origin;
    // A line without a client may begin with the host or with the client.
    const client = this.#client;
    if (client >= 0 && isMissing(bytes, places[client]!, places[client + 1]!) && this.#date < 0) return undefined;
    const scheme = this.#scheme;
    const isHttp = scheme >= 0 && places[scheme + 1]! - places[scheme]! === 4;
    return (isHttp ? this.#httpOrigins : this.#origins).resultOf(bytes, places[host]!, places[host + 1]!);
  }

  #putTarget(bytes: Buffer, view: DataView, places: Int32Array, out: DataView, from: number): number {
    const target = this.#target;
    const to = putBytes(view, places[target]!, places[target + 1]!, out, from);
    const query = this.#query;
    if (query < 0 || isMissing(bytes, places[query]!, places[query + 1]!)) return to;
    out.setInt8(to, questionMark);
    return putBytes(view, places[query]!, places[query + 1]!, out, to + 1);
  }

  #putTime(bytes: Buffer, view: DataView, places: Int32Array, place: number, out: DataView, to: number): number {
    const date = this.#date;
    const start = places[place]!;
    const end = places[place + 1]!;
    if (date < 0) return this.#instants.putAccessTime(bytes, view, start, end, out, to);
    return this.#instants.putDateAndTime(bytes, view, places[date]!, places[date + 1]!, start, end, out, to);
  }

  /** Keeps the asked fields that the line has: numbers as numbers, others behind the head. */
  #keepFields(bytes: Buffer, view: DataView, places: Int32Array, heads: RowHeads): void {
    for (const { name, place } of this.#asked) {
      if (isMissing(bytes, places[place]!, places[place + 1]!)) continue;
      if (name === "status" || name === "bytes") {
        heads.packed.pushNumber(name, numberOf(bytes, places[place]!, places[place + 1]!));
        continue;
      }
      const start = heads.to;
      heads.to = putBytes(view, places[place]!, places[place + 1]!, heads.view, start);
      heads.packed.pushField(name, start, heads.to);
    }
  }

  /** Adds the line, without its line end. */
  #addLine(bytes: Buffer, start: number, next: number, heads: RowHeads): void {
    let end = next - 1;
    while (end > start && bytes[end - 1] === 0x0d) end--;
    const member = this.#lineOpening + JSON.stringify(bytes.toString("latin1", start, end));
    heads.makeRoom(member.length + 2 * (next - start));
    heads.to += heads.bytes.write(member, heads.to, "latin1");
  }
}

/** The number of a field of up to 15 digits, as the scanner found it. */
function numberOf(bytes: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + bytes[at]! - zero;
  return number;
}

function kindOf(fact: LogFact): number {
  if (fact === "time") return isTime;
  if (fact === "userAgent") return isAgent;
  return fact === "status" || fact === "bytes" ? isNumber : isText;
}

/** The beginning of the URLs of a host, before the path; undefined without a host, or for a text that is none. */
function beginningOf(
  origin: { readonly scheme: "http" | "https" | undefined; readonly host: string | undefined },
  base: Base | undefined,
): string | undefined {
  const url = urlOf({ ...origin, target: "/" }, base);
  return typeof url === "string" ? url.slice(0, -1) : undefined;
}

const space = 0x20;
const dash = 0x2d;

/** Whether ident is "-" after a client that ends at `end`. Otherwise the client may be one of X-Forwarded-For: the parser tells. */
function hasNoIdent(bytes: Buffer, end: number): boolean {
  return bytes[end + 1] === dash && bytes[end + 2] === space;
}
