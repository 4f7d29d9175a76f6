// Converts a parsed command line to the settings of a run. Throws a UsageError for a mistake in the command line.
import { UsageError } from "@robots-stream/engine";
import {
  logMembersOf,
  outputFormats,
  type Question,
  type QuestionOptions,
  rowForms,
  rowChoices,
  type TargetForm,
  type UsedFile,
} from "@robots-stream/engine/internal";
import type { FailCondition } from "./fail-on.ts";
import { noPipes, type ReadPipes } from "../../cli/requested-agents.ts";
import { type CacheSettings, cacheSettingsOf, refuseLongFreshness } from "../../cli/cache/settings.ts";
import { type CommandLine, notTogether } from "../../cli/command-line.ts";
import { type FlagValues, type Given, given as givenIn } from "../../cli/flag.ts";
import { type InputSettings, inputSettingsOf } from "../../cli/input-settings.ts";
import { historyPathsOf, type RobotsSettings, robotsSettingsOf } from "../../cli/robots/flags.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type Output, outputOf } from "../../cli/output-format.ts";
import { type PageSettings, pageSettingsOf } from "../../cli/page/flags.ts";
import { requestedQuestionsOf, questionOptionsOf } from "../../cli/question-settings.ts";
import { type VerifySettings, verifySettingsOf } from "../../cli/verify/flags.ts";
import { type RequestedWindow, windowOf } from "../../cli/time-window.ts";
import type { Shard } from "../../cli/values.ts";
import { type CheckpointSettings, checkpointSettingsOf } from "./checkpoint/settings.ts";
import { flags } from "./flags.ts";
import { type SeenSettings, seenSettingsOf } from "./progress/settings.ts";
import type { UsageSettings } from "./usage-members.ts";

type OutputFormat = (typeof outputFormats)[number];
type RowChoice = (typeof rowChoices)[number]["name"];
type RowForm = (typeof rowForms)[number];
type LogRows = { readonly keepLine: boolean; readonly without: ReturnType<typeof logMembersOf> };

type GivenFlags = Given<(typeof flags)[number]>;

export interface Settings extends InputSettings, RobotsSettings, SeenSettings {
  /** The questions for each record, one for each crawler and dialect; empty with `agentField`. */
  readonly questions: readonly Question[];
  /** The values of `--agents`: names of sets of crawlers, and names of files with crawlers. */
  readonly agentSets: readonly string[];
  /**
   * The field with a User-Agent header. Each record is decided for the crawler that its header names. Undefined: every record is decided
   * for `questions`.
   */
  readonly agentField: string | undefined;
  readonly questionOptions: QuestionOptions;
  /** Whether answers contain the dialect. */
  readonly hasDialect: boolean;
  readonly targetForm: TargetForm;
  /** Whether answers contain the member `kind`, which marks agents that are not ordinary crawlers, such as control tokens. */
  readonly hasKind: boolean;
  /** The value of `--rows`: one row for each answer, or one row with all answers to a record. */
  readonly rows: RowForm;
  /** Whether only records that the dialects decide differently are written. */
  readonly onlyDifferences: boolean;
  /** The window of --since and --until. Records whose time is outside the window are not decided. Undefined: all records are decided. */
  readonly window: RequestedWindow | undefined;
  readonly time: { readonly field: string | undefined; readonly isOptional?: boolean } | undefined;
  /** How clients are verified; undefined: clients are not verified. */
  readonly verify: VerifySettings | undefined;
  /** The paths of `--robots-history`; undefined: records are not decided by their time. */
  readonly historyPaths: readonly string[] | undefined;
  /** Set with `historyPaths`, if the command line names an access policy. */
  readonly hasAccessPolicy?: true;
  /** The field with the method of the request. */
  readonly methodField: string | undefined;
  /** The settings of `--preferences`; undefined without the flag. */
  readonly usage: UsageSettings | undefined;
  /** The values of `--only`, which select the rows to write; undefined: all rows are written. */
  readonly only: readonly RowChoice[] | undefined;
  readonly files: readonly string[];
  readonly namedFiles: readonly UsedFile[];
  readonly outputFormat: OutputFormat;
  readonly resultKey: string;
  /** The file for rows; undefined: stdout. */
  readonly outputPath: string | undefined;
  readonly isOrdered: boolean;
  readonly csvSafe: boolean;
  /** Which members the rows of a log have, from `--keep-line` and `--without`; undefined: the default members. */
  readonly logRows: LogRows | undefined;
  /** Settings of the member `page`; "auto": rows have this member if the first file contains pages; undefined: rows do not have it. */
  readonly page: PageSettings | "auto" | undefined;
  readonly rejectsPath: string | undefined;
  readonly cache: CacheSettings;
  /** Bytes of memory for records that wait for their robots.txt. */
  readonly parkBytes: number;
  /** Bytes of memory for matchers and for cached row endings. The ending of a row is its answer and its line end. */
  readonly matcherBytes: number;
  /** The part of the origins that this run decides; undefined: all origins. */
  readonly shard: Shard | undefined;
  readonly checkpoint: CheckpointSettings | undefined;
  readonly failOn: readonly FailCondition[];
}

