// The flags as written in, the settings of a run out; or the mistake, in words that help.
import type { DialectName } from "@robots-stream/core";
import type { Base } from "@robots-stream/logs";
import {
  askedAgentsOf,
  baseOf,
  dialectNames,
  type FailCondition,
  failConditions,
  type InputFormat,
  inputFormats,
  noPipes,
  type OutputFormat,
  outputFormats,
  type Question,
  type QuestionOptions,
  questionsOf,
  type ReadPipes,
  type Shard,
  shownWordOf,
  type TargetForm,
  targetForms,
  tokenMatches,
  UsageError,
  type UsedFile,
} from "@robots-stream/engine/internal";
import { type CacheSettings, cacheSettingsOf } from "../../shell/cache/settings.ts";
import { type CheckpointSettings, checkpointSettingsOf } from "./checkpoint/settings.ts";
import { choiceOf } from "../../shell/command-line.ts";
import { filesOfFlags } from "../../shell/named-files.ts";
import { type ParsedFlags, flags } from "./flags.ts";
import { refuseWithSaved } from "../../shell/network/flags.ts";
import { type NetworkSettings, networkSettingsOf } from "../../shell/network/settings.ts";
import { type SeenSettings, seenSettingsOf } from "./seen/settings.ts";
import { sizeOf } from "../../shell/values.ts";

/** Everything a run has to know. */
export interface Settings extends SeenSettings {
  /** None with `agentField`. */
  readonly questions: readonly Question[];
  /** Where each record names the crawler that it is about, as a User-Agent header. */
  readonly agentField: string | undefined;
  readonly questionOptions: QuestionOptions;
  /** Whether answers tell the dialect. */
  readonly hasDialect: boolean;
  readonly targetForm: TargetForm;
  /** Whether answers tell what stands behind the name, where that is no ordinary crawler. */
  readonly hasKind: boolean;
  /** Only records on which the dialects disagree go out. */
  readonly onlyDifferences: boolean;
  readonly files: readonly string[];
  /** The files that flags name. */
  readonly namedFiles: readonly UsedFile[];
  readonly inputFormat: InputFormat | undefined;
  readonly urlField: string | undefined;
  readonly base: Base | undefined;
  readonly maxLineBytes: number;
  readonly outputFormat: OutputFormat;
  readonly resultKey: string;
  /** Undefined: stdout. */
  readonly outputPath: string | undefined;
  readonly isOrdered: boolean;
  readonly csvSafe: boolean;
  readonly rejectsPath: string | undefined;
  readonly robotsPath: string | undefined;
  /** How to ask for robots.txt files. */
  readonly network: NetworkSettings;
  readonly maxBytes: number;
  readonly cache: CacheSettings;
  readonly parkBytes: number;
  /** Memory for matchers and what was made of them. */
  readonly matcherBytes: number;
  /** Threads that read and decide; with 1 there is none but the main one. */
  readonly workers: number;
  /** The part of the origins that this run is about. */
  readonly shard: Shard | undefined;
  readonly checkpoint: CheckpointSettings | undefined;
  readonly failOn: readonly FailCondition[];
}

/**
 * Reads the values of the flags, and the files that `--agents` names; a named pipe is not among these, unless `pipes` has what
 * it gave. Throws a `UsageError` for the first one that cannot be.
 */
