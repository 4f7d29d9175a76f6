// The flags about crawlers and dialects, and the questions to decide that they mean. Mistakes are thrown as UsageErrors.
import { crawlerSets } from "@robots-stream/agents";
import {
  dialectNames,
  type Question,
  type QuestionOptions,
  questionsOf,
  targetForms,
  tokenMatches,
} from "@robots-stream/engine/internal";
import {
  requestedAgentsOf,
  namedSetsOf,
  noPipes,
  readAgentPipes,
  type ReadPipes,
  readOwnCrawlers,
} from "./requested-agents.ts";
import { flag, type FlagValues, given } from "./flag.ts";
import { oneOf, someOf } from "./values.ts";

export const agentFlag = flag({
  name: "agent",
  short: "a",
  value: "TOKEN",
  isRepeatable: true,
  about:
    "Product token of the crawler, as robots.txt names it: bingbot, not a User-Agent header. Several: A,B; each gets its own answer.",
});

export const agentsFlag = flag({
  name: "agents",
  value: "SET|FILE",
  isRepeatable: true,
  file: { use: "reads", isNone: (value) => namedSetsOf(value) !== undefined },
  choices: crawlerSets.map(({ name }) => name),
  about: `Sets of crawlers, several with commas: ${crawlerSets.map(({ name }) => name).join(", ")}; or a file with one name per line and # before comments.`,
});

export const crawlersFlag = flag({
  name: "crawlers",
  value: "FILE",
  file: { use: "reads" },
  about:
    "File with crawlers to add to the known ones: one JSON object per line, with productToken, names and headerNames.",
  read: readOwnCrawlers,
});

export const noFallbackFlag = flag({
  name: "no-fallback",
  about: "Look only for groups that name the crawler itself, and for *.",
  otherwise: "all names of a known crawler, in order: Googlebot-Image, then Googlebot, then *",
});

/** For commands that take several dialects. */
export const dialectFlag = flag({
  name: "dialect",
  value: "NAMES",
  choices: dialectNames,
  isList: true,
  about: `How to read robots.txt: ${dialectNames.join(", ")}; several with commas, each with its own answer.`,
  otherwise: "google",
  read: (list, name) => [...new Set(someOf(dialectNames)(list, name))],
  usual: ["google"],
});

/** For commands that take a single dialect. */
export const oneDialectFlag = flag({
  name: "dialect",
  value: "NAME",
  choices: dialectNames,
  about: `How to read robots.txt: ${dialectNames.join(", ")}.`,
  otherwise: "google",
  read: oneOf(dialectNames),
  usual: "google",
});

export const tokenMatchFlag = flag({
  name: "token-match",
  value: "HOW",
  choices: tokenMatches,
  about:
    "How to compare TOKEN with user-agent lines: google (only the leading letters, _ and -), whole (the whole name).",
  otherwise: "google; whole for names with other characters, like MJ12bot",
  read: oneOf(tokenMatches),
});

export const targetFlag = flag({
  name: "target",
  value: "FORM",
  choices: targetForms,
  about:
    "What rules are compared with: raw (the target as the URL has it), normalized (without dot segments and needless escapes).",
  otherwise: "raw",
  read: oneOf(targetForms),
  usual: "raw",
});

/** Reads the flags that apply to every crawler, and the file that `--crawlers` names. Throws a `UsageError` for the first invalid value. */
export function questionOptionsOf(values: FlagValues): QuestionOptions {
  const flags = given(values, [crawlersFlag, dialectFlag, tokenMatchFlag, noFallbackFlag]);
  const crawlers = flags.get("crawlers");
  return {
    ...(crawlers === undefined ? {} : { crawlers }),
    dialects: flags.get("dialect"),
    tokenMatch: flags.get("token-match"),
    hasFallback: !flags.get("no-fallback"),
  };
}

/**
 * One question for each pair of crawler and dialect, in the order of the crawlers. Reads the files that `--agents` names; `pipes` has
 * the contents of the named pipes among these files. Throws a `UsageError` for the first mistake, and when no crawler is named.
 */
export function requestedQuestionsOf(
  values: FlagValues,
  options: QuestionOptions,
  pipes: ReadPipes = noPipes,
): readonly Question[] {
  const flags = given(values, [agentFlag, agentsFlag]);
  return questionsOf(requestedAgentsOf(flags.get("agent"), flags.get("agents"), pipes), options);
}

/**
 * Resolves to the names of the crawlers that the command line names, in order, or to `usual` if the command line names none. Reads the
 * files and named pipes that `--agents` names. For commands without `--crawlers`. Rejects with a `UsageError` for the first mistake, and
 * with the signal's reason when the signal aborts.
 */
export async function readAgents<Usual>(
  values: FlagValues,
  usual: Usual,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | Usual> {
  const flags = given(values, [agentFlag, agentsFlag]);
  const [tokens, sets] = [flags.get("agent"), flags.get("agents")];
  if (tokens.length === 0 && sets.length === 0) return usual;
  return requestedAgentsOf(tokens, sets, await readAgentPipes(sets, signal));
}
