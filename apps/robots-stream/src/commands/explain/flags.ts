// Defines the flags of `explain`, converts a command line to settings, and renders the help.
import { crawlerSets } from "@robots-stream/agents";
import { UsageError } from "@robots-stream/engine";
import {
  dialectNames,
  type Question,
  type QuestionOptions,
  type TargetForm,
  targetForms,
  tokenMatches,
  type UsedFile,
} from "@robots-stream/engine/internal";
import { readAgentPipes } from "../../shell/asked-agents.ts";
import { type FlagShape, type FlagValues, lastOf, parseCommandLine } from "../../shell/command-line.ts";
import { renderRows } from "../../shell/flag-help.ts";
import { filesOfFlags } from "../../shell/named-files.ts";
import { networkFlags } from "../../shell/network/flags.ts";
import {
  type Output,
  type OutputFlagName,
  outputFlags,
  outputOf,
  type TextFormat,
  textFormats,
} from "../../shell/output-format.ts";
import {
  askedQuestionsOf,
  type QuestionFlagName,
  questionOptionsOf,
  targetFormOf,
} from "../../shell/question-settings.ts";
import { type RobotsFlagName, type RobotsSettings, robotsSettingsOf } from "../../shell/robots-settings.ts";
import { agentsFile } from "../decide/flags.ts";
import type { PageFiles } from "./page.ts";

type ExplainFlag = FlagShape<
  QuestionFlagName | RobotsFlagName | OutputFlagName | "target" | "headers" | "html" | "help"
>;

/** Every flag, in the order of the help. */
export const explainFlags: readonly ExplainFlag[] = [
  {
    name: "agent",
    short: "a",
    value: "TOKEN",
    isRepeatable: true,
    about: "Product token of the crawler, as robots.txt names it: bingbot, not a User-Agent header. Several: A,B.",
  },
  {
    name: "agents",
    value: "SET|FILE",
    isRepeatable: true,
    file: agentsFile,
    choices: crawlerSets.map(({ name }) => name),
    about: "Sets of crawlers, several with commas, or a file of names; see robots-stream --help.",
  },
  {
    name: "crawlers",
    value: "FILE",
    file: { use: "reads" },
    about: "File with crawlers to add to the known ones; see robots-stream --help.",
  },
  {
    name: "no-fallback",
    about: "Look only for groups that name the crawler itself, and for *.",
    otherwise: "all names of a known crawler, in order",
  },
  {
    name: "robots",
    value: "DIR|FILE",
    file: { use: "reads" },
    about: "Use saved robots.txt files, not the network: DIR contains example.com.txt …; FILE applies to every origin.",
    otherwise: "the robots.txt of the origin is fetched",
  },
  {
    name: "dialect",
    value: "NAME",
    choices: dialectNames,
    isList: true,
    about: `How to read the file: ${dialectNames.join(", ")}; several with commas.`,
    otherwise: "google",
  },
  {
    name: "token-match",
    value: "HOW",
    choices: tokenMatches,
    about:
      "How to compare TOKEN with user-agent lines: google (only the leading letters, _ and -), whole (the whole name).",
    otherwise: "whole for names that are not product tokens, like MJ12bot",
  },
  {
    name: "target",
    value: "FORM",
    choices: targetForms,
    about: "What rules are compared with: raw, or normalized (without dot segments and needless escapes).",
    otherwise: "raw",
  },
  {
    name: "headers",
    value: "FILE",
    file: { use: "reads" },
    about: "Also explain the page: FILE contains the headers of its response, as curl -D FILE writes them.",
  },
  { name: "html", value: "FILE", file: { use: "reads" }, about: "Also explain the page: FILE contains its HTML." },
  ...outputFlags(textFormats),
  {
    name: "max-bytes",
    value: "SIZE",
    about: "Maximum number of bytes to read from each robots.txt.",
    otherwise: "512000",
  },
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
