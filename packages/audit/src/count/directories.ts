// Counts requests for one origin by directory and state. Crossings (violations, requests in grace, and requests that would be violations if
// robots.txt bound the crawler) are also counted by rule.
import { CellTable } from "./cell-table.ts";
import { Examples, mostExamples, mostWhenFolded } from "./examples.ts";
import { actorRoom, classRoom, outcomeRoom, stateRoom } from "./keys.ts";
import type { CountLimits } from "./limits.ts";
import { Names, foldedName } from "./names.ts";

/**
 * The maximum number of bytes of a directory. A longer directory is counted as its first segment, or as `…` if this segment is too long,
 * too.
 */
const maxDirectoryBytes = 256;

const slash = 0x2f;
const questionMark = 0x3f;

/** The last level of folding, at which every directory is `…`. */
export const lastDirectoryLevel = 2;

/** Returns the name of a directory after folding to `level`: level 0 keeps the name, level 1 its first segment, level 2 only `…`. */
export function coarserDirectoryOf(directory: string, level: number): string {
  if (directory === foldedName || level >= lastDirectoryLevel) return foldedName;
  return level === 0 ? directory : directory.slice(0, directory.indexOf("/", 1) + 1) || "/";
}

/** The tables of counts by directory. */
interface DirectoryTables {
  readonly names: Names;
  readonly requests: CellTable;
  readonly crossings: CellTable;
  readonly crossingExamples: Examples;
  readonly flips: CellTable;
  readonly flipExamples: Examples;
  readonly misses: CellTable;
  readonly missExamples: Examples;
}

/** Room for a flip in a key. A flip is a change of the decision by a candidate file: newly disallowed or newly allowed. */
export const flipRoom = 2;

/** The counts of an origin by directory. Keys contain the number of a directory in `names`; folding changes these numbers. */
export class Directories implements DirectoryTables {
  names: Names = new Names();
  level = 0;
  /** Requests by directory, actor, state and class of status. */
  requests: CellTable = new CellTable(["sum"]);
  /** Crossings by directory, outcome and actor: the number of requests, the first and the last instant. */
  crossings: CellTable = new CellTable(["sum", "min", "max"]);
  crossingExamples: Examples;
  /** Requests by directory, actor and flip. */
  flips: CellTable = new CellTable(["sum"]);
  flipExamples: Examples;
  /** Requests that the server redirected, did not find, refused or failed to answer, by directory and class of status. */
  misses: CellTable = new CellTable(["sum"]);
  missExamples: Examples;
  /** The number of the name `…`; -1 until it is needed. */
  #folded = -1;
  readonly #limits: CountLimits;
  readonly #withValues: boolean;

  constructor(limits: CountLimits, withValues: boolean) {
    this.#limits = limits;
    this.#withValues = withValues;
    this.crossingExamples = new Examples(withValues, mostExamples);
    this.flipExamples = new Examples(withValues, mostExamples);
    this.missExamples = new Examples(withValues, mostExamples);
  }

  /**
   * Returns the number of the directory of a target: its raw path up to the last slash, at most two segments. After folding to level 1, at
   * most one segment; after folding to level 2, `…`.
   */
  directoryOf(bytes: Uint8Array, start: number, end: number): number {
    if (this.level >= lastDirectoryLevel) return this.#foldedNumber();
    const most = this.level === 0 ? 3 : 2;
    let slashes = 0;
    let first = start;
    let last = start;
    for (let at = start; at < end && slashes < most; at++) {
      const byte = bytes[at]!;
      if (byte === questionMark) break;
      if (byte !== slash) continue;
      slashes++;
      last = at + 1;
      if (slashes <= 2) first = last;
    }
    if (last - start > maxDirectoryBytes) last = first;
    if (last - start > maxDirectoryBytes) return this.#foldedNumber();
    return this.names.numberOf(bytes, start, last);
  }

  #foldedNumber(): number {
    if (this.#folded < 0) this.#folded = this.names.numberOfText(foldedName);
    return this.#folded;
  }

  /** Adds `requests` to the cell of a directory, actor, state and class of status codes. */
  addRequests(directory: number, actor: number, state: number, statusClass: number, requests: number): void {
    const cell = this.requests.cellOf(((directory * actorRoom + actor) * stateRoom + state) * classRoom + statusClass);
    this.requests.add(cell, 0, requests);
  }

  /**
   * Adds `requests` to the cell of a directory, outcome and actor, and returns the position of this cell in `crossings`. The instants are
   * -1 without a time.
   */
  addCrossing(
    directory: number,
    outcome: number,
    actor: number,
    requests: number,
    firstSeconds: number,
    lastSeconds: number,
  ): number {
    const { crossings } = this;
    const cell = crossings.cellOf((directory * outcomeRoom + outcome) * actorRoom + actor);
    crossings.add(cell, 0, requests);
    if (firstSeconds >= 0) crossings.lower(cell, 1, firstSeconds);
    if (lastSeconds >= 0) crossings.raise(cell, 2, lastSeconds);
    return cell;
  }

