// The sink of an audit: finds the crawler, the origin, the target and the time of each record of a batch, and counts the request.
import { crawlers, productTokenOf, unknownProductTokenOf } from "@robots-stream/agents";
import {
  type AuditCounter,
  type Judging,
  type LocatedRequest,
  methodNumberOf,
  operatorOfReferrer,
  RequestAudit,
  shownAgentOf,
  type Verification,
  verifications,
} from "@robots-stream/audit";
import type { LogClock } from "@robots-stream/logs";
import { RecordTimes } from "../locate/record-times.ts";
import { ByteMemo } from "../records/byte-keys.ts";
import type { FieldSpans, PackedRecords } from "../records/packed.ts";
import { RequestPlaces } from "./request-places.ts";
import type { VersionRules } from "./version-rules.ts";

/** Maximum number of names of unknown crawlers in memory. Without this limit, headers with made-up names could fill the memory. */
const mostNames = 20_000;

/** Verifies that a client is the crawler that its User-Agent header names. */
export interface ClientVerifier {
  /** Looks up what `verify` needs about clients; undefined when no look-up is needed. `field`: the text of the address field. */
  prepare(clients: Iterable<readonly [productToken: string | undefined, field: string]>): Promise<void> | undefined;
  /** The verdict about a client. `atMs`: the time of the request, or NaN. */
  verify(productToken: string, field: string, atMs: number): { readonly verdict: Verification };
}

/** What a sink counts, and how. */
export interface AuditSinkOptions extends Pick<Judging, "candidates"> {
  readonly counter: AuditCounter;
  /** The rules of all versions that the counter's history names. They decide for the crawlers of the registry, in its order. */
  readonly rules: VersionRules;
  /** If it is given, the records must have the field `address`. */
  readonly verifier?: ClientVerifier | undefined;
  /** Start and end of the window in seconds since 1970. The window includes `fromSeconds` and excludes `toSeconds`. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** The clock that wrote times without a zone; undefined: such times are read as UTC. */
  readonly logClock: LogClock | undefined;
}

const get = methodNumberOf("GET");
const slash = 0x2f;
/** Maximum number of bytes at the start of a Referer header that are searched for the end of the host. */
const longestReferrer = 300;

/** The number of a crawler of the registry, as counters and rules count crawlers: its index in the registry + 1. */
const numberOfCrawler: ReadonlyMap<string, number> = new Map(
  crawlers.map(({ productToken }, at) => [productToken, at + 1]),
);

