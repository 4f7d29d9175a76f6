// Makes the summary document from the counts of a run. `--stats-json` writes the document, and `--summary` renders it as text.
import {
  type Collected,
  createTimesHistogram,
  HeavyHitters,
  type HittersData,
  mergeTimes,
  type Outcome,
  ruleOfKey,
  type Tally,
  type TargetForm,
  type Times,
  timesOf,
} from "@robots-stream/engine/internal";
import { robotsUrlOf } from "@robots-stream/url";

/** Maximum length of the lists of origins, rules and unknown crawlers. */
const topLength = 100;

/** The ways a run can end. */
export type Ending = "finished" | "stopped" | "failed" | "output-closed";

/** Facts about a run besides its counts. */
export interface RunFacts {
  readonly version: string;
  readonly ended: Ending;
  readonly exitCode: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** CPU time of the process. */
  readonly cpuSeconds: number;
  readonly peakMemoryBytes: number;
  /** Bytes read from the input, before decompression. */
  readonly inputBytes: number;
  readonly targetForm: TargetForm;
  /** Number of records that an earlier process of the same run counted. */
  readonly earlierRecords: number;
  /** The path of an origin's saved file; undefined when its robots.txt came from the network. */
  fileOf(origin: string): string | undefined;
}

/** Counts of exchanges, of the bytes of their robots.txt files, and of their durations. */
export interface FetchCounts {
  readonly count: number;
  readonly bytes: number;
  /** Durations in milliseconds; null without exchanges. */
  readonly ms: Times | null;
}

/**
 * The summary as data. New versions may add members, but while `schemaVersion` is the same, a member keeps its name and meaning.
 * `atMost` is present where a count is only a lower bound because the bounded counter has evicted entries.
 */
export interface SummaryDocument {
  readonly schemaVersion: 1;
  readonly program: "robots-stream";
  readonly version: string;
  readonly ended: Ending;
  readonly exitCode: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMemoryBytes: number;
  readonly inputBytes: number;
  readonly recordsPerSecond: number;
  /** read = decided + rejects + notDecided + elsewhere + outside; the other counts are subsets of `decided`. */
  readonly records: {
    readonly read: number;
    readonly decided: number;
    readonly rejects: number;
    readonly notDecided: number;
    readonly elsewhere: number;
    /** `outside`: records whose time is outside --since and --until. `timeless`: records whose time could not be read; they are decided. */
    readonly outside: number;
    readonly timeless: number;
    readonly alike: number;
    readonly noCrawler: number;
    /** Records of unknown crawlers beyond the limit of names. They have no decision. */
    readonly furtherCrawlers: number;
    readonly otherForm: number;
    /** Records that an earlier process of the run counted. The grounds, lists and exchanges below do not include these records. */
    readonly earlier: number;
  };
  /** Rows that were decided and counted, but not written because of `--only`. */
  readonly rowsLeftOut: number;
  readonly targetForm: TargetForm;
  readonly agents: readonly {
    readonly agent: string;
    readonly dialect: string;
    readonly kind?: string;
    /** False for an unknown crawler, which is named as in its User-Agent header; otherwise absent. */
    readonly known?: false;
    readonly allowed: number;
    readonly disallowed: number;
    readonly undecided: number;
    readonly because: Readonly<Record<string, number>>;
  }[];
  /** The unknown crawlers with the most records, by the name in their User-Agent headers. */
  readonly unknownCrawlers: readonly {
    readonly agent: string;
    readonly records: number;
    readonly allowed: number;
    readonly disallowed: number;
  }[];
  readonly origins: {
    readonly known: number;
    readonly fetched: number;
    readonly unavailable: number;
    readonly unreachable: number;
    readonly downgraded: number;
    /** Number of origins answered without an exchange, by code. */
    readonly unfetched: Readonly<Record<string, number>>;
  };
  readonly fetches: FetchCounts & { readonly byCode: readonly (FetchCounts & { readonly code: string })[] };
  readonly topOrigins: readonly { readonly origin: string; readonly records: number; readonly atMost?: number }[];
  readonly topRules: readonly {
    readonly origin: string;
    /** The URL of the robots.txt, or the path of a saved file. */
    readonly file: string;
    readonly line: number;
    readonly rule: string;
    readonly hits: number;
    readonly atMost?: number;
  }[];
}

