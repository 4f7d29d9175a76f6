// The record that is being decided, in the form that sources of members read.
import type { OriginState } from "../origins/origin-state.ts";
import type { Question } from "../questions/questions.ts";
import type { SourcedRobots } from "../robots/types.ts";
import type { DeciderOptions } from "./decider-options.ts";
import type { MemberRecord } from "./record-members.ts";

/** The data of the current record that are the same for all sources of members; `MemberTails` sets them. */
export interface Current {
  heads: Buffer;
  /**
   * The offset in `heads` where the first field begins, and the offsets where each field ends; a field begins where the previous one ends.
   */
  fieldsStart: number;
  readonly fieldEnds: number[];
  question: Question | undefined;
  isAllowed: boolean | undefined;
  state: OriginState | undefined;
  targets: Buffer;
  targetStart: number;
  targetEnd: number;
}

/** The current record for one source of members; `first` is the index of the source's first field among the fields of all sources. */
export class CurrentRecord implements MemberRecord {
  readonly #current: Current;
  readonly #first: number;
  readonly #matchers: DeciderOptions["matchers"];

  constructor(current: Current, first: number, matchers: DeciderOptions["matchers"]) {
    this.#current = current;
    this.#first = first;
    this.#matchers = matchers;
  }

  get question(): Question {
    return this.#current.question!;
  }

  get bytes(): Buffer {
    return this.#current.heads;
  }

  get isAllowed(): boolean | undefined {
    return this.#current.isAllowed;
  }

  get origin(): string | undefined {
    return this.#current.state?.origin;
  }

  get version(): string {
    const { state } = this.#current;
    return state === undefined ? "" : this.#matchers.versionOf(state);
  }

  startOf(field: number): number {
    const { fieldEnds, fieldsStart } = this.#current;
    return fieldEnds[this.#first + field - 1] ?? fieldsStart;
  }

  endOf(field: number): number {
    return this.#current.fieldEnds[this.#first + field]!;
  }

  textOf(field: number): string {
    return this.#current.heads.toString("latin1", this.startOf(field), this.endOf(field));
  }

  target(): string {
    const { state, targets, targetStart, targetEnd } = this.#current;
    return state === undefined ? "" : targets.toString("latin1", targetStart, targetEnd);
  }

  robots(): SourcedRobots | undefined {
    const { state } = this.#current;
    return state === undefined ? undefined : this.#matchers.robotsOf(state);
  }
}
