// Makes the members `state`, `versions` and `basis` of a row from a history of robots.txt files. The members state which versions of
// robots.txt the crawler may have used at the record's time, and what these versions decide.
import { type AuditDecision, isBoundBy, judge, unprovenOf } from "@robots-stream/audit";
import type { Matcher } from "@robots-stream/core";
import type { LogClock } from "@robots-stream/logs";
import {
  type AskedText,
  matchersOf,
  type MemberRecord,
  type MemberValues,
  type Question,
  type RecordMembers,
  type RobotsAsOf,
  type UndecidedBecause,
  utf8TextOf,
} from "@robots-stream/engine/internal";
import { TimeTexts } from "./time-texts.ts";

type Window = ReturnType<RobotsAsOf["windowAt"]>;

/** Maximum number of versions in the member `versions` of a row. */
const mostVersions = 20;

/** Estimated bytes of memory for one matcher of an older version: `bytesOfMatcher`, plus `weightOfByte` for each byte of the file. */
const bytesOfMatcher = 1_000;
const weightOfByte = 3;

/** An older version: its rules, and a cached matcher for each question that was decided by them. */
interface OlderVersion {
  readonly rules: ReturnType<RobotsAsOf["rulesOf"]>;
  readonly matchers: Map<Question, Matcher>;
}

/** The values of the three members for one state. `undecided` is the reason why the state has no decision, if it has none. */
interface RowState {
  readonly values: MemberValues;
  readonly undecided: UndecidedBecause | undefined;
}

const timeAt = 0;
const methodAt = 1;
/** By the keys of `#states`: the decisions allow and disallow of a file that names the crawler or need not, and of a file that does not. */
const decisionOf: Readonly<Record<string, AuditDecision>> = {
  a: { allowed: true, because: "" },
  d: { allowed: false, because: "" },
  A: { allowed: true, because: "", productToken: "*" },
  D: { allowed: false, because: "", productToken: "*" },
};
const robotsTxt: RowState = { values: ['"robots-txt"', undefined, undefined], undecided: undefined };
const connect: RowState = { values: ['"undecidable:connect"', undefined, undefined], undecided: "connect" };
const noUrl: MemberValues = ['"undecidable:no-url"', undefined, undefined];
const notACrawler: MemberValues = ['"not-a-crawler"', undefined, undefined];

interface AsOfOptions {
  /** The field with the request's method. */
  readonly method: AskedText;
  /** Maximum bytes of memory for the matchers of older versions. */
  readonly limit: number;
  /** The clock that wrote times without a zone; undefined: such times are read as UTC. */
  readonly logClock: LogClock | undefined;
}

/** Makes the members of records that are decided by their time. The states have the same names as in audits. */
export class AsOfMembers implements RecordMembers {
  readonly names: readonly string[] = ["state", "versions", "basis"];
  readonly fields: RecordMembers["fields"] = ["time", "method"];
  readonly texts: RecordMembers["texts"];
  readonly #asOf: RobotsAsOf;
  /** Cached states by window. The inner key is `bound` of the question, a space, and a letter for the decision of each of the versions. */
  readonly #states = new WeakMap<Window, Map<string, RowState>>();
  /** Cache of older versions (all versions of a window but the newest), by hash. The entry that was added first is evicted first. */
  readonly #older = new Map<string, OlderVersion>();
  #olderBytes = 0;
  readonly #limit: number;
  /** The state that `undecidedOf` found for a record. The next call of `valuesOf`, for the same record, uses and removes this state. */
  #found: RowState | undefined;
  /** Parses times and caches the results, because many neighbouring records have the same time. */
  readonly #times: TimeTexts;

  constructor(asOf: RobotsAsOf, { method, limit, logClock }: AsOfOptions) {
    this.#asOf = asOf;
    this.#times = new TimeTexts(logClock);
    this.texts = [method];
    this.#limit = limit;
  }

  undecidedOf(record: MemberRecord): UndecidedBecause | undefined {
    this.#found = isConnect(record) ? connect : this.#stateOf(record);
    const { undecided } = this.#found;
    // A crawler may always request /robots.txt. So a request for /robots.txt is decided even when the versions of the file are unknown.
    return undecided !== undefined && this.#isAlwaysAllowed(record) ? undefined : undecided;
  }