/** Counts the records of batches in an `AuditCounter`, whose crawlers are those of the registry in its order. */
export class AuditSink {
  /** Number of records that were not counted because their time is outside the window, or because they have no time. */
  outside = 0;
  /** Number of records in the window that are of parts of a log without a field for the User-Agent header. */
  withoutAgentField = 0;
  /** Number of records, also of those outside the window, that have a time whose zone is not known. */
  zoneless = 0;
  readonly #counter: AuditCounter;
  readonly #audit: RequestAudit;
  readonly #options: AuditSinkOptions;
  readonly #verifier: ClientVerifier | undefined;
  readonly #hasWindow: boolean;
  readonly #places = new RequestPlaces();
  readonly #recordTimes: RecordTimes;
  readonly #methods = new ByteMemo(methodNumberOf);
  #agents = this.#readAgents();
  /** Names of unknown crawlers. The crawler with the name at index n has the number -1 - n. */
  readonly #names: string[] = [];
  readonly #numbersOfNames = new Map<string, number>();
  /** Cache of operators by the scheme and host in a Referer header. */
  readonly #referrers = new ByteMemo(operatorOfReferrer);
  readonly #request: LocatedRequest = {
    origin: "",
    crawler: 0,
    verification: 0,
    atSeconds: -1,
    isZoneless: false,
    hasServerPath: false,
    method: 0,
    status: 0,
    bytes: -1,
    buffer: new Uint8Array(),
    targetStart: 0,
    targetEnd: 0,
  };

  constructor(options: AuditSinkOptions) {
    const { counter, rules, verifier } = options;
    this.#verifier = verifier;
    this.#counter = counter;
    this.#audit = new RequestAudit(counter, {
      decide: (version, { crawler }) => rules.decideRequest(version, crawler - 1, this.#places),
      candidates: options.candidates,
    });
    this.#options = options;
    this.#recordTimes = new RecordTimes(options.logClock);
    this.#hasWindow = options.fromSeconds > -Infinity || options.toSeconds < Infinity;
  }

  /** Returns the distinct origins of the records of known crawlers. Ignores records whose time is outside the window. */
  originsOf(packed: PackedRecords): ReadonlySet<string> {
    const origins = new Set<string>();
    for (let record = 0; record < packed.count; record++) {
      if (this.#agents.resultOfField(packed.fields.agent, packed.bytes, record) <= 0) continue;
      if (this.#hasWindow && this.#isOutside(this.#recordTimes.secondsOf(packed, record))) continue;
      this.#places.locate(packed, record);
      origins.add(this.#places.origin);
    }
    return origins;
  }

  /** Looks up the host names that the verifier needs for a batch. Returns undefined when no look-up is needed. */
  prepare(packed: PackedRecords): Promise<void> | undefined {
    return this.#verifier?.prepare(this.#clientsOf(packed));
  }

  *#clientsOf(packed: PackedRecords): Generator<readonly [productToken: string | undefined, address: string]> {
    for (let record = 0; record < packed.count; record++) {
      const number = this.#agents.resultOfField(packed.fields.agent, packed.bytes, record);
      if (number > 0) yield [crawlers[number - 1]!.productToken, packed.fieldOf("address", record)];
    }
  }

  /** Counts the records of a batch. */
  take(packed: PackedRecords): void {
    const { count, fields, bytes } = packed;
    const { agent, method, serverPath } = fields;
    const counter = this.#counter;
    const request = this.#request;
    let counted = 0;
    let assumedOrigins = 0;
    for (let record = 0; record < count; record++) {
      const atSeconds = this.#recordTimes.secondsOf(packed, record);
      const { hasZone } = this.#recordTimes;
      if (!hasZone) this.zoneless++;
      if (this.#hasWindow && this.#isOutside(atSeconds)) {
        if (atSeconds < 0) counter.addTotal("outsideWithoutTime", 1);
        continue;
      }
      counted++;
      if (packed.isOriginAssumed(record)) assumedOrigins++;
      const number = this.#agents.resultOfField(agent, bytes, record);
      const crawler = Math.max(number, 0);
      if (number === 0 && (agent === undefined || agent.startOf(record) === agent.endOf(record))) {
        counter.addTotal("withoutAgent", 1);
        if (packed.lacksAgentField(record)) this.withoutAgentField++;
      }
      if (number < 0) counter.addOtherAgent(this.#names[-1 - number]!);
      request.crawler = crawler;
      request.atSeconds = atSeconds;
      request.isZoneless = !hasZone;
      request.hasServerPath = serverPath !== undefined && serverPath.sizeOf(record) > 0;
      if (crawler > 0) {
        request.method = isGet(method, bytes, record) ? get : this.#methods.resultOfField(method, bytes, record);
        request.status = packed.statusOf(record);
      }
      request.bytes = fields.bytes?.numberOf(bytes, record) ?? -1;
      request.verification = crawler === 0 ? 0 : this.#verificationOf(packed, record, crawler, atSeconds);
      this.#place(packed, record);
      this.#audit.count(request);
      if (number === 0 && fields.referer !== undefined) this.#countVisit(packed, record, fields.referer);
    }
    this.outside += count - counted;
    counter.addTotal("assumedOrigin", assumedOrigins);
  }

  /** Verifies the client of a record, and returns the index of the verdict in `verifications`; 0 without a verifier. */
  #verificationOf(packed: PackedRecords, record: number, crawler: number, atSeconds: number): number {
    if (this.#verifier === undefined) return 0;
    const { productToken } = crawlers[crawler - 1]!;
    const atMs = atSeconds < 0 ? Number.NaN : atSeconds * 1_000;
    const { verdict } = this.#verifier.verify(productToken, packed.fieldOf("address", record), atMs);
    return verifications.indexOf(verdict);
  }

  #isOutside(atSeconds: number): boolean {
    return atSeconds < 0 || atSeconds < this.#options.fromSeconds || atSeconds >= this.#options.toSeconds;
  }

  /** Sets the target and the origin of `#request`. */
  #place(packed: PackedRecords, record: number): void {
    const places = this.#places;
    const request = this.#request;
    places.locate(packed, record);
    request.buffer = places.buffer;
    request.targetStart = places.targetStart;
    request.targetEnd = places.targetEnd;
    request.origin = places.origin;
  }

  /**
   * Counts the located record as a visit if its referrer is a page of an operator. The cache key is only the scheme and host of the referrer. So
   * all referrers on one site, usually the site of the log itself, share one cache entry.
   */
  #countVisit(packed: PackedRecords, record: number, referer: FieldSpans): void {
    const start = referer.startOf(record);
    const end = referer.endOf(record);
    const isDecoded = referer.isDecoded(record);
    if (!isDecoded && end - start <= 1) return;
    const { bytes } = packed;
    let operator: string | undefined;
    if (isDecoded) operator = operatorOfReferrer(referer.decoded[end]!);
    else {
      operator = this.#referrers.resultOf(
        bytes,
        start,
        hostEndOf(bytes, start, Math.min(end, start + longestReferrer)),
      );
    }
    if (operator === undefined) return;
    this.#counter.addReferral(this.#places.origin, operator);
  }

  /** Returns the crawler in a User-Agent header: a positive number if known, a negative number (see `#names`) if unknown, 0 if none. */
  #numberOfAgent(header: string): number {
    if (header === "") return 0;
    const text = Buffer.from(header, "latin1").toString("utf8");
    const token = productTokenOf(text);
    if (token !== undefined) return numberOfCrawler.get(token) ?? 0;
    const unknown = unknownProductTokenOf(text);
    if (unknown === undefined) return 0;
    const name = shownAgentOf(Buffer.from(unknown));
    let number = this.#numbersOfNames.get(name);
    if (number !== undefined) return number;
    if (this.#names.length === mostNames) this.#forgetNames();
    number = -this.#names.push(name);
    this.#numbersOfNames.set(name, number);
    return number;
  }

  /** Removes all names. Also removes the cache of headers, because the negative numbers in this cache refer to the names. */
  #forgetNames(): void {
    this.#names.length = 0;
    this.#numbersOfNames.clear();
    this.#agents = this.#readAgents();
  }

  #readAgents(): ByteMemo<number> {
    return new ByteMemo((header) => this.#numberOfAgent(header));
  }
}

/** Whether the method of a record is GET, the most frequent method, as bytes. */
function isGet(field: FieldSpans | undefined, bytes: Buffer, record: number): boolean {
  if (field === undefined) return false;
  const start = field.startOf(record);
  if (field.isDecoded(record) || field.endOf(record) - start !== 3) return false;
  return bytes[start] === 0x47 && bytes[start + 1] === 0x45 && bytes[start + 2] === 0x54;
}

/** Returns the offset of the third slash in `bytes` from `start`, where the host of a URL ends; `end` if there are fewer slashes. */
function hostEndOf(bytes: Buffer, start: number, end: number): number {
  let slashes = 0;
  for (let at = start; at < end; at++) if (bytes[at] === slash && ++slashes === 3) return at;
  return end;
}