export function settingsOf(parsed: ParsedFlags, pipes: ReadPipes = noPipes): Settings {
  const { values, files } = parsed;
  const last = (name: Parameters<typeof values.get>[0]): string | undefined => values.get(name)?.at(-1);
  const size = (name: "max-line-bytes" | "max-bytes" | "park-bytes", otherwise: number): number =>
    sizeOf(name, last(name), otherwise);
  refuseWithSaved(values);
  const resultKey = last("result-key") ?? "robots";
  if (resultKey === "") throw new UsageError("wrong-value", "--result-key must not be empty");
  const input = last("input");
  const tokenMatch = last("token-match");
  const dialects = dialectsOf(last("dialect"));
  const onlyDifferences = values.has("only-differences");
  if (onlyDifferences && dialects.length < 2) {
    throw new UsageError(
      "wrong-value",
      "--only-differences needs two dialects to compare",
      "for example: --dialect google,rfc9309 --only-differences",
    );
  }
  const agentField = last("agent-field");
  const rival = (["agent", "agents", "only-differences"] as const).find((name) => values.has(name));
  if (agentField !== undefined && rival !== undefined) {
    const what = `--agent-field and --${rival} exclude each other: each record says whom it is about`;
    throw new UsageError("wrong-value", what);
  }
  const questionOptions: QuestionOptions = {
    dialects,
    tokenMatch: tokenMatch === undefined ? undefined : oneOf("token-match", tokenMatch, tokenMatchRows).name,
    hasFallback: !values.has("no-fallback"),
  };
  const agents =
    agentField === undefined ? askedAgentsOf(values.get("agent") ?? [], values.get("agents") ?? [], pipes) : [];
  const questions = questionsOf(agents, questionOptions);
  const checkpoint = checkpointSettingsOf(parsed, questions);
  return {
    questions,
    agentField,
    questionOptions,
    hasDialect: values.has("dialect"),
    hasKind: agentField !== undefined || questions.some(({ kind }) => kind !== undefined),
    onlyDifferences,
    targetForm: choiceOf("target", last("target") ?? "raw", targetForms),
    files: files.length === 0 ? ["-"] : files,
    namedFiles: filesOfFlags(flags, values),
    inputFormat: input === undefined ? undefined : oneOf("input", input, inputFormats),
    urlField: last("url-field"),
    base: baseOf(last("base")),
    maxLineBytes: size("max-line-bytes", 1_048_576),
    outputFormat: oneOf("output", last("output") ?? "ndjson", outputFormats),
    resultKey,
    outputPath: last("output-file"),
    // A checkpoint is a place in the input: nothing behind it may be written, and nothing before it missing.
    isOrdered: values.has("ordered") || checkpoint !== undefined,
    csvSafe: values.has("csv-safe"),
    rejectsPath: last("rejects"),
    robotsPath: last("robots"),
    network: networkSettingsOf(values),
    maxBytes: size("max-bytes", 512_000),
    cache: cacheSettingsOf(values),
    parkBytes: size("park-bytes", 64 * 1_048_576),
    matcherBytes: sizeOf("matcher-bytes", last("matcher-bytes"), 256 * 1_048_576, "1024G"),
    workers: workersOf(last("workers")),
    shard: shardOf(last("shard")),
    checkpoint,
    ...seenSettingsOf(values),
    failOn: (values.get("fail-on") ?? []).flatMap((list) =>
      list.split(",").map((name) => oneOf("fail-on", name.trim(), failConditions)),
    ),
  };
}

const mostWorkers = 64;

const dialectRows = dialectNames.map((name) => ({ name }));
const tokenMatchRows = tokenMatches.map((name) => ({ name }));

function dialectsOf(list: string | undefined): readonly DialectName[] {
  const names = list === undefined ? ["google"] : list.split(",");
  return [...new Set(names.map((name) => oneOf("dialect", name.trim(), dialectRows).name))];
}

function oneOf<T extends { readonly name: string }>(flag: string, text: string, list: readonly T[]): T {
  const names = list.map(({ name }) => name);
  return list[names.indexOf(choiceOf(flag, text, names))]!;
}

function workersOf(text: string | undefined): number {
  const count = /^\d{1,3}$/.test(text ?? "1") ? Number(text ?? 1) : 0;
  if (count >= 1 && count <= mostWorkers) return count;
  throw new UsageError(
    "wrong-value",
    `--workers ${shownWordOf(text!, 60)}: must be a whole number from 1 to ${mostWorkers}`,
  );
}

/** A part and how many there are: "2/4". */
function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, part = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (part >= 1 && part <= count) return { part, count };
  throw new UsageError(
    "wrong-value",
    `--shard ${shownWordOf(text, 60)}: must be a part and how many there are, from 1/1 on`,
    "for example, the second of four: --shard 2/4",
  );
}
