// The types that a program and the engine exchange: the options of `decideStream`, its decisions, rejects and counts.
import type { OwnCrawler } from "@robots-stream/agents";
import type { DialectName, TokenMatch } from "@robots-stream/core";
import type { RecordMembers } from "../decide/record-members.ts";
import type { RowChoice } from "../decide/decider-options.ts";
import type { Answer, RowForm } from "../formats/types.ts";
import type { LoadedOrigin } from "../robots/in-force.ts";

export type { LoadedOrigin };

/**
 * Loads the robots.txt of origins: a client of `@robots-stream/fetch`, the result of `createSavedRobots`, or your own object. The engine
 * loads each origin once, and again when a record needs it after `stored.freshUntil`. The engine never closes the loader.
 */
export interface OriginLoader {
  /**
   * Resolves to the robots.txt in force for an origin, like "https://example.com". A rejection ends the stream with the same
   * error, so failures of the network have to be values. Should reject when the signal aborts.
   */
  load(origin: string, options: { readonly signal: AbortSignal }): LoadedOrigin | Promise<LoadedOrigin>;
}

/** A record that a program gives: a URL, or an object with a URL in the field that `urlField` names. */
export type UrlRecord = string | object;

/** A record from bytes: the object of an NDJSON line, the columns of a table, the fields of a log line. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

/** Bytes of one source, as they are in its file. */
export type ByteInput = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The options: the crawlers, the loader of robots.txt files, and the settings for reading the input. */
export interface DecideOptions {
  /**
   * The crawlers' product tokens, as in robots.txt: "bingbot". Each record has a decision for each of them. Pass several names as an array:
   * a text with a comma is refused. Not together with `agentField`.
   */
  readonly agents?: string | readonly string[];
  /** The field with the User-Agent header of a request: each record is decided for the crawler that made the request. */
  readonly agentField?: string;
  /**
   * "agent" (the default): one decision for each record and agent. "record": one decision for each record, with the answers for all agents
   * in its member `agents`; not together with `agentField`, `only` or several `dialects`.
   */
  readonly rows?: RowForm;
  /**
   * At most 1,000 crawlers in addition to those of `@robots-stream/agents`. They are recognized in the
   * headers of `agentField`; when `agents` names one of them, the groups of its other names also apply.
   */
  readonly crawlers?: readonly OwnCrawler[];
  /** The loader of robots.txt files. */
  readonly robots: OriginLoader;
  /** The dialects in which robots.txt is read, with one decision for each dialect; "google" by default. */
  readonly dialects?: DialectName | readonly DialectName[];
  /** How a name is compared with user-agent lines; "google" by default, "whole" for names that are not product tokens. */
  readonly tokenMatch?: TokenMatch;
  /** Whether a known crawler also obeys groups of its other names, in their order; true by default. */
  readonly fallback?: boolean;
  /**
   * The form of the target that rules are compared with. "raw" (the default): as in the URL. "normalized": without dot segments and escapes
   * of unreserved characters.
   */
  readonly target?: "raw" | "normalized";
  /**
   * The format of bytes: "ndjson", "csv", "combined" … By default it is detected from the first 20
   * lines or 64 KiB, or from fewer bytes when no further bytes arrive for 2 s.
   */
  readonly inputFormat?: string;
  /** The source's name for messages. Its ending determines the format when the content does not. "input" by default. */
  readonly inputName?: string;
  /**
   * The field with the URL; a path through nested objects has dots. By default "url" for objects, and for bytes one of the usual names.
   */
  readonly urlField?: string;
  /** The origin of requests in a log that does not name their origin, and of URLs that begin with "/": "https://example.com". */
  readonly base?: string;
  /** Whether each record of a log of text lines has the whole line as its member `log`; false by default. */
  readonly keepLine?: boolean;
  /**
   * Members to leave out of the records of a log of text lines: "client", "referer" … With another input, `keepLine` and `without` are an
   * error.
   */
  readonly without?: string | readonly string[];
  /**
   * The zone of the clock that wrote the times of a log without a zone: "Asia/Tokyo", "+09:00". Without it, and in an hour that the clock
   * shows twice or never, such a time stays without a zone in the records.
   */
  readonly logTimezone?: string;
  /** Maximum bytes of a line or record, or characters of a URL in an object; a longer one is a reject. 1 MiB by default. */
  readonly maxLineBytes?: number;
  /** Whether decisions are returned in the order of the records; by default each is returned as soon as it is made. */
  readonly ordered?: boolean;
  /** Maximum number of origins that are loaded at the same time; 256 by default. */
  readonly concurrency?: number;
  /**
   * Memory for records that wait for their robots.txt, in bytes; 64 MiB by default. For an object, two bytes for each character of its URL
   * plus 200 bytes are counted.
   */
  readonly parkBytes?: number;
  /**
   * Memory for origins and their rules, in bytes; 256 MiB by default. Evicted rules are built again from the file that `robots` returned.
   * If the names of origins alone would take most of this memory, the least recently used origins are removed, and loaded again when a
   * record needs them.
   */
  readonly matcherBytes?: number;
  /**
   * The kinds of decisions that are returned; all by default. "crawlers", with `agentField`, selects every decision about a crawler. The
   * summary counts all decisions.
   */
  readonly only?: RowChoice | readonly RowChoice[];
  /**
   * Sources of further members of each decision, with values that differ from record to record: whether the client is the crawler that it
   * claims to be, for example.
   */
  readonly members?: readonly RecordMembers[];
  /**
   * Returns the current time in milliseconds since the epoch, by which results expire (`stored.freshUntil`). With a client, pass the clock
   * of the client. Date.now by default.
   */
  readonly now?: () => number;
  /** Ends the stream at once, with the signal's reason, and aborts loads in progress. */
  readonly signal?: AbortSignal;
  /** Called for each reject. */
  readonly onReject?: (reject: RecordReject) => void;
}

