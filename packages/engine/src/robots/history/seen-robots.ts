// Collects robots.txt files from any source as observations. Returns a history of the observations, and the rules of each version.
import { createHash } from "node:crypto";
import type { AccessResult, StoredRobots } from "@robots-stream/fetch";
import { FetchError } from "@robots-stream/fetch";
import { type Observation, type RobotsTimeline, createHistory, unavailableVersion } from "@robots-stream/fetch/history";
import { accessOfStatus } from "@robots-stream/fetch/internal";
import { accessPolicies } from "@robots-stream/fetch/policy";
import { UsageError } from "../../errors.ts";
import { KeptBodies } from "../../origins/kept-bodies.ts";
import { constantOf, robotsOf } from "../parsed.ts";
import type { SourcedRobots } from "../types.ts";

/** Bytes of memory for bodies; further bodies go into a temporary file. */
const bodyBytes = 32 * 1_048_576;

/** Longest time between a redirect and the observation of its target. */
const redirectSeconds = 86_400;
const mostRedirects = 5;

/** The rules of one version. */
export type VersionSource = Pick<SourcedRobots, "robotsIn" | "matcherOf">;

/** One observation of a robots.txt: the result, and the file when it was successful. */
interface Sighting {
  readonly access: Observation["access"];
  readonly body?: Uint8Array | undefined;
}

/** A redirect from the robots.txt of one origin to the robots.txt of another origin. */
interface SeenRedirect {
  readonly origin: string;
  readonly atSeconds: number;
  readonly to: string;
}

/** All observations of robots.txt files. Equal files are one version, and are kept once. */
export class SeenRobots {
  readonly observations: Observation[] = [];
  readonly #maxBytes: number;
  readonly #bodies = new KeptBodies(bodyBytes);
  readonly #places = new Map<string, { readonly position: number; readonly size: number }>();
  readonly #redirects: SeenRedirect[] = [];