/** Inputs of `settingsOf` besides the command line. */
export interface SettingsSurroundings {
  /** The contents of the named pipes among the files that `--agents` names. */
  readonly pipes?: ReadPipes;
  readonly isOnTerminal?: boolean;
}

/**
 * Converts the values of the flags to settings, and reads the files of `--agents` and `--crawlers`. Throws a `UsageError` for the first
 * mistake.
 */
export function settingsOf(
  parsed: CommandLine,
  { pipes = noPipes, isOnTerminal = false }: SettingsSurroundings = {},
): Settings {
  const { values, files } = parsed;
  const given = givenIn(values, flags);
  refuseNoCrawler(given);
  const robots = robotsSettingsOf(values);
  const resultKey = given.get("result-key");
  const agentField = given.get("agent-field");
  const questionOptions = {
    ...questionOptionsOf(values),
    areFromHeaders: agentField !== undefined,
    // Without --dialect, records are judged as in an audit.
    ...(given.get("as-of-record") && !given.has("dialect") ? { asJudged: true } : {}),
  };
  const onlyDifferences = given.get("only-differences");
  refuseQuestions(given, questionOptions);
  const questions = agentField === undefined ? requestedQuestionsOf(values, questionOptions, pipes) : [];
  const input = inputSettingsOf(values);
  const checkpoint = checkpointSettingsOf(parsed, {
    questions,
    crawlers: questionOptions.crawlers,
    inputFormat: input.inputFormat,
  });
  const cache = cacheSettingsOf(values);
  refuseLongFreshness(cache, robots.network.accessPolicy);
  const output = outputOfRun(given, values, isOnTerminal);
  const rows = rowFormOf(given, questionOptions, output.format);
  const window = windowOfRun(windowOf(values), checkpoint !== undefined);
  const verify = verifyOf(given, verifySettingsOf(values));
  const historyPaths = historyPathsOf(values);
  return {
    ...input,
    ...robots,
    ...seenSettingsOf(values),
    questions,
    agentSets: given.get("agents"),
    agentField,
    questionOptions,
    hasDialect: given.has("dialect"),
    hasKind: agentField !== undefined || questions.some(({ kind }) => kind !== undefined),
    rows,
    onlyDifferences,
    window,
    time: timeOfRun(given.get("time-field"), { isNeeded: window !== undefined || historyPaths !== undefined, verify }),
    verify,
    historyPaths,
    ...(historyPaths !== undefined && given.has("access-policy") ? { hasAccessPolicy: true } : {}),
    methodField: methodFieldOf(given.get("method-field"), historyPaths !== undefined),
    usage: usageOf(given),
    only: onlyOf(given),
    targetForm: given.get("target"),
    files: files.length === 0 ? ["-"] : files,
    namedFiles: filesOfFlags(flags, values),
    outputFormat: output.format,
    resultKey,
    outputPath: output.path,
    // A checkpoint needs ordered rows: it holds one place in the input, and the output has exactly the rows before this place.
    isOrdered: given.get("ordered") || checkpoint !== undefined,
    csvSafe: given.get("csv-safe"),
    logRows: logRowsOf(given),
    page: pageSettingsOf(values),
    rejectsPath: given.get("rejects"),
    cache,
    parkBytes: given.get("park-bytes"),
    matcherBytes: given.get("matcher-bytes"),
    shard: given.get("shard"),
    checkpoint,
    failOn: given.get("fail-on").flat(),
  };
}

