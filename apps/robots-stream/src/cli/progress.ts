// Shows how far a run has come in one line on a terminal, updates this line, and writes messages above it.
import type { LiveLine, Terminal } from "./live-line.ts";
import { durationText } from "./figures.ts";
import { paintFor, createSay } from "./terminal.ts";

/** Milliseconds from the start of a run to the first progress line. A shorter run shows no progress line. */
const firstDrawMs = 400;
const redrawMs = 200;
/** Number of the most recent updates from which the speed is computed. */
const speedDrawings = 25;

/** What is measured between the states of a run. */
export interface Measured {
  /** Records per second over the most recent updates. */
  readonly recordsPerSecond: number;
  readonly elapsedMs: number;
}

/**
 * Whether progress is shown. It is shown if stderr is a terminal that can redraw a line, the rows go elsewhere, and the run is not a CI
 * job.
 */
export function showsProgress(
  stderr: Pick<Terminal, "isTTY">,
  stdout: Pick<Terminal, "isTTY">,
  env: NodeJS.ProcessEnv,
): boolean {
  const { CI = "", TERM } = env;
  const isCi = CI !== "" && CI !== "0" && CI !== "false";
  return stderr.isTTY === true && stdout.isTTY !== true && TERM !== "dumb" && !isCi;
}

/** The progress line on a terminal. All messages to this terminal must be written with `write`. `Seen`: the state of a run. */
export class Progress<Seen extends { readonly records: number }> {
  readonly #terminal: Terminal;
  readonly #lineOf: (view: Seen & Measured, columns: number) => string;
  readonly #now: () => number;
  #line: LiveLine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #look: (() => Seen) | undefined;
  #startedAt = 0;
  readonly #samples: { readonly at: number; readonly records: number }[] = [];

  /** `lineOf` makes a line of at most `columns - 1` characters. */
  constructor(
    terminal: Terminal,
    lineOf: (view: Seen & Measured, columns: number) => string,
    now: () => number = () => performance.now(),
  ) {
    this.#terminal = terminal;
    this.#lineOf = lineOf;
    this.#now = now;
  }

  /** Shows the line after `firstDrawMs`. The speed counts only records after this call, so call it before the first record is read. */
  start(look: () => Seen): void {
    this.#look = look;
    this.#startedAt = this.#now();
    this.#samples.push({ at: this.#startedAt, records: look().records });
    this.#timer = setTimeout(() => void this.#begin(), firstDrawMs).unref();
  }

  /** Clears the progress line and writes whole lines in its place. The next update draws the progress line below them. */
  write(text: string): void {
    this.#line?.clear();
    this.#terminal.write(text);
  }

  /** Clears the progress line and stops its updates. */
  stop(): void {
    this.#look = undefined;
    clearTimeout(this.#timer);
    this.#line?.end();
    this.#line = undefined;
  }

  async #begin(): Promise<void> {
    const { createLiveLine } = await import("./live-line.ts");
    // `stop` may have been called during the import.
    if (this.#look === undefined) return;
    this.#line = createLiveLine(this.#terminal);
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), redrawMs).unref();
  }

  #draw(): void {
    if (this.#look === undefined) return;
    const seen = this.#look();
    const at = this.#now();
    const oldest = this.#samples[0]!;
    const recordsPerSecond = ((seen.records - oldest.records) * 1_000) / Math.max(1, at - oldest.at);
    this.#samples.push({ at, records: seen.records });
    if (this.#samples.length > speedDrawings) this.#samples.shift();
    const view = { ...seen, recordsPerSecond, elapsedMs: at - this.#startedAt };
    this.#line?.draw((columns) => this.#lineOf(view, columns));
  }
}

/** A part of the line. The part with the highest rank is left out first; the part with rank 0 is never left out. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

/** Joins the parts to a line of at most `columns - 1` characters, so that no terminal wraps it. The parts must be ASCII. */
export function fittedLine(all: readonly Part[], columns: number): string {
  const parts = [...all];
  const width = Math.max(1, columns - 1);
  for (let rank = Math.max(...parts.map((part) => part.rank)); joined(parts).length > width && rank > 0; rank--) {
    const at = parts.findIndex((part) => part.rank === rank);
    if (at >= 0) parts.splice(at, 1);
  }
  return joined(parts).slice(0, width);
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join(", ");
}

/** How much of an input was read. */
export interface ReadShare {
  /** Bytes read from the input, and the size of the input if known. Both are sizes before decompression. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** The part of `readBytes` that an earlier process read. */
  readonly earlierBytes: number;
  readonly elapsedMs: number;
}

/** Returns the percentage of the input that was read, and the remaining time, estimated from the mean speed of this process. */
export function leftText({ readBytes, totalBytes, earlierBytes, elapsedMs }: ReadShare): string | undefined {
  if (totalBytes === undefined || totalBytes === 0) return undefined;
  const share = Math.min(1, readBytes / totalBytes);
  if (share === 1) return "all read";
  const own = readBytes - earlierBytes;
  const left = own === 0 ? "" : `, ${durationText((elapsedMs / own) * (totalBytes - readBytes))} left`;
  return `${Math.floor(share * 100)} %${left}`;
}

/** The messages, the progress line and the counts of one run on stderr. `Seen`: how far the run has come. */
export class CommandProgress<Seen extends { readonly records: number }> {
  /** Writes a sentence above the progress line. */
  readonly say: (sentence: string) => void;
  readonly #stderr: Terminal;
  readonly #env: NodeJS.ProcessEnv;
  readonly #progress: Progress<Seen>;
  readonly #beganAt = performance.now();

  /** `lineOf` makes a line of at most `columns - 1` characters. */
  constructor(
    { stderr, env }: { readonly stderr: Terminal; readonly env: NodeJS.ProcessEnv },
    lineOf: (view: Seen & Measured, columns: number) => string,
  ) {
    this.#stderr = stderr;
    this.#env = env;
    this.#progress = new Progress<Seen>(stderr, lineOf);
    this.say = createSay(this.#progress);
  }

  /** Starts the progress line on a terminal. The output comes after everything was read, so that stdout may be the same terminal. */
  begin(look: () => Seen): void {
    if (showsProgress(this.#stderr, {}, this.#env)) this.#progress.start(look);
  }

  /** Clears the progress line. Must be called before anything is written to stdout. */
  stop(): void {
    this.#progress.stop();
  }

  /** On a terminal, writes the counts of a run whose output went into a file: nothing else there shows that the run has ended. */
  tellCounts(counts: readonly string[]): void {
    if (this.#stderr.isTTY !== true) return;
    const ms = performance.now() - this.#beganAt;
    const time = ms < 9_995 ? `${(ms / 1_000).toFixed(2)} s` : durationText(ms);
    this.#progress.write(`${paintFor(this.#stderr, this.#env)("bold", [...counts, time].join(" · "))}\n`);
  }
}
