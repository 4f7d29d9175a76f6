// Shows the state of a run in a line on a terminal, updates the line, and writes messages above it.
import type { LiveLine, Terminal } from "../../../shell/live-line.ts";
import { type ProgressView, progressLineOf } from "./progress-line.ts";

/** Delay of the first line, so that short runs show none. */
const firstDrawMs = 400;
const redrawMs = 200;
/** Number of recent updates over which the speed is measured. */
const speedDrawings = 25;

/** Returns the state of the run. */
export type Look = () => Omit<ProgressView, "recordsPerSecond" | "elapsedMs">;

/** Whether progress is shown: stderr is an interactive terminal, and the rows do not go to a terminal. */
export function showsProgress(
  stderr: Pick<Terminal, "isTTY">,
  stdout: Pick<Terminal, "isTTY">,
  env: NodeJS.ProcessEnv,
): boolean {
  const { CI = "", TERM } = env;
  const isCi = CI !== "" && CI !== "0" && CI !== "false";
  return stderr.isTTY === true && stdout.isTTY !== true && TERM !== "dumb" && !isCi;
}

/** The progress line on a terminal. All messages to that terminal must go through `write`. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #line: LiveLine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #look: Look | undefined;
  #startedAt = 0;
  readonly #samples: { readonly at: number; readonly records: number }[] = [];

  constructor(terminal: Terminal, now: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#now = now;
  }

  /** Begins to show the line after a delay. The state at the time of the call must be the state that an earlier process reached. */
  start(look: Look): void {
    this.#look = look;
    this.#startedAt = this.#now();
    this.#samples.push({ at: this.#startedAt, records: look().records });
    this.#timer = setTimeout(() => void this.#begin(), firstDrawMs).unref();
  }

  /** Writes whole lines above the progress line, which is redrawn below them. */
  write(text: string): void {
    this.#line?.clear();
    this.#terminal.write(text);
  }

  /** Clears the line and stops showing progress. */
  stop(): void {
    this.#look = undefined;
    clearTimeout(this.#timer);
    this.#line?.end();
    this.#line = undefined;
  }

  async #begin(): Promise<void> {
    const { createLiveLine } = await import("../../../shell/live-line.ts");
    // `stop` was called in the meantime.
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
    const view: ProgressView = { ...seen, recordsPerSecond, elapsedMs: at - this.#startedAt };
    this.#line?.draw((columns) => progressLineOf(view, columns));
  }
}
