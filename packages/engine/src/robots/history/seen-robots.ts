// Collects robots.txt files from any source as observations. Returns a history of the observations, and the rules of each version.
import { createHash } from "node:crypto";
import type { LastCopy } from "@robots-stream/fetch";
import {
  type Access,
  type Observation,
  type OriginHistory,
  type RobotsTimeline,
  unavailableVersion,
} from "@robots-stream/fetch/history";
import { accessOfStatus, fileLengthOf, judgeAgain, wholeBodyOf, wholeLinesOf } from "@robots-stream/fetch/internal";
import { accessPolicies, type AccessPolicy } from "@robots-stream/fetch/policy";
import { parseTarget } from "@robots-stream/url";
import type { Period } from "../../common/times.ts";
import { KeptBodies } from "../../files/temp-file.ts";
import type { ArchivedRobots, UnreadRobots } from "../../formats/warc/warc-entry.ts";
import { constantOf, robotsOf, type SourcedRobots } from "../in-force.ts";
import { groupsOf, observationsOfCaptures, type SeenRedirect, type SeenUnchanged } from "./captures.ts";
import { type Reading, separatedReadingsOf } from "./separated.ts";
import { historyOf, type SeenTimeline, withoutProof } from "./timeline.ts";

/** Bytes of memory for bodies; further bodies go into a temporary file. */
const bodyBytes = 32 * 1_048_576;

/** The size that every crawler reads at least (RFC 9309 §2.5), and that some do not exceed. */
export const leastReadBytes: number = fileLengthOf(accessPolicies.rfc9309).bytes;

/** The rules of one version. */
export interface VersionSource extends Pick<SourcedRobots, "robotsIn" | "matcherOf"> {
  /** Set if the file is longer than the bytes that every crawler reads: the rules in these bytes. */
  readonly beginning?: Omit<VersionSource, "beginning" | "cutAtBytes">;
  /** The byte from which on the file is not known; undefined for a whole file. */
  readonly cutAtBytes?: number | undefined;
  /** The rules if more than rules ends a group (see `separatedReadingsOf`); empty if that is the same. */
  readonly separated?: () => readonly Reading[];
}

/** One observation of a robots.txt: the result, and the file when it was successful under one of the policies. */
interface Sighting {
  readonly access: Observation["access"];
  /** The reason of a failure. */
  readonly code?: string | undefined;
  readonly body?: Uint8Array | undefined;
  /** The byte from which on the file is not known; undefined for a whole file. */
  readonly cutAtBytes?: number | undefined;
  /** The URLs to which requests for the robots.txt were redirected; undefined if it is not known whether they were. */
  readonly redirects?: readonly string[] | undefined;
}

interface Place {
  readonly position: number;
  readonly size: number;
  cutAtBytes: number | undefined;
}

/** A source whose observations of an origin are read when the origin is asked for. */
export interface LazySource {
  /** Identifies the content. */
  readonly digest: string;
  /** The number of origins. */
  readonly origins: number;
  entriesOf(origin: string): Iterable<ArchivedRobots>;
  /** Each origin once, with all of its entries. */
  byOrigin(): Iterable<{ readonly origin: string; readonly entries: readonly ArchivedRobots[] }>;
  /** The origins whose robots.txt redirected to a target of `origin` other than /robots.txt, and perhaps a few others. */
  redirectingTo(origin: string): readonly string[];
  close(): void;
}

/** Stores files, and returns them by their position, as `KeptBodies` does. */
export type Bodies = Pick<KeptBodies, "keep" | "read" | "close">;

/** All observations of robots.txt files. Equal files are one version, and are kept once. */
export class SeenRobots {
  /** The observations, without those of lazy sources. */
  readonly observations: Observation[] = [];
  /** Limit of the bytes of one robots.txt. */
  readonly maxBytes: number;
  /** The sources that `addLazy` has added. */
  readonly lazySources: LazySource[] = [];
  /** The observations of lazy sources, of the origins that were asked for. */
  readonly #loaded = new Map<string, readonly Observation[]>();
  readonly #bodies: Bodies;
  readonly #isDamaged: (origin: string) => boolean;
  readonly #places = new Map<string, Place>();
  readonly #redirects: SeenRedirect[] = [];
  /** Answers that a file has not changed. */
  readonly #unchanged: SeenUnchanged[] = [];

