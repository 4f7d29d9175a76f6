// Computes the expected states of the lines of a generated log from the definitions alone: at each second at which the file in force can
// change.
import type { Observation } from "@robots-stream/fetch/history";
import type { AuditCrawler, AuditDecision, PolicyName, Row } from "../src/index.ts";
import type { LogLine, World } from "./generator.ts";

const day = 86_400;
const month = 30 * day;
const minutes5 = 300;

/** The expected result for a line. */
export interface Expected {
  /** A state of documents, or "not-a-crawler". */
  readonly state: string;
  readonly direction: string;
  readonly proven: boolean;
  readonly disputed: boolean;
  /** The beginning and the version of the newest interval. */
  readonly interval: string;
  readonly decision: AuditDecision | undefined;
}

type Sighting = { readonly at: number; readonly version: string | undefined };

function sightingsOf(observations: readonly Observation[], policy: PolicyName): Sighting[] {
  return observations
    .filter(({ atSeconds }) => atSeconds !== undefined)
    .map(({ atSeconds, access, sha256 }) => {
      const result = typeof access === "string" ? access : access[policy];
      return {
        at: atSeconds!,
        version: result === "unreachable" ? undefined : result === "unavailable" ? "unavailable" : sha256!,
      };
    })
    .toSorted((a, b) => a.at - b.at || ((a.version ?? "") < (b.version ?? "") ? -1 : 1));
}

/** An interval as text: its beginning and its version. */
const idOf = (from: number | null, version: string): string => `${from} ${version}`;

/** The interval of the sighting at position `at`. It begins with the first of successive equal versions; failed sightings are skipped. */
function intervalOf(
  sightings: readonly Sighting[],
  at: number,
): { id: string; version: string; from: number } | undefined {
  let index = at;
  while (index >= 0 && sightings[index]!.version === undefined) index--;
  if (index < 0) return undefined;
  const { version } = sightings[index]!;
  let from = sightings[index]!.at;
  for (; index >= 0; index--) {
    const sighting = sightings[index]!;
    if (sighting.version === undefined) continue;
    if (sighting.version !== version) break;
    from = sighting.at;
  }
  return { id: idOf(from, version!), version: version!, from };
}

interface Instant {
  readonly intervals: readonly { id: string; version: string; from: number }[];
  readonly proven: boolean;
  /** The interval that was certainly in force; undefined if several may have been. */
  readonly settled: string | undefined;
}

/** The intervals that may have been in force at one second, or of which a crawler may have a copy. */
function instantOf(sightings: readonly Sighting[], second: number): Instant {
  const instant = seenAt(sightings, second);
  const here = sightings.filter(({ at }) => at === second);
  const around = [sightings.findLast(({ at }) => at < second), sightings.find(({ at }) => at > second)];
  const mayBeOutage = (here.length > 0 ? here : around).some(
    (each) => each !== undefined && each.version === undefined,
  );
  if (!mayBeOutage) return instant;
  const good = sightings.flatMap(({ at, version }, index) => (version !== undefined && at < second ? [index] : []));
  // In an outage, also of versions before the last good copy that may have been in force in the 30 days before.
  const older = good.flatMap((index) => {
    const next = sightings.find(({ at, version }) => at > sightings[index]!.at && version !== undefined);
    const isLast = sightings[index]!.at === sightings[good.at(-1)!]!.at;
    return isLast || second > next!.at + month ? [] : [intervalOf(sightings, index)!];
  });
  const intervals = [...new Map([...older, ...instant.intervals].map((each) => [each.id, each])).values()];
  return { ...instant, intervals };
}

