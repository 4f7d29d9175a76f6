// Checks the options of `decideStream` and `decideMessages`, and converts them to the settings of the engine and of the input reader.
import { LogClock } from "@robots-stream/logs";
import { textsOf } from "../decide/record-members.ts";
import { checkToken, checkedOwnCrawlers } from "../questions/own-crawlers.ts";
import { baseOf } from "../common/target.ts";
import type { EngineSettings } from "../stream/engine.ts";
import { UsageError } from "../common/errors.ts";
import type { InputOptions } from "../sources/input.ts";
import type { LogRowOptions } from "../formats/log-members.ts";
import { logMembersOf } from "../formats/logs/row.ts";
import { inputFormats } from "../formats/registry/registry.ts";
import { rowForms } from "../formats/types.ts";
import { dialectNames, questionsOf, targetForms, tokenMatches } from "../questions/questions.ts";
import { shownWordOf } from "../common/text.ts";
import { type RowChoice, rowChoices } from "../decide/decider-options.ts";
import { type OptionTypes, readOptions, tried, wrong } from "./options.ts";
import type { DecideOptions, OriginLoader } from "./types.ts";

export interface StreamSettings {
  readonly engine: EngineSettings;
  readonly read: InputOptions;
  /** Number of rows for each record that is decided for a crawler. */
  readonly decisionsEach: number;
  readonly hasDialect: boolean;
  readonly hasKind: boolean;
}

const optionTypes: Readonly<
  Record<keyof DecideOptions | "input" | "accepts" | "output" | "resultKey" | "csvSafe", OptionTypes[string]>
> = {
  input: "any",
  agents: "list",
  agentField: "string",
  rows: "any",
  crawlers: "any",
  robots: "any",
  dialects: "list",
  tokenMatch: "any",
  fallback: "boolean",
  target: "any",
  inputFormat: "any",
  inputName: "string",
  urlField: "string",
  base: "string",
  keepLine: "boolean",
  without: "list",
  logTimezone: "string",
  maxLineBytes: "any",
  ordered: "boolean",
  concurrency: "any",
  parkBytes: "any",
  matcherBytes: "any",
  members: "any",
  signal: "any",
  only: "list",
  onReject: "function",
  now: "function",
  accepts: "any",
  output: "any",
  resultKey: "string",
  csvSafe: "boolean",
};

/** Options of `decideStream` that `decideMessages` does not take: it makes one row for each record, as soon as the record is decided. */
const notOfMessages: ReadonlySet<string> = new Set(
  "input accepts output csvSafe ordered only onReject rows signal".split(" "),
);
const messageOptionTypes: OptionTypes = {
  ...Object.fromEntries(Object.entries(optionTypes).filter(([name]) => !notOfMessages.has(name))),
  byAnswer: "boolean",
  onPart: "function",
};

/** A frozen copy of the options of `decideStream`, each read once. Throws a `UsageError` for an unknown name or a value of a wrong type. */
export function readDecideOptions<T extends DecideOptions>(given: T): Readonly<T> {
  const options = readOptions(given, optionTypes);
  return Object.freeze(Object.assign(Object.create(null) as T, options, { robots: loaderOf(options.robots) }));
}

/** Like `readDecideOptions`, for the options of `decideMessages`. */
export function readMessageOptions<T extends DecideOptions>(given: T): Readonly<T> {
  const options = readOptions(given, messageOptionTypes);
  return Object.freeze(Object.assign(Object.create(null) as T, options, { robots: loaderOf(options.robots) }));
}

/**
 * Reads `load` of the program's loader once, and returns a loader that calls it. Later changes of the program's object have no effect.
 * Throws a `UsageError` for a loader without `load`.
 */
function loaderOf(loader: OriginLoader): OriginLoader {
  const load: unknown = tried("robots", () => (loader as OriginLoader | null | undefined)?.load);
  if (typeof load !== "function") {
    throw wrong("robots", "must have a load(origin): a client of @robots-stream/fetch, or createSavedRobots(path)");
  }
  return { load: (...args) => Reflect.apply(load as OriginLoader["load"], loader, args) };
}