/** Returns the settings with `files` instead of the named folders and patterns, also in the run description of the checkpoint. */
export function withFiles(settings: Settings, files: readonly string[]): Settings {
  const { checkpoint } = settings;
  // Without a named file, `files` is "-", but the run description has an empty list.
  if (checkpoint === undefined || checkpoint.run.files.length === 0) return { ...settings, files };
  return { ...settings, files, checkpoint: { ...checkpoint, run: { ...checkpoint.run, files } } };
}

/** Returns the settings with `history`, the digest of the history, in the run description of the checkpoint. */
export function withHistory(settings: Settings, history: string): Settings {
  const { checkpoint } = settings;
  if (checkpoint === undefined) return settings;
  return { ...settings, checkpoint: { ...checkpoint, run: { ...checkpoint.run, history } } };
}

function outputOfRun(given: GivenFlags, values: FlagValues, isOnTerminal: boolean): Output<OutputFormat> {
  // Flags that have no effect on a table. With one of them, the default format on a terminal is NDJSON.
  const dataFlag = given.first("result-key", "csv-safe");
  const isJoined = given.get("rows") === "record";
  const formats = outputFormats as readonly [OutputFormat, ...OutputFormat[]];
  const table = isOnTerminal && dataFlag === undefined && !isJoined ? outputFormats.find(isPrinted) : undefined;
  const output = outputOf(values, formats, table);
  if (isPrinted(output.format)) {
    if (dataFlag !== undefined) throw notTogether("output table", dataFlag, "a table is for people, not for programs");
    const checkpoint = "a checkpoint needs rows that do not depend on the terminal";
    if (given.has("checkpoint")) throw notTogether("output table", "checkpoint", checkpoint);
  }
  return output;
}

/** Whether the rows of a format are printed as text for people. */
export function isPrinted({ createPrinter }: OutputFormat): boolean {
  return createPrinter !== undefined;
}

/**
 * Returns the window of --since and --until. Throws a `UsageError` for an age, such as "2d", in a run that may be resumed: when the run is
 * resumed, the age would mean another time.
 */
function windowOfRun(window: RequestedWindow | undefined, isResumable: boolean): RequestedWindow | undefined {
  if (window?.isRelative !== true || !isResumable) return window;
  throw new UsageError(
    "wrong-value",
    "--checkpoint needs a fixed time in --since and --until: an age means another time when the run is resumed",
    "name the time: --since 2025-12-10T08:00Z",
  );
}

/**
 * Returns the field with the time of a record; undefined if the run does not use times. A window and a history require the field.
 * Verification also works without times, so for verification alone the field is optional unless `--time-field` names it. Throws a
 * `UsageError` for `--time-field` in a run that does not use times.
 */
function timeOfRun(
  field: string | undefined,
  { isNeeded, verify }: { readonly isNeeded: boolean; readonly verify: VerifySettings | undefined },
): Settings["time"] {
  if (isNeeded) return { field };
  if (verify !== undefined) return { field, isOptional: field === undefined };
  if (field === undefined) return undefined;
  throw new UsageError(
    "wrong-value",
    "--time-field needs --since, --until, --as-of-record or --verify: without them, no row depends on the time",
    "for example: --since 7d --time-field requested_at",
  );
}

/** Reads `--method-field`. `isAsked`: whether another flag uses the method. If not, throws a `UsageError` for `--method-field`. */
function methodFieldOf(field: string | undefined, isAsked: boolean): string | undefined {
  if (field === undefined || isAsked) return field;
  throw new UsageError(
    "wrong-value",
    "--method-field needs --as-of-record: without it, no row depends on the method",
    "for example: --robots-history seen/ --as-of-record --method-field method",
  );
}

