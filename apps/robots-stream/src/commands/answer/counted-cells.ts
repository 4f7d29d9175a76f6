// Counts the requests in frames as an audit does, and answers each frame with cells (rows of counts). A frame of requests without rows gets
// all cells that were not sent yet. A frame of requests with rows gets cells only when the counter has exceeded its limits.
import type { Writable } from "node:stream";
import {
  AuditCounter,
  type AuditDocument,
  cellLimits,
  cellsOf,
  type CountCell,
  documentOf,
  historyCellsOf,
  limitsFor,
  settingsCellOf,
} from "@robots-stream/audit";
import { IoError } from "@robots-stream/engine";
import { AuditSink } from "@robots-stream/engine/audit";
import { type InputStream, type UsedFiles, usualReading, VersionRules } from "@robots-stream/engine/internal";
import { packedOfColumns } from "./column-records.ts";
import type { LogClock } from "@robots-stream/logs";
import { writeText } from "../../cli/ending.ts";
import { logClockOf } from "../../cli/log-timezone.ts";
import { lintRowsOf } from "../../cli/audit/lint-rows.ts";
import { observeSaved } from "../../cli/audit/observed.ts";
import { auditCrawlers, judgedCrawlers, registryVersion } from "../../cli/audit/registry.ts";
import type { CountingSettings } from "./flags.ts";
import { answerHeadOf, type Frame, framesOf } from "./frames.ts";

/** Arguments of `answerCells` besides the settings. */
export interface CountingSurroundings {
  readonly stdin: InputStream;
  readonly stdout: Writable;
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** The columns after the first column, the URL, in a frame with requests. */
const requestFields = ["agent", "time", "method", "status", "bytes", "referer"] as const;
/**
 * Number of columns in a frame with origins. The answer to such a frame has the cells of the histories of its origins, and a cell of
 * settings for each null.
 */
const originColumns = 1;
const requestColumns = 1 + requestFields.length;

/**
 * After every `rowsAtOnce` rows of a frame and at the end of the frame, a counter with more than `mostDirectories` directories or
 * `mostCells` cells is replaced with a new counter, and its cells are sent. A counter within these limits folds no entries together.
 */
const rowsAtOnce = 16_384;
const mostDirectories = 32_768;
const mostCells = 200_000;

/**
 * Answers frames until stdin ends. Rejects with a `UsageError` for unusable settings, and with an `IoError` for a damaged frame. Also
 * rejects with an `IoError` if stdin ends while the cells of counted rows are not sent yet.
 */
export async function answerCells(settings: CountingSettings, surroundings: CountingSurroundings): Promise<void> {
  const { stdin, stdout, signal } = surroundings;
  const seen = await observeSaved(settings.robotsPath, { ...settings, ...surroundings });
  try {
    const rules = new VersionRules(judgedCrawlers, { tokenMatch: undefined, hasFallback: true }, (version) =>
      seen.has(version) ? seen.rulesOf(version) : undefined,
    );
    const history = seen.timeline();
    const { queryValues } = settings;
    const counts = new CellCounts(
      () => new AuditCounter({ history, crawlers: auditCrawlers, queryValues, limits: cellLimits }),
      rules,
      logClockOf(settings.logTimezone),
    );
    const whole: AuditDocument["settings"] = {
      ...usualSettings,
      history: history.digest,
      limits: limitsFor(history.origins.length),
      queryValues,
    };
    const tellOf = function* (frame: Frame): Generator<CountCell> {
      for (const origin of textsOf(frame)) {
        if (origin === undefined) yield settingsCellOf(whole, auditCrawlers);
        else {
          const known = history.of(origin);
          if (known === undefined) continue;
          yield* historyCellsOf(
            known,
            (version) => seen.textOf(version),
            (version) => lintRowsOf(seen.bodyOf(version)),
          );
        }
      }
    };
    for await (const frame of framesOf(stdin, [originColumns, requestColumns])) {
      const isAboutOrigins = frame.columns.length === originColumns;
      await writeText(stdout, answerOf(frame.rows, isAboutOrigins ? tellOf(frame) : counts.take(frame)));
    }
    if (counts.held > 0 && signal?.aborted !== true) {
      const rows = `${counts.held} row${counts.held === 1 ? "" : "s"}`;
      throw new IoError(
        "input",
        "stdin",
        new Error(`ends before a frame without rows asked for the counts of ${rows}`),
      );
    }
  } finally {
    seen.close();
  }
}

const usualSettings = { registry: registryVersion, ranges: null, dialect: usualReading, candidate: null };

/** Yields the texts in the first column of a frame; undefined for a null. */
function* textsOf({ bytes, rows, columns }: Frame): Generator<string | undefined> {
  const [column] = columns;
  for (let row = 0; row < rows; row++) {
    yield column!.has(row) ? bytes.toString("utf8", column!.at(row), column!.at(row + 1)) : undefined;
  }
}

/** Counts the requests in frames, and keeps the counts until their cells are sent. */
class CellCounts {
  readonly #make: () => AuditCounter;
  readonly #rules: VersionRules;
  readonly #logClock: LogClock | undefined;
  #counter: AuditCounter;
  #sink: AuditSink;
  #rows = 0;
  #missing = 0;

