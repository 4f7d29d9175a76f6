// Makes a document from counts, with every list in its canonical order.
import { totalNames } from "../count/counter-input.ts";
import type { AuditCounter } from "../count/counter.ts";
import { verificationRoom } from "../count/keys.ts";
import { type OriginCounts, actorOfTime } from "../count/origin-counts.ts";
import { sketchTextOf } from "../count/sketch.ts";
import { type Interval, type Outage, policyNames } from "../history.ts";
import { groupNamesOf } from "../states/judge.ts";
import { verifications } from "../states/states.ts";
import { TablesOfOrigins } from "./table-rows.ts";
import {
  type AuditDocument,
  type DocumentInput,
  type DocumentOrigin,
  type DocumentSettings,
  type LintRow,
  maxTextLength,
  schemaVersion,
} from "./types.ts";

/** The contents of a document besides its counts. */
export interface DocumentParts {
  readonly settings: DocumentSettings;
  readonly inputs: readonly DocumentInput[];
  /** The text of a version by its SHA-256, for the report's line-by-line section; undefined if the text is not available. */
  readonly textOf?: ((version: string) => string | undefined) | undefined;
  /** The linter's findings in a version; undefined if the linter did not run. */
  readonly lintOf?: ((version: string) => readonly LintRow[] | undefined) | undefined;
}

/** The maximum number of findings of the linter about a file that a document keeps. */
const maxLintRows = 100;

/**
 * The document of all requests counted so far. Its tables are made when they are read, so that only a part of a large document is in memory
 * at a time. The counter must therefore not change while the document is used.
 */
export function documentOf(counter: AuditCounter, parts: DocumentParts): AuditDocument {
  const tables = new TablesOfOrigins(counter);
  const counted = counter.origins();
  const origins = counted.map((counts) => originOf(counts, tables));
  const { firstSeconds, lastSeconds, history, limits, queryValues } = counter;
  const { registry, ranges, dialect, candidate } = parts.settings;
  return {
    schemaVersion,
    settings: { registry, ranges, dialect, candidate, history: history.digest, limits: { ...limits }, queryValues },
    period: firstSeconds <= lastSeconds ? { first: firstSeconds, last: lastSeconds } : null,
    totals: Object.fromEntries(totalNames.map((name, at) => [name, counter.totals[at]!])) as AuditDocument["totals"],
    crawlers: crawlersOf(counter, counted),
    urls: [...counter.sketches]
      .map(([actor, sketch]) => ({
        crawler: counter.crawlers[Math.floor(actor / verificationRoom) - 1]!.productToken,
        verification: verifications[actor % verificationRoom]!,
        sketch: sketchTextOf(sketch),
      }))
      .toSorted((one, other) =>
        `${one.crawler}\n${one.verification}` < `${other.crawler}\n${other.verification}` ? -1 : 1,
      ),
    otherAgents: counter.otherAgents.entries().map(([agent, requests]) => ({ agent, requests })),
    files: byVersion(origins, (version) => parts.textOf?.(version)?.slice(0, maxTextLength)),
    lint: byVersion(origins, (version) => parts.lintOf?.(version)?.slice(0, maxLintRows)),
    origins,
    ...pagesOf(counter),
    inputs: sortedInputs(parts.inputs),
  };
}

function pagesOf({ pages }: AuditCounter): Pick<AuditDocument, "pages"> {
  const rows = pages.rows();
  return rows.length === 0 ? {} : { pages: rows };
}

/** The inputs, sorted by name. */
function sortedInputs(inputs: readonly DocumentInput[]): readonly DocumentInput[] {
  const keyOf = ({ name, sha256, bytes }: DocumentInput): string => `${name}\n${sha256}\n${bytes}`;
  return inputs.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function originOf(counts: OriginCounts, tables: TablesOfOrigins): DocumentOrigin {
  const { history, times, fetches, directories, parameters } = counts;
  const heading = {
    origin: counts.origin,
    isKnown: history !== undefined,
    isDated: history?.isDated ?? false,
    ...(history?.isShared === true ? { isShared: history.isShared } : {}),
    intervals: (history?.intervals ?? []).map(intervalOf),
    outages: (history?.outages ?? []).map(outageOf),
    folded: {
      times: times.level,
      fetches: fetches.level,
      directories: directories.level,
      parameters: parameters.level,
    },
  };
  return tables.addTo(heading, counts);
}

/** An interval as documents contain it. */
function intervalOf(interval: Interval): DocumentOrigin["intervals"][number] {
  const { version, fromSeconds, fromLatestSeconds, seenSeconds, policies = policyNames } = interval;
  const latest = fromLatestSeconds === undefined ? {} : { fromLatest: fromLatestSeconds };
  return { version, from: fromSeconds, ...latest, seen: seenSeconds, policies: [...policies] };
}

/** An outage as documents contain it. */
function outageOf(outage: Outage): DocumentOrigin["outages"][number] {
  const { fromSeconds, fromLatestSeconds, seenSeconds, endSeconds, code } = outage;
  const latest = fromLatestSeconds === undefined ? {} : { fromLatest: fromLatestSeconds };
  return { from: fromSeconds, ...latest, seen: seenSeconds, end: endSeconds, ...(code === undefined ? {} : { code }) };
}

function crawlersOf(counter: AuditCounter, origins: readonly OriginCounts[]): AuditDocument["crawlers"] {
  const came = new Set<number>();
  for (const { times } of origins) {
    const { cells } = times;
    for (let cell = 0; cell < cells.count; cell++)
      came.add(Math.floor(actorOfTime(cells.keyOf(cell)) / verificationRoom));
  }
  return counter.crawlers
    .filter((_crawler, at) => came.has(at + 1))
    .map((crawler) => ({
      productToken: crawler.productToken,
      operator: crawler.operator,
      kind: crawler.kind,
      purposes: [...crawler.purposes],
      bound: crawler.bound,
      groupNames: [...groupNamesOf(crawler)],
      accessPolicy: crawler.accessPolicy,
      honoursCrawlDelay: crawler.honoursCrawlDelay,
    }))
    .toSorted((one, other) => (one.productToken < other.productToken ? -1 : 1));
}

/** The values that `valueOf` returns for the versions of the origins, by version. A version without a value is left out. */
function byVersion<Value>(
  origins: readonly DocumentOrigin[],
  valueOf: (version: string) => Value | undefined,
): Record<string, Value> {
  const known = Object.create(null) as Record<string, Value>;
  for (const { version } of origins.flatMap(({ intervals }) => intervals)) {
    const value = valueOf(version);
    if (value !== undefined) known[version] = value;
  }
  return { ...known };
}
