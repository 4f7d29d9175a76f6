// Writes the rows that `only` selects, and counts the other rows without writing them.
import type { RecordRange } from "../records/record-range.ts";
import type { Rows } from "../records/rows.ts";
import type { Tally } from "../origins/tally.ts";
import type { DeciderOptions } from "./decider-options.ts";
import { type ChosenRows, type RowChoice, chosenRowsOf } from "./row-choice.ts";
import { Tails } from "./tails.ts";

/**
 * Row tails for a run with `only`; also the base class of `MemberTails`, which needs no `only` (`only` is then undefined). Other runs
 * use `Tails`, so that `only` costs them nothing.
 */
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
    // For a single tail, `super.writeEach` calls `write`, which checks the choice.
    if (count === 1 || !this.leavesOut(tails)) return super.writeEach(record, tails, count, from, end, rows);
    for (let index = from; index < end; index++) this.leaveOut(rows);
    return end;
  }

  override writeProblem(record: RecordRange, question: number | undefined, problem: string, rows: Rows): void {
    if (this.leavesOutProblem(problem)) this.leaveOut(rows);
    else super.writeProblem(record, question, problem, rows);
  }

  /** Whether rows without a decision, for the reason `problem`, are left out. */
  protected leavesOutProblem(problem: string): boolean {
    const chosen = this.#chosen;
    return chosen !== undefined && (problem === "not-a-crawler" || !chosen.undecided);
  }

  /** Whether the rows of one decision are left out; `tails` is the address of its tails. */
  protected leavesOut(tails: number): boolean {
    const chosen = this.#chosen;
    return chosen !== undefined && !(this.isAllowed(tails) ? chosen.allowed : chosen.disallowed);
  }

  protected leaveOut(rows: Rows): void {
    this.#tally.rowsLeftOut++;
    rows.leaveOut();
  }
}