/** The same without older copies. */
function seenAt(sightings: readonly Sighting[], second: number): Instant {
  const here = sightings.flatMap(({ at }, index) => (at === second ? [index] : []));
  const before = sightings.findLastIndex(({ at }) => at < second);
  const after = sightings.findIndex(({ at }) => at > second);
  const copyAt = (index: number): Instant["intervals"] => {
    const interval = intervalOf(sightings, index);
    if (interval === undefined) return [];
    const good = sightings.slice(0, index + 1).findLast(({ version }) => version !== undefined)!.at;
    return second <= good + month ? [interval] : [];
  };
  const isGood = (index: number): boolean => sightings[index]!.version !== undefined;
  if (here.length > 0) {
    const intervals = here.flatMap((index) => (isGood(index) ? [intervalOf(sightings, index)!] : copyAt(index)));
    const distinct = [...new Map(intervals.map((each) => [each.id, each])).values()];
    // Several sightings may have the same second. A failed sighting stands for the last good copy.
    const isOne = here.length === 1 || distinct.length === 1;
    const settled = isOne && here.every(isGood) ? distinct[0]?.id : undefined;
    return { intervals: distinct, proven: distinct.length > 0, settled };
  }
  if (before < 0) {
    if (!isGood(after)) return { intervals: [], proven: false, settled: undefined };
    const interval = intervalOf(sightings, after)!;
    return { intervals: [interval], proven: false, settled: interval.id };
  }
  if (after < 0) {
    if (!isGood(before)) return { intervals: copyAt(before), proven: false, settled: undefined };
    const interval = intervalOf(sightings, before)!;
    return { intervals: [interval], proven: false, settled: interval.id };
  }
  const isClose = sightings[after]!.at - sightings[before]!.at <= month;
  const held = isGood(before) ? [intervalOf(sightings, before)!] : copyAt(before);
  if (!isGood(after)) return { intervals: held, proven: isClose && held.length > 0, settled: undefined };
  const next = intervalOf(sightings, after)!;
  const both = held.some(({ id }) => id === next.id) ? [next] : [...held, next];
  const isSettled = isGood(before) && both.length === 1;
  return { intervals: both, proven: isClose && held.length > 0, settled: isSettled ? next.id : undefined };
}

/** The seconds from `from` to `to` at which the result of `instantOf` can change, and `from` and `to` themselves. */
function turnsOf(sightings: readonly Sighting[], from: number, to: number): number[] {
  const turns = sightings.flatMap(({ at }) => [at - 1, at, at + 1, at + month, at + month + 1]);
  return [from, to, ...turns].filter((second) => second >= from && second <= to);
}

/** Whether these decisions do not bind a crawler: without a group that names it, another rule than the group for `*` may apply to it. */
function isFreeOf({ bound }: AuditCrawler, decisions: readonly AuditDecision[]): boolean {
  const isNamed = decisions.every(({ because, productToken }) => because !== "no-group" && productToken !== "*");
  return bound === "no" || (bound === "by-name" && !isNamed);
}

/** Computes the expected states of lines, and the intervals that successful fetches returned. */
export class SlowAudit {
  readonly #world: World;
  readonly #byOrigin = new Map<string, readonly Observation[]>();

