// Makes the member `usage` of a row: the preferences about the use of content that the origin's robots.txt states.
import type { MemberRecord, MemberValues, RecordMembers } from "@robots-stream/engine";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { type Question, utf8TextOf } from "@robots-stream/engine/internal";
import { type Preferences, type SignalName, type Usage, createPreferences } from "@robots-stream/preferences";

export interface UsageSettings {
  /** The signals to read; undefined: all. */
  readonly signals: readonly SignalName[] | undefined;
}

/**
 * Estimated bytes of memory for the preferences of an origin: `bytesOfOrigin`, and for each question with statements `bytesOfStatement`
 * times the number of statements plus `weightOfByte` times the size of the file.
 */
const bytesOfOrigin = 300;
const bytesOfStatement = 1500;
const weightOfByte = 3;

/** The cached preferences of one version of an origin's robots.txt. */
interface OriginPreferences {
  /** Preferences by question; undefined when the file has no statement for the question's crawler. */
  readonly byQuestion: Map<Question, Preferences | undefined>;
  bytes: number;
}

const nothingStated: Usage = Object.freeze({
  "train-ai": Object.freeze({ value: "unknown", by: Object.freeze([]) }),
  search: Object.freeze({ value: "unknown", by: Object.freeze([]) }),
  "ai-input": Object.freeze({ value: "unknown", by: Object.freeze([]) }),
  licences: Object.freeze([]),
} as const);

/** Creates the source of `usage`. Caches preferences in about `limit` bytes, and evicts the entry that was added first. */
export function createUsageMembers({ signals }: UsageSettings, limit: number): RecordMembers {
  const origins = new Map<string, OriginPreferences>();
  let bytes = 0;
  const texts = new WeakMap<Usage, MemberValues>();
  const none: MemberValues = [undefined];

  const originOf = (name: string): OriginPreferences => {
    const known = origins.get(name);
    if (known !== undefined) return known;
    const added: OriginPreferences = { byQuestion: new Map(), bytes: bytesOfOrigin };
    origins.set(name, added);
    bytes += added.bytes;
    return added;
  };

  const readFor = (record: MemberRecord, question: Question, found: OriginPreferences): Preferences | undefined => {
    const { dialect, names, boundByEverybody, tokenMatch } = question;
    const sourced = record.robots();
    const robots = sourced?.robotsIn(dialect);
    const read =
      robots === undefined
        ? undefined
        : createPreferences(robots, { names, boundByEverybody }, { signals, tokenMatch });
    const preferences = read !== undefined && read.statementCount > 0 ? read : undefined;
    found.byQuestion.set(question, preferences);
    const added =
      preferences === undefined
        ? 0
        : preferences.statementCount * bytesOfStatement + (sourced?.body?.length ?? 0) * weightOfByte;
    found.bytes += added;
    bytes += added;
    // Evicts the entries that were added first. The entry of the current record is never evicted.
    for (const [oldest, { bytes: freed }] of origins) {
      if (bytes <= limit || oldest === nameOf(record)) break;
      origins.delete(oldest);
      bytes -= freed;
    }
    return preferences;
  };

  return {
    names: ["usage"],
    fields: [],
    texts: [],
    valuesOf(record) {
      const { origin, question } = record;
      if (origin === undefined) return none;
      const found = originOf(nameOf(record));
      const { byQuestion } = found;
      const preferences = byQuestion.has(question) ? byQuestion.get(question) : readFor(record, question, found);
      const usage = preferences?.usageAtTarget(utf8TextOf(record.target())) ?? nothingStated;
      let values = texts.get(usage);
      // `usage` contains texts of the file, which may contain control characters.
      if (values === undefined) texts.set(usage, (values = [visibleJsonOf(JSON.stringify(usage))]));
      return values;
    },
  };
}

/** The cache key of preferences: the origin, and the version of its robots.txt if `version` is not empty. */
function nameOf({ origin = "", version }: MemberRecord): string {
  return version === "" ? origin : `${origin} ${version}`;
}
