// Counts requests for one origin by directory and state. Crossings (violations, requests in grace, and requests that would be violations if
// robots.txt bound the crawler) are also counted by rule.
import type { CountLimits } from "./counter-input.ts";
import { actorRoom, classRoom, flipRoom, outcomeRoom, stateRoom } from "./keys.ts";
import { type NamedForm, NamedTables } from "./named-tables.ts";
import { foldedName } from "./names.ts";

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

type DirectoryTable = "requests" | "crossings" | "flips" | "misses";

/**
 * `requests`: requests by directory, actor, state and class of status. `crossings`: the number of requests, the first and the last instant
 * by directory, outcome and actor; the outcome is valid only for its own origin. `flips`: requests by directory, actor and flip, a change
 * of the decision by a candidate file. `misses`: requests that the server redirected, did not find, refused or failed to answer, by
 * directory and class of status.
 */
const forms: Readonly<Record<DirectoryTable, NamedForm>> = {
  requests: { room: actorRoom * stateRoom * classRoom, kinds: ["sum"] },
  crossings: { room: outcomeRoom * actorRoom, kinds: ["sum", "min", "max"], hasExamples: true },
  flips: { room: actorRoom * flipRoom, kinds: ["sum"], hasExamples: true },
  misses: { room: classRoom, kinds: ["sum"], hasExamples: true },
};

/** The counts of an origin by directory. Callers call `keepWithinLimits` after adding requests. */
export class Directories extends NamedTables<DirectoryTable> {
  readonly #limits: CountLimits;

  constructor(limits: CountLimits, withValues: boolean) {
    super(forms, lastDirectoryLevel, coarserDirectoryOf, withValues);
    this.#limits = limits;
  }

  /**
   * Returns the number of the directory of a target: its raw path up to the last slash, at most two segments. After folding to level 1, at
   * most one segment; after folding to level 2, `…`.
   */
  directoryOf(bytes: Uint8Array, start: number, end: number): number {
    if (this.level >= lastDirectoryLevel) return this.foldedNumber();
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
    if (last - start > maxDirectoryBytes) return this.foldedNumber();
    return this.names.numberOf(bytes, start, last);
  }

  /** Counts a request in the cell of its directory, actor, state and class of status codes. */
  addRequest(directory: number, actor: number, state: number, statusClass: number): void {
    const { cells } = this.tables.requests;
    cells.add(cells.cellOf(((directory * actorRoom + actor) * stateRoom + state) * classRoom + statusClass), 0, 1);
  }

  /** Counts a crossing, and returns the position of its cell. `atSeconds` is -1 without a time. */
  addCrossing(directory: number, outcome: number, actor: number, atSeconds: number): number {
    const { cells } = this.tables.crossings;
    return cells.addAt(cells.cellOf((directory * outcomeRoom + outcome) * actorRoom + actor), atSeconds);
  }

  /**
   * Counts a request whose decision a candidate file would change, and returns the position of its cell. `flip` is 0 for newly disallowed,
   * 1 for newly allowed.
   */
  addFlip(directory: number, actor: number, flip: number): number {
    const { cells } = this.tables.flips;
    const cell = cells.cellOf((directory * actorRoom + actor) * flipRoom + flip);
    cells.add(cell, 0, 1);
    return cell;
  }

  /** Counts a request that the server did not serve, and returns the position of its cell. */
  addMiss(directory: number, statusClass: number): number {
    const { cells } = this.tables.misses;
    const cell = cells.cellOf(directory * classRoom + statusClass);
    cells.add(cell, 0, 1);
    return cell;
  }

  protected override exceedsLimits(): boolean {
    const { directories, directoryCells, crossingCells } = this.#limits;
    const { requests, crossings, flips } = this.tables;
    return (
      this.names.count > directories ||
      requests.cells.count > directoryCells ||
      crossings.cells.count > crossingCells ||
      flips.cells.count > crossingCells
    );
  }
}
