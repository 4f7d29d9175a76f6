// Converts a parsed command line to the settings of a run. Mistakes are thrown as UsageErrors.
import {
  type FailCondition,
  failConditions,
  type LogRowOptions,
  logMembersOf,
  noPipes,
  type OutputFormat,
  outputFormats,
  type Question,
  type QuestionOptions,
  type ReadPipes,
  type Shard,
  shownWordOf,
  type TargetForm,
  UsageError,
  type UsedFile,
} from "@robots-stream/engine/internal";
import { type CacheSettings, cacheSettingsOf, refuseLongFreshness } from "../../shell/cache/settings.ts";
import { lastOf, rowOf } from "../../shell/command-line.ts";
import { type InputSettings, inputSettingsOf, resultKeyOf } from "../../shell/input-settings.ts";
import { filesOfFlags } from "../../shell/named-files.ts";
import { outputOf } from "../../shell/output-format.ts";
import { askedQuestionsOf, questionOptionsOf, targetFormOf } from "../../shell/question-settings.ts";
import { type RobotsSettings, robotsSettingsOf } from "../../shell/robots-settings.ts";
import { sizeOf, wholeOf } from "../../shell/values.ts";
import { type CheckpointSettings, checkpointSettingsOf } from "./checkpoint/settings.ts";
import { type ParsedFlags, flags } from "./flags.ts";
import { type SeenSettings, seenSettingsOf } from "./seen/settings.ts";

/** The settings of a run. */
export interface Settings extends InputSettings, RobotsSettings, SeenSettings {
  /** The crawlers and dialects to decide for; empty with `agentField`. */
  readonly questions: readonly Question[];
  /** The values of `--agents`: sets and files. */
  readonly agentSets: readonly string[];
  /** The field of a record that holds the User-Agent header of the crawler to decide for. */
  readonly agentField: string | undefined;
  readonly questionOptions: QuestionOptions;
  /** Whether answers contain the dialect. */
  readonly hasDialect: boolean;
  readonly targetForm: TargetForm;
  /** Whether answers contain `kind` for product tokens that are not ordinary crawlers. */
  readonly hasKind: boolean;
  /** Whether only records that the dialects decide differently are written. */
  readonly onlyDifferences: boolean;
  readonly files: readonly string[];
  /** The files that flags name. */
  readonly namedFiles: readonly UsedFile[];
  readonly outputFormat: OutputFormat;
  readonly resultKey: string;
  /** Undefined: stdout. */
  readonly outputPath: string | undefined;
  readonly isOrdered: boolean;
  readonly csvSafe: boolean;
  /** What rows of a log have; undefined: the usual. */
  readonly logRows: LogRowOptions | undefined;
  readonly rejectsPath: string | undefined;
  readonly cache: CacheSettings;
  /** Bytes of memory for records that wait for their robots.txt. */
  readonly parkBytes: number;
  /** Bytes of memory for matchers and the tails of rows. */
  readonly matcherBytes: number;
  /** Number of threads that read and decide; with 1, the main thread does both. */
  readonly workers: number;
  /** The part of the origins that this run decides. */
  readonly shard: Shard | undefined;
  readonly checkpoint: CheckpointSettings | undefined;
  readonly failOn: readonly FailCondition[];
}

/** Reads the values of the flags, and the files that `--agents` names. Throws a `UsageError` for the first invalid value. */
export function settingsOf(parsed: ParsedFlags, pipes: ReadPipes = noPipes): Settings {
  const { values, files } = parsed;
  const robots = robotsSettingsOf(values);
  const resultKey = resultKeyOf(values);
  const agentField = lastOf(values, "agent-field");
  const questionOptions = { ...questionOptionsOf(values), areFromHeaders: agentField !== undefined };
  const onlyDifferences = values.has("only-differences");
  refuseQuestions(values, questionOptions);
  const questions = agentField === undefined ? askedQuestionsOf(values, questionOptions, pipes) : [];
  const checkpoint = checkpointSettingsOf(parsed, questions, questionOptions.crawlers);
  const cache = cacheSettingsOf(values);
  refuseLongFreshness(cache, robots.network.accessPolicy);
  const output = outputOf(values, outputFormats as readonly [OutputFormat, ...OutputFormat[]]);
  return {
    ...inputSettingsOf(values),
    ...robots,
    ...seenSettingsOf(values),
    questions,
    agentSets: values.get("agents") ?? [],
    agentField,
    questionOptions,
    hasDialect: values.has("dialect"),
    hasKind: agentField !== undefined || questions.some(({ kind }) => kind !== undefined),
    onlyDifferences,
    targetForm: targetFormOf(values),
    files: files.length === 0 ? ["-"] : files,
    namedFiles: filesOfFlags(flags, values),
    outputFormat: output.format,
    resultKey,
    outputPath: output.path,
    // A checkpoint is one position in the input: all rows before the position are written, and none after it.
    isOrdered: values.has("ordered") || checkpoint !== undefined,
    csvSafe: values.has("csv-safe"),
    logRows: logRowsOf(values),
    rejectsPath: lastOf(values, "rejects"),
    cache,
    parkBytes: sizeOf("park-bytes", lastOf(values, "park-bytes")) ?? 64 * 1_048_576,
    matcherBytes: sizeOf("matcher-bytes", lastOf(values, "matcher-bytes"), { most: "1024G" }) ?? 256 * 1_048_576,
    workers: wholeOf("workers", lastOf(values, "workers") ?? "1", 1, mostWorkers),
    shard: shardOf(lastOf(values, "shard")),
    checkpoint,
    failOn: (values.get("fail-on") ?? []).flatMap((list) =>
      list.split(",").map((name) => rowOf("fail-on", name.trim(), failConditions)),
    ),
  };
}

const mostWorkers = 64;

/** Reads `--keep-line` and `--without`; undefined without either. */
function logRowsOf(values: ParsedFlags["values"]): LogRowOptions | undefined {
  const names = (values.get("without") ?? []).flatMap((list) => list.split(",").map((name) => name.trim()));
  const keepLine = values.has("keep-line");
  if (!keepLine && names.length === 0) return undefined;
  return { keepLine, without: logMembersOf(names, (members) => `--without ${members}`) };
}

/** Throws a `UsageError` for flags of crawlers and dialects that cannot be combined. */
function refuseQuestions(values: ParsedFlags["values"], { dialects }: QuestionOptions): void {
  if (values.has("only-differences") && dialects.length < 2) {
    throw new UsageError(
      "wrong-value",
      "--only-differences needs two dialects to compare",
      "for example: --dialect google,rfc9309 --only-differences",
    );
  }
  const rival = (["agent", "agents", "only-differences"] as const).find((name) => values.has(name));
  if (values.has("agent-field") && rival !== undefined) {
    const what = `--agent-field and --${rival} cannot be combined: each record names its own crawler`;
    throw new UsageError("wrong-value", what);
  }
}

/** A part and the number of parts: "2/4". */
function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, part = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (part >= 1 && part <= count) return { part, count };
  throw new UsageError(
    "wrong-value",
    `--shard ${shownWordOf(text, 60)}: must be a part and the number of parts, like 1/1`,
    "for example, the second of four: --shard 2/4",
  );
}
