// Defines the flags of `diff`, and converts a command line to settings.
import { namesIn } from "@robots-stream/diff";
import { type DialectName, parseRobotsTxt } from "@robots-stream/core";
import { UsageError } from "@robots-stream/engine";
import { dialectNames, type Question, questionsOf } from "@robots-stream/engine/internal";
import { requestedAgentsOf } from "../../cli/requested-agents.ts";
import type { Running } from "../../cli/command-body.ts";
import {
  agentFieldFlag,
  urlFieldFlags,
  baseFlag,
  inputFlag,
  type InputSettings,
  inputSettingsOf,
  maxLineBytesFlag,
} from "../../cli/input-settings.ts";
import { flag } from "../../cli/flag.ts";
import { fewOriginsFlags, type NetworkSettings, networkSettingsOf } from "../../cli/network/flags.ts";
import { type NamedFormat, type Output, outputFlags, outputOf } from "../../cli/output-format.ts";
import { agentFlag, agentsFlag, dialectFlag, readAgents } from "../../cli/question-settings.ts";
import { oneOf } from "../../cli/values.ts";

interface DiffFormat extends NamedFormat {
  readonly name: "text" | "json" | "github";
}

const formats: readonly [DiffFormat, ...DiffFormat[]] = [{ name: "text" }, { name: "json" }, { name: "github" }];

const diffConditions = ["flips", "newly-disallowed", "newly-allowed"] as const;
export type DiffCondition = (typeof diffConditions)[number];

/** Every flag, in the order of the help. */
export const diffFlags = [
  flag({
    name: "fail-on",
    value: "WHAT",
    choices: diffConditions,
    about: `Exit with 1 if answers change: ${diffConditions.join(", ")}. flips means a change in either direction. With a log, only answers to its requests count.`,
    read: oneOf(diffConditions),
  }),
  ...outputFlags(formats),
  {
    ...agentFlag,
    about: "Compare the answers for this crawler. Several: A,B.",
    otherwise:
      "the names in either file, and the sets all-search and ai; with a log, the crawlers that sent its requests",
  },
  agentsFlag,
  { ...dialectFlag, about: `How to read robots.txt: ${dialectNames.join(", ")}; several with commas.` },
  { ...baseFlag, about: "Origin of the requests, for a log that does not name it: https://shop.example." },
  inputFlag,
  ...urlFieldFlags,
  {
    ...agentFieldFlag,
    about: "Field with the User-Agent header in the records of a log.",
    otherwise: "user_agent, if records have it",
  },
  maxLineBytesFlag,
  ...fewOriginsFlags,
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
}

/** Rejects with a `UsageError` for the first mistake, and with the signal's reason. */
export async function diffSettingsOf({
  flags,
  values,
  files,
  signal,
}: Running<(typeof diffFlags)[number]>): Promise<DiffSettings> {
  const [old, next, ...logs] = files;
  if (old === undefined || next === undefined) {
    const hint = "for example: robots-stream diff https://shop.example robots.txt";
    throw new UsageError("no-input", "name two robots.txt files: the old one and the new one", hint);
  }
  return {
    ...inputSettingsOf(values),
    old,
    new: next,
    logs,
    output: outputOf(values, formats),
    failOn: flags.get("fail-on"),
    dialects: flags.get("dialect"),
    agents: await readAgents(values, undefined, signal),
    agentField: flags.get("agent-field"),
    network: networkSettingsOf(values),
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
    ...requestedAgentsOf([], ["all-search,ai"]),
    ...namesIn(...files.map((file) => parseRobotsTxt(file, { dialect }))),
  ];
  const unique = new Map(named.map((name) => [name.toLowerCase(), name]));
  const options = { dialects: [dialect], tokenMatch: undefined, hasFallback: true };
  return questionsOf(
    [...unique.values()].filter((name) => name !== "*"),
    options,
  );
}
