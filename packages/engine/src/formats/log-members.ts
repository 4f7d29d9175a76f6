// Names the members of a log's rows, and the choice of them for a run.
import type { LogFact } from "@robots-stream/logs";

/** The name of a member that `LogRowOptions.without` can leave out. */
export type LogMember = Exclude<LogFact, "userAgent"> | "user_agent";

/** The name of the row member for each fact, in the order of the members. The URL comes before them. */
export const memberNames: Readonly<Record<LogFact, LogMember>> = {
  time: "time",
  client: "client",
  method: "method",
  status: "status",
  bytes: "bytes",
  referer: "referer",
  userAgent: "user_agent",
};

/** All facts, in the same order. */
export const logFacts: readonly LogFact[] = Object.keys(memberNames) as LogFact[];

/** All names of `LogMember`, in the order of the members in a row. */
export const logMembers: readonly LogMember[] = Object.values(memberNames);

/** The name of the member with the User-Agent header. */
export const agentMember: LogMember = memberNames.userAgent;

/** The name of the member with the time. */
export const timeMember: LogMember = memberNames.time;

/** The choice of members for the rows of logs. */
export interface LogRowOptions {
  /** Whether rows have the whole line, as the member `log`. */
  readonly keepLine?: boolean | undefined;
  /** The members that are left out of rows. */
  readonly without?: readonly LogMember[] | undefined;
}
