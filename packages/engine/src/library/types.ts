// What a program says to the engine and hears from it: the options of `decideStream`, its decisions, rejects and counts.
import type { Decision, DialectName, TokenMatch } from "@robots-stream/core";
import type { LoadedRobots, StoredRobots } from "@robots-stream/fetch";
import type { TargetProblem } from "../locate/target.ts";

/**
 * Loads what holds for an origin: a client of `@robots-stream/fetch`, `createSavedRobots`, or an object of your own.
 * Each origin is asked for once. Never closed here.
 */
export interface OriginLoader {
  /**
   * Gives what is in force for an origin, like "https://example.com". Rejecting ends the stream with what it rejects with,
   * so what the network does has to come as a value. Should reject when the signal aborts.
   */
  load(origin: string, options: { readonly signal: AbortSignal }): LoadedOrigin | Promise<LoadedOrigin>;
}

/** What decides about an origin: the part of `LoadedRobots` of `@robots-stream/fetch` that is used. */
export interface LoadedOrigin extends Pick<LoadedRobots, "access" | "fetched" | "robotsIn" | "matcherOf"> {
  /**
   * `code` is what the access result rests on: "ok", "http-404", "timeout" …; `body` the file, of which matchers are made again
   * that had to go. Those of a file that is not told stay in memory.
   */
  readonly stored: Pick<StoredRobots, "code" | "body" | "lastCopy">;
  /** Whether the file in force is that of `stored.lastCopy`. */
  readonly stale?: boolean;
}

/** What can be a record by itself: a URL, or an object with one in the field that `urlField` names. */
export type UrlRecord = string | object;

/** A record that came as bytes: the object of NDJSON, the columns of a table, the facts of a log line. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** Bytes of one source, as they are in its file. */
export type ByteInput = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** What is asked of every record, where robots.txt files come from, and how input is read. */
export interface DecideOptions {
  /** The names of the crawlers, as robots.txt has them: "bingbot". One decision for each. A text with a comma is refused: several names are an array. Not with `agentField`. */
  readonly agents?: string | readonly string[];
  /** The field with the User-Agent header of the request: each record is judged by its own crawler. */
  readonly agentField?: string;
  /** Where robots.txt files come from. */
  readonly robots: OriginLoader;
  /** How to read robots.txt, one decision for each; "google" otherwise. */
  readonly dialects?: DialectName | readonly DialectName[];
  /** How to find a name in user-agent lines; "google" otherwise, "whole" for names that are no product tokens. */
  readonly tokenMatch?: TokenMatch;
  /** Whether a known crawler goes by its names in their order; true otherwise. */
  readonly fallback?: boolean;
  /** What rules are compared with: "raw", the target as the URL has it, otherwise; "normalized" resolves dot segments and needless escapes. */
  readonly target?: "raw" | "normalized";
  /**
   * How to read bytes: "ndjson", "csv", "combined" …, the names of `--input`. Otherwise seen from the first 20 lines or 64 KiB, or from less
   * when the input gives nothing for 2 s.
   */
  readonly inputFormat?: string;
  /** The source's name, for messages, and for its ending where the content does not show the format; "input" otherwise. */
  readonly inputName?: string;
  /** Where the URL is. Otherwise one of the usual names in bytes, "url" in objects. A way through nested objects has dots. */
  readonly urlField?: string;
  /** Whom the requests of a log went to that does not say it, "https://example.com"; also for URLs that begin with "/". */
  readonly base?: string;
  /** Bytes of a line or a record, characters of a URL in an object; what is longer is a reject. 1 MiB otherwise. */
  readonly maxLineBytes?: number;
  /** Whether decisions come in the order of the records; otherwise as soon as they can be made. */
  readonly ordered?: boolean;
  /** Loads of origins under way at once; 256 otherwise. */
  readonly concurrency?: number;
  /** Memory for records that wait for their robots.txt, in bytes; 64 MiB otherwise. Of objects the URL counts, with 200 bytes. */
  readonly parkBytes?: number;
  /** Memory for origins and their rules, in bytes; 256 MiB otherwise. Those not asked for lately are built again from what `robots` gave. */
  readonly matcherBytes?: number;
  /** Ends the stream at once, with the signal's reason; loads under way are ended. */
  readonly signal?: AbortSignal;
  /** Is told of each record that is none. */
  readonly onReject?: (reject: RecordReject) => void;
}

/** A decision about one record, for one agent and one dialect. Its words are those of the command's output. */
export interface RecordDecision<R = unknown> {
  /** The record as it was given; what bytes said as an object. */
  readonly record: R;
  /** Its URL. */
  readonly url: string;
  /** The crawler; null where no known one made the request. */
  readonly agent: string | null;
  /** How robots.txt was read. */
  readonly dialect?: DialectName;
  /** What stands behind the agent's name, where that is no ordinary crawler. */
  readonly kind?: "user-triggered" | "control-token";
  /** Whether the crawler may fetch the URL; null where no robots.txt speaks about it. */
  readonly allowed: boolean | null;
  /** The ground: a decision's, or why there is none. */
  readonly because: Decision["because"] | TargetProblem | "not-a-crawler";
  /** The name that chose the group, where it is not the agent's own. */
  readonly group?: string;
  /** What the access result rests on, "http-404"; with "unavailable" and "unreachable" only. */
  readonly code?: string;
  /** Type and path pattern, "disallow: /private"; with "rule" only. */
  readonly rule?: string;
  /** The rule's line in the robots.txt, from 1; with "rule" only. */
  readonly line?: number;
  /** Whom the robots.txt is of; absent where the URL has no origin. */
  readonly origin?: string;
}

/** What is no record. */
export interface RecordReject {
  /** A stable name of the reason: "not-json", "no-url-field", "url-not-text", "too-long" … */
  readonly code: string;
  readonly message: string;
  /** Of bytes: the line it begins at, from 1. Of objects: the how-manieth it is, from 1. */
  readonly line: number;
  /** Of bytes: the line's own, as text, its beginning when it is long. Of objects: what was given. */
  readonly record: unknown;
}

/** The counts of a stream; always records = decided + rejects, plus what is under way, or was when the stream was ended. */
export interface DecideSummary {
  /** Records that came, rejects included. */
  readonly records: number;
  /** Records that got their decisions. */
  readonly decided: number;
  readonly rejects: number;
  /** Records that waited and were given up, as far as that was counted before the stream was ended. */
  readonly notDecided: number;
  /** Decided records that no known crawler made; with `agentField`. */
  readonly noCrawler: number;
  /** Origins that were asked about, and what came of them. */
  readonly origins: number;
  readonly fetches: number;
  readonly unavailable: number;
  readonly unreachable: number;
  /** Records by what was decided, for each agent and dialect. */
  readonly agents: readonly AgentSummary[];
}

/** The counts of one agent and one dialect. */
export interface AgentSummary {
  readonly agent: string;
  readonly dialect: DialectName;
  readonly allowed: number;
  readonly disallowed: number;
  /** Records whose URL no robots.txt speaks about. */
  readonly undecided: number;
}