/** Returns the settings of `--verify`; undefined without the flag. Throws a `UsageError` if `--agent-field` is missing. */
function verifyOf(given: GivenFlags, verify: VerifySettings | undefined): VerifySettings | undefined {
  if (verify === undefined || given.has("agent-field")) return verify;
  throw new UsageError(
    "wrong-value",
    "--verify needs --agent-field: the User-Agent header names the crawler that a client claims to be",
    "for example: --agent-field user_agent --verify",
  );
}

/** Reads the row selections of `--only`; undefined without the flag. */
function onlyOf(given: GivenFlags): readonly RowChoice[] | undefined {
  const chosen = given.get("only") as readonly RowChoice[] | undefined;
  if (chosen?.includes("crawlers") === true && !given.has("agent-field")) {
    throw new UsageError(
      "wrong-value",
      "--only crawlers needs --agent-field: without it every row is about a crawler",
      "for example: --agent-field user_agent --only crawlers",
    );
  }
  return chosen;
}

/** Reads `--preferences` and `--signals`; undefined without `--preferences`. */
function usageOf(given: GivenFlags): UsageSettings | undefined {
  const signals = given.get("signals");
  if (given.get("preferences")) return { signals };
  if (signals === undefined) return undefined;
  throw new UsageError(
    "wrong-value",
    "--signals needs --preferences: it selects the signals that --preferences reads",
    "for example: --preferences --signals content-usage",
  );
}

/** Reads `--keep-line` and `--without`; undefined when neither flag is given. */
function logRowsOf(given: GivenFlags): LogRows | undefined {
  const names = given.get("without").flat();
  const keepLine = given.get("keep-line");
  if (!keepLine && names.length === 0) return undefined;
  return { keepLine, without: logMembersOf(names, (members) => `--without ${members}`) };
}

/**
 * Throws a `UsageError` if no flag names a crawler. If `--user-agent` is given, the message explains that this flag sets only the header of
 * the program's own requests.
 */
function refuseNoCrawler(given: GivenFlags): void {
  if (given.first("agent", "agents", "agent-field") !== undefined) return;
  const isMistaken = given.has("user-agent");
  throw new UsageError(
    "missing-agent",
    isMistaken
      ? "--agent is missing: --user-agent sets the header that robots-stream sends and names no crawler"
      : "--agent is missing: name a crawler",
    "for example: --agent bingbot; for an access log: --agent-field user_agent",
  );
}

/** Throws a `UsageError` for flags about crawlers and dialects that cannot be combined, and for --only-differences with one dialect. */
function refuseQuestions(given: GivenFlags, { dialects }: QuestionOptions): void {
  if (given.has("only-differences") && dialects.length < 2) {
    throw new UsageError(
      "wrong-value",
      "--only-differences needs two dialects to compare",
      "for example: --dialect google,rfc9309 --only-differences",
    );
  }
  const rival = given.first("agent", "agents", "only-differences");
  if (given.has("agent-field") && rival !== undefined) {
    const what = `--agent-field and --${rival} cannot be combined: each record names its own crawler`;
    throw new UsageError("wrong-value", what);
  }
}

/** Reads `--rows`. For `--rows record`, throws a `UsageError` for flags that cannot be combined with one row for each record. */
function rowFormOf(given: GivenFlags, { dialects }: QuestionOptions, format: OutputFormat): RowForm {
  const form = given.get("rows") as RowForm;
  if (form === "agent") return form;
  if (!format.rowForms.includes(form)) {
    const what = `--rows record needs --output ndjson: a ${format.name} row has the columns of one answer`;
    throw new UsageError("wrong-value", what, "without --rows record, each crawler has its own row");
  }
  if (given.has("only")) {
    const what = "--rows record and --only cannot be combined: a row has the answers for all crawlers";
    throw new UsageError("wrong-value", what, "without --rows record, each crawler has its own row");
  }
  if (given.has("agent-field")) {
    const what = "--rows record and --agent-field cannot be combined: each record has the answer for one crawler";
    throw new UsageError("wrong-value", what);
  }
  if (dialects.length > 1) {
    const what = "--rows record and several dialects cannot be combined: a row has one answer for each crawler";
    throw new UsageError("wrong-value", what, "run once for each dialect, or leave out --rows record");
  }
  return form;
}