  /**
   * Adds requests whose decision a candidate file would change, and returns the position of their cell in `flips`. `flip` is 0 for newly
   * disallowed, 1 for newly allowed.
   */
  addFlip(directory: number, actor: number, flip: number, requests: number): number {
    const cell = this.flips.cellOf((directory * actorRoom + actor) * flipRoom + flip);
    this.flips.add(cell, 0, requests);
    return cell;
  }

  /** Adds requests that the server did not serve, and returns the position of their cell in `misses`. */
  addMiss(directory: number, statusClass: number, requests: number): number {
    const cell = this.misses.cellOf(directory * classRoom + statusClass);
    this.misses.add(cell, 0, requests);
    return cell;
  }

  /**
   * Folds the directories until no limit is exceeded, or to the last level. Callers call this method after adding requests. Folding makes
   * earlier numbers of directories invalid.
   */
  keepWithinLimits(): void {
    const { directories, directoryCells, crossingCells } = this.#limits;
    while (
      this.level < lastDirectoryLevel &&
      (this.names.count > directories ||
        this.requests.count > directoryCells ||
        this.crossings.count > crossingCells ||
        this.flips.count > crossingCells)
    ) {
      this.foldTo(this.level + 1);
    }
  }

  /** Folds the directories to `level`, if the present level is lower. */
  foldTo(level: number): void {
    if (level <= this.level) return;
    const { names, requests, crossings, crossingExamples, flips, flipExamples, misses, missExamples } = this;
    const old: DirectoryTables = {
      names,
      requests,
      crossings,
      crossingExamples,
      flips,
      flipExamples,
      misses,
      missExamples,
    };
    this.level = level;
    this.names = new Names();
    this.#folded = -1;
    this.requests = new CellTable(old.requests.kinds);
    this.crossings = new CellTable(old.crossings.kinds);
    this.flips = new CellTable(old.flips.kinds);
    this.misses = new CellTable(old.misses.kinds);
    this.crossingExamples = new Examples(this.#withValues, mostWhenFolded);
    this.flipExamples = new Examples(this.#withValues, mostWhenFolded);
    this.missExamples = new Examples(this.#withValues, mostWhenFolded);
    this.#addTables(old);
  }

  /**
   * Adds the counts of another origin, which must have no crossings: the outcome in the key of a crossing is valid only for its own origin.
   */
  addAll(other: Directories): void {
    this.foldTo(other.level);
    this.#addTables(other);
    this.keepWithinLimits();
  }

  #addTables(other: DirectoryTables): void {
    const isWhole = this.level >= lastDirectoryLevel;
    // At the last level all names are one, and their texts are not needed.
    const numbers = Array.from({ length: other.names.count }, (_, number) =>
      isWhole
        ? this.#foldedNumber()
        : this.names.numberOfText(coarserDirectoryOf(other.names.textOf(number), this.level)),
    );
    const requestRoom = actorRoom * stateRoom * classRoom;
    for (let cell = 0; cell < other.requests.count; cell++) {
      this.requests.addFrom(renumbered(other.requests.keyOf(cell), requestRoom, numbers), other.requests, cell);
    }
    const crossingRoom = outcomeRoom * actorRoom;
    for (let cell = 0; cell < other.crossings.count; cell++) {
      const key = renumbered(other.crossings.keyOf(cell), crossingRoom, numbers);
      const to = this.crossings.addFrom(key, other.crossings, cell);
      for (const example of other.crossingExamples.of(cell)) this.crossingExamples.addExample(to, example);
    }
    for (let cell = 0; cell < other.flips.count; cell++) {
      const to = this.flips.addFrom(
        renumbered(other.flips.keyOf(cell), actorRoom * flipRoom, numbers),
        other.flips,
        cell,
      );
      for (const example of other.flipExamples.of(cell)) this.flipExamples.addExample(to, example);
    }
    for (let cell = 0; cell < other.misses.count; cell++) {
      const to = this.misses.addFrom(renumbered(other.misses.keyOf(cell), classRoom, numbers), other.misses, cell);
      for (const example of other.missExamples.of(cell)) this.missExamples.addExample(to, example);
    }
  }
}

/** The key with another number as its first part. The other parts together have the room `room`. */
function renumbered(key: number, room: number, numbers: readonly number[]): number {
  const first = Math.floor(key / room);
  return numbers[first]! * room + (key - first * room);
}