  valuesOf(record: MemberRecord): MemberValues {
    if (record.origin === undefined) return isConnect(record) ? connect.values : noUrl;
    if (record.question.isUnknown === true) return notACrawler;
    if (isRobotsTxt(record)) return robotsTxt.values;
    const { values } = this.#found ?? this.#stateOf(record);
    this.#found = undefined;
    return values;
  }

  /** Whether the record is an allowed request for /robots.txt. No rule is evaluated for such a request. */
  #isAlwaysAllowed(record: MemberRecord): boolean {
    return record.isAllowed === true && isRobotsTxt(record);
  }

  #stateOf(record: MemberRecord): RowState {
    const { ms, hasZone } = this.#times.read(record.textOf(timeAt));
    if (this.#asOf.isRobotsTarget(record.origin!, ms, record.target())) return robotsTxt;
    const known = this.#asOf.windowAt(record.origin!, ms, record.question.agent);
    const window = hasZone ? known : unprovenOf(known);
    const { versions } = window;
    const { bound } = record.question;
    let key = `${bound} `;
    const newest = versions.length - 1;
    for (let at = 0; at < newest; at++) key += this.#letterOf(versions[at]!, record);
    if (bound === "by-name" && newest >= 0) key += this.#letterOf(versions[newest]!, record);
    else if (newest >= 0) key += record.isAllowed === true ? "a" : "d";
    let states = this.#states.get(window);
    if (states === undefined) this.#states.set(window, (states = new Map()));
    let state = states.get(key);
    if (state === undefined) {
      const decisions = Array.from(key.slice(bound.length + 1), (letter) => decisionOf[letter]!);
      states.set(key, (state = this.#make(record.origin!, window, decisions, bound)));
    }
    return state;
  }

  #make(origin: string, window: Window, decisions: readonly AuditDecision[], bound: Question["bound"]): RowState {
    const { state, proven } = judge(window, decisions, bound);
    const undecided = state.startsWith("undecidable:")
      ? (state.slice("undecidable:".length) as UndecidedBecause)
      : undefined;
    const versions = window.versions.length === 0 ? undefined : JSON.stringify(this.#versionsOf(origin, window));
    const basis = undecided === undefined ? (proven ? '"proven"' : '"assumed"') : undefined;
    return { values: [JSON.stringify(state), versions, basis], undecided };
  }

  /**
   * Returns the newest `mostVersions` versions of a window, oldest first. `version`: the hash of the file. `from`: the time of the first
   * observation in the latest interval of this version; null for an observation without a date.
   */
  #versionsOf(origin: string, window: Window): readonly { version: string; from: string | null }[] {
    const { intervals } = this.#asOf.historyOf(origin)!;
    return window.intervals.slice(-mostVersions).map((interval) => {
      const { version, fromSeconds } = intervals[interval]!;
      const from = fromSeconds === null ? null : new Date(fromSeconds * 1_000).toISOString().replace(".000Z", "Z");
      return { version, from };
    });
  }

  /** The letter in the keys of `#states` for the decision of a version. */
  #letterOf(version: string, record: MemberRecord): string {
    const { question } = record;
    let older = this.#older.get(version);
    if (older === undefined) {
      older = { rules: this.#asOf.rulesOf(version), matchers: new Map() };
      this.#older.set(version, older);
    }
    let matcher = older.matchers.get(question);
    if (matcher === undefined) {
      matcher = matchersOf(older.rules, [question])[0]!;
      older.matchers.set(question, matcher);
      this.#olderBytes += bytesOf(older);
      this.#forget(version);
    }
    const decision = matcher.decideTarget(utf8TextOf(record.target()));
    const letter = decision.allowed ? "a" : "d";
    return isBoundBy([decision], question.bound) ? letter : letter.toUpperCase();
  }

  /** Evicts cached versions, first added first, until the memory is within the limit or the next version to evict is `needed`. */
  #forget(needed: string): void {
    for (const [version, older] of this.#older) {
      if (this.#olderBytes <= this.#limit || version === needed) return;
      this.#older.delete(version);
      this.#olderBytes -= bytesOf(older) * older.matchers.size;
    }
  }
}

/** Estimated bytes of memory for one matcher of a version. */
function bytesOf({ rules }: OlderVersion): number {
  return bytesOfMatcher + (rules.body?.length ?? 0) * weightOfByte;
}

function isConnect(record: MemberRecord): boolean {
  return record.endOf(methodAt) - record.startOf(methodAt) === 7 && record.textOf(methodAt) === "CONNECT";
}

function isRobotsTxt(record: MemberRecord): boolean {
  return record.target() === "/robots.txt";
}
