// Defines the input of a counter: its options, and each request as numbers and a range of bytes.
import type { AuditHistory } from "../history/types.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import type { CountLimits } from "./limits.ts";

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
