// Determines the members of a log's rows (names, order, values) from the facts of its requests and the settings of the run.
import { hint, option } from "../../common/caller-words.ts";
import { nearestOf } from "@robots-stream/core/internal";
import { UsageError } from "../../common/errors.ts";
import type { AskedText } from "../asked-fields.ts";
import { logFacts, type LogMember, logMembers, type LogRowOptions, memberNames } from "../log-members.ts";
import type { ReadOptions } from "../input-format.ts";
import type { FieldTexts } from "../../records/row-heads.ts";
import { shownWordOf } from "../../common/text.ts";
import {
  isLogProblem,
  type LogClock,
  type LogFact,
  type LogProblem,
  type LogRequest,
  timeTextOf,
} from "@robots-stream/logs";

/** The name of the member with the client's address. */
const clientMember: LogMember = memberNames.client;

/** The name of the member with the whole line. */
const lineMember = "log";

/** The members of the rows of one log. */
export interface RowShape {
  readonly facts: readonly LogFact[];
  readonly keepsLine: boolean;
  /** The names of all columns: the URL, the facts, the line. */
  readonly names: readonly string[];
}

/** The members of the rows of a log whose requests have the facts `ofLog`. */
export function rowShapeOf(
  ofLog: readonly LogFact[],
  { keepLine = false, without = [] }: LogRowOptions = {},
): RowShape {
  const facts = logFacts.filter((fact) => ofLog.includes(fact) && !without.includes(memberNames[fact]));
  const names = ["url", ...facts.map((fact) => memberNames[fact]), ...(keepLine ? [lineMember] : [])];
  return { facts, keepsLine: keepLine, names };
}

/** The values of a row's members, in the order of `RowShape.names`; undefined for a member without a value. */
export function rowValuesOf(
  { facts, keepsLine }: RowShape,
  url: string,
  request: LogRequest,
  line: string,
  clock: LogClock | undefined,
): (string | number | undefined)[] {
  const values: (string | number | undefined)[] = [url];
  for (const fact of facts) values.push(rowValueOf(fact, request[fact], clock));
  if (keepsLine) values.push(line);
  return values;
}

/**
 * The value of a row's member for a fact, which the log has as the text `written`: for the time an instant, or a time without a zone if
 * neither the log nor `clock` tells its instant; a number for the status and the bytes; otherwise the text. Undefined if the fact requires
 * a time or a number, and the text is neither.
 */
function rowValueOf(
  fact: LogFact,
  written: string | undefined,
  clock: LogClock | undefined,
): string | number | undefined {
  if (written === undefined) return undefined;
  if (fact === "time") return timeTextOf(written, clock);
  if (fact !== "status" && fact !== "bytes") return written;
  // Every JSON reader represents a number of up to fifteen digits exactly.
  return /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

/** The fields of a request that a run with `ReadOptions.asksRequest` needs. */
export const requestFacts = ["method", "status", "bytes", "referer"] as const;

/** Whether `texts` requests the client's address. */
export function asksAddress(texts: readonly AskedText[] | undefined): boolean {
  return texts?.some(({ name }) => name === "address") === true;
}

/**
 * The requested fields of a request. The value of `address` is the request's list of addresses, or, without a list, the client's address.
 */
export function requestTextsOf({ asksRequest, texts }: ReadOptions, request: LogRequest): FieldTexts {
  return {
    ...(asksRequest === true ? Object.fromEntries(requestFacts.map((fact) => [fact, request[fact]])) : {}),
    ...(asksAddress(texts) ? { address: request.clients ?? request.client } : {}),
  };
}

/** The row members that can supply a requested text, by the name of the text (`AskedText.name`). */
export const memberOfText: ReadonlyMap<string, string> = new Map([
  ["address", clientMember],
  ["method", "method"],
  ["status", "status"],
]);

/** Whether only `base` can supply the origin of a request: the request names no host, and its target is a path. */
export function isOriginAssumed({ host, target }: LogRequest): boolean {
  return host === undefined && target.startsWith("/");
}

/** The error for `keepLine` or `without` when the output rows of the input format are the input records themselves. */
export function noLogRows(source: string, format: string): UsageError {
  return new UsageError(
    "wrong-value",
    `${source}: rows of ${format} are the input records: only rows of other logs can include the line or omit members`,
    hint`leave out ${option("keepLine")} and ${option("without")}`,
  );
}

/**
 * Returns `names` as members. Throws a `UsageError` for a name that is not a `LogMember`. For its message, `written(members)` returns the
 * flag or option as the user writes it with the value `members`.
 */
export function logMembersOf(names: readonly string[], written: (members: string) => string): readonly LogMember[] {
  return names.map((name) => {
    const member = logMembers.find((each) => each === name);
    if (member !== undefined) return member;
    const near = nearestOf(name, logMembers);
    throw new UsageError(
      "wrong-value",
      `${written(name === "" ? '""' : shownWordOf(name, 60))}: must be one of ${logMembers.join(", ")}`,
      near === undefined ? `for example: ${written("client,referer")}` : `did you mean ${written(near)}?`,
    );
  });
}

/** See `InputFormat.hasAgentsIn`. `parsed`: what a parser returned for each of the first lines. */
export function hasAgentsAmong(parsed: readonly (LogRequest | LogProblem | undefined)[]): boolean | undefined {
  if (parsed.some((one) => one !== undefined && isLogProblem(one) && one.hasAgents === true)) return true;
  const requests = parsed.flatMap((one) => (one === undefined ? [] : isLogProblem(one) ? (one.request ?? []) : one));
  return requests.length === 0 ? undefined : requests.some(({ lacksAgents }) => lacksAgents !== true);
}
