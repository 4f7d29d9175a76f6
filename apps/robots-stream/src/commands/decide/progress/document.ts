// Makes the summary document from the counts of a run. `--stats-json` writes the document, and `--summary` renders it as text.
import type { Tally, TargetForm } from "@robots-stream/engine/internal";
import {
  type Collected,
  createTimesHistogram,
  mergeTimes,
  type Outcome,
  ruleOfKey,
  type Times,
  timesOf,
} from "./collect.ts";
import { robotsUrlOf } from "@robots-stream/url";

/** Maximum number of elements in each of the lists `topOrigins`, `topRules` and `unknownCrawlers`. */
const topLength = 100;

/** How a run ended. "output-closed": the reader of stdout closed the pipe. */
export type Ending = "finished" | "stopped" | "failed" | "output-closed";

/** Facts about a run besides its counts. */
export interface RunFacts {
  readonly version: string;
  readonly ended: Ending;
  readonly exitCode: number;
  /** Start and end of the run in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** CPU time of the process, user and system, in seconds. */
  readonly cpuSeconds: number;
  readonly peakMemoryBytes: number;
  /** Bytes read from the input, before decompression. */
  readonly inputBytes: number;
  readonly targetForm: TargetForm;
  /** Number of records that an earlier process of the same run counted. */
  readonly earlierRecords: number;
  /** Returns the path of the saved file with an origin's robots.txt; undefined when the robots.txt came from the network. */
  fileOf(origin: string): string | undefined;
}

/** The number of exchanges, the sum of the sizes of the robots.txt files in bytes, and the distribution of the durations. */
export interface FetchCounts {
  readonly count: number;
  readonly bytes: number;
  /** Durations in milliseconds; null without exchanges. */
  readonly ms: Times | null;
}

/** The summary as data; see `documentOf`. */
export type SummaryDocument = ReturnType<typeof documentOf>;

/**
 * Makes the summary document from the counts and the facts. docs/RUNS.md says what each member is. New versions may add members, but while
 * `schemaVersion` is the same, a member keeps its name and meaning. The counts in `topOrigins` and `topRules` come from a counter with
 * bounded memory. If the counter has evicted entries, a count may be too low; `atMost` is then its upper bound.
 */
export function documentOf(tally: Tally, collected: Collected, facts: RunFacts) {
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
    schemaVersion: 1 as const,
    program: "robots-stream" as const,
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
    // read = decided + rejects + notDecided + elsewhere + outside. The other counts overlap with these.
    records: {
      read: tally.records,
      decided: tally.decided,
      rejects: tally.rejects,
      notDecided: tally.notDecided,
      elsewhere: tally.elsewhere,
      outside: tally.outside,
      timeless: tally.timeless,
      zoneless: tally.zoneless,
      alike: tally.alike,
      noCrawler: tally.noCrawler,
      withoutAgentField: tally.withoutAgentField,
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
      ...(question.isUnknown === true ? { known: false as const } : {}),
      allowed,
      disallowed,
      undecided,
      because: recordOf([...(collected.because[index] ?? []), ...problems]),
    })),
    unknownCrawlers: unknownCrawlersOf(tally),
    origins: {
      known: tally.origins,
      ...(tally.isUpperBoundOfOrigins ? { isUpperBound: true as const } : {}),
      fetched: tally.fetches,
      unavailable: tally.unavailable,
      unreachable: tally.unreachable,
      downgraded: tally.downgraded,
      unfetched: recordOf([...collected.unfetched]),
      formatsInstead: recordOf([...collected.formatsInstead]),
    },
    fetches: { ...fetchCountsOf(all), byCode: byCode.map(([code, each]) => ({ code, ...fetchCountsOf(each) })) },
    topOrigins: collected.origins.top(topLength).map(({ key, count, atMost }) => ({
      origin: key,
      records: count,
      ...(atMost > count ? { atMost } : {}),
    })),
    topRules: collected.rules.top(topLength).map(({ key, count, atMost }) => {
      const { origin, line, rule } = ruleOfKey(key);
      const file = facts.fileOf(origin) ?? robotsUrlOf(origin);
      return { origin, file, line, rule, hits: count, ...(atMost > count ? { atMost } : {}) };
    }),
  };
}

/** Returns the unknown crawlers with their counts, most records first. With several dialects, the counts are those of the first dialect. */
function unknownCrawlersOf({ questions }: Tally) {
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

/** Converts pairs of name and count to an object with the largest count first. */
function recordOf(counts: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(counts.toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)));
}

function fetchCountsOf({ count, bytes, ms }: Outcome): FetchCounts {
  return { count, bytes, ms: timesOf(ms) };
}

function sumOf(one: Outcome, other: Outcome): Outcome {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes, ms: mergeTimes(one.ms, other.ms) };
}
