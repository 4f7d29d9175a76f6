// What workers say about their units in, the rows and rejects of all units out in the order of the units; or rows as they come.
import type { Reject } from "../records/batch.ts";
import type { SentRows } from "./messages.ts";

interface Sent {
  rows: SentRows[];
  isDone: boolean;
  /** Undefined until the unit is read. */
  rejects: readonly Reject[] | undefined;
}

/** Where rows and rejects go. */
export interface UnitLineOptions {
  readonly workers: number;
  /** Whether rows wait for those of the units before theirs. */
  readonly isOrdered: boolean;
  onRows(rows: SentRows, worker: number): void;
  onRejects(rejects: readonly Reject[]): void;
}

/** The units under way. */
export class UnitLine {
  readonly #options: UnitLineOptions;
  /** In the order of the units: those whose rows are not all out, those whose rejects are not. */
  readonly #undone: { readonly sent: Sent; readonly worker: number }[] = [];
  readonly #unread: Sent[] = [];
  /** The same for each worker. */
  readonly #undoneOf: Sent[][];
  readonly #unreadOf: Sent[][];

  constructor(options: UnitLineOptions) {
    this.#options = options;
    this.#undoneOf = Array.from({ length: options.workers }, () => []);
    this.#unreadOf = Array.from({ length: options.workers }, () => []);
  }

  /** Units that a worker has not read yet. */
  unreadOf(worker: number): number {
    return this.#unreadOf[worker]!.length;
  }

  /** Says that a unit was sent. */
  send(worker: number): void {
    const sent: Sent = { rows: [], isDone: false, rejects: undefined };
    this.#unread.push(sent);
    this.#unreadOf[worker]!.push(sent);
    if (!this.#options.isOrdered) return;
    this.#undone.push({ sent, worker });
    this.#undoneOf[worker]!.push(sent);
  }

  /** Takes rows. */
  rows(worker: number, rows: SentRows): void {
    if (!this.#options.isOrdered) {
      this.#options.onRows(rows, worker);
      return;
    }
    this.#undoneOf[worker]![0]!.rows.push(rows);
    this.#giveRows();
  }

  /** Says that a worker has read its next unit. */
  read(worker: number, rejects: readonly Reject[]): void {
    this.#unreadOf[worker]!.shift()!.rejects = rejects;
    this.#giveRejects();
  }

  /** Says that all rows of a worker's next unit have come. */
  done(worker: number): void {
    this.#undoneOf[worker]!.shift()!.isDone = true;
    this.#giveRows();
  }

  /** Says that nothing more comes from a worker: what it did not read or do never comes. */
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
