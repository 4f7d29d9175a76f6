// Reads the flags of the input into its settings. Mistakes are thrown as UsageErrors.
import type { Base } from "@robots-stream/logs";
import { baseOf, type InputFormat, inputFormats, UsageError } from "@robots-stream/engine/internal";
import { type FlagValues, lastOf, rowOf } from "./command-line.ts";
import { sizeOf } from "./values.ts";

/** Settings for reading the input. */
export interface InputSettings {
  /** Undefined: the format is detected. */
  readonly inputFormat: InputFormat | undefined;
  readonly urlField: string | undefined;
  readonly base: Base | undefined;
  readonly maxLineBytes: number;
}

/** The flags of these settings. */
export type InputFlagName = "input" | "url-field" | "base" | "max-line-bytes";

/** Reads the flags. Throws a `UsageError` for the first invalid value. */
export function inputSettingsOf(values: FlagValues<InputFlagName>): InputSettings {
  const input = lastOf(values, "input");
  return {
    inputFormat: input === undefined ? undefined : rowOf("input", input, inputFormats),
    urlField: lastOf(values, "url-field"),
    base: baseOf(lastOf(values, "base")),
    maxLineBytes: sizeOf("max-line-bytes", lastOf(values, "max-line-bytes")) ?? 1_048_576,
  };
}

/** Reads `--result-key`. Throws a `UsageError` for an empty key. */
export function resultKeyOf(values: FlagValues<"result-key">): string {
  const resultKey = lastOf(values, "result-key") ?? "robots";
  if (resultKey === "") throw new UsageError("wrong-value", "--result-key must not be empty");
  return resultKey;
}
