// Finds the byte offsets of a log line's fields, and the beginning of the line's URL, for `PlainRows`.
import {
  type Base,
  type Captured,
  type HostBases,
  type LogPattern,
  namedHostOf,
  type PatternField,
  urlOf,
} from "@robots-stream/logs";
import { ByteMemo } from "../../records/byte-keys.ts";
import { firstPlaceOf, putBytes, type Words, wordsOf } from "../../records/words.ts";
import type { ReadOptions } from "../input-format.ts";
import { isMissing } from "./plain-fields.ts";
import { ObjectScanner } from "./scan-object.ts";
import { capturedPlaces, LineScanner } from "./scan.ts";

export interface LineFieldsOptions extends Pick<ReadOptions, "lineEnd" | "maxLineBytes" | "base" | "hostBases"> {
  readonly pattern: LogPattern;
  /** Whether the paths of all lines are those after the server's rewrites; for JSON, of all lines without the client's target. */
  readonly hasServerPaths?: boolean | undefined;
}

/** The scheme in a field of a line; "none" for a line without one. */
type Scheme = "http" | "https" | "none";

const hash = 0x23;
const slash = 0x2f;
/** "/" in each byte of a word. */
const slashes = 0x2f2f2f2f;
const questionMark = 0x3f;
/** "http" as a word whose first byte is the lowest. */
const httpWord = 0x70747468;

/** Finds the fields of one log's lines. */
export class LineFields {
  /**
   * Start and end of each field of the last line, in the order of the pattern's steps; then start and end of the captured host and of the
   * captured User-Agent header.
   */
  readonly places: Int32Array;
  /** The beginning of the last line's URL; `noBeginning` when the target is a whole URL. */
  beginning: Words = noBeginning;
  /** Whether the captured headers of the last line are all hosts. */
  lacksAgents = false;
  // Positions in `places`; -1 for a field that the pattern does not have.
  readonly host: number;
  readonly client: number;
  readonly agent: number;
  readonly date: number;
  /** The time; in a pattern with a date, the time of day. */
  readonly time: number;
  /** Whether the client's field contains an address and a port. */
  readonly hasPort: boolean;
  readonly #hasServerPaths: boolean;
  readonly #target: number;
  /** Position in `places` of the query, -1 if the query is not a separate field; and whether the field contains the "?". */
  readonly #query: number;
  readonly #hasMark: boolean;
  readonly #pattern: LogPattern;
  readonly #maxLineBytes: number;
  readonly #scanner: LineScanner | ObjectScanner;
  readonly #scheme: number;
  /** The beginning of URLs in a log without hosts, by the scheme in a field of the line; undefined without `base`. */
  readonly #assumed: Readonly<Record<Scheme, Words | undefined>>;
  /** The beginnings of URLs by the scheme in a field of the line, then by the bytes of the host's field. */
  readonly #origins: Readonly<Record<Scheme, ByteMemo<Words | undefined>>>;
  /** The scheme by the bytes of the scheme's field. */
  readonly #schemes: ByteMemo<Scheme>;
  /** Whether the bytes between "://" and the path of a whole URL are a host. */
  readonly #hosts: ByteMemo<boolean>;
  readonly #needsClient: boolean;
  /** Whether the run has origins for hosts (`hostBases`). A line whose target is a URL is then left to the parser. */
  readonly #hasHostBases: boolean;
  /** Position in `places` of the field with the captured headers; -1 for a log without one. */
  readonly #captures: number;
  readonly #captured: ByteMemo<Captured | undefined>;

