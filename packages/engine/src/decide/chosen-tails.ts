// Decisions in, the tails of their rows out, with `--only`: rows that were not chosen are counted and not written.
import type { RecordRange } from "../records/record-range.ts";
import type { Rows } from "../records/rows.ts";
import type { Tally } from "../tally.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { type ChosenRows, type RowChoice, chosenRowsOf } from "./row-choice.ts";
import { Tails } from "./tails.ts";

/** The tails of a run that writes some of its rows. A separate class, so that runs without a choice have no additional cost. */
export class ChosenTails extends Tails {
  readonly #chosen: ChosenRows | undefined;
  readonly #tally: Tally;

  constructor(
    options: Pick<DeciderOptions, "questions" | "writer" | "matchers" | "tally" | "rows">,
    only: readonly RowChoice[] | undefined,
  ) {
    super(options);
    this.#chosen = only === undefined ? undefined : chosenRowsOf(only);
    this.#tally = options.tally;
  }

  override write(heads: Buffer, headStart: number, headEnd: number, tail: number, rows: Rows): void {
    if (this.leavesOut(tail)) this.leaveOut(rows);
    else super.write(heads, headStart, headEnd, tail, rows);
  }

  override writeEach(record: RecordRange, tails: number, count: number, from: number, end: number, rows: Rows): number {
    // A single tail goes through `write`.
    if (count === 1 || !this.leavesOut(tails)) return super.writeEach(record, tails, count, from, end, rows);
    for (let index = from; index < end; index++) this.leaveOut(rows);
    return end;
  }

  override writeProblem(record: RecordRange, question: number | undefined, problem: string, rows: Rows): void {
    if (this.leavesOutProblem(problem)) this.leaveOut(rows);
    else super.writeProblem(record, question, problem, rows);
  }

  /** Whether rows without a decision for this reason are left out. */
  protected leavesOutProblem(problem: string): boolean {
    const chosen = this.#chosen;
    return chosen !== undefined && (problem === "not-a-crawler" || !chosen.undecided);
  }

  /** Whether rows with these tails, which have one decision, are left out. */
  protected leavesOut(tails: number): boolean {
    const chosen = this.#chosen;
    return chosen !== undefined && !(this.isAllowed(tails) ? chosen.allowed : chosen.disallowed);
  }

  protected leaveOut(rows: Rows): void {
    this.#tally.rowsLeftOut++;
    rows.leaveOut();
  }
}
