// What a run has come to in, a line about it on a terminal that stays up to date out; messages are written above it.
import type { LiveLine, Terminal } from "../../../shell/live-line.ts";
import { type ProgressView, progressLineOf } from "./progress-line.ts";

/** Short runs show nothing. */
const firstDrawMs = 400;
const redrawMs = 200;
/** The speed shown is that of so many last drawings. */
const speedDrawings = 25;

/** What is asked of a run, again and again. */
export type Look = () => Omit<ProgressView, "recordsPerSecond" | "elapsedMs">;

/** Whether progress is shown: on a terminal that people look at, which is not where the rows go. */
export function showsProgress(
  stderr: Pick<Terminal, "isTTY">,
  stdout: Pick<Terminal, "isTTY">,
  env: NodeJS.ProcessEnv,
): boolean {
  const { CI = "", TERM } = env;
  const isCi = CI !== "" && CI !== "0" && CI !== "false";
  return stderr.isTTY === true && stdout.isTTY !== true && TERM !== "dumb" && !isCi;
}

/** Progress on a terminal; also what messages are written through. */
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

  /** Begins to show a line, after a while. What there is to be seen now an earlier part of the run did. */
  start(look: Look): void {
    this.#look = look;
    this.#startedAt = this.#now();
    this.#samples.push({ at: this.#startedAt, records: look().records });
    this.#timer = setTimeout(() => void this.#begin(), firstDrawMs).unref();
  }

  /** Writes whole lines where the line stands; it comes again below them. */
  write(text: string): void {
    this.#line?.clear();
    this.#terminal.write(text);
  }

  /** Takes the line away, for good. */
  stop(): void {
    this.#look = undefined;
    clearTimeout(this.#timer);
    this.#line?.end();
    this.#line = undefined;
  }

  async #begin(): Promise<void> {
    const { createLiveLine } = await import("../../../shell/live-line.ts");
    // Stopped meanwhile.
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