/** A decision about one record, for one agent and one dialect. Members have the same names as in the command's output. */
export interface RecordDecision<R = unknown> extends Answer {
  /** The record as it was given; a record from bytes as an object. */
  readonly record: R;
  /** The URL of the record. */
  readonly url: string;
}

/** The answer for one agent in a `RecordAnswers`. */
export type AgentAnswer = Omit<Answer, "agent" | "dialect" | "origin">;

/** The decision about one record for all agents, with `rows: "record"`. Members have the same names as in the command's output. */
export interface RecordAnswers<R = unknown> extends Pick<Answer, "dialect" | "origin"> {
  /** The record as it was given; a record from bytes as an object. */
  readonly record: R;
  /** The URL of the record. */
  readonly url: string;
  /** The answers by agent, in the order of the agents. Records with the same answers share this object, which is frozen. */
  readonly agents: Readonly<Record<string, AgentAnswer>>;
}

/** An item that is not a record. */
export interface RecordReject {
  /** A stable code of the reason: "not-json", "no-url-field", "url-not-text", "too-long" … */
  readonly code: string;
  readonly message: string;
  /** For bytes, the number of its first line; for objects, the number of the item. From 1. */
  readonly line: number;
  /** For bytes, the line as text, cut when it is long; for objects, the given value. */
  readonly record: unknown;
}

/**
 * The counts of a stream. At its end, `records` is the sum of `decided`, `rejects` and `notDecided`; before, it also includes records in
 * progress.
 */
export interface DecideSummary {
  /** Records read, rejects included. */
  readonly records: number;
  /** Records for which all decisions were made. */
  readonly decided: number;
  readonly rejects: number;
  /** Records that were read but not decided before the stream was ended. */
  readonly notDecided: number;
  /** Decided records that no crawler made; only with `agentField`. */
  readonly noCrawler: number;
  /** Decisions that `only` left out. */
  readonly leftOut: number;
  /**
   * Origins that were requested. `fetches` counts loads that used the network; `unavailable` and `unreachable` count origins by their first
   * result.
   */
  readonly origins: number;
  readonly fetches: number;
  readonly unavailable: number;
  readonly unreachable: number;
  /** Records by decision, for each agent and dialect. */
  readonly agents: readonly AgentSummary[];
}

/** The counts of one agent and one dialect. */
export interface AgentSummary {
  readonly agent: string;
  /** False for an unknown crawler, whose name was taken from a User-Agent header; only with `agentField`. */
  readonly known?: false;
  readonly dialect: DialectName;
  readonly allowed: number;
  readonly disallowed: number;
  /** Records whose URL no robots.txt applies to, and records whose decision a source of `members` withdrew. */
  readonly undecided: number;
}
