// Defines the flags of `explain`, converts a command line to settings, and renders the help.
import { UsageError } from "@robots-stream/engine";
import { type Question, type QuestionOptions, type TargetForm, type UsedFile } from "@robots-stream/engine/internal";
import { readAgentPipes } from "../../cli/asked-agents.ts";
import { type FlagShape, type FlagValues, lastOf, parseCommandLine } from "../../cli/command-line.ts";
import { renderRows } from "../../cli/flag-help.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { networkFlags } from "../../cli/network/flags.ts";
import {
  type Output,
  type OutputFlagName,
  outputFlags,
  outputOf,
  type TextFormat,
  textFormats,
} from "../../cli/output-format.ts";
import {
  askedQuestionsOf,
  type QuestionFlagName,
  questionOptionsOf,
  targetFormOf,
} from "../../cli/question-settings.ts";
import { type RobotsFlagName, type RobotsSettings, robotsSettingsOf } from "../../cli/robots/settings.ts";
import { sharedFlag } from "../../cli/shared-flags.ts";
import type { PageFiles } from "./page.ts";

type ExplainFlag = FlagShape<
  QuestionFlagName | RobotsFlagName | OutputFlagName | "target" | "headers" | "html" | "help"
>;

/** Every flag, in the order of the help. */
export const explainFlags: readonly ExplainFlag[] = [
  ...(["agent", "agents", "crawlers", "no-fallback"] as const).map((name) => sharedFlag(name)),
  { ...sharedFlag("robots"), otherwise: "the robots.txt of the origin is fetched" },
  ...(["dialect", "token-match", "target"] as const).map((name) => sharedFlag(name)),
  {
    name: "headers",
    value: "FILE",
    file: { use: "reads" },
    about: "Also explain the page: FILE contains the headers of its response, as curl -D FILE writes them.",
  },
  { name: "html", value: "FILE", file: { use: "reads" }, about: "Also explain the page: FILE contains its HTML." },
  ...outputFlags(textFormats),
  sharedFlag("max-bytes"),
  ...networkFlags.filter(({ name }) => name !== "concurrency"),
  { name: "help", short: "h", about: "Print this." },
];

export interface ExplainSettings {
  readonly urls: readonly string[];
  /** The questions, one for each crawler and dialect. */
  readonly questions: readonly Question[];
  /** The values of `--agents`: names of sets of crawlers, and names of files with crawlers. */
  readonly agentSets: readonly string[];
  /** The crawlers in the file that `--crawlers` names. */
  readonly crawlers: QuestionOptions["crawlers"];
  readonly targetForm: TargetForm;
  /** The files of `--headers` and `--html` about the page of the only URL; undefined without these flags. */
  readonly page: PageFiles | undefined;
  readonly output: Output<TextFormat>;
  readonly robots: RobotsSettings;
  readonly namedFiles: readonly UsedFile[];
}

/** Parses a command line. Resolves to `"help"` when `--help` is given. Rejects with a `UsageError` for the first mistake. */
export async function explainSettingsOf(
  argv: readonly string[],
  signal?: AbortSignal,
): Promise<ExplainSettings | "help"> {
  const { values, files: urls } = parseCommandLine(explainFlags, argv, "robots-stream explain");
  if (values.has("help")) return "help";
  const example = "for example: robots-stream explain https://example.com/page --agent bingbot";
  if (urls.length === 0) throw new UsageError("no-input", "name a URL", example);
  if (!values.has("agent") && !values.has("agents"))
    throw new UsageError("missing-agent", "--agent is missing: name a crawler", example);
  const options = questionOptionsOf(values);
  const output = outputOf(values, textFormats);
  const robots = robotsSettingsOf(values);
  const targetForm = targetFormOf(values);
  const pipes = await readAgentPipes(values.get("agents") ?? [], signal);
  return {
    urls,
    questions: askedQuestionsOf(values, options, pipes),
    agentSets: values.get("agents") ?? [],
    crawlers: options.crawlers,
    targetForm,
    page: pageFilesOf(values, urls),
    output,
    robots,
    namedFiles: filesOfFlags(explainFlags, values),
  };
}

function pageFilesOf(values: FlagValues<"headers" | "html">, urls: readonly string[]): PageFiles | undefined {
  const [headers, html] = [lastOf(values, "headers"), lastOf(values, "html")];
  if (headers === undefined && html === undefined) return undefined;
  if (urls.length === 1) return { headers, html };
  throw new UsageError(
    "wrong-value",
    `--${headers === undefined ? "html" : "headers"} needs a single URL: the URL of the page`,
  );
}

export function renderExplainHelp(): string {
  return `robots-stream explain: why may this crawler fetch this URL, or why not?

Usage
  robots-stream explain URL … --agent TOKEN [flags]

Quotes the lines of robots.txt that decide: the user-agent lines that select the group, every rule that matches, the rule that wins and the runner-up. Also quotes the lines that state preferences about the use of the content.

Examples
  robots-stream explain https://example.com/page --agent bingbot
  robots-stream explain https://example.com/page --agent GPTBot --robots robots.txt
  robots-stream explain https://example.com/page --agent bingbot --dialect google,rfc9309 -o ndjson

Flags
${renderRows(explainFlags)}

Exit codes
  0    every decision was explained
  2    wrong usage, nothing was fetched
  3    the output could not be written
  130  stopped by Ctrl-C
  143  stopped by SIGTERM
`;
}
