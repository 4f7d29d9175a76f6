// Defines the input of a counter: its options with their limits, each request as numbers and a range of bytes, and the names of the totals.
import { AuditError } from "../errors.ts";
import type { AuditHistory } from "../history.ts";
import type { AuditCrawler } from "../states/judge.ts";

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

/** The options of a counter. */
export interface CounterOptions {
  readonly history: AuditHistory;
  /** The crawlers of the registry, at most 4,095. A crawler's number is its position + 1; 0 means no known crawler. */
  readonly crawlers: readonly AuditCrawler[];
  /** Whether examples keep the values of parameters. Default: false. */
  readonly queryValues?: boolean | undefined;
  /** Default: limits that depend on the number of origins in the history. */
  readonly limits?: Partial<CountLimits> | undefined;
}

/** One request whose crawler, origin and target are known, as numbers. A caller may use one object for all requests: it is not kept. */
export interface LocatedRequest {
  /** Scheme, host and port; "" if the origin is not known. */
  origin: string;
  /** Position in `crawlers` + 1; 0 for a request of no known crawler. */
  crawler: number;
  /** Position in `verifications`. */
  verification: number;
  /** Whole seconds since 1970; -1 without a time. */
  atSeconds: number;
  /** Whether the zone of the time is not known. Nothing is then proven about the request. Default: false. */
  isZoneless?: boolean;
  /** Whether the target has the path after the server's rewrites. Nothing is then proven about the request. Default: false. */
  hasServerPath?: boolean;
  /** The number that `methodNumberOf` returned. */
  method: number;
  /** The status code; 0 if the request got none (a log has `-`, 0 or 000), -1 if the input does not record statuses. */
  status: number;
  /** The number of bytes of the response; -1 if the log has no size. */
  bytes: number;
  /** The buffer that contains the target. */
  buffer: Uint8Array;
  targetStart: number;
  targetEnd: number;
}

/** The names of a document's totals. */
export const totalNames = [
  "requests",
  "bytes",
  "notACrawler",
  "notACrawlerBytes",
  "notACrawlerRobotsTxt",
  "otherAgents",
  "withoutTime",
  "withoutZone",
  "ofServerPath",
  "outsideWithoutTime",
  "withoutHost",
  "withoutAgent",
  "assumedOrigin",
] as const;

/**
 * The name of a total. `notACrawler…`: requests of no known crawler, the bytes of these requests, and their fetches of /robots.txt.
 * `otherAgents`: requests of no known crawler whose User-Agent header looks like a crawler's. `without…`: lines without the field.
 * `withoutZone`: lines with a time whose zone is not known; nothing is proven about them. `ofServerPath`: lines whose path is that after the server's rewrites; nothing is
 * proven about them. `outsideWithoutTime`: lines without a time that are
 * not counted, because a period was requested.
 * `assumedOrigin`: lines without an origin, for which the caller gave one.
 */
export type TotalName = (typeof totalNames)[number];
