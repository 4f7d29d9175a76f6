// Lines of a log as bytes in, the heads of their rows as bytes out: for lines whose fields can be copied, which most are.
import { type Base, type HostBases, type LogFact, type LogPattern, type PatternField } from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-memo.ts";
import type { AskedField } from "../../records/packed.ts";
import type { RowHeads } from "../../records/row-heads.ts";
import { type Words, firstPlaceOf, putBytes, putWords, wordsOf } from "../../records/words.ts";
import { CapturedHeaders } from "./captured.ts";
import { Instants } from "./instants.ts";
import { endOfAddress, isMissing, isUrl } from "./plain-fields.ts";
import type { RowShape } from "./row.ts";
import { LineScanner } from "./scan.ts";
import { wordsOfOrigin } from "./origin-words.ts";

/** The settings of building rows. */
export interface PlainRowsOptions {
  readonly pattern: LogPattern;
  readonly lineEnd: "\n" | "\r";
  readonly maxLineBytes: number;
  readonly base: Base | undefined;
  readonly hostBases: HostBases | undefined;
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

// What a member's value is: a text that is copied, a number, a User-Agent header, a time, the address of an address with a port.
const isText = 0;
const isNumber = 1;
const isAgent = 2;
const isTime = 3;
const isAddress = 4;

/** The scheme that a field of a line tells; "none" when no field does. */
type Scheme = "http" | "https" | "none";

interface Member {
  readonly kind: number;
  readonly opening: Words;
  /** The place of its field in the scanner's places. */
  readonly place: number;
}

const quote = 0x22;
const questionMark = 0x3f;
const hash = 0x23;
/** "#" in each byte of a word. */
const hashes = 0x23232323;
const slash = 0x2f;
const bar = 0x7c;
/** Most fields that the prefix `web-1  | ` is taken for: a name, nothing, the bar. */
const prefixFields = 4;
/** "http" as a word whose first byte is the lowest. */
const httpWord = 0x70747468;
/** Fields that a client chooses, as far as they are read. */
const mayBeEscaped = ["target", "query", "markedQuery", "host", "captures", "userAgent", "referer"] as const;
/** The beginning of a URL whose target is a URL itself. */
const noWords = wordsOf("");

/** Builds the heads of one log's rows. */
export class PlainRows {
  readonly #maxLineBytes: number;
  readonly #keepsLine: boolean;
  readonly #asksAgent: boolean;
  readonly #asksTime: boolean;
  /** Fields besides header and time that are kept behind the head, with their places. */
  readonly #asked: readonly { readonly name: AskedField; readonly place: number; readonly hasPort: boolean }[];
  readonly #hasAgentMember: boolean;
  readonly #scanner: LineScanner;
  readonly #members: readonly Member[];
  readonly #urlOpening: Words;
  readonly #lineOpening: string;
  /** Where no field has the host, the beginning of each URL; undefined without `--base`. By the scheme that a field tells. */
  readonly #assumed: Readonly<Record<Scheme, Words | undefined>>;
  /** The beginning of a URL by the bytes of its host, by the scheme that a field tells. */
  readonly #origins: Readonly<Record<Scheme, ByteMemo<Words | undefined>>>;
  /** The scheme that the bytes of a field tell. */
  readonly #schemes: ByteMemo<Scheme>;
  readonly #needsClient: boolean;
  /** Places of the ends of the first words, of which one may be the bar of a prefix that docker compose writes. */
  readonly #firstEnds: readonly number[];
  /** Whether origins are given for hosts: the parser finds those of absolute targets. */
  readonly #hasHostBases: boolean;
  /** Captured headers, whose host and agent then have places of their own after those of the pattern. */
  readonly #captures: number;
  readonly #captured: CapturedHeaders;
  readonly #hasLocalTime: boolean;
  /** Places of the fields in which a "#" may be an escape, so that the line is for the parser. */
  readonly #escaped: readonly number[];
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
  readonly #hasMark: boolean;
  readonly #agent: number;
  readonly #date: number;
  readonly #time: number;

