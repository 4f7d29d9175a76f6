// Frames of requests in, counts of an audit out as cells: a frame without rows requests the cells counted since the last ones; a full
// counter is emptied by itself.
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
import {
  type InputStream,
  IoError,
  packedOfColumns,
  type UsedFiles,
  VersionRules,
} from "@robots-stream/engine/internal";
import { writeText } from "../../shell/ending.ts";
import { AuditFeed } from "../audit/feed.ts";
import { lintRowsOf } from "../audit/lint-rows.ts";
import { observeSaved } from "../audit/observed.ts";
import { auditCrawlers, judgedCrawlers, registryVersion, usualDialect } from "../audit/registry.ts";
import type { CountingSettings } from "./flags.ts";
import { answerHeadOf, type Frame, framesOf } from "./frames.ts";

/** What counting needs besides the settings. */
export interface CountingSurroundings {
  readonly stdin: InputStream;
  readonly stdout: Writable;
  readonly used: UsedFiles;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** The columns of a frame of requests, after the URL. */
const requestFields = ["agent", "time", "method", "status", "bytes", "referer"] as const;
/** A frame with one column asks what is known about origins. */
const originColumns = 1;
const requestColumns = 1 + requestFields.length;

/** Limits after which a counter is emptied: requests, directories and cells. Within them, nothing is folded. */
const rowsAtOnce = 16_384;
const mostDirectories = 32_768;
const mostCells = 200_000;

/**
 * Answers until stdin ends. Rejects with a `UsageError`, or with an `IoError`; the latter also if stdin ends before a frame has requested
 * the last counts.
 */
export async function answerCells(settings: CountingSettings, surroundings: CountingSurroundings): Promise<void> {
  const { stdin, stdout, signal } = surroundings;
  const seen = await observeSaved(settings.robotsPath, { ...settings, ...surroundings });
  try {
    const rules = new VersionRules(judgedCrawlers, { tokenMatch: undefined, hasFallback: true });
    for (const version of seen.versions) rules.add(version, seen.rulesOf(version));
    const history = seen.timeline();
    const { queryValues } = settings;
    const counts = new CellCounts(
      () => new AuditCounter({ history, crawlers: auditCrawlers, queryValues, limits: cellLimits }),
      rules,
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

const usualSettings = { registry: registryVersion, ranges: null, dialect: usualDialect, candidate: null };

/** The texts of the first column; undefined for null. */
function* textsOf({ bytes, rows, columns }: Frame): Generator<string | undefined> {
  const [column] = columns;
  for (let row = 0; row < rows; row++) {
    yield column!.has(row) ? bytes.toString("utf8", column!.at(row), column!.at(row + 1)) : undefined;
  }
}

/** Counts of frames whose cells were not sent yet. */
class CellCounts {
  readonly #make: () => AuditCounter;
  readonly #rules: VersionRules;
  #counter: AuditCounter;
  #feed: AuditFeed;
  #rows = 0;
  #missing = 0;

  constructor(make: () => AuditCounter, rules: VersionRules) {
    this.#make = make;
    this.#rules = rules;
    this.#counter = make();
    this.#feed = this.#newFeed();
  }

  /** Rows that were counted, and not given away. */
  get held(): number {
    return this.#rows;
  }

  /** Counts the rows of a frame; returns the cells that are due. */
  *take({ bytes, rows, columns: [url, ...others] }: Frame): Generator<CountCell> {
    const fields = Object.fromEntries(requestFields.map((field, at) => [field, others[at]!]));
    for (let from = 0; from < rows; from += rowsAtOnce) {
      const to = Math.min(rows, from + rowsAtOnce);
      const packed = packedOfColumns(bytes, rows, { url: url!, ...fields }, { from, to });
      this.#feed.take(packed);
      this.#rows += to - from;
      this.#missing += to - from - packed.count;
      const { cells, directories } = this.#counter.size();
      if (cells > mostCells || directories > mostDirectories) yield* this.#given();
    }
    if (rows === 0) yield* this.#given();
  }

  /** The cells of all rows since the last ones. */
  *#given(): Generator<CountCell> {
    if (this.#rows === 0) return;
    const rejects: Record<string, number> = this.#missing === 0 ? {} : { "no-url": this.#missing };
    const input = { name: "", bytes: 0, sha256: "", lines: this.#rows, rejects, sampleRate: 1, outside: 0 };
    const document = documentOf(this.#counter, { settings: usualSettings, inputs: [input] });
    this.#counter = this.#make();
    this.#feed = this.#newFeed();
    this.#rows = 0;
    this.#missing = 0;
    yield* cellsOf(document);
  }

  #newFeed(): AuditFeed {
    const options = { fromSeconds: -Infinity, toSeconds: Infinity, candidates: new Map<string, string>() };
    return new AuditFeed(this.#counter, this.#rules, options);
  }
}

/** An answer with a line of CSV for each cell. */
function answerOf(rows: number, cells: Iterable<CountCell>): Buffer {
  const lines: string[] = [];
  for (const { origin, cell, key, example, requests, bytes, first, last } of cells) {
    const texts = [origin, cell, key, example].map((text) => (text === null ? "" : `"${text.replaceAll('"', '""')}"`));
    lines.push(`${texts.join(",")},${requests ?? ""},${bytes ?? ""},${first ?? ""},${last ?? ""}\n`);
  }
  const text = Buffer.from(lines.join(""));
  return Buffer.concat([answerHeadOf(rows, lines.length, text.length), text]);
}
