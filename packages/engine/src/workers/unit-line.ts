// Passes on the rows and rejects of all workers in the order of the units. In unordered runs, rows are passed on in their order of arrival.
import type { Reject } from "../records/batch.ts";
import type { SentRows } from "./messages.ts";

interface Sent {
  rows: SentRows[];
  isDone: boolean;
  /** Undefined until the unit is read. */
  rejects: readonly Reject[] | undefined;
}

/** The consumer of rows and rejects. */
export interface UnitLineOptions {
  readonly workers: number;
  /** Whether the rows of a unit are passed on only after all rows of the units before it. */
  readonly isOrdered: boolean;
  onRows(rows: SentRows, worker: number): void;
  onRejects(rejects: readonly Reject[]): void;
}

/** The queue of the units in progress. */
export class UnitLine {
  readonly #options: UnitLineOptions;
  /**
   * The units in their order. A unit stays in `#undone` until all its rows were passed on (ordered runs only), and in `#unread` until its
   * rejects were passed on.
   */
  readonly #undone: { readonly sent: Sent; readonly worker: number }[] = [];
  readonly #unread: Sent[] = [];
  /** The units of `#undone` and `#unread`, by worker. */
  readonly #undoneOf: Sent[][];
  readonly #unreadOf: Sent[][];

  constructor(options: UnitLineOptions) {
    this.#options = options;
    this.#undoneOf = Array.from({ length: options.workers }, () => []);
    this.#unreadOf = Array.from({ length: options.workers }, () => []);
  }

  /** Number of units that the worker has not read yet. */
  unreadOf(worker: number): number {
    return this.#unreadOf[worker]!.length;
  }

  /** Adds a unit that was sent to the worker. */
  send(worker: number): void {
    const sent: Sent = { rows: [], isDone: false, rejects: undefined };
    this.#unread.push(sent);
    this.#unreadOf[worker]!.push(sent);
    if (!this.#options.isOrdered) return;
    this.#undone.push({ sent, worker });
    this.#undoneOf[worker]!.push(sent);
  }

  /** Adds rows to the worker's oldest unfinished unit. */
  rows(worker: number, rows: SentRows): void {
    if (!this.#options.isOrdered) {
      this.#options.onRows(rows, worker);
      return;
    }
    this.#undoneOf[worker]![0]!.rows.push(rows);
    this.#giveRows();
  }

  /** Marks the worker's oldest unread unit as read, with the rejects of this unit. */
  read(worker: number, rejects: readonly Reject[]): void {
    this.#unreadOf[worker]!.shift()!.rejects = rejects;
    this.#giveRejects();
  }

  /** Marks the worker's oldest unfinished unit as finished: all its rows have arrived. */
  done(worker: number): void {
    this.#undoneOf[worker]!.shift()!.isDone = true;
    this.#giveRows();
  }

  /** Marks all units of a worker that has ended as read and finished. `rejects` are the rejects in the worker's last message. */
  end(worker: number, rejects: readonly Reject[]): void {
    for (const sent of this.#unreadOf[worker]!.splice(0)) sent.rejects ??= [];
    for (const sent of this.#undoneOf[worker]!.splice(0)) sent.isDone = true;
    this.#giveRejects();
    if (rejects.length > 0) this.#options.onRejects(rejects);
    this.#giveRows();
  }

  #giveRejects(): void {
    while (this.#unread[0]?.rejects !== undefined) {
      const { rejects } = this.#unread.shift()!;
      if (rejects!.length > 0) this.#options.onRejects(rejects!);
    }
  }

  #giveRows(): void {
    for (let first = this.#undone[0]; first !== undefined; first = this.#undone[0]) {
      for (const rows of first.sent.rows.splice(0)) this.#options.onRows(rows, first.worker);
      if (!first.sent.isDone) return;
      this.#undone.shift();
    }
  }
}
