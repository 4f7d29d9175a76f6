// Converts a parsed command line to the settings of a run. Throws a UsageError for a mistake in the command line.
import { UsageError } from "@robots-stream/engine";
import {
  logMembersOf,
  type OutputFormat,
  outputFormats,
  type QuestionOptions,
  rowChoices,
  type RowForm,
} from "@robots-stream/engine/internal";
import { cacheSettingsOf, refuseLongFreshness } from "../../cli/cache/settings.ts";
import { type CommandLine, notTogether } from "../../cli/command-line.ts";
import { type FlagValues, type Given, given as givenIn } from "../../cli/flag.ts";
import { inputSettingsOf } from "../../cli/input-settings.ts";
import { filesOfFlags } from "../../cli/named-files.ts";
import { type Output, outputOf } from "../../cli/output-format.ts";
import { pageSettingsOf } from "../../cli/page/flags.ts";
import { questionOptionsOf, requestedQuestionsOf } from "../../cli/question-settings.ts";
import { noPipes, type ReadPipes } from "../../cli/requested-agents.ts";
import { historyPathsOf, robotsSettingsOf } from "../../cli/robots/flags.ts";
import { type RequestedWindow, windowOf } from "../../cli/time-window.ts";
import { type VerifySettings, verifySettingsOf } from "../../cli/verify/flags.ts";
import { checkpointSettingsOf } from "./checkpoint/settings.ts";
import { flags } from "./flags.ts";
import { seenSettingsOf } from "./run-flags.ts";

type RowChoice = (typeof rowChoices)[number]["name"];
type LogRows = { readonly keepLine: boolean; readonly without: ReturnType<typeof logMembersOf> };

type GivenFlags = Given<(typeof flags)[number]>;

/** The settings of a run; see `settingsOf`. */
export type Settings = ReturnType<typeof settingsOf>;

/** Inputs of `settingsOf` besides the command line. */
export interface SettingsSurroundings {
  /** The contents of the named pipes among the files that `--agents` names. */
  readonly pipes?: ReadPipes;
  readonly isOnTerminal?: boolean;
}

/**
 * Converts the values of the flags to settings, and reads the files of `--agents` and `--crawlers`. A setting is undefined if its flag is
 * missing and has no default. Throws a `UsageError` for the first mistake.
 */
