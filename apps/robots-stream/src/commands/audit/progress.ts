// Shows on a terminal how far an audit has read its logs, and at its end the counts.
import type { AuditDocument } from "@robots-stream/audit";
import { bytesText, countText, durationText, numberText } from "../../cli/figures.ts";
import { paintFor } from "../../cli/colours.ts";
import type { Terminal } from "../../cli/live-line.ts";
import { fittedLine, leftText } from "../../cli/progress/fitted-line.ts";
import { type Measured, Progress, showsProgress } from "../../cli/progress/progress.ts";
import { createSay } from "../../cli/say.ts";

/** How far the logs were read. */
export interface ReadSoFar {
  /** Lines, or records of an input that is not a log; rejects are among them. */
  readonly records: number;
  /** Bytes of the files before decompression. `totalBytes`: undefined if one of them is not a regular file. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** The number of the file that is being read, from 1, and the number of files. */
  readonly file: number;
  readonly files: number;
}

/** Makes the line. It is ASCII and has at most `columns - 1` characters. */
export function auditLineOf(view: ReadSoFar & Measured, columns: number): string {
  const { records, recordsPerSecond, readBytes, totalBytes, file, files } = view;
  const left = leftText({ ...view, earlierBytes: 0 });
  const size = totalBytes === undefined ? bytesText(readBytes) : `${bytesText(readBytes)} of ${bytesText(totalBytes)}`;
  const parts = [
    { text: countText(records, "line"), rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    ...(files === 1 ? [] : [{ text: `file ${numberText(file)} of ${numberText(files)}`, rank: 3 }]),
    { text: size, rank: 4 },
    ...(left === undefined ? [] : [{ text: left, rank: 1 }]),
  ];
  return fittedLine(parts, columns);
}

/** The messages, the progress line and the counts of one audit on stderr. */
export class AuditProgress {
  /** Writes a sentence above the progress line. */
  readonly say: (sentence: string) => void;
  readonly #stderr: Terminal;
  readonly #env: NodeJS.ProcessEnv;
  readonly #progress: Progress<ReadSoFar>;
  readonly #beganAt = performance.now();

  constructor({ stderr, env }: { readonly stderr: Terminal; readonly env: NodeJS.ProcessEnv }) {
    this.#stderr = stderr;
    this.#env = env;
    this.#progress = new Progress<ReadSoFar>(stderr, auditLineOf);
    this.say = createSay(this.#progress);
  }

  /** Starts the progress line on a terminal. The report comes after the last line was read, so that stdout may be the same terminal. */
  begin(look: () => ReadSoFar): void {
    if (showsProgress(this.#stderr, {}, this.#env)) this.#progress.start(look);
  }

  /** Clears the progress line. Must be called before anything is written to stdout. */
  stop(): void {
    this.#progress.stop();
  }

  /** On a terminal, writes the counts of an audit whose report went into a file: nothing else there shows that the run has ended. */
  tellCounts(document: AuditDocument): void {
    if (this.#stderr.isTTY !== true) return;
    const line = countsLineOf(document, performance.now() - this.#beganAt);
    this.#progress.write(`${paintFor(this.#stderr, this.#env)("bold", line)}\n`);
  }
}

/** Returns "206 lines, 176 requests by 5 crawlers · 1 reject · 2 files · 0.08 s". `ms`: the duration of the run. */
export function countsLineOf({ inputs, totals, crawlers }: AuditDocument, ms: number): string {
  const lines = inputs.reduce((sum, input) => sum + input.lines, 0);
  const rejects = inputs.flatMap((input) => Object.values(input.rejects)).reduce((sum, count) => sum + count, 0);
  const outside = inputs.reduce((sum, input) => sum + input.outside, 0);
  const requests = countText(totals.requests - totals.notACrawler, "request");
  const parts = [
    `${countText(lines, "line")}, ${requests} by ${countText(crawlers.length, "crawler")}`,
    ...(rejects === 0 ? [] : [countText(rejects, "reject")]),
    ...(outside === 0 ? [] : [`${countText(outside, "line")} outside the time`]),
    countText(inputs.length, "file"),
    ms < 9_995 ? `${(ms / 1_000).toFixed(2)} s` : durationText(ms),
  ];
  return parts.join(" · ");
}