  /** @param maxBytes limit of the bytes of one robots.txt; the rest of a longer file is ignored */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The names of all versions: SHA-256 of their files, and "unavailable". */
  get versions(): readonly string[] {
    return [unavailableVersion, ...this.#places.keys()];
  }

  /** Adds an observation of an origin. `atSeconds`: its time in whole seconds since 1970; undefined for a file without a date. */
  add(origin: string, atSeconds: number | undefined, { access, body }: Sighting): void {
    if (access !== "successful") {
      this.observations.push({ origin, atSeconds, access });
      return;
    }
    const bytes = (body ?? new Uint8Array()).subarray(0, this.#maxBytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (!this.#places.has(sha256)) {
      this.#places.set(sha256, { position: this.#bodies.keep(bytes), size: bytes.length });
    }
    this.observations.push({ origin, atSeconds, access, sha256 });
  }

  /** Adds an observation of a response with this status and without a file. */
  addStatus(origin: string, atSeconds: number | undefined, status: number): void {
    this.add(origin, atSeconds, { access: accessOfAnswer(status) });
  }

  /** Adds the observations in a cache entry: its result, the beginning of an outage, and the copy from before the outage. */
  addEntry({ origin, fetchedAt, access, code, status, body, unreachableSince, lastCopy }: StoredRobots): void {
    const isAnswer = status !== undefined && code === `http-${status}` && access !== "successful";
    if (isAnswer) this.addStatus(origin, secondsOf(fetchedAt), status);
    else this.add(origin, secondsOf(fetchedAt), { access, body });
    if (unreachableSince !== undefined && unreachableSince < fetchedAt) {
      this.add(origin, secondsOf(unreachableSince), { access: "unreachable" });
    }
    if (lastCopy !== undefined) this.add(origin, secondsOf(lastCopy.fetchedAt), lastCopy);
  }

  /** Adds a result of a source of robots.txt files. The observation has the date of the exchange, or no date if there was no exchange. */
  addLoaded(origin: string, loaded: Pick<SourcedRobots, "access" | "body" | "exchange">): void {
    const endedAt = loaded.exchange?.endedAt;
    this.add(origin, endedAt === undefined ? undefined : secondsOf(endedAt), loaded);
  }

  /** Adds a redirect to the robots.txt of another origin; `resolveRedirects` finds the observation of its target. */
  addRedirect(redirect: SeenRedirect): void {
    this.#redirects.push(redirect);
  }

  /**
   * For each redirect, adds an observation of its origin: a copy of the observation of its target that is nearest in time, at most a day
   * away. Follows up to `mostRedirects` redirects. Returns the number of redirects without such an observation.
   */
  resolveRedirects(): number {
    if (this.#redirects.length === 0) return 0;
    const files = groupsOf(this.observations);
    const redirects = groupsOf(this.#redirects);
    let lost = 0;
    for (const redirect of this.#redirects) {
      let at: SeenRedirect | undefined = redirect;
      let found: Observation | undefined;
      for (let hops = 0; at !== undefined && found === undefined && hops < mostRedirects; hops++) {
        found = nearestOf(files.get(at.to), redirect.atSeconds);
        at = nearestOf(redirects.get(at.to), redirect.atSeconds);
      }
      if (found === undefined) lost++;
      else this.observations.push({ ...found, origin: redirect.origin, atSeconds: redirect.atSeconds });
    }
    this.#redirects.length = 0;
    return lost;
  }

  /** The history of the observations so far. Throws a `UsageError` for observations that no history can hold. */
  timeline(): RobotsTimeline {
    return this.timelineFrom(0);
  }

  /** Like `timeline`, for the observations from an index on. */
  timelineFrom(position: number): RobotsTimeline {
    try {
      return createHistory(position === 0 ? this.observations : this.observations.slice(position));
    } catch (error) {
      if (error instanceof FetchError) throw new UsageError("unusable-robots", `robots.txt files: ${error.message}`);
      throw error;
    }
  }

  /** The rules of a version; a file is read and parsed when it is first needed. */
  rulesOf(version: string): VersionSource {
    if (version === unavailableVersion) return constantOf("unavailable", "http-404");
    let robots: VersionSource | undefined;
    const parsed = (): VersionSource => (robots ??= robotsOf(this.bodyOf(version) ?? new Uint8Array()));
    return {
      robotsIn: (dialect) => parsed().robotsIn(dialect),
      matcherOf: (productTokens, options) => parsed().matcherOf(productTokens, options),
    };
  }

  /** The text of a version; undefined for one without a file. */
  textOf(version: string): string | undefined {
    const body = this.bodyOf(version);
    return body === undefined ? undefined : new TextDecoder().decode(body);
  }

  /** Frees the memory, and removes the temporary file. */
  close(): void {
    this.#bodies.close();
  }

  /** The file of a version; undefined for one without a file. */
  bodyOf(version: string): Uint8Array | undefined {
    const place = this.#places.get(version);
    return place === undefined ? undefined : this.#bodies.read(place.position, place.size);
  }
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** The access result of a response without a file: one for all access policies, or one for each if they treat the status differently. */
function accessOfAnswer(status: number): Observation["access"] {
  const google = withoutFile(accessOfStatus(status, accessPolicies.google));
  const rfc9309 = withoutFile(accessOfStatus(status, accessPolicies.rfc9309));
  const yandex = withoutFile(accessOfStatus(status, accessPolicies.yandex));
  return google === rfc9309 && google === yandex ? google : { google, rfc9309, yandex };
}

function withoutFile(access: AccessResult): AccessResult {
  return access === "successful" ? "unreachable" : access;
}

function groupsOf<Item extends { readonly origin: string }>(items: readonly Item[]): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.origin);
    if (group === undefined) groups.set(item.origin, [item]);
    else group.push(item);
  }
  return groups;
}

/** The item nearest to a time, at most a day away. */
function nearestOf<Item extends { readonly atSeconds?: number | undefined }>(
  items: readonly Item[] | undefined,
  atSeconds: number,
): Item | undefined {
  let best: Item | undefined;
  let least = redirectSeconds + 1;
  for (const item of items ?? []) {
    const distance = item.atSeconds === undefined ? Infinity : Math.abs(item.atSeconds - atSeconds);
    if (distance < least) {
      least = distance;
      best = item;
    }
  }
  return best;
}