export function settingsOf(parsed: CommandLine, { pipes = noPipes, isOnTerminal = false }: SettingsSurroundings = {}) {
  const { values, files } = parsed;
  const given = givenIn(values, flags);
  refuseNoCrawler(given);
  const robots = robotsSettingsOf(values);
  const agentField = given.get("agent-field");
  const questionOptions: QuestionOptions = {
    ...questionOptionsOf(values),
    areFromHeaders: agentField !== undefined,
    // Without --dialect, records are judged as in an audit.
    ...(given.get("as-of-record") && !given.has("dialect") ? { asJudged: true } : {}),
  };
  refuseQuestions(given, questionOptions);
  /** The questions for each record, one for each crawler and dialect; empty if each record names its crawler. */
  const questions = agentField === undefined ? requestedQuestionsOf(values, questionOptions, pipes) : [];
  const input = inputSettingsOf(values);
  const { crawlers } = questionOptions;
  const checkpoint = checkpointSettingsOf(parsed, { questions, crawlers, inputFormat: input.inputFormat });
  const cache = cacheSettingsOf(values);
  refuseLongFreshness(cache, robots.network.accessPolicy);
  const output = outputOfRun(given, values, isOnTerminal);
  const rows = rowFormOf(given, questionOptions, output.format);
  const window = windowOfRun(windowOf(values), checkpoint !== undefined);
  const verify = verifySettingsOf(values);
  const historyPaths = historyPathsOf(values);
  const seen = seenSettingsOf(values);
  refuseUnmet(given);
  return {
    ...input,
    ...robots,
    ...seen,
    questions,
    /** The values of `--agents`: names of sets of crawlers, and names of files with crawlers. */
    agentSets: given.get("agents"),
    /** The field with a User-Agent header. Each record is decided for the crawler that its header names. */
    agentField,
    questionOptions,
    /** Whether answers contain the dialect. */
    hasDialect: given.has("dialect"),
    /** Whether answers contain the member `kind`, which marks agents that are not ordinary crawlers, such as control tokens. */
    hasKind: agentField !== undefined || questions.some(({ kind }) => kind !== undefined),
    rows,
    onlyDifferences: given.get("only-differences"),
    /** Records whose time is outside the window are not decided. */
    window,
    time: timeOfRun(given.get("time-field"), { needing: given.first("as-of-record", "since", "until"), verify }),
    verify,
    historyPaths,
    /** Set with `historyPaths`, if the command line names an access policy. */
    ...(historyPaths !== undefined && given.has("access-policy") ? { hasAccessPolicy: true } : {}),
    methodField: given.get("method-field"),
    usage: given.get("preferences") ? { signals: given.get("signals") } : undefined,
    only: given.get("only") as readonly RowChoice[] | undefined,
    targetForm: given.get("target"),
    files: files.length === 0 ? ["-"] : files,
    namedFiles: filesOfFlags(flags, values),
    outputFormat: output.format,
    resultKey: given.get("result-key"),
    outputPath: output.path,
    // A checkpoint needs ordered rows: it holds one place in the input, and the output has exactly the rows before this place.
    isOrdered: given.get("ordered") || checkpoint !== undefined,
    csvSafe: given.get("csv-safe"),
    logRows: logRowsOf(given),
    /** "auto": rows have the member `page` if the first file contains pages. */
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

/** The flags that have an effect only with other flags. */
const requirements: readonly {
  readonly flag: (typeof flags)[number]["name"];
  readonly isMet: (given: GivenFlags) => boolean;
  readonly what: string;
  readonly hint: string;
}[] = [
  {
    flag: "verify",
    isMet: (given) => given.has("agent-field"),
    what: "--verify needs --agent-field: the User-Agent header names the crawler that a client claims to be",
    hint: "for example: --agent-field user_agent --verify",
  },
  {
    flag: "time-field",
    isMet: (given) => given.first("since", "until", "as-of-record", "verify") !== undefined,
    what: "--time-field needs --since, --until, --as-of-record or --verify: without them, no row depends on the time",
    hint: "for example: --since 7d --time-field requested_at",
  },
  {
    flag: "method-field",
    isMet: (given) => given.has("as-of-record"),
    what: "--method-field needs --as-of-record: without it, no row depends on the method",
    hint: "for example: --robots-history seen/ --as-of-record --method-field method",
  },
  {
    flag: "signals",
    isMet: (given) => given.has("preferences"),
    what: "--signals needs --preferences: it selects the signals that --preferences reads",
    hint: "for example: --preferences --signals content-usage",
  },
  {
    flag: "only",
    isMet: (given) => given.get("only")?.includes("crawlers") !== true || given.has("agent-field"),
    what: "--only crawlers needs --agent-field: without it every row is about a crawler",
    hint: "for example: --agent-field user_agent --only crawlers",
  },
];

/** Throws a `UsageError` for the first flag whose requirement is not met. */
function refuseUnmet(given: GivenFlags): void {
  const unmet = requirements.find(({ flag, isMet }) => given.has(flag) && !isMet(given));
  if (unmet !== undefined) throw new UsageError("wrong-value", unmet.what, unmet.hint);
}

/**
 * Returns the field with the time of a record; undefined if the run does not use times. `needing`: a given flag that requires the field.
 * Verification also works without times, so for verification alone the field is optional unless `--time-field` names it.
 */
function timeOfRun(
  field: string | undefined,
  { needing, verify }: { readonly needing: string | undefined; readonly verify: VerifySettings | undefined },
): { readonly field: string | undefined; readonly isOptional?: boolean; readonly askedBy?: string } | undefined {
  if (needing !== undefined) return { field, askedBy: `--${needing}` };
  return verify === undefined ? undefined : { field, isOptional: field === undefined };
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
  const refuse = (what: string, hint?: string): never => {
    throw new UsageError("wrong-value", `--rows record ${what}`, hint);
  };
  const otherwise = "without --rows record, each crawler has its own row";
  if (!format.rowForms.includes(form)) {
    refuse(`needs --output ndjson: a ${format.name} row has the columns of one answer`, otherwise);
  }
  if (given.has("only")) refuse("and --only cannot be combined: a row has the answers for all crawlers", otherwise);
  if (given.has("agent-field")) {
    refuse("and --agent-field cannot be combined: each record has the answer for one crawler");
  }
  if (dialects.length > 1) {
    const hint = "run once for each dialect, or leave out --rows record";
    refuse("and several dialects cannot be combined: a row has one answer for each crawler", hint);
  }
  return form;
}