  constructor(make: () => AuditCounter, rules: VersionRules, logClock: LogClock | undefined) {
    this.#logClock = logClock;
    this.#make = make;
    this.#rules = rules;
    this.#counter = make();
    this.#sink = this.#newSink();
  }

  /** Number of rows that were counted and whose cells were not sent yet. */
  get held(): number {
    return this.#rows;
  }

  /** Counts the rows of a frame, and yields the cells for the answer (see `rowsAtOnce`). A frame without rows yields all cells. */
  *take({ bytes, rows, columns: [url, ...others] }: Frame): Generator<CountCell> {
    const fields = Object.fromEntries(requestFields.map((field, at) => [field, others[at]!]));
    for (let from = 0; from < rows; from += rowsAtOnce) {
      const to = Math.min(rows, from + rowsAtOnce);
      const packed = packedOfColumns(bytes, rows, { url: url!, ...fields }, { from, to });
      this.#sink.take(packed);
      this.#rows += to - from;
      this.#missing += to - from - packed.count;
      const { cells, directories } = this.#counter.size();
      if (cells > mostCells || directories > mostDirectories) yield* this.#given();
    }
    if (rows === 0) yield* this.#given();
  }

  /** Yields the cells of all rows that were counted since the last call, and creates a new counter. */
  *#given(): Generator<CountCell> {
    if (this.#rows === 0) return;
    const rejects: Record<string, number> = this.#missing === 0 ? {} : { "no-url": this.#missing };
    const input = { name: "", bytes: 0, sha256: "", lines: this.#rows, rejects, sampleRate: 1, outside: 0 };
    const document = documentOf(this.#counter, { settings: usualSettings, inputs: [input] });
    this.#counter = this.#make();
    this.#sink = this.#newSink();
    this.#rows = 0;
    this.#missing = 0;
    yield* cellsOf(document);
  }

  #newSink(): AuditSink {
    const logClock = this.#logClock;
    const window = { fromSeconds: -Infinity, toSeconds: Infinity };
    const [counter, rules] = [this.#counter, this.#rules];
    return new AuditSink({ ...window, counter, rules, candidates: new Map<string, never>(), logClock });
  }
}

/** Makes an answer with one line of CSV for each cell. */
function answerOf(rows: number, cells: Iterable<CountCell>): Buffer {
  const lines: string[] = [];
  for (const { origin, cell, key, example, requests, bytes, first, last } of cells) {
    const texts = [origin, cell, key, example].map((text) => (text === null ? "" : `"${text.replaceAll('"', '""')}"`));
    lines.push(`${texts.join(",")},${requests ?? ""},${bytes ?? ""},${first ?? ""},${last ?? ""}\n`);
  }
  const text = Buffer.from(lines.join(""));
  return Buffer.concat([answerHeadOf(rows, lines.length, text.length), text]);
}
