// Shows the state of a run in one line on a terminal, updates this line, and writes messages above it.
import type { LiveLine, Terminal } from "../live-line.ts";

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
    const { createLiveLine } = await import("../live-line.ts");
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
