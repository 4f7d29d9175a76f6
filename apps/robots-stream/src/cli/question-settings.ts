// Reads the flags about crawlers and dialects into the questions to decide. Mistakes are thrown as UsageErrors.
import type { OwnCrawler } from "@robots-stream/agents";
import type { DialectName } from "@robots-stream/core";
import {
  dialectNames,
  type Question,
  type QuestionOptions,
  questionsOf,
  type TargetForm,
  targetForms,
  tokenMatches,
} from "@robots-stream/engine/internal";
import { askedAgentsOf, noPipes, readAgentPipes, type ReadPipes } from "./asked-agents.ts";
import { readOwnCrawlers } from "./own-crawlers.ts";
import { choiceOf, type FlagValues, lastOf } from "./command-line.ts";

/** The flags of these settings. */
export type QuestionFlagName = "agent" | "agents" | "crawlers" | "no-fallback" | "dialect" | "token-match";

/** Reads the flags that apply to every crawler, and the file that `--crawlers` names. Throws a `UsageError` for the first invalid value. */
export function questionOptionsOf(values: FlagValues<QuestionFlagName>): QuestionOptions {
  const tokenMatch = lastOf(values, "token-match");
  const crawlers = ownCrawlersOf(values);
  return {
    ...(crawlers === undefined ? {} : { crawlers }),
    dialects: dialectsOf(lastOf(values, "dialect")),
    tokenMatch: tokenMatch === undefined ? undefined : choiceOf("token-match", tokenMatch, tokenMatches),
    hasFallback: !values.has("no-fallback"),
  };
}

/** Reads the file of `--crawlers`; undefined without the flag. Throws a `UsageError` that names the first invalid line. */
export function ownCrawlersOf(values: FlagValues<"crawlers">): readonly OwnCrawler[] | undefined {
  const path = lastOf(values, "crawlers");
  return path === undefined ? undefined : readOwnCrawlers(path);
}

/**
 * One question for each pair of crawler and dialect, in the order of the crawlers. Reads the files that `--agents` names; `pipes` has
 * the contents of the named pipes among these files. Throws a `UsageError` for the first mistake, and when no crawler is named.
 */
export function askedQuestionsOf(
  values: FlagValues<QuestionFlagName>,
  options: QuestionOptions,
  pipes: ReadPipes = noPipes,
): readonly Question[] {
  return questionsOf(askedAgentsOf(values.get("agent") ?? [], values.get("agents") ?? [], pipes), options);
}

/**
 * Resolves to the names of the crawlers that the command line names, in order, or to `usual` if the command line names none. Reads the
 * files and named pipes that `--agents` names. For commands without `--crawlers`. Rejects with a `UsageError` for the first mistake, and
 * with the signal's reason when the signal aborts.
 */
export async function readAgents<Usual>(
  values: FlagValues<"agent" | "agents">,
  usual: Usual,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | Usual> {
  const [tokens, sets] = [values.get("agent") ?? [], values.get("agents") ?? []];
  if (tokens.length === 0 && sets.length === 0) return usual;
  return askedAgentsOf(tokens, sets, await readAgentPipes(sets, signal));
}

/** Reads `--target`; "raw" without the flag. Throws a `UsageError` for an unknown form. */
export function targetFormOf(values: FlagValues<"target">): TargetForm {
  return choiceOf("target", lastOf(values, "target") ?? "raw", targetForms);
}

/** Reads `--dialect`: one dialect or several with commas; google without the flag. Throws a `UsageError` for an unknown dialect. */
export function dialectsOf(list: string | undefined): readonly DialectName[] {
  const names = list === undefined ? ["google"] : list.split(",");
  return [...new Set(names.map((name) => choiceOf("dialect", name.trim(), dialectNames)))];
}
