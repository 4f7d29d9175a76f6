// The command line of `explain` in, what to explain out; its flags as one table, from which its help comes too.
import { dialectNames, type Question, readAgentPipes, UsageError } from "@robots-stream/engine/internal";
import { type FlagShape, parseCommandLine } from "../../shell/command-line.ts";
import { renderRows } from "../../shell/flag-help.ts";
import { type FlagName, agentsFile } from "../decide/flags.ts";
import { type NetworkFlagName, networkFlags } from "../../shell/network/flags.ts";
import { type Settings, settingsOf } from "../decide/settings.ts";

/** The flags of `explain` that no other command has. */
type OwnFlagName = "json" | "help";

/** The flags that mean what they mean everywhere. */
type SharedFlagName =
  | Exclude<NetworkFlagName, "concurrency">
  | Extract<
      FlagName,
      "agent" | "agents" | "no-fallback" | "dialect" | "token-match" | "target" | "robots" | "max-bytes"
    >;

/** One flag. */
type ExplainFlag = FlagShape<OwnFlagName | SharedFlagName>;

/** Every flag, in the order of the help. */
export const explainFlags: readonly ExplainFlag[] = [
  {
    name: "agent",
    short: "a",
    value: "TOKEN",
    isRepeatable: true,
    about: "Product token of the crawler, as robots.txt names it: bingbot, not a User-Agent header.",
  },
  {
    name: "agents",
    value: "SET|FILE",
    isRepeatable: true,
    file: agentsFile,
    about: "A set of crawlers, or a file of names; see --help.",
  },
  {
    name: "no-fallback",
    about: "Look for the name alone, and for *.",
    otherwise: "a known crawler's names in their order",
  },
  {
    name: "robots",
    value: "DIR|FILE",
    file: { use: "reads" },
    about: "Answer from saved files, without the network: DIR has example.com.txt …, FILE holds for all origins.",
    otherwise: "the origin is asked",
  },
  {
    name: "dialect",
    value: "NAME",
    about: `How to read the file: ${dialectNames.join(", ")}; several with commas.`,
    otherwise: "google",
  },
  {
    name: "token-match",
    value: "HOW",
    about: "google compares the leading letters of a user-agent line, whole all of the name.",
    otherwise: "whole for names that are no product tokens, like MJ12bot",
  },
  {
    name: "target",
    value: "FORM",
    about: "What rules are compared with: raw, or normalized (without dot segments and needless escapes).",
    otherwise: "raw",
  },
  { name: "json", about: "Write one line of JSON for each answer." },
  { name: "max-bytes", value: "SIZE", about: "Read this much of each robots.txt.", otherwise: "512000" },
  ...networkFlags.filter(
    (flag): flag is FlagShape<Exclude<NetworkFlagName, "concurrency">> => flag.name !== "concurrency",
  ),
  { name: "help", short: "h", about: "Print this." },
];

/** What is asked. */
export interface ExplainSettings {
  readonly urls: readonly string[];
  /** Agent by agent, each with the same dialects. */
  readonly questions: readonly Question[];
  readonly isJson: boolean;
  /** The rest, with the meaning it has for every command. */
  readonly shared: Settings;
}

/** Reads a command line; `"help"` when that is asked for. Rejects with a `UsageError` for the first mistake. */
export async function explainSettingsOf(
  argv: readonly string[],
  signal?: AbortSignal,
): Promise<ExplainSettings | "help"> {
  const { values, files: urls } = parseCommandLine(explainFlags, argv, "robots-stream explain");
  if (values.has("help")) return "help";
  const example = "for example: robots-stream explain https://example.com/page --agent bingbot";
  if (urls.length === 0) throw new UsageError("no-input", "which URL is it about?", example);
  if (!values.has("agent") && !values.has("agents"))
    throw new UsageError("missing-agent", "which crawler is it about? --agent is missing", example);
  const own = new Set<string>(["json", "help"] satisfies OwnFlagName[]);
  const checked = new Map([...values].filter(([name]) => !own.has(name))) as ReadonlyMap<FlagName, readonly string[]>;
  const shared = settingsOf({ values: checked, files: [] }, await readAgentPipes(checked.get("agents") ?? [], signal));
  return { urls, questions: shared.questions, isJson: values.has("json"), shared };
}

/** The text of `explain --help`. */
export function renderExplainHelp(): string {
  return `robots-stream explain: why may this crawler fetch this URL, or why not?

Usage
  robots-stream explain URL … --agent TOKEN [flags]

Quotes the lines of robots.txt that decide: the user-agent lines that choose the group, every rule
that matches, the one that wins and the runner-up.

Examples
  robots-stream explain https://example.com/page --agent bingbot
  robots-stream explain https://example.com/page --agent GPTBot --robots robots.txt
  robots-stream explain https://example.com/page --agent bingbot --dialect google,rfc9309 --json

Flags
${renderRows(explainFlags)}

Exit codes
  0  every answer was explained, whatever it is     130  stopped by Ctrl-C
  2  wrong usage, nothing was asked                 143  stopped by SIGTERM
  3  the output could not be written
`;
}
