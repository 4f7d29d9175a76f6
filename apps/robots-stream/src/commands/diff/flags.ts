// Defines the flags of `diff`, converts a command line to settings, and renders the help.
import { namesIn } from "@robots-stream/diff";
import { type DialectName, parseRobotsTxt } from "@robots-stream/core";
import { UsageError } from "@robots-stream/engine";
import { dialectNames, type Question, questionsOf, type UsedFile } from "@robots-stream/engine/internal";
import { askedAgentsOf } from "../../cli/asked-agents.ts";
import { choiceOf, type FlagShape, lastOf, parseCommandLine } from "../../cli/command-line.ts";
import { type FieldFlagName, urlFieldFlags } from "../../cli/field-flags.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { type InputFlagName, type InputSettings, inputSettingsOf } from "../../cli/input-settings.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type NetworkFlagName, networkFlags } from "../../cli/network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "../../cli/network/settings.ts";
import { type NamedFormat, type Output, type OutputFlagName, outputFlags, outputOf } from "../../cli/output-format.ts";
import { dialectsOf, readAgents } from "../../cli/question-settings.ts";
import { sharedFlag } from "../../cli/shared-flags.ts";

export interface DiffFormat extends NamedFormat {
  readonly name: "text" | "json" | "github";
}

const formats: readonly [DiffFormat, ...DiffFormat[]] = [{ name: "text" }, { name: "json" }, { name: "github" }];

/** The values of `--fail-on`. */
export const diffConditions = ["flips", "newly-disallowed", "newly-allowed"] as const;
export type DiffCondition = (typeof diffConditions)[number];

type QuestionName = "agent" | "agents" | "dialect";
type DiffFlagName =
  | OutputFlagName
  | QuestionName
  | InputFlagName
  | FieldFlagName
  | NetworkFlagName
  | "fail-on"
  | "help";

/** Every flag, in the order of the help. */
export const diffFlags: readonly FlagShape<DiffFlagName>[] = [
  {
    name: "fail-on",
    value: "WHAT",
    choices: diffConditions,
    about: `Exit with 1 if answers change: ${diffConditions.join(", ")}. flips means a change in either direction. With a log, only answers to its requests count.`,
  },
  ...outputFlags(formats),
  {
    ...sharedFlag("agent"),
    about: "Compare the answers for this crawler. Several: A,B.",
    otherwise:
      "the names in either file, and the sets all-search and ai; with a log, the crawlers that sent its requests",
  },
  sharedFlag("agents"),
  { ...sharedFlag("dialect"), about: `How to read robots.txt: ${dialectNames.join(", ")}; several with commas.` },
  { ...sharedFlag("base"), about: "Origin of the requests, for a log that does not name it: https://shop.example." },
  sharedFlag("input"),
  ...urlFieldFlags,
  {
    name: "agent-field",
    value: "NAME",
    about: "Field with the User-Agent header in the records of a log.",
    otherwise: "user_agent, if records have it",
  },
  sharedFlag("max-line-bytes"),
  // `--concurrency` is omitted, because the robots.txt files of at most two origins are requested.
  ...networkFlags.filter(({ name }) => name !== "concurrency"),
  { name: "help", short: "h", about: "Print this." },
];

export interface DiffSettings extends InputSettings {
  readonly old: string;
  readonly new: string;
  readonly logs: readonly string[];
  readonly output: Output<DiffFormat>;
  readonly failOn: DiffCondition | undefined;
  readonly dialects: readonly DialectName[];
  /** The crawlers that the command line names; undefined: the default crawlers of `comparedIn`. */
  readonly agents: readonly string[] | undefined;
  readonly agentField: string | undefined;
  readonly network: NetworkSettings;
  readonly namedFiles: readonly UsedFile[];
}

/**
 * Parses a command line. Resolves to `"help"` when `--help` is given. Rejects with a `UsageError` for the first mistake, and with the
 * signal's reason.
 */
export async function diffSettingsOf(argv: readonly string[], signal?: AbortSignal): Promise<DiffSettings | "help"> {
  const { values, files } = parseCommandLine(diffFlags, argv, "robots-stream diff");
  if (values.has("help")) return "help";
  const [old, next, ...logs] = files;
  if (old === undefined || next === undefined) {
    const hint = "for example: robots-stream diff https://shop.example robots.txt";
    throw new UsageError("no-input", "name two robots.txt files: the old one and the new one", hint);
  }
  const failOn = lastOf(values, "fail-on");
  return {
    ...inputSettingsOf(values),
    old,
    new: next,
    logs,
    output: outputOf(values, formats),
    failOn: failOn === undefined ? undefined : choiceOf("fail-on", failOn, diffConditions),
    dialects: dialectsOf(lastOf(values, "dialect")),
    agents: await readAgents(values, undefined, signal),
    agentField: lastOf(values, "agent-field"),
    network: networkSettingsOf(values),
    namedFiles: filesOfFlags(diffFlags, values),
  };
}

/**
 * Returns the questions about the crawlers to compare in a dialect, without `*`. `agents`: the crawlers that the command line names. If
 * undefined, the crawlers are the sets all-search and ai of the registry, and the crawlers that one of `files` names.
 */
export function comparedIn(
  dialect: DialectName,
  agents: readonly string[] | undefined,
  files: readonly Uint8Array[],
): readonly Question[] {
  const named = agents ?? [
    ...askedAgentsOf([], ["all-search,ai"]),
    ...namesIn(...files.map((file) => parseRobotsTxt(file, { dialect }))),
  ];
  const unique = new Map(named.map((name) => [name.toLowerCase(), name]));
  const options = { dialects: [dialect], tokenMatch: undefined, hasFallback: true };
  return questionsOf(
    [...unique.values()].filter((name) => name !== "*"),
    options,
  );
}

export function renderDiffHelp(): string {
  return `robots-stream diff: which URLs does a change of robots.txt open or close, and for which crawlers?

Usage
  robots-stream diff OLD NEW [LOG …] [flags]

Compares what two robots.txt files (files, URLs, or - for stdin) mean. For each rule that is in only one file, diff shows a URL whose answer the rule changes, or proves that there is none. With logs or other lists of URLs, diff counts the requests whose answer changes. docs/DIFF.md explains the output.

Examples
  robots-stream diff https://shop.example robots.txt
  git show main:robots.txt | robots-stream diff - robots.txt --fail-on newly-disallowed
  robots-stream diff old.txt new.txt access.log.gz --base https://shop.example

Flags
${renderRows(diffFlags)}

Exit codes
  0    both files were compared
  1    both files were compared, and --fail-on was met
  2    wrong usage, nothing was read
  3    something could not be read or written
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
