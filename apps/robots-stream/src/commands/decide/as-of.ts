// Decides records by their time: reads the history of robots.txt files, and makes the members `state`, `disputed`, `versions` and `basis` of a
// row. They state which versions of robots.txt the crawler may have used at the record's time, and what these versions decide.
import { type AuditDecision, isBoundBy, judge, unprovenOf, withOlderCopies } from "@robots-stream/audit";
import type { AskedText, MemberRecord, MemberValues, RecordMembers, UndecidedBecause } from "@robots-stream/engine";
import {
  crawlerListOf,
  judgedCrawlerOf,
  type Question,
  type QuestionOptions,
  readHistory,
  RequestTarget,
  RobotsAsOf,
  type UsedFiles,
  VersionRules,
} from "@robots-stream/engine/internal";
import type { LogClock } from "@robots-stream/logs";
import { countText } from "../../cli/figures.ts";
import { originOfBase } from "../../cli/input-settings.ts";
import type { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";
import type { Settings } from "./settings.ts";
import { remembered, timeReader } from "./remembered.ts";

type Window = ReturnType<RobotsAsOf["windowAt"]>;

/** Maximum number of crawlers whose access policies are remembered. */
const mostAgents = 10_000;

/** Maximum number of versions in the member `versions` of a row. */
const mostVersions = 20;

/** Estimated bytes of memory for the rules of a version: `bytesOfRules`, plus `weightOfByte` for each byte of the file. */
const bytesOfRules = 1_000;
const weightOfByte = 3;

/** The values of the four members for one state. `undecided` is the reason why the state has no decision, if it has none. */
interface RowState {
  readonly values: MemberValues;
  readonly undecided: UndecidedBecause | undefined;
}

const timeAt = 0;
const methodAt = 1;
const sentAt = 2;
const otherTargetAt = 3;
const serverPathAt = 4;
/** By the keys of `#states`: the decisions allow and disallow of a file that names the crawler or need not, and of a file that does not. */
const decisionOf: Readonly<Record<string, AuditDecision>> = {
  a: { allowed: true, because: "" },
  d: { allowed: false, because: "" },
  A: { allowed: true, because: "", productToken: "*" },
  D: { allowed: false, because: "", productToken: "*" },
};
const robotsTxt: RowState = { values: ['"robots-txt"', undefined, undefined, undefined], undecided: undefined };
const connect: RowState = { values: ['"undecidable:connect"', undefined, undefined, undefined], undecided: "connect" };
const noUrl: MemberValues = ['"undecidable:no-url"', undefined, undefined, undefined];
const notACrawler: MemberValues = ['"not-a-crawler"', undefined, undefined, undefined];

interface AsOfOptions {
  /** The field with the request's method. */
  readonly method: AskedText;
  readonly questionOptions: Omit<QuestionOptions, "dialects" | "asJudged">;
  /** Maximum bytes of memory for the rules of versions. */
  readonly limit: number;
  /** The clock that wrote times without a zone; undefined: such times are read as UTC. */
  readonly logClock: LogClock | undefined;
}

/** Makes the members of records that are decided by their time. The states have the same names as in audits. */
export class AsOfMembers implements RecordMembers {
  readonly names: readonly string[] = ["state", "disputed", "versions", "basis"];
  readonly fields: RecordMembers["fields"] = ["time", "method", "sent", "otherTarget", "serverPath"];
  readonly texts: RecordMembers["texts"];
  readonly #asOf: RobotsAsOf;
  /** Cached states by window. The inner key is `bound` of the question, a space, a letter for the decision of each of the versions, and "!" if it is disputed. */
  readonly #states = new WeakMap<Window, Map<string, RowState>>();
  readonly #questionOptions: AsOfOptions["questionOptions"];
  /** The rules by which requests are judged, of all crawlers in `#crawlers`. */
  #rules: VersionRules;
  #crawlers: ConstructorParameters<typeof VersionRules>[0][number][] = [];
  /** For each question: the position of its crawler in `#crawlers`, and the versions that have decided about it. */
  readonly #asked = new Map<Question, { readonly number: number; readonly versions: Set<string> }>();
  #rulesBytes = 0;
  readonly #limit: number;
  readonly #target = new RequestTarget();
  /** The state that `undecidedOf` found for a record. The next call of `valuesOf`, for the same record, uses and removes this state. */
  #found: RowState | undefined;
  readonly #timeOf: ReturnType<typeof timeReader>;

  constructor(asOf: RobotsAsOf, { method, limit, logClock, questionOptions }: AsOfOptions) {
    this.#asOf = asOf;
    this.#questionOptions = questionOptions;
    this.#rules = new VersionRules(this.#crawlers, questionOptions);
    this.#timeOf = timeReader(logClock);
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

  #withOlderCopies(known: Window, { origin, question: { agent, copyHours } }: MemberRecord, ms: number): Window {
    if (copyHours === undefined) return known;
    return withOlderCopies(known, ms / 1_000, copyHours, (at) => this.#asOf.windowAt(origin!, at * 1_000, agent));
  }

  #stateOf(record: MemberRecord): RowState {
    const { ms, hasZone } = this.#timeOf(record.textOf(timeAt));
    if (this.#asOf.isRobotsTarget(record.origin!, ms, record.target())) return robotsTxt;
    const { agent, bound } = record.question;
    const known = this.#asOf.windowAt(record.origin!, ms, agent);
    const hasServerPath = record.endOf(serverPathAt) > record.startOf(serverPathAt);
    const window = hasZone && !hasServerPath ? this.#withOlderCopies(known, record, ms) : unprovenOf(known);
    const { versions } = window;
    let key = `${bound} `;
    let isDisputed = false;
    if (versions.length > 0) this.#target.set(record.target(), record.textOf(sentAt), record.textOf(otherTargetAt));
    for (const [at, version] of versions.entries()) {
      const judged = this.#decide(version, record, this.#target);
      // The newest version has decided the record, perhaps by another part of a long file, or by another form of the target.
      const isAllowed = at === versions.length - 1 ? record.isAllowed === true : judged.allowed;
      if (judged.disputed || judged.allowed !== isAllowed) isDisputed = true;
      const letter = isAllowed ? "a" : "d";
      key += isBoundBy([judged], bound) ? letter : letter.toUpperCase();
    }
    if (isDisputed) key += "!";
    let states = this.#states.get(window);
    if (states === undefined) this.#states.set(window, (states = new Map()));
    let state = states.get(key);
    if (state === undefined) {
      const letters = key.slice(bound.length + 1, isDisputed ? -1 : undefined);
      const decisions = Array.from(letters, (letter) => decisionOf[letter]!);
      states.set(key, (state = this.#make(record.origin!, window, decisions, bound, isDisputed)));
    }
    return state;
  }

  #make(
    origin: string,
    window: Window,
    decisions: readonly AuditDecision[],
    bound: Question["bound"],
    isDisputed: boolean,
  ): RowState {
    const { state, proven } = judge(window, decisions, bound);
    const undecided = state.startsWith("undecidable:")
      ? (state.slice("undecidable:".length) as UndecidedBecause)
      : undefined;
    const versions = window.versions.length === 0 ? undefined : JSON.stringify(this.#versionsOf(origin, window));
    const basis = undecided === undefined ? (proven ? '"proven"' : '"assumed"') : undefined;
    const disputed = isDisputed && undecided === undefined ? "true" : undefined;
    return { values: [JSON.stringify(state), disputed, versions, basis], undecided };
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

  /** The decision of a version about a request, as an audit makes it. */
  #decide(
    version: string,
    { question }: MemberRecord,
    target: RequestTarget,
  ): ReturnType<VersionRules["decideRequest"]> {
    let asked = this.#asked.get(question);
    const isNew = asked?.versions.has(version) !== true;
    if (isNew && this.#rulesBytes > this.#limit) {
      this.#forget();
      asked = undefined;
    }
    if (asked === undefined) {
      const { agent, dialect } = question;
      const judged = judgedCrawlerOf(agent, crawlerListOf(this.#questionOptions.crawlers).crawlerOf(agent));
      asked = { number: this.#crawlers.push({ ...judged, dialect }) - 1, versions: new Set() };
      this.#asked.set(question, asked);
    }
    if (isNew) {
      asked.versions.add(version);
      this.#rules.add(version, this.#asOf.judgedBy(version));
      this.#rulesBytes += bytesOfRules + this.#asOf.sizeOf(version) * weightOfByte;
    }
    return this.#rules.decideRequest(version, asked.number, target);
  }

  /** Frees the memory of all rules. */
  #forget(): void {
    this.#asked.clear();
    this.#crawlers = [];
    this.#rules = new VersionRules(this.#crawlers, this.#questionOptions);
    this.#rulesBytes = 0;
  }
}

function isConnect(record: MemberRecord): boolean {
  return record.endOf(methodAt) - record.startOf(methodAt) === 7 && record.textOf(methodAt) === "CONNECT";
}

function isRobotsTxt(record: MemberRecord): boolean {
  return record.target() === "/robots.txt";
}

/**
 * Reads the files and folders of `--robots-history`. The caller must close the `source` of the result. Rejects with a `UsageError` for a
 * path that cannot be used, and with the signal's reason.
 */
export async function openHistory(
  paths: readonly string[],
  settings: Settings,
  surroundings: {
    readonly used: UsedFiles;
    readonly say: (sentence: string) => void;
    readonly damaged: DamagedOrigins;
    readonly signal: AbortSignal | undefined;
  },
): Promise<RobotsAsOf> {
  const { base, maxBytes, isVerbose } = settings;
  const origin = base === undefined ? undefined : originOfBase(base);
  const seen = await readHistory(paths, { from: "robotsHistory", maxBytes, origin, ...surroundings });
  const asOf = new RobotsAsOf(seen, policyChoiceOf(settings));
  if (isVerbose)
    surroundings.say(
      `--robots-history: ${countText(seen.observations.length, "observation")} of ${countText(asOf.origins, "origin")}`,
    );
  return asOf;
}

/**
 * The access policy for the crawler of a record: that of `--access-policy`, else that by which an audit judges the crawler. Several crawlers
 * of the command line are asked about the same version, so they have Google's policy if their policies differ.
 */
function policyChoiceOf(settings: Settings): ConstructorParameters<typeof RobotsAsOf>[1] {
  const { network, questions, questionOptions, hasAccessPolicy } = settings;
  const given = network.accessPolicy === "google-2024" ? "google" : network.accessPolicy;
  if (hasAccessPolicy === true) return () => given;
  const { crawlerOf } = crawlerListOf(questionOptions.crawlers);
  const policyOf = (agent: string): typeof given => judgedCrawlerOf(agent, crawlerOf(agent)).accessPolicy;
  const asked = new Set(questions.map(({ agent }) => policyOf(agent)));
  const [only = given] = asked;
  if (questions.length > 0) return () => (asked.size === 1 ? only : given);
  return remembered(mostAgents, (agent: string | undefined) => (agent === undefined ? given : policyOf(agent)));
}
