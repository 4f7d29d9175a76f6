// Reads logs or lists of URLs, and counts the requests that two robots.txt files decide differently (flips), by crawler and rules.
import { productTokenOf } from "@robots-stream/agents";
import type { DialectName } from "@robots-stream/core";
import { UsageError } from "@robots-stream/engine";
import { ByteMemo, type PackedRecords, RequestPlaces, robotsOf, VersionRules } from "@robots-stream/engine/internal";
import type { InputRun } from "../../cli/command-body.ts";
import { readRecords } from "../../cli/read-records.ts";
import type { DiffSettings } from "./flags.ts";

/** Maximum numbers of rows, of examples in a row, and of bytes in the target of an example. */
export const mostRows = 10_000;
const mostExamples = 3;
const longestExample = 500;

type VersionDecision = ReturnType<VersionRules["decide"]>;

/** Flips of one crawler with the same ground in the old file and the same ground in the new file. A ground is a rule, or its absence. */
interface FlipRow {
  readonly crawler: string;
  readonly effect: "newly-allowed" | "newly-disallowed";
  readonly old: VersionDecision;
  readonly new: VersionDecision;
  requests: number;
  /** The first distinct URLs, at most `mostExamples`. */
  readonly examples: string[];
}

/** The counts of the logs, and the flips, in one dialect. */
export interface LogFlips {
  readonly dialect: DialectName;
  /** Number of records. Lines that are not records are counted in `rejects`. */
  records: number;
  rejects: number;
  /** Number of records that are not compared: their URL has no origin, or their User-Agent header names no known crawler. */
  notCompared: number;
  /** Number of requests for /robots.txt. They are not compared, because every crawler may make them (RFC 9309 §2.2.2). */
  robotsTxt: number;
  /** Number of comparisons: one for each compared record and crawler. */
  answers: number;
  flips: { "newly-allowed": number; "newly-disallowed": number };
  /** The rows, largest `requests` first; empty before `finish`. */
  rows: readonly FlipRow[];
  /** Number of flips that are in no row because of the limit of rows. `flips` includes them. */
  notListed: number;
}

/** The contents of the files to compare, and the dialects in which they are compared. */
export interface Compared {
  readonly old: Uint8Array;
  readonly new: Uint8Array;
  readonly dialects: readonly ComparedDialect[];
}

interface ComparedDialect {
  readonly dialect: DialectName;
  /** The crawlers for records that are not decided by their User-Agent header. */
  readonly crawlers: readonly string[];
}

/**
 * Reads all logs, and returns the counts for each dialect. Compares each record for the crawler that its User-Agent header names. If the
 * command line names crawlers, or a log file has no field for this header, compares each record for all crawlers of the dialect. Rejects
 * with a `UsageError` for a log that cannot be read, and for stdin without that field. Rejects with the signal's reason when it aborts.
 */
export async function readFlips(
  settings: DiffSettings,
  compared: Compared,
  run: InputRun,
): Promise<readonly LogFlips[]> {
  const counters = compared.dialects.map((dialect) => new FlipCounter(compared, dialect));
  for (const path of settings.logs) {
    const fieldOfAgent = settings.agents === undefined ? (settings.agentField ?? "user_agent") : undefined;
    try {
      await readLog(path, settings, fieldOfAgent, counters, run);
    } catch (error) {
      const isMissing = error instanceof UsageError && error.mistake === "no-agent-field";
      if (!isMissing || settings.agentField !== undefined || path === "-") throw error;
      await readLog(path, settings, undefined, counters, run);
    }
  }
  return counters.map((counter) => counter.finish());
}

