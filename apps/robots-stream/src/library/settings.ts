// The options of `decideStream` in, checked, the engine's settings and how to read input out; or the mistake.
import { checkToken } from "../agents/asked.ts";
import { baseOf } from "../base.ts";
import type { EngineSettings } from "../engine.ts";
import { UsageError } from "../exit.ts";
import type { InputOptions } from "../input/open.ts";
import { inputFormats } from "../input/formats.ts";
import { dialectNames, questionsOf, targetForms, tokenMatches } from "../questions.ts";
import { printableOf, shownWordOf } from "../text.ts";
import type { DecideOptions } from "./types.ts";

/** What a stream has to know. */
export interface StreamSettings {
  readonly engine: EngineSettings;
  readonly read: InputOptions;
  /** Decisions about each record that is about a crawler. */
  readonly decisionsEach: number;
  readonly hasDialect: boolean;
  readonly hasKind: boolean;
}

/** What the value of an option is, where only that can be wrong with it; all the names that there are. */
const optionTypes: Readonly<
  Record<keyof DecideOptions | "input" | "accepts" | "output" | "resultKey" | "csvSafe", "string" | "boolean" | "any">
> = {
  input: "any",
  agents: "any",
  agentField: "string",
  client: "any",
  dialects: "any",
  tokenMatch: "any",
  fallback: "boolean",
  target: "any",
  inputFormat: "any",
  inputName: "string",
  urlField: "string",
  base: "string",
  maxLineBytes: "any",
  ordered: "boolean",
  concurrency: "any",
  parkBytes: "any",
  matcherBytes: "any",
  signal: "any",
  onReject: "any",
  accepts: "any",
  output: "any",
  resultKey: "string",
  csvSafe: "boolean",
};

function checkTypes(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionTypes, name)) throw wrong(shownWordOf(name, 60), "is no option");
    const type = optionTypes[name as keyof typeof optionTypes];
    if (type === "any" || value === undefined || typeof value === type) continue;
    throw wrong(name, type === "string" ? "must be a text" : "must be true or false");
  }
}

/** Checks all options. Throws a `UsageError` for the first one that cannot be. */
export function streamSettingsOf(options: DecideOptions): StreamSettings {
  checkTypes(options);
  const { agentField, client, dialects: asked = [], fallback, base, urlField } = options;
  if (typeof (client as { load?: unknown } | undefined)?.load !== "function") {
    throw wrong("client", "must have a load(origin): a client of @robots-stream/fetch, or createSavedRobots(path)");
  }
  if (options.signal !== undefined && !(options.signal instanceof AbortSignal)) {
    throw wrong("signal", "must be an AbortSignal");
  }
  if (options.onReject !== undefined && typeof options.onReject !== "function") {
    throw wrong("onReject", "must be a function");
  }
  const tokenMatch =
    options.tokenMatch === undefined ? undefined : oneOf("tokenMatch", options.tokenMatch, tokenMatches);
  const named = [...new Set(typeof asked === "string" ? [asked] : asked)].map((name) =>
    oneOf("dialects", name, dialectNames),
  );
  const dialects = named.length === 0 ? [dialectNames[0]!] : named;
  const questionOptions = { dialects, tokenMatch, hasFallback: fallback !== false };
  const questions = questionsOf(agentsOf(options), questionOptions);
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
      onlyDifferences: false,
      targetForm: oneOf("target", options.target ?? "raw", targetForms),
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
      maxLineBytes: countOf("maxLineBytes", options.maxLineBytes, 1_048_576),
    },
    decisionsEach: agentField === undefined ? questions.length : dialects.length,
    hasDialect: named.length > 0,
    hasKind: agentField !== undefined || questions.some(({ kind }) => kind !== undefined),
  };
}

/** The names, each once. */
function agentsOf({ agents = [], agentField }: DecideOptions): readonly string[] {
  const names = typeof agents === "string" ? [agents] : [...new Set(agents)];
  if (agentField !== undefined && names.length > 0) {
    throw wrong("agentField", "excludes agents: each record says whom it is about");
  }
  if (agentField === undefined && names.length === 0) {
    const hint = 'for example: agents: ["bingbot"]';
    throw new UsageError("missing-agent", "which crawler is it about? agents is missing", hint);
  }
  for (const name of names) {
    if (typeof name !== "string") throw wrong("agents", "must be names");
    checkToken(name, "agents: ", { write: (example) => `agents: [${JSON.stringify(example)}]` });
  }
  return names;
}

/** The name that a value is. */
export function oneOf<T extends string>(option: string, value: unknown, names: readonly T[]): T {
  const name = names.find((each) => each === value);
  if (name === undefined)
    throw wrong(option, `must be one of ${names.join(", ")}, not ${printableOf(String(value), 60)}`);
  return name;
}

function countOf(option: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (!Number.isSafeInteger(value) || value < 1) throw wrong(option, "must be a whole number from 1 on");
  return value;
}

/** A mistake in one option. */
export function wrong(option: string, what: string): UsageError {
  return new UsageError("wrong-value", `${option}: ${what}`);
}
