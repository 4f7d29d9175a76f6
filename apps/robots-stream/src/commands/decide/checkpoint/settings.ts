// Makes the description of a run, which its checkpoint contains, from the command line, and compares two descriptions.
import { UsageError } from "@robots-stream/engine";
import { type InputFormat, shownWordOf } from "@robots-stream/engine/internal";
import type { OwnCrawler } from "@robots-stream/agents";
import type { CommandLine } from "../../../cli/command-line.ts";
import { flags } from "../flags.ts";

/** The version, arguments and settings that determine the output of a run. A run resumes only a checkpoint with an equal description. */
export interface RunDescription {
  readonly version: string;
  readonly files: readonly string[];
  /** The values of each flag that can change the output. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** The crawlers of `--agent` and `--agents`, and the crawlers in the file of `--crawlers` as JSON texts. */
  readonly agents: readonly string[];
  /** The name of the format that `--input` or `--log-format` gives; the name for `--log-format` contains the pattern. Absent without them. */
  readonly format?: string | undefined;
  /** The digest of the history of robots.txt files that decides records by their time; absent if there is none. */
  readonly history?: string | undefined;
}

/** The settings of `--checkpoint` and `--resume`. */
export interface CheckpointSettings {
  readonly path: string;
  readonly resumes: boolean;
  readonly run: Omit<RunDescription, "version">;
}

/** Settings that are read from files which flags name. The description of the run contains them, because the files may change later. */
export interface ReadSettings {
  readonly questions: readonly { readonly agent: string }[];
  readonly crawlers: readonly OwnCrawler[] | undefined;
  readonly inputFormat: Pick<InputFormat, "name"> | undefined;
}

/** Reads the flags; undefined without `--checkpoint`. Throws a `UsageError` for `--resume` alone, and if `--output-file` is missing. */
export function checkpointSettingsOf(
  { values, files }: CommandLine,
  { questions, crawlers = [], inputFormat }: ReadSettings,
): CheckpointSettings | undefined {
  const path = values.get("checkpoint")?.at(-1);
  const resumes = values.has("resume");
  if (path === undefined) {
    if (resumes)
      throw new UsageError("wrong-value", "--resume needs --checkpoint FILE, the checkpoint to continue from");
    return undefined;
  }
  if (!values.has("output-file")) {
    throw new UsageError(
      "wrong-value",
      "--checkpoint needs --output-file FILE: the shell's > empties a file before the run can continue it",
      "for example: robots-stream --checkpoint run.json --resume --output-file decisions.ndjson …",
    );
  }
  const free = new Set<string>(flags.filter(({ mayChange }) => mayChange === true).map(({ name }) => name));
  const kept = [...values].filter(([name]) => !free.has(name));
  const agents = [
    ...new Set(questions.map(({ agent }) => agent)),
    ...crawlers.map((crawler) => JSON.stringify(crawler)),
  ];
  return { path, resumes, run: { files, flags: Object.fromEntries(kept), agents, format: inputFormat?.name } };
}

/** Throws a `UsageError` when the description of this run (`is`) differs from the description in the checkpoint at `path` (`was`). */
export function refuseOtherRun(path: string, was: RunDescription, is: RunDescription): void {
  const [then, now] = differenceOf(was, is) ?? [];
  if (then === undefined) return;
  throw new UsageError(
    "other-settings",
    `--checkpoint ${shownWordOf(path)}: was written by a run with ${then}, and this run has ${now}`,
    "without --resume the run starts over and replaces its output",
  );
}

function differenceOf(was: RunDescription, is: RunDescription): readonly [then: string, now: string] | undefined {
  const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
  if (was.version !== is.version) return [`version ${was.version} of robots-stream`, `version ${is.version}`];
  for (const name of new Set([...Object.keys(was.flags), ...Object.keys(is.flags)])) {
    if (differ(was.flags[name], is.flags[name])) {
      return [flagOf(name, was.flags[name]), flagOf(name, is.flags[name])];
    }
  }
  if (differ(was.agents, is.agents)) return [`agents ${listOf(was.agents)}`, `agents ${listOf(is.agents)}`];
  if (was.format !== is.format) return [formatOf(was.format), formatOf(is.format)];
  if (was.history !== is.history) return [`robots.txt files ${was.history}`, `robots.txt files ${is.history}`];
  if (differ(was.files, is.files)) return [`input ${listOf(was.files)}`, `input ${listOf(is.files)}`];
  return undefined;
}

function flagOf(name: string, values: readonly string[] | undefined): string {
  if (values === undefined) return `no --${name}`;
  return values.map((value) => (value === "" ? `--${name}` : `--${name} ${shownWordOf(value, 60)}`)).join(" ");
}

function formatOf(name: string | undefined): string {
  return name === undefined ? "no input format" : `the input format ${shownWordOf(name)}`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => shownWordOf(name, 60));
  return names.length === 0 ? "from stdin" : shown.join(" ") + (names.length > shown.length ? " …" : "");
}
