// Computes the limits of counts from the number of origins with a history. Documents with different limits do not merge.
import { AuditError } from "../errors.ts";

/** How much detail counts keep. */
export interface CountLimits {
  /** The maximum number of cells of an origin in a table by time; beyond this, quarters of hours are folded to hours, hours to days, and then times are dropped. */
  readonly timeCells: number;
  /** The maximum number of directories of an origin; beyond this, directories are folded to their first segment, and then to `…`. */
  readonly directories: number;
  /** The maximum number of cells of an origin in the table of requests by directory; beyond this, directories are folded. */
  readonly directoryCells: number;
  /**
   * The maximum number of cells of an origin in the table of crossings, and in the table of flips; beyond this, directories are folded.
   * These tables have a limit of their own because their examples need the most memory.
   */
  readonly crossingCells: number;
  /** The maximum number of parameters of an origin; beyond this, all are folded to `…`. */
  readonly parameters: number;
  /** The maximum number of origins without a history that are kept by name. */
  readonly otherOrigins: number;
  /** The maximum number of unknown agents that are kept by name. */
  readonly otherAgents: number;
  /** The maximum number of minutes in the sample from which the pace of a crawler on an origin is computed. */
  readonly paceMinutes: number;
}

/** Half the number of directories for which the keys of crossings have room. */
const mostDirectories = 65_536;

/**
 * Throws an {@link AuditError} (`ERR_INVALID_OPTION`) for a limit that is not a positive integer, and for more directories than
 * `mostDirectories`.
 */
export function checkLimits(limits: CountLimits): void {
  for (const [name, limit] of Object.entries(limits)) {
    const isValid = Number.isSafeInteger(limit) && limit >= 1 && (name !== "directories" || limit <= mostDirectories);
    if (!isValid) throw new AuditError("ERR_INVALID_OPTION", `limits.${name}: ${limit} is out of range`);
  }
}

const cellBudget = 1_048_576;

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(most, Math.floor(value)));
}

/**
 * Returns the default limits for a history with `origins` origins, which share a budget of cells equally. Equal histories therefore have
 * equal limits.
 */
export function limitsFor(origins: number): CountLimits {
  const share = cellBudget / Math.max(1, origins);
  return {
    timeCells: between(2_048, share, 262_144),
    directories: between(200, share / 8, 2_000),
    directoryCells: between(2_048, share, 65_536),
    crossingCells: between(512, share / 8, 16_384),
    parameters: 200,
    otherOrigins: 500,
    otherAgents: 500,
    paceMinutes: between(32, 16_384 / Math.max(1, origins), 500),
  };
}