/** Makes the document. The function exceeds the usual length because it is one object literal. */
export function documentOf(tally: Tally, collected: Collected, facts: RunFacts): SummaryDocument {
  const { version, ended, startedAt, endedAt, cpuSeconds, peakMemoryBytes, inputBytes, targetForm } = facts;
  const seconds = Math.max(0, endedAt - startedAt) / 1_000;
  const byCode = [...collected.fetched].sort(
    ([one, { count: a }], [other, { count: b }]) => b - a || (one < other ? -1 : 1),
  );
  const all = byCode.reduce<Outcome>((sum, [, outcome]) => sumOf(sum, outcome), {
    count: 0,
    bytes: 0,
    ms: createTimesHistogram(),
  });
  return {
    schemaVersion: 1,
    program: "robots-stream",
    version,
    ended,
    exitCode: facts.exitCode,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    seconds,
    cpuSeconds,
    peakMemoryBytes,
    inputBytes,
    recordsPerSecond: seconds === 0 ? 0 : Math.round((tally.records - facts.earlierRecords) / seconds),
    records: {
      read: tally.records,
      decided: tally.decided,
      rejects: tally.rejects,
      notDecided: tally.notDecided,
      elsewhere: tally.elsewhere,
      outside: tally.outside,
      timeless: tally.timeless,
      alike: tally.alike,
      noCrawler: tally.noCrawler,
      furtherCrawlers: tally.furtherCrawlers,
      otherForm: tally.otherForm,
      earlier: facts.earlierRecords,
    },
    rowsLeftOut: tally.rowsLeftOut,
    targetForm,
    agents: tally.questions.map(({ question, allowed, disallowed, undecided, problems }, index) => ({
      agent: question.agent,
      dialect: question.dialect,
      ...(question.kind === undefined ? {} : { kind: question.kind }),
      ...(question.isUnknown === true ? { known: false } : {}),
      allowed,
      disallowed,
      undecided,
      because: recordOf([...(collected.because[index] ?? []), ...problems]),
    })),
    unknownCrawlers: unknownCrawlersOf(tally),
    origins: {
      known: tally.origins,
      fetched: tally.fetches,
      unavailable: tally.unavailable,
      unreachable: tally.unreachable,
      downgraded: tally.downgraded,
      unfetched: recordOf([...collected.unfetched]),
    },
    fetches: { ...fetchCountsOf(all), byCode: byCode.map(([code, each]) => ({ code, ...fetchCountsOf(each) })) },
    topOrigins: topOf(collected.origins).map(({ key, count, atMost }) => ({
      origin: key,
      records: count,
      ...(atMost > count ? { atMost } : {}),
    })),
    topRules: topOf(collected.rules).map(({ key, count, atMost }) => {
      const { origin, line, rule } = ruleOfKey(key);
      const file = facts.fileOf(origin) ?? robotsUrlOf(origin);
      return { origin, file, line, rule, hits: count, ...(atMost > count ? { atMost } : {}) };
    }),
  };
}

/** The unknown crawlers with their counts. With several dialects, the counts are those of the first dialect. */
function unknownCrawlersOf({ questions }: Tally): SummaryDocument["unknownCrawlers"] {
  const unknown = questions.filter(({ question }) => question.isUnknown === true);
  const [first] = unknown;
  return unknown
    .filter(({ question }) => question.dialect === first?.question.dialect)
    .map(({ question: { agent }, allowed, disallowed, undecided }) => ({
      agent,
      records: allowed + disallowed + undecided,
      allowed,
      disallowed,
    }))
    .toSorted((one, other) => other.records - one.records || (one.agent < other.agent ? -1 : 1))
    .slice(0, topLength);
}

function topOf(data: HittersData): ReturnType<HeavyHitters["top"]> {
  const hitters = new HeavyHitters();
  hitters.merge(data);
  return hitters.top(topLength);
}

/** The counts as an object, sorted by count, largest first. */
function recordOf(counts: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(counts.toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)));
}

function fetchCountsOf({ count, bytes, ms }: Outcome): FetchCounts {
  return { count, bytes, ms: timesOf(ms) };
}

function sumOf(one: Outcome, other: Outcome): Outcome {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes, ms: mergeTimes(one.ms, other.ms) };
}
