// Defines the flags of `answer`, converts a command line to settings, and renders the help.
import { UsageError } from "@robots-stream/engine";
import type { Question, QuestionOptions, TargetForm, UsedFile } from "@robots-stream/engine/internal";
import { readAgentPipes } from "../../cli/asked-agents.ts";
import { type FlagShape, lastOf, notTogether, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type Output, type OutputFlagName, outputFlags, outputOf } from "../../cli/output-format.ts";
import {
  askedQuestionsOf,
  type QuestionFlagName,
  questionOptionsOf,
  targetFormOf,
} from "../../cli/question-settings.ts";
import { oneDialectFlag, sharedFlag } from "../../cli/shared-flags.ts";
import { sizeOf } from "../../cli/values.ts";

type SharedName = QuestionFlagName | "target" | "max-bytes" | "robots";
type AnswerFlagName = SharedName | OutputFlagName | "stdio" | "user-agents" | "origins" | "help";

const formats = [{ name: "csv" }] as const;

/** Every flag, in the order of the help. */
export const answerFlags: readonly FlagShape<AnswerFlagName>[] = [
  { name: "stdio", about: "Read frames from stdin and write frames to stdout. Required." },
  {
    ...sharedFlag("robots"),
    about: "Saved robots.txt files that decide the URLs: a snapshot, an archive or a folder. Nothing is fetched.",
    otherwise: "required, except with --origins",
  },
  ...(["agent", "agents", "crawlers", "no-fallback"] as const).map((name) => sharedFlag(name)),
  {
    name: "user-agents",
    about:
      "Frames have a second column with a User-Agent header. Each row is decided for the crawler that its header names.",
  },
  { name: "origins", about: "Answer with the origin of each URL instead of a decision." },
  oneDialectFlag,
  ...(["token-match", "target", "max-bytes"] as const).map((name) => sharedFlag(name)),
  ...outputFlags(formats),
  { name: "help", short: "h", about: "Print this." },
];

/** The names of the flags that apply only to answers with decisions. */
const deciding = [
  "agent",
  "agents",
  "crawlers",
  "no-fallback",
  "user-agents",
  "dialect",
  "token-match",
  "target",
] as const;

export interface AnswerSettings {
  /** Undefined if answers contain origins. */
  readonly deciding?: DecidingSettings | undefined;
  readonly output: Output<{ readonly name: string }>;
  readonly namedFiles: readonly UsedFile[];
}

/** The settings for answers with decisions. */
export interface DecidingSettings {
  readonly robotsPath: string;
  readonly maxBytes: number;
  /** The questions for each row, one for each crawler and dialect; empty if `hasAgents` is true. */
  readonly questions: readonly Question[];
  readonly questionOptions: QuestionOptions;
  /** The values of `--agents`: names of sets of crawlers, and names of files with crawlers. */
  readonly agentSets: readonly string[];
  /** Whether rows have a second column with a User-Agent header. Each row is then decided for the crawler that its header names. */
  readonly hasAgents: boolean;
  readonly targetForm: TargetForm;
}

/** Parses a command line. Resolves to `"help"` when `--help` is given. Rejects with a `UsageError` for the first mistake. */
export async function answerSettingsOf(
  argv: readonly string[],
  signal?: AbortSignal,
): Promise<AnswerSettings | "help"> {
  const { values, files } = parseCommandLine(answerFlags, argv, "robots-stream answer");
  if (values.has("help")) return "help";
  const example = "for example: robots-stream answer --stdio --robots snapshot/ --agent bingbot";
  if (!values.has("stdio"))
    throw new UsageError("wrong-value", "answer reads stdin and writes stdout: give --stdio", example);
  if (files.length > 0) throw new UsageError("wrong-value", "answer reads frames from stdin, and no files", example);
  const common = { output: outputOf(values, formats), namedFiles: filesOfFlags(answerFlags, values) };
  if (values.has("origins")) {
    const given = ([...deciding, "robots", "max-bytes"] as const).find((name) => values.has(name));
    if (given !== undefined) throw notTogether("origins", given, "an origin depends on the URL alone");
    return common;
  }
  const robotsPath = lastOf(values, "robots");
  if (robotsPath === undefined) {
    throw new UsageError("wrong-value", "--robots is missing: answer fetches nothing", example);
  }
  const maxBytes = sizeOf("max-bytes", lastOf(values, "max-bytes")) ?? 512_000;
  const hasAgents = values.has("user-agents");
  if (hasAgents && (values.has("agent") || values.has("agents"))) {
    throw notTogether("user-agents", values.has("agent") ? "agent" : "agents", "each row names its crawler");
  }
  const questionOptions = { ...questionOptionsOf(values), areFromHeaders: hasAgents };
  if (questionOptions.dialects.length > 1) {
    throw new UsageError("wrong-value", "answer takes one --dialect: run one process for each dialect");
  }
  const pipes = await readAgentPipes(values.get("agents") ?? [], signal);
  return {
    ...common,
    deciding: {
      robotsPath,
      maxBytes,
      questions: hasAgents ? [] : askedQuestionsOf(values, questionOptions, pipes),
      questionOptions,
      agentSets: values.get("agents") ?? [],
      hasAgents,
      targetForm: targetFormOf(values),
    },
  };
}

export function renderAnswerHelp(): string {
  return `robots-stream answer: answers batches of URLs for programs in other languages

Usage
  PROGRAM | robots-stream answer --stdio --robots DIR --agent TOKEN [flags] | PROGRAM
  PROGRAM | robots-stream answer --stdio --origins | PROGRAM

A program runs this command as a child process. It writes frames to stdin, each with a column of URLs and, with --user-agents, a column of User-Agent headers. For each frame, the command writes one frame to stdout, with one line of CSV for each row (with several agents, one line for each row and agent), in the same order. A URL may contain any bytes; a row without a URL gives a line of empty fields. docs/SCALE.md describes the frames. Nothing is fetched. The command ends when stdin ends.

Examples
  robots-stream answer --stdio --robots snapshot/ --agent bingbot,GPTBot
  robots-stream answer --stdio --robots snapshot/ --user-agents

Flags
${renderRows(answerFlags)}

Exit codes
  0    every frame was answered
  2    wrong usage
  3    a frame or the saved robots.txt of a URL is damaged, or reading or writing failed
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