  /**
   * `maxBytes`: limit of the bytes of one robots.txt; the rest of a longer file is ignored. `isDamaged`: whether an entry of an origin is, or
   * may be, damaged; its history then proves nothing.
   */
  constructor(
    maxBytes: number,
    bodies: Bodies = new KeptBodies(bodyBytes),
    isDamaged: (origin: string) => boolean = () => false,
  ) {
    this.maxBytes = maxBytes;
    this.#bodies = bodies;
    this.#isDamaged = isDamaged;
  }

  /** Whether there is a version of this name: the SHA-256 of its file, or "unavailable". */
  has(version: string): boolean {
    return version === unavailableVersion || this.#places.has(version);
  }

  /** Adds an observation of an origin. `time`: undefined for a file without a date. */
  add(origin: string, time: Period | undefined, { access, code, body, cutAtBytes, redirects }: Sighting): void {
    const dated = { origin, atSeconds: time?.fromSeconds, toSeconds: time?.toSeconds };
    const places = redirects?.flatMap((url) => parseTarget(url) ?? []);
    const seen = { ...dated, access, ...(places === undefined ? {} : { redirects: places }) };
    const isSuccessful =
      typeof access === "string" ? access === "successful" : Object.values(access).includes("successful");
    if (!isSuccessful) {
      this.observations.push(code === undefined ? seen : { ...seen, code });
      return;
    }
    const read = body ?? new Uint8Array();
    const bytes = wholeLinesOf(read, this.maxBytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    let place = this.#places.get(sha256);
    if (place === undefined) {
      place = { position: this.#bodies.keep(bytes), size: bytes.length, cutAtBytes: undefined };
      this.#places.set(sha256, place);
    }
    const cutAt = read.length > this.maxBytes ? this.maxBytes : cutAtBytes;
    if (cutAt !== undefined) place.cutAtBytes = Math.min(cutAt, place.cutAtBytes ?? Infinity);
    this.observations.push({ ...seen, sha256 });
  }

  /** Adds an observation of a file. `bytes`: the file, or more than `maxBytes` bytes of a longer file. */
  addFile(origin: string, time: Period | undefined, bytes: Uint8Array): void {
    const isLong = bytes.length > this.maxBytes;
    this.add(origin, time, { access: accessesOf((policy) => accessOfStatus(200, policy, bytes, isLong)), body: bytes });
  }

  /** Adds an observation of a response with this status and without a file. */
  addStatus(origin: string, time: Period | undefined, status: number): void {
    this.add(origin, time, { access: accessesOf((policy) => withoutFile(accessOfStatus(status, policy))) });
  }

  /** Adds the observations in a cache entry: its result, the beginning of an outage, and the copy from before the outage. */
  addEntry(entry: ArchivedRobots): void {
    const { origin, fetchedAt, unreachableSince, lastCopy, hops } = entry;
    const body = wholeBodyOf(entry);
    const access = accessesOf((policy) => fileOrNone(judgeAgain(entry, policy).access, body));
    const redirects = hops.length === 0 ? undefined : hops.slice(1).map(({ url }) => url);
    this.add(origin, entry.time ?? secondOf(fetchedAt), { access, body, cutAtBytes: cutOf(entry), redirects });
    if (unreachableSince !== undefined && unreachableSince < fetchedAt) {
      this.add(origin, secondOf(unreachableSince), { access: "unreachable" });
    }
    if (lastCopy === undefined) return;
    const accessOfCopy = accessesOf((policy) => fileOrNone(judgeAgain(lastCopy, policy).access, lastCopy.body));
    const copy = { access: accessOfCopy, body: lastCopy.body, cutAtBytes: cutOf(lastCopy) };
    this.add(origin, secondOf(lastCopy.fetchedAt), copy);
  }

  /** Adds a result of a source of robots.txt files. The observation has the date of the exchange, or no date if there was no exchange. */
  addLoaded(
    origin: string,
    loaded: Pick<SourcedRobots, "access" | "code" | "body" | "exchange" | "isTruncated">,
  ): void {
    const { access, body, exchange, isTruncated = false } = loaded;
    const { status, endedAt } = exchange ?? {};
    const time = endedAt === undefined ? undefined : secondOf(endedAt);
    const redirects = exchange?.urls.slice(1);
    const judged = accessesOf((policy) => {
      if (access !== "successful") return status === undefined ? access : withoutFile(accessOfStatus(status, policy));
      // During an outage, the status is not that of the file in force.
      const isOfFile = status !== undefined && status >= 200 && status < 300;
      return accessOfStatus(isOfFile ? status : 200, policy, body, isTruncated);
    });
    // A file that was cut at `maxBytes` has only whole lines.
    const code = access === "unreachable" ? loaded.code : undefined;
    this.add(origin, time, {
      access: judged,
      code,
      body,
      cutAtBytes: isTruncated ? this.maxBytes : undefined,
      redirects,
    });
  }

  /** Adds an answer whose file is not known, or is one of the earlier ones (`isUnchanged`). */
  addUnread({ origin, time, redirect, isUnchanged = false }: UnreadRobots): void {
    if (isUnchanged) this.#unchanged.push({ origin, time });
    else this.add(origin, time, { access: "unknown", redirects: redirect === undefined ? undefined : [redirect] });
  }

  /** Adds a redirect to the robots.txt of another origin; `resolve` finds the observation of its target. */
  addRedirect(redirect: SeenRedirect): void {
    this.#redirects.push(redirect);
  }

  /**
   * Adds the observations of captures whose file is that of another capture (`observationsOfCaptures`). Returns the number of redirects that
   * lead to a file without a capture.
   */
  resolve(): number {
    if (this.#redirects.length === 0 && this.#unchanged.length === 0) return 0;
    const found = observationsOfCaptures(this.#redirects, this.#unchanged, this.#observationsByOrigin());
    for (const each of found.observations) this.observations.push(each);
    this.#redirects.length = 0;
    this.#unchanged.length = 0;
    return found.lost;
  }

  /** Adds a source whose observations are read when they are needed. `close` closes it. */
  addLazy(source: LazySource): void {
    this.lazySources.push(source);
  }

  /** The byte from which on a version's file is not known; undefined for a whole file. */
  cutAtBytesOf(version: string): number | undefined {
    return this.#places.get(version)?.cutAtBytes;
  }

  /** The history of the observations so far. Throws a `UsageError` for observations that no history can hold. */
  timeline(): SeenTimeline {
    const known = this.timelineFrom(0);
    return withoutProof(this.lazySources.length === 0 ? known : this.#lazyTimeline(known), this.#isDamaged);
  }

  /** The history of `known` and of the lazy sources, whose entries of an origin are read when the origin is asked for. */
  #lazyTimeline(known: RobotsTimeline): SeenTimeline {
    const observationsOf = this.#observationsByOrigin();
    const redirecting = groupsOf(
      this.observations.flatMap(({ origin: from, redirects = [] }) =>
        redirects.map(({ origin }) => ({ origin, from })),
      ),
    );
    const histories = new Map<string, OriginHistory>();
    const digest = createHash("sha256").update(
      [known.digest, ...this.lazySources.map((source) => source.digest)].join("\n"),
    );
    return {
      digest: digest.digest("hex").slice(0, known.digest.length),
      origins: { length: this.lazySources.reduce((sum, { origins }) => sum + origins, known.origins.length) },
      of: (origin) => {
        const made = histories.get(origin);
        if (made !== undefined) return made;
        const history = historyOf(observationsOf(origin)).of(origin);
        if (history !== undefined) histories.set(origin, history);
        return history;
      },
      robotsTargetsOf: (origin) => {
        const sources = this.lazySources.flatMap((source) => source.redirectingTo(origin));
        const from = new Set([...sources, ...(redirecting.get(origin) ?? []).map((each) => each.from)]);
        return from.size === 0 ? [] : historyOf([...from].flatMap(observationsOf)).robotsTargetsOf(origin);
      },
    };
  }

  /** Returns a function that gives the observations of an origin: those so far, and those of the lazy sources. */
  #observationsByOrigin(): (origin: string) => readonly Observation[] {
    const known = groupsOf(this.observations);
    return (origin) => [...(known.get(origin) ?? []), ...this.#loadedOf(origin)];
  }

  /** The observations of an origin in the lazy sources, which are read once. An origin without any is not kept: a log may name any number. */
  #loadedOf(origin: string): readonly Observation[] {
    const known = this.#loaded.get(origin);
    if (known !== undefined) return known;
    const before = this.observations.length;
    for (const source of this.lazySources) for (const entry of source.entriesOf(origin)) this.addEntry(entry);
    const loaded = this.observations.splice(before);
    if (loaded.length > 0) this.#loaded.set(origin, loaded);
    return loaded;
  }

  /** Like `timeline`, for the observations from an index on. */
  timelineFrom(position: number): RobotsTimeline {
    return historyOf(position === 0 ? this.observations : this.observations.slice(position));
  }

  /** The rules of a version; a file is read and parsed when it is first needed. */
  rulesOf(version: string): VersionSource {
    const place = this.#places.get(version);
    if (version === unavailableVersion || place === undefined) return constantOf("unavailable", "http-404");
    const rules = lazyRulesOf(() => this.bodyOf(version)!);
    const firstBytes = (): Uint8Array => wholeLinesOf(this.bodyOf(version)!, leastReadBytes);
    const beginning = { ...lazyRulesOf(firstBytes), separated: () => separatedReadingsOf(firstBytes()) };
    return {
      ...rules,
      ...(place.size > leastReadBytes ? { beginning } : {}),
      // A later observation of the same bytes may be that of a longer file.
      get cutAtBytes() {
        return place.cutAtBytes;
      },
      separated: () => separatedReadingsOf(this.bodyOf(version)!),
    };
  }

  /** The text of a version; undefined for one without a file. */
  textOf(version: string): string | undefined {
    const body = this.bodyOf(version);
    return body === undefined ? undefined : new TextDecoder().decode(body);
  }

  /** Frees the memory, and removes the temporary file. */
  close(): void {
    for (const source of this.lazySources) source.close();
    this.#bodies.close();
  }

  /** The size of a version's file in bytes; 0 without a file. */
  sizeOf(version: string): number {
    return this.#places.get(version)?.size ?? 0;
  }

  /** The file of a version; undefined for one without a file. */
  bodyOf(version: string): Uint8Array | undefined {
    const place = this.#places.get(version);
    return place === undefined ? undefined : this.#bodies.read(place.position, place.size);
  }
}

function secondOf(ms: number): Period {
  const second = Math.floor(ms / 1_000);
  return { fromSeconds: second, toSeconds: second };
}

/** The byte from which on the file of an entry, or of a copy, is not known; undefined for a whole file. */
function cutOf({
  truncated,
  cutAtBytes,
  body,
}: Pick<LastCopy, "truncated" | "cutAtBytes" | "body">): number | undefined {
  return truncated === true ? (cutAtBytes ?? body?.length) : undefined;
}

/** The access result under each policy: one for all access policies, or one for each if they differ. */
function accessesOf(accessUnder: (policy: AccessPolicy) => Access): Observation["access"] {
  const google = accessUnder(accessPolicies.google);
  const rfc9309 = accessUnder(accessPolicies.rfc9309);
  const yandex = accessUnder(accessPolicies.yandex);
  return google === rfc9309 && google === yandex ? google : { google, rfc9309, yandex };
}

function withoutFile(access: Access): Access {
  return access === "successful" ? "unreachable" : access;
}

/** The access result, if it needs no file or there is one. A file that another policy did not keep is not known. */
function fileOrNone(access: Access, body: Uint8Array | undefined): Access {
  return body === undefined ? withoutFile(access) : access;
}

/** The rules of a file, which is read and parsed when it is first needed. */
function lazyRulesOf(read: () => Uint8Array): Pick<VersionSource, "robotsIn" | "matcherOf"> {
  let robots: VersionSource | undefined;
  const parsed = (): VersionSource => (robots ??= robotsOf(read()));
  return {
    robotsIn: (dialect) => parsed().robotsIn(dialect),
    matcherOf: (productTokens, options) => parsed().matcherOf(productTokens, options),
  };
}
