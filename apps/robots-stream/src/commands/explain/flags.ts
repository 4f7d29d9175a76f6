// Defines the flags of `explain`, and converts a command line to settings.
import { UsageError } from "@robots-stream/engine";
import { readAgentPipes } from "../../cli/requested-agents.ts";
import type { Running } from "../../cli/command-body.ts";
import { flag } from "../../cli/flag.ts";
import { fewOriginsFlags } from "../../cli/network/flags.ts";
import { outputFlags, outputOf, textFormats } from "../../cli/output-format.ts";
import {
  agentFlag,
  agentsFlag,
  requestedQuestionsOf,
  crawlersFlag,
  dialectFlag,
  noFallbackFlag,
  questionOptionsOf,
  targetFlag,
  tokenMatchFlag,
} from "../../cli/question-settings.ts";
import { maxBytesFlag, robotsFlag, robotsSettingsOf } from "../../cli/robots/flags.ts";
import type { PageFiles } from "./page.ts";

/** Every flag, in the order of the help. */
export const explainFlags = [
  agentFlag,
  agentsFlag,
  crawlersFlag,
  noFallbackFlag,
  { ...robotsFlag, otherwise: "the robots.txt of the origin is fetched" },
  dialectFlag,
  tokenMatchFlag,
  targetFlag,
  flag({
    name: "headers",
    value: "FILE",
    file: { use: "reads" },
    about: "Also explain the page: FILE contains the headers of its response, as curl -D FILE writes them.",
  }),
  flag({
    name: "html",
    value: "FILE",
    file: { use: "reads" },
    about: "Also explain the page: FILE contains its HTML.",
  }),
  ...outputFlags(textFormats),
  maxBytesFlag,
  ...fewOriginsFlags,
];

/** Rejects with a `UsageError` for the first mistake. */
export async function explainSettingsOf(running: Running<(typeof explainFlags)[number]>) {
  const { flags, values, files: urls, signal } = running;
  const example = "for example: robots-stream explain https://example.com/page --agent bingbot";
  if (urls.length === 0) throw new UsageError("no-input", "name a URL", example);
  if (flags.first("agent", "agents") === undefined)
    throw new UsageError("missing-agent", "--agent is missing: name a crawler", example);
  const options = questionOptionsOf(values);
  const output = outputOf(values, textFormats);
  const robots = robotsSettingsOf(values);
  const targetForm = flags.get("target");
  const agentSets = flags.get("agents");
  const pipes = await readAgentPipes(agentSets, signal);
  return {
    urls,
    questions: requestedQuestionsOf(values, options, pipes),
    agentSets,
    crawlers: options.crawlers,
    targetForm,
    page: pageFilesOf({ headers: flags.get("headers"), html: flags.get("html") }, urls),
    output,
    robots,
  };
}

export type ExplainSettings = Readonly<Awaited<ReturnType<typeof explainSettingsOf>>>;

function pageFilesOf(files: PageFiles, urls: readonly string[]): PageFiles | undefined {
  const { headers, html } = files;
  if (headers === undefined && html === undefined) return undefined;
  if (urls.length === 1) return files;
  throw new UsageError(
    "wrong-value",
    `--${headers === undefined ? "html" : "headers"} needs a single URL: the URL of the page`,
  );
}