  constructor(world: World) {
    this.#world = world;
    for (const { origin } of world.observations) {
      this.#byOrigin.set(
        origin,
        world.observations.filter((each) => each.origin === origin),
      );
    }
  }

  /** The expected state of a line. */
  expect(line: LogLine): Expected {
    const without = (state: string): Expected => ({
      state,
      direction: "none",
      proven: false,
      disputed: false,
      interval: "",
      decision: undefined,
    });
    if (line.crawler === undefined) return without("not-a-crawler");
    if (line.target === "/robots.txt") return without("robots-txt");
    if (line.method === "CONNECT") return without("undecidable:connect");
    if (line.target === "*") return without("undecidable:asterisk");
    if (line.origin === undefined) return without("undecidable:no-url");
    const observations = this.#byOrigin.get(line.origin);
    if (observations === undefined) return without("undecidable:no-file");
    const crawler = this.#world.crawlers.find(({ productToken }) => productToken === line.crawler)!;
    const held = this.#held(observations, crawler.accessPolicy, line.atSeconds);
    if (held.intervals.length === 0) return without("undecidable:outage");
    const newest = held.intervals.at(-1)!;
    const versions = [...new Set(held.intervals.map(({ version }) => version))];
    const decisions = versions.map((version) => this.#world.decide(version, line.crawler!, line.target));
    const decision = this.#world.decide(newest.version, line.crawler, line.target);
    const isAll = decisions.every(({ allowed }) => !allowed);
    const isSome = decisions.some(({ allowed }) => !allowed);
    if (isSome && !isAll && line.atSeconds === undefined) return without("undecidable:no-time");
    const isFree = isFreeOf(crawler, decisions);
    const state = isAll ? "violation" : isSome ? "grace" : "allowed";
    return {
      state: isFree ? `not-bound:${state}` : state,
      direction: state !== "grace" ? "none" : decision.allowed ? "loosened" : "tightened",
      proven: held.proven,
      disputed: decisions.some(({ disputed }) => disputed),
      interval: newest.id,
      decision,
    };
  }

  /** The change of the decision about a judged line by the candidate; undefined if it changes nothing. */
  flip(line: LogLine): "newly-disallowed" | "newly-allowed" | undefined {
    const observations = this.#byOrigin.get(line.origin ?? "") ?? [];
    const crawler = this.#world.crawlers.find(({ productToken }) => productToken === line.crawler)!;
    const sightings = sightingsOf(observations, crawler.accessPolicy);
    const newest =
      sightings.length === 0
        ? observations[0]?.sha256
        : sightings.findLast(({ version }) => version !== undefined)?.version;
    const candidate = this.#world.candidates?.get(line.origin ?? "")?.[crawler.accessPolicy];
    if (newest === undefined || candidate === undefined) return undefined;
    const decisions = [newest, candidate].map((version) =>
      this.#world.decide(version, crawler.productToken, line.target),
    );
    const [before, after] = decisions.map(({ allowed }) => allowed);
    if (before === after || isFreeOf(crawler, decisions)) return undefined;
    return after === true ? "newly-allowed" : "newly-disallowed";
  }

  /** The interval whose file a successful fetch of a crawler certainly returned; undefined if that is uncertain. */
  fetched(line: LogLine): string | undefined {
    const observations = this.#byOrigin.get(line.origin ?? "");
    if (observations === undefined || line.atSeconds === undefined) return undefined;
    const crawler = this.#world.crawlers.find(({ productToken }) => productToken === line.crawler)!;
    const sightings = sightingsOf(observations, crawler.accessPolicy);
    if (sightings.length === 0) return idOf(null, observations[0]!.sha256!);
    const settled = turnsOf(sightings, line.atSeconds - minutes5, line.atSeconds + minutes5).map(
      (second) => instantOf(sightings, second).settled,
    );
    return settled.every((id) => id === settled[0]) ? settled[0] : undefined;
  }

  #held(
    observations: readonly Observation[],
    policy: PolicyName,
    atSeconds: number | undefined,
  ): { intervals: readonly { id: string; version: string; from: number }[]; proven: boolean } {
    const sightings = sightingsOf(observations, policy);
    if (sightings.length === 0) {
      const version = observations[0]!.sha256!;
      return { intervals: [{ id: idOf(null, version), version, from: 0 }], proven: false };
    }
    const from = atSeconds === undefined ? sightings[0]!.at - 1 : atSeconds - day - minutes5;
    const to = atSeconds === undefined ? sightings.at(-1)!.at + 1 : atSeconds + minutes5;
    const instants = turnsOf(sightings, from, to).map((second) => instantOf(sightings, second));
    const all = new Map(instants.flatMap(({ intervals }) => intervals.map((interval) => [interval.id, interval])));
    return {
      intervals: [...all.values()].toSorted((a, b) => a.from - b.from || (a.version < b.version ? -1 : 1)),
      proven: atSeconds !== undefined && instants.every(({ proven }) => proven),
    };
  }
}

/** Adds counts by key, and lists the sums as sorted lines of text. */
export class Sums {
  readonly #sums = new Map<string, number>();

  add(key: readonly unknown[], count: number): void {
    const text = JSON.stringify(key);
    this.#sums.set(text, (this.#sums.get(text) ?? 0) + count);
  }

  lines(): readonly string[] {
    return [...this.#sums].map(([key, count]) => `${key} ${count}`).toSorted();
  }
}

const namedStatuses: Readonly<Record<string, readonly number[]>> = {
  served: [304],
  "not-found": [404, 410],
  refused: [401, 402, 403, 407, 429, 444, 451],
  "no-answer": [0, 499],
  "not-known": [-1],
};

/** The class of a status code, as documents name it. */
export function classOf(status: number): Row<"times">[4] {
  const named = Object.entries(namedStatuses).find(([, statuses]) => statuses.includes(status))?.[0];
  return (named ??
    ["other", "no-answer", "served", "redirected", "other", "failed"][Math.floor(status / 100)] ??
    "other") as Row<"times">[4];
}

/** The directory of a target, by splitting text. */
export function directoryOf(target: string): string {
  const path = target.split("?")[0]!;
  const segments = path.split("/").slice(1, -1).slice(0, 2);
  const shown = (parts: readonly string[]): string => `/${parts.map((part) => `${part}/`).join("")}`;
  const length = (text: string): number => new TextEncoder().encode(text).length;
  const cut = length(shown(segments)) > 256 ? shown(segments.slice(0, 1)) : shown(segments);
  const kept = length(cut) > 256 ? "…" : cut;
  return kept.replaceAll("\u00e9", "%C3%A9");
}

/** The quarter of an hour of an instant, or null. */
export const quarterOf = (at: number | undefined): number | null =>
  at === undefined ? null : Math.floor(at / 900) * 900;