/** Whether the value is a real AbortSignal: the getter of `aborted` throws for any other object. */
function isSignal(value: unknown): boolean {
  try {
    Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")!.get!.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Converts the result of `readDecideOptions` or `readMessageOptions` to settings. Throws a `UsageError` for the first invalid option. */
export function streamSettingsOf(options: DecideOptions): StreamSettings {
  const { agentField, crawlers, dialects: asked = [], fallback, base, urlField } = options;
  if (options.signal !== undefined && !isSignal(options.signal)) throw wrong("signal", "must be an AbortSignal");
  const tokenMatch =
    options.tokenMatch === undefined ? undefined : oneOf("tokenMatch", options.tokenMatch, tokenMatches);
  const named = (typeof asked === "string" ? [asked] : asked).map((name) => oneOf("dialects", name, dialectNames));
  const dialects = named.length === 0 ? [dialectNames[0]!] : named;
  const questionOptions = {
    dialects,
    tokenMatch,
    hasFallback: fallback !== false,
    areFromHeaders: agentField !== undefined,
    ...(crawlers === undefined ? {} : { crawlers: tried("crawlers", () => checkedOwnCrawlers(crawlers)) }),
  };
  const questions = questionsOf(agentsOf(options), questionOptions);
  const rows = options.rows === undefined ? rowForms[0]! : oneOf("rows", options.rows, rowForms);
  if (rows === "record") refuseOneRow(options, dialects.length);
  const formatNames = inputFormats.map(({ name }) => name);
  const format =
    options.inputFormat === undefined
      ? undefined
      : inputFormats[formatNames.indexOf(oneOf("inputFormat", options.inputFormat, formatNames))];
  return {
    engine: {
      questions,
      questionOptions,
      agentField,
      rows,
      onlyDifferences: false,
      only: onlyOf(options),
      targetForm: options.target === undefined ? targetForms[0]! : oneOf("target", options.target, targetForms),
      countsAll: false,
      isOrdered: options.ordered === true,
      parkBytes: countOf("parkBytes", options.parkBytes, 64 * 1_048_576),
      matcherBytes: countOf("matcherBytes", options.matcherBytes, 256 * 1_048_576),
      concurrency: countOf("concurrency", options.concurrency, 256),
      shard: undefined,
    },
    read: {
      format,
      urlField,
      agentField,
      base: baseOf(base, "base: "),
      logRows: logRowsOf(options),
      logClock: logClockOf(options.logTimezone),
      texts: textsOf(options.members),
      maxLineBytes: countOf("maxLineBytes", options.maxLineBytes, 1_048_576),
    },
    decisionsEach: rows === "record" ? 1 : agentField === undefined ? questions.length : dialects.length,
    hasDialect: named.length > 0,
    hasKind: agentField !== undefined || questions.some(({ kind }) => kind !== undefined),
  };
}

/** Throws a `UsageError` for options that cannot be combined with `rows: "record"`; `dialects` is the number of dialects. */
function refuseOneRow({ agentField, only }: DecideOptions, dialects: number): void {
  if (agentField !== undefined) throw wrong("rows", "cannot be record with agentField: each record has one crawler");
  if (only !== undefined) throw wrong("rows", "cannot be record with only: a record has the answers for all agents");
  if (dialects > 1)
    throw wrong("rows", "cannot be record with several dialects: a record has one answer for each agent");
}

/** The decisions that `only` selects; undefined: all. Throws a `UsageError` for an invalid `only`. */
function onlyOf({ only, agentField }: DecideOptions): readonly RowChoice[] | undefined {
  if (only === undefined) return undefined;
  const names = rowChoices.map(({ name }) => name);
  const chosen = (typeof only === "string" ? [only] : only).map((name) => oneOf("only", name, names));
  if (chosen.length === 0) throw wrong("only", `must name ${names.join(", ")}`);
  if (agentField === undefined && chosen.includes("crawlers")) {
    throw wrong("only", "crawlers needs agentField: without it, every decision is about a crawler");
  }
  return chosen;
}

/** The choice of optional members for records of logs; undefined when `keepLine` and `without` change nothing. */
function logRowsOf({ keepLine, without = [] }: DecideOptions): LogRowOptions | undefined {
  const names = typeof without === "string" ? [without] : without;
  if (keepLine !== true && names.length === 0) return undefined;
  return { keepLine, without: logMembersOf(names, (members) => `without: ${members}`) };
}

function logClockOf(zone: string | undefined): LogClock | undefined {
  try {
    return zone === undefined ? undefined : new LogClock(zone);
  } catch {
    throw wrong("logTimezone", `no time zone has the name ${shownWordOf(zone!, 60)}`);
  }
}

/** The names in `agents`; none with `agentField`. Throws a `UsageError` for an invalid name, and when both options or neither are given. */
function agentsOf({ agents = [], agentField }: DecideOptions): readonly string[] {
  const names = typeof agents === "string" ? [agents] : agents;
  if (agentField !== undefined && names.length > 0) {
    throw wrong("agentField", "cannot be combined with agents: each record names its own crawler");
  }
  if (agentField === undefined && names.length === 0) {
    const hint = 'for example: agents: ["bingbot"]';
    throw new UsageError("missing-agent", "agents is missing: name a crawler", hint);
  }
  for (const name of names) {
    checkToken(name, "agents: ", { write: (...examples) => `agents: ${JSON.stringify(examples)}` });
  }
  return names;
}

/** The member of `names` that equals `value`. Throws a `UsageError` about `option` when there is none. */
export function oneOf<T extends string>(option: string, value: unknown, names: readonly T[]): T {
  const name = names.find((each) => each === value);
  if (name !== undefined) return name;
  const given = typeof value === "string" ? `, not ${shownWordOf(value, 60)}` : "";
  throw wrong(option, `must be one of ${names.join(", ")}${given}`);
}

function countOf(option: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (!Number.isSafeInteger(value) || value < 1) throw wrong(option, "must be a whole number of 1 or more");
  return value;
}