  constructor({ pattern, lineEnd, maxLineBytes, base, hostBases, hasServerPaths }: LineFieldsOptions) {
    this.#hasServerPaths = hasServerPaths === true;
    this.#pattern = pattern;
    this.#maxLineBytes = maxLineBytes;
    const isObject = pattern.members !== undefined;
    this.#scanner = isObject ? new ObjectScanner(pattern, lineEnd) : new LineScanner(pattern, lineEnd);
    this.places = this.#scanner.places;
    this.#captures = this.placeOf("captures");
    const capturedHostAt = this.#captures < 0 ? -1 : pattern.steps.length * 2;
    this.host = Math.max(this.placeOf("host"), this.placeOf("host") < 0 ? capturedHostAt : -1);
    this.agent = this.#captures < 0 ? this.placeOf("userAgent") : capturedHostAt + 2;
    this.#scheme = this.placeOf("scheme");
    this.client = Math.max(this.placeOf("client"), this.placeOf("clientAndPort"));
    this.hasPort = this.placeOf("client") < 0;
    this.#target = this.placeOf("target");
    this.#hasMark = this.placeOf("markedQuery") >= 0;
    this.#query = this.placeOf(this.#hasMark ? "markedQuery" : "query");
    this.date = this.placeOf("date");
    this.time = this.placeOf(this.date >= 0 ? "timeOfDay" : "time");
    const memoOf = (scheme: "http" | "https" | undefined): ByteMemo<Words | undefined> =>
      new ByteMemo((host) => {
        const named = pattern.originOf?.(host);
        return named?.host === undefined ? undefined : beginningOf(scheme ?? named.scheme, named.host, base, hostBases);
      });
    this.#origins = { http: memoOf("http"), https: memoOf("https"), none: memoOf(undefined) };
    this.#assumed = {
      http: beginningOf("http", undefined, base),
      https: beginningOf("https", undefined, base),
      none: beginningOf(undefined, undefined, base),
    };
    this.#schemes = new ByteMemo((field) => pattern.schemeOf?.(field) ?? "none");
    this.#hosts = new ByteMemo((text) => !/[?#@]/.test(text) && namedHostOf(text).host !== undefined);
    this.#captured = new ByteMemo((field) => pattern.capturedIn?.(field));
    this.#hasHostBases = hostBases !== undefined;
    this.#needsClient = pattern.needsClient === true;
  }

  /** Whether the path of the last line is that after the server's rewrites. */
  get hasServerPath(): boolean {
    return this.#hasServerPaths && this.#scanner.hasPath;
  }

  /** The position of a field's start in `places`; the end follows. -1 for a field that the pattern does not have. */
  placeOf(field: PatternField): number {
    const step = this.#pattern.steps.findIndex((each) => each.field === field);
    return step < 0 ? -1 : step * 2;
  }

  /**
   * Writes the target of the last line, with its query, to `out` at offset `from`; returns the offset after the written bytes. `bytes` and
   * `view` are those passed to `find`.
   */
  putTarget(bytes: Buffer, view: DataView, out: DataView, from: number): number {
    const { places } = this;
    const target = this.#target;
    const to = putBytes(view, places[target]!, places[target + 1]!, out, from);
    const query = this.#query;
    if (query < 0 || isMissing(bytes, places[query]!, places[query + 1]!)) return to;
    if (!this.#hasMark) out.setInt8(to, questionMark);
    return putBytes(view, places[query]!, places[query + 1]!, out, this.#hasMark ? to : to + 1);
  }

  /**
   * Sets `places` and `beginning` for the line at `start`. Returns the offset of the next line, or -1 when only the log's parser can read
   * the line. `view` is `viewBeyond(bytes)`.
   */
  find(bytes: Buffer, view: DataView, start: number): number {
    if (bytes[start] === hash) return -1;
    const next = this.#scanner.scan(bytes, view, start);
    if (next < 0 || next - 1 - start > this.#maxLineBytes) return -1;
    const { places } = this;
    if (this.#captures >= 0) this.#findCaptured(bytes, places[this.#captures]!, places[this.#captures + 1]!);
    const beginning = this.#beginningOf(bytes, view, places);
    if (beginning === undefined) return -1;
    this.beginning = beginning;
    return next;
  }

  /** Sets the places of the headers in the field `bytes[start, end)` with captured headers; both are 0 for a missing header. */
  #findCaptured(bytes: Buffer, start: number, end: number): void {
    const { places } = this;
    const captured = this.#captured.resultOf(bytes, start, end);
    this.lacksAgents = captured?.lacksAgents === true;
    let place = places.length - capturedPlaces;
    for (const found of [captured?.host, captured?.userAgent]) {
      places[place++] = found === undefined ? 0 : start + found[0];
      places[place++] = found === undefined ? 0 : start + found[1];
    }
  }

  /** The beginning of the line's URL; undefined when the parser has to read the line. */
  #beginningOf(bytes: Buffer, view: DataView, places: Int32Array): Words | undefined {
    const { client, host } = this;
    const target = this.#target;
    if (this.#needsClient && client >= 0 && isMissing(bytes, places[client]!, places[client + 1]!)) return undefined;
    const scheme = this.#schemeOf(bytes, view, places);
    if (bytes[places[target]!] !== slash) {
      if (this.#hasHostBases || !this.#hasHost(bytes, view, places[target]!, places[target + 1]!)) return undefined;
      // An address in the host's field may be the client's address: the parser decides.
      const isHost = host < 0 || this.#origins[scheme].resultOf(bytes, places[host]!, places[host + 1]!) !== undefined;
      return isHost ? noBeginning : undefined;
    }
    if (host < 0) return this.#assumed[scheme];
    return this.#origins[scheme].resultOf(bytes, places[host]!, places[host + 1]!);
  }

  /** Whether the whole URL `bytes[start, end)` names a host; otherwise the parser replaces its host by that of `base`. */
  #hasHost(bytes: Buffer, view: DataView, start: number, end: number): boolean {
    const from = start + (bytes[start + 4] === 0x73 ? "https://" : "http://").length;
    return this.#hosts.resultOf(bytes, from, firstPlaceOf(slashes, view, from, end));
  }

  #schemeOf(bytes: Buffer, view: DataView, places: Int32Array): Scheme {
    const scheme = this.#scheme;
    if (scheme < 0) return "none";
    const start = places[scheme]!;
    const end = places[scheme + 1]!;
    // The most common scheme is recognized without a look-up in the cache.
    if (end - start === 5 && view.getInt32(start, true) === httpWord && bytes[start + 4] === 0x73) return "https";
    return this.#schemes.resultOf(bytes, start, end);
  }
}

/** The empty beginning, for a request whose target is a whole URL. */
const noBeginning: Words = wordsOf("");

/**
 * The beginning of the URLs of a host. Without `host`, the host of `base` is used. Undefined when neither is given, and for a `host` that
 * is not a host name.
 */
function beginningOf(
  scheme: "http" | "https" | undefined,
  host: string | undefined,
  base: Base | undefined,
  hosts?: HostBases,
): Words | undefined {
  const url = urlOf({ scheme, host, target: "/" }, base, hosts);
  return typeof url === "string" ? wordsOf(url.slice(0, -1)) : undefined;
}
