// The input of a counter: its options, and each request as numbers and a range of bytes.
import type { AuditHistory } from "../history/types.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import type { CountLimits } from "./limits.ts";

/** The input of the counts besides requests. */
export interface CounterOptions {
  readonly history: AuditHistory;
  /** The crawlers of the registry; a crawler's number is its position + 1, and 0 is no crawler. At most 4,095. */
  readonly crawlers: readonly AuditCrawler[];
  /** Whether examples keep the values of parameters. Default: false. */
  readonly queryValues?: boolean | undefined;
  /** Default: limits that depend on the number of origins in the history. */
  readonly limits?: Partial<CountLimits> | undefined;
}

/** One request of a crawler, as numbers; the caller uses one object for all requests. */
export interface CountedRequest {
  /** From `originOf`. */
  origin: number;
  /** The name of the origin. Counts use it even if the origin is not kept. */
  originName: string;
  /** Position in `crawlers` + 1; 0 for a request of no known crawler. */
  crawler: number;
  /** Position in `verifications`. */
  verification: number;
  /** Whole seconds since 1970; -1 without a time. */
  atSeconds: number;
  /** From `methodNumberOf`. */
  method: number;
  /** The status code; 0 without one. */
  status: number;
  /** Bytes of the response; -1 where the log has none. */
  bytes: number;
  /** What holds the target. */
  buffer: Uint8Array;
  targetStart: number;
  targetEnd: number;
  /** From `outcomeOf` or `outcomeOfMany`; not used for /robots.txt, `*`, CONNECT and requests without an origin. */
  outcome: number;
  /** What a candidate file would change: 0 nothing, 1 newly disallowed, 2 newly allowed. */
  flip: number;
}
