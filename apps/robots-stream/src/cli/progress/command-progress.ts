// Shows on a terminal how far a command has read that writes its output at the end, and then its counts.
import { paintFor } from "../colours.ts";
import { durationText } from "../figures.ts";
import type { Terminal } from "../live-line.ts";
import { createSay } from "../say.ts";
import { type Measured, Progress, showsProgress } from "./progress.ts";

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
