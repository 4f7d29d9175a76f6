// Opens the sources of members that the settings of a run request. A member is an additional property of each row's answer.
import type { RecordMembers } from "@robots-stream/engine";
import type { RobotsAsOf, UsedFiles } from "@robots-stream/engine/internal";
import type { LogClock } from "@robots-stream/logs";
import type { CommandRun } from "../../cli/command.ts";
import { requestTextOf } from "../../cli/input-settings.ts";
import { hasPages, usualPageSettings } from "../../cli/page/flags.ts";
import { addressOf } from "../../cli/verify/flags.ts";
import type { Settings } from "./settings.ts";

interface MembersOptions {
  readonly settings: Settings;
  readonly options: CommandRun;
  readonly used: UsedFiles;
  /** The history that decides records by their time; undefined: time has no effect on decisions. */
  readonly asOf: RobotsAsOf | undefined;
  /** The clock that wrote times without a zone; undefined: such times are read as UTC. */
  readonly logClock: LogClock | undefined;
  /** Prints a sentence on stderr. */
  say(sentence: string): void;
}

/** Opens a source of members; resolves to undefined when the settings do not request its members. May reject with a `UsageError`. */
type OpenMembers = (run: MembersOptions) => Promise<RecordMembers | undefined>;

/** The memory for preferences, and the memory for the rules of versions, as shares of `matcherBytes`. */
const shareOfUsage = 1 / 8;
const shareOfVersions = 1 / 8;

/** One function for each source of members, in the order of the members in a row. Each loads its modules with `import()` when needed. */
const sources: readonly OpenMembers[] = [
  openPages,
  async ({ asOf, logClock, settings: { matcherBytes, methodField, questionOptions } }) => {
    if (asOf === undefined) return undefined;
    const { AsOfMembers } = await import("./as-of.ts");
    const method = requestTextOf("method", methodField);
    return new AsOfMembers(asOf, { method, limit: matcherBytes * shareOfVersions, logClock, questionOptions });
  },
  openVerified,
  async ({ settings: { usage, matcherBytes } }) => {
    if (usage === undefined) return undefined;
    const { createUsageMembers } = await import("./usage-members.ts");
    return createUsageMembers(usage, matcherBytes * shareOfUsage);
  },
];

async function openPages({ settings, options, say }: MembersOptions): Promise<RecordMembers | undefined> {
  const { page, files, inputFormat, urlField } = settings;
  const { stdin } = options;
  if (page === undefined) return undefined;
  if (page === "auto") {
    if (!(await hasPages({ files, stdin, inputFormat, urlField }))) return undefined;
    say("rows have robots.page (the pages' own directives); --page never leaves it out");
  }
  const { openPageMembers } = await import("../../cli/page/members.ts");
  return openPageMembers(page === "auto" ? usualPageSettings : page, stdin);
}

async function openVerified({
  settings,
  options,
  used,
  say,
  logClock,
}: MembersOptions): Promise<RecordMembers | undefined> {
  const { verify, cache, questionOptions } = settings;
  if (verify === undefined) return undefined;
  const { openRecordVerifier } = await import("../../cli/verify/verifier.ts");
  const { createVerifiedMembers } = await import("./verified-members.ts");
  const verifier = openRecordVerifier(verify, { cacheText: cache.text, env: options.env, used, say });
  return createVerifiedMembers(verifier, addressOf(verify), { options: questionOptions, logClock });
}

/**
 * Opens the sources of members that the settings request; resolves to undefined when they request none. Rejects with a `UsageError` for
 * a source that cannot be opened.
 */
export async function openMembers(run: MembersOptions): Promise<readonly RecordMembers[] | undefined> {
  const members: RecordMembers[] = [];
  for (const open of sources) {
    const opened = await open(run);
    if (opened !== undefined) members.push(opened);
  }
  return members.length === 0 ? undefined : members;
}