async function readLog(
  path: string,
  settings: DiffSettings,
  agentField: string | undefined,
  counters: readonly FlipCounter[],
  run: InputRun,
): Promise<void> {
  const options = {
    ...settings,
    agentField,
    format: settings.inputFormat,
    agentsAskedBy: "diff --agent-field",
    needsAgents: settings.agentField === undefined,
    asksRequest: true,
  };
  const { failures } = await readRecords([path], options, run, (packed, rejects) => {
    for (const counter of counters) counter.take(packed, agentField !== undefined, rejects.length);
  });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

/** Compares the decisions of the two files about records in one dialect, and counts the flips. */
class FlipCounter {
  readonly #counts: LogFlips;
  readonly #dialect: DialectName;
  readonly #places = new RequestPlaces();
  /**
   * The crawlers. A crawler's number is its index. The crawlers of `ComparedDialect` come first, then each crawler that a User-Agent header
   * names.
   */
  readonly #crawlers: { readonly productToken: string; readonly dialect: DialectName }[];
  readonly #named: number;
  readonly #numbers = new Map<string, number>();
  readonly #rules: VersionRules;
  #agents = new ByteMemo((header) => this.#numberOfHeader(header));
  readonly #rows = new Map<string, FlipRow>();

  constructor({ old, new: next }: Compared, { dialect, crawlers }: ComparedDialect) {
    this.#dialect = dialect;
    this.#crawlers = crawlers.map((productToken) => ({ productToken, dialect }));
    this.#named = crawlers.length;
    this.#rules = new VersionRules(this.#crawlers, { tokenMatch: undefined, hasFallback: true });
    this.#rules.add("old", robotsOf(old));
    this.#rules.add("new", robotsOf(next));
    const flips = { "newly-allowed": 0, "newly-disallowed": 0 };
    this.#counts = {
      dialect,
      records: 0,
      rejects: 0,
      notCompared: 0,
      robotsTxt: 0,
      answers: 0,
      flips,
      rows: [],
      notListed: 0,
    };
  }

  take(packed: PackedRecords, isByAgent: boolean, rejects: number): void {
    const { agent } = packed.fields;
    const counts = this.#counts;
    const places = this.#places;
    counts.records += packed.count;
    counts.rejects += rejects;
    for (let record = 0; record < packed.count; record++) {
      const number = isByAgent ? this.#agents.resultOfField(agent, packed.bytes, record) : 0;
      if (number >= 0) places.locate(packed, record);
      if (number < 0 || places.origin === "") {
        counts.notCompared++;
        continue;
      }
      if (isRobotsTxt(places)) {
        counts.robotsTxt++;
        continue;
      }
      if (isByAgent) this.#compare(number);
      else for (let crawler = 0; crawler < this.#named; crawler++) this.#compare(crawler);
    }
  }

  /** Returns the counts and the sorted rows. Call it after the last batch. */
  finish(): LogFlips {
    const rows = [...this.#rows.values()].toSorted((one, other) => other.requests - one.requests);
    return Object.assign(this.#counts, { rows });
  }

  #compare(crawler: number): void {
    const { buffer, targetStart, targetEnd } = this.#places;
    const old = this.#rules.decide("old", crawler, buffer, targetStart, targetEnd);
    const next = this.#rules.decide("new", crawler, buffer, targetStart, targetEnd);
    this.#counts.answers++;
    if (old.allowed === next.allowed) return;
    const effect = next.allowed ? "newly-allowed" : "newly-disallowed";
    this.#counts.flips[effect]++;
    const key = `${crawler} ${effect} ${placeOf(old)} ${placeOf(next)}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      if (this.#rows.size === mostRows) {
        this.#counts.notListed++;
        return;
      }
      const { productToken } = this.#crawlers[crawler]!;
      row = { crawler: productToken, effect, old, new: next, requests: 0, examples: [] };
      this.#rows.set(key, row);
    }
    row.requests++;
    if (row.examples.length === mostExamples || targetEnd - targetStart > longestExample) return;
    const target = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.length).toString(
      "latin1",
      targetStart,
      targetEnd,
    );
    const url = this.#places.origin + target;
    if (!row.examples.includes(url)) row.examples.push(url);
  }

  /** Returns the number of the known crawler that a User-Agent header names; -1 if it names none. */
  #numberOfHeader(header: string): number {
    const productToken = header === "" ? undefined : productTokenOf(Buffer.from(header, "latin1").toString("utf8"));
    if (productToken === undefined) return -1;
    let number = this.#numbers.get(productToken);
    if (number === undefined) {
      number = this.#crawlers.push({ productToken, dialect: this.#dialect }) - 1;
      this.#numbers.set(productToken, number);
    }
    return number;
  }
}

function placeOf(decision: VersionDecision): string {
  return decision.because === "rule" ? String(decision.rule.line) : decision.because;
}

const robotsTxt = Buffer.from("/robots.txt");

function isRobotsTxt({ buffer, targetStart, targetEnd }: RequestPlaces): boolean {
  if (targetEnd - targetStart !== robotsTxt.length) return false;
  return robotsTxt.every((byte, index) => buffer[targetStart + index] === byte);
}