  constructor({
    pattern,
    lineEnd,
    maxLineBytes,
    base,
    hostBases,
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
    const clientAt = Math.max(placeOf("client"), placeOf("clientAndPort"));
    const requestFields = asksRequest ? (["method", "status", "bytes", "referer"] as const) : [];
    this.#asked = [
      ...requestFields.map((name) => ({ name, place: placeOf(name), hasPort: false })),
      ...(asksAddress ? [{ name: "address" as const, place: clientAt, hasPort: placeOf("client") < 0 }] : []),
    ].filter(({ place }) => place >= 0);
    this.#hasAgentMember = shape.facts.includes("userAgent");
    this.#scanner = new LineScanner(pattern, lineEnd, { readsTime: shape.facts.includes("time") });
    this.#captures = placeOf("captures");
    const capturedHostAt = this.#captures < 0 ? -1 : pattern.steps.length * 2;
    this.#host = Math.max(placeOf("host"), placeOf("host") < 0 ? capturedHostAt : -1);
    this.#agent = this.#captures < 0 ? placeOf("userAgent") : capturedHostAt + 2;
    this.#scheme = placeOf("scheme");
    this.#client = clientAt;
    this.#target = placeOf("target");
    this.#hasMark = placeOf("markedQuery") >= 0;
    this.#query = placeOf(this.#hasMark ? "markedQuery" : "query");
    this.#date = placeOf("date");
    this.#time = placeOf(this.#date >= 0 ? "timeOfDay" : "time");
    this.#urlOpening = wordsOf(`${openings[0]!}"`);
    this.#lineOpening = openings.at(-1)!;
    this.#members = shape.facts.flatMap((fact, index) => {
      const hasPort = fact === "client" && placeOf("client") < 0;
      const kind = hasPort ? isAddress : kindOf(fact);
      const place = hasPort
        ? this.#client
        : kind === isTime
          ? this.#time
          : kind === isAgent
            ? this.#agent
            : placeOf(fact);
      const opening = openings[index + 1]!;
      return place < 0 ? [] : [{ kind, place, opening: wordsOf(kind === isNumber ? opening : `${opening}"`) }];
    });
    const memoOf = (scheme: "http" | "https" | undefined): ByteMemo<Words | undefined> =>
      new ByteMemo((host) => {
        const named = pattern.originOf?.(host);
        return named === undefined ? undefined : wordsOfOrigin(scheme ?? named.scheme, named.host, base, hostBases);
      });
    this.#origins = { http: memoOf("http"), https: memoOf("https"), none: memoOf(undefined) };
    this.#assumed = {
      http: wordsOfOrigin("http", undefined, base),
      https: wordsOfOrigin("https", undefined, base),
      none: wordsOfOrigin(undefined, undefined, base),
    };
    this.#schemes = new ByteMemo((field) => pattern.schemeOf?.(field) ?? "none");
    this.#captured = new CapturedHeaders(pattern);
    this.#hasHostBases = hostBases !== undefined;
    const words = pattern.steps.findIndex(({ end }) => !/^ +$/.test(end));
    this.#firstEnds = pattern.steps.slice(1, Math.min(words, prefixFields)).map((_step, index) => index * 2 + 3);
    this.#needsClient = pattern.needsClient === true;
    this.#hasLocalTime = pattern.hasLocalTime === true;
    this.#escaped = (pattern.hasHashEscapes === true ? mayBeEscaped : []).map(placeOf).filter((place) => place >= 0);
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
   * Adds the record of the line at `start`. Returns the offset of the next line, or -1 when the line is for the log's parser; then
   * nothing was added.
   */
  take(bytes: Buffer, view: DataView, start: number, heads: RowHeads): number {
    if (bytes[start] === hash) return -1;
    const next = this.#scanner.scan(bytes, view, start);
    if (next < 0 || next - 1 - start > this.#maxLineBytes) return -1;
    const { places } = this.#scanner;
    const firstEnds = this.#firstEnds;
    for (let index = 0; index < firstEnds.length; index++) {
      if (bytes[places[firstEnds[index]!]! - 1] === bar) return -1;
    }
    const escaped = this.#escaped;
    for (let index = 0; index < escaped.length; index++) {
      const place = escaped[index]!;
      if (firstPlaceOf(hashes, view, places[place]!, places[place + 1]!) < places[place + 1]!) return -1;
    }
    if (this.#captures >= 0) this.#captured.find(bytes, view, places, this.#captures);
    const origin = this.#originOf(bytes, view, places);
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
    if (this.#asksTime && this.#time >= 0 && timeEnd === 0) {
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
    if (this.#host < 0 && origin.length > 0) packed.assumedOrigins++;
    if (this.#asksTime && timeEnd > 0) packed.pushField("time", timeStart, timeEnd);
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

  /** The beginning of the line's URL, which a target that is a URL has itself; undefined when the parser has to find it. */
  #originOf(bytes: Buffer, view: DataView, places: Int32Array): Words | undefined {
    const client = this.#client;
    if (this.#needsClient && client >= 0 && isMissing(bytes, places[client]!, places[client + 1]!)) return undefined;
    const target = this.#target;
    const host = this.#host;
    const scheme = this.#schemeOf(bytes, view, places);
    if (bytes[places[target]!] !== slash && isUrl(bytes, view, places[target]!, places[target + 1]!)) {
      if (this.#hasHostBases) return undefined;
      // An address in the place of the host is a client: the parser tells which.
      const isHost = host < 0 || this.#origins[scheme].resultOf(bytes, places[host]!, places[host + 1]!) !== undefined;
      return isHost ? noWords : undefined;
    }
    if (host < 0) return this.#assumed[scheme];
    return this.#origins[scheme].resultOf(bytes, places[host]!, places[host + 1]!);
  }

  #schemeOf(bytes: Buffer, view: DataView, places: Int32Array): Scheme {
    const scheme = this.#scheme;
    if (scheme < 0) return "none";
    const start = places[scheme]!;
    const end = places[scheme + 1]!;
    // Most are one of these.
    if (end - start === 5 && view.getInt32(start, true) === httpWord && bytes[start + 4] === 0x73) return "https";
    return this.#schemes.resultOf(bytes, start, end);
  }

  #putTarget(bytes: Buffer, view: DataView, places: Int32Array, out: DataView, from: number): number {
    const target = this.#target;
    const to = putBytes(view, places[target]!, places[target + 1]!, out, from);
    const query = this.#query;
    if (query < 0 || isMissing(bytes, places[query]!, places[query + 1]!)) return to;
    if (!this.#hasMark) out.setInt8(to, questionMark);
    return putBytes(view, places[query]!, places[query + 1]!, out, this.#hasMark ? to : to + 1);
  }

  #putTime(bytes: Buffer, view: DataView, places: Int32Array, place: number, out: DataView, to: number): number {
    const date = this.#date;
    const start = places[place]!;
    const end = places[place + 1]!;
    if (date < 0) return this.#instants.putTime(bytes, view, start, end, out, to, this.#hasLocalTime);
    return this.#instants.putDateAndTime(bytes, view, places[date]!, places[date + 1]!, start, end, out, to);
  }

  /** Keeps the asked fields that the line has behind the head. */
  #keepFields(bytes: Buffer, view: DataView, places: Int32Array, heads: RowHeads): void {
    for (const { name, place, hasPort } of this.#asked) {
      const from = places[place]!;
      const end = hasPort ? endOfAddress(bytes, from, places[place + 1]!) : places[place + 1]!;
      if (isMissing(bytes, from, end)) continue;
      const start = heads.to;
      heads.to = putBytes(view, from, end, heads.view, start);
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

function kindOf(fact: LogFact): number {
  if (fact === "time") return isTime;
  if (fact === "userAgent") return isAgent;
  return fact === "status" || fact === "bytes" ? isNumber : isText;
}
