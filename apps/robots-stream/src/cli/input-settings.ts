// Reads the flags of the input into its settings. Mistakes are thrown as UsageErrors.
import type { Base, HostBases } from "@robots-stream/logs";
import { UsageError } from "@robots-stream/engine";
import { type Input, type InputFormat, inputFormats, urlTemplateOf } from "@robots-stream/engine/internal";
import { basesOf, type FileBase } from "./file-bases.ts";
import { logFormatOf } from "./log-format.ts";
import { type FlagValues, lastOf, rowOf } from "./command-line.ts";
import type { UrlFieldFlagName } from "./field-flags.ts";
import { logTimezoneOf } from "./log-timezone.ts";
import { sizeOf } from "./values.ts";

/** The field of the URL, or the fields of its parts. */
type UrlField = NonNullable<ConstructorParameters<typeof Input>[2]["urlField"]>;

/** Settings for reading the input. */
export interface InputSettings {
  /** Undefined: the format is detected. */
  readonly inputFormat: InputFormat | undefined;
  readonly urlField: UrlField | undefined;
  readonly base: Base | undefined;
  /** Bases that apply only to some files; `findBases` finds these files. */
  readonly fileBases: readonly FileBase[];
  /** The origin for each host name in records, from `--base host:NAME=ORIGIN`; undefined without such a flag. */
  readonly hostBases: HostBases | undefined;
  readonly maxLineBytes: number;
  /** The zone of the clock that wrote times without a zone; undefined: it is not known. */
  readonly logTimezone: string | undefined;
}

/** The flags of these settings. */
export type InputFlagName = "input" | "log-format" | UrlFieldFlagName | "base" | "max-line-bytes" | "log-timezone";

/** Reads the flags. Throws a `UsageError` for the first invalid value, and for flags that cannot be combined. */
export function inputSettingsOf(values: FlagValues<InputFlagName>): InputSettings {
  return {
    inputFormat: inputFormatOf(values),
    urlField: urlFieldOf(values),
    ...basesOf(values.get("base") ?? []),
    maxLineBytes: sizeOf("max-line-bytes", lastOf(values, "max-line-bytes")) ?? 1_048_576,
    logTimezone: logTimezoneOf(lastOf(values, "log-timezone")),
  };
}

/**
 * The format that `--input` names, or the format of the pattern of `--log-format`; undefined without either flag. Throws a `UsageError` for
 * an invalid value, and if both flags are given.
 */
function inputFormatOf(values: FlagValues<InputFlagName>): InputFormat | undefined {
  const input = lastOf(values, "input");
  const pattern = lastOf(values, "log-format");
  if (pattern === undefined) return input === undefined ? undefined : rowOf("input", input, inputFormats);
  if (input === undefined) return logFormatOf(pattern);
  throw new UsageError("wrong-value", "--input and --log-format cannot be combined: the pattern is the format");
}

/**
 * The field of the URL, or the fields of its parts; undefined if no flag names a field. Throws a `UsageError` for flags that cannot be
 * combined, and for a flag without another flag that it needs.
 */
function urlFieldOf(values: FlagValues<UrlFieldFlagName | "base">): UrlField | undefined {
  const template = lastOf(values, "url-template");
  if (template !== undefined) {
    const names = ["url-field", "path-field", "host-field", "scheme-field", "query-field"] as const;
    const second = names.find((name) => values.has(name));
    if (second === undefined) return urlTemplateOf(template);
    throw new UsageError(
      "wrong-value",
      `--url-template and --${second} cannot be combined: the template names all fields`,
    );
  }
  const path = lastOf(values, "path-field");
  const other = (["host-field", "scheme-field", "query-field"] as const).find((name) => values.has(name));
  if (path === undefined) {
    if (other === undefined) return lastOf(values, "url-field");
    throw new UsageError(
      "wrong-value",
      `--${other} needs --path-field`,
      `for example: --host-field host --path-field uri`,
    );
  }
  if (values.has("url-field")) {
    throw new UsageError("wrong-value", "--url-field and --path-field cannot be combined: a path is a part of the URL");
  }
  const host = lastOf(values, "host-field");
  if (host === undefined && !values.has("base")) {
    throw new UsageError(
      "wrong-value",
      "--path-field needs the host of the URLs",
      "name its field: --host-field host; or the host of all records: --base https://example.com",
    );
  }
  return { path, host, scheme: lastOf(values, "scheme-field"), query: lastOf(values, "query-field") };
}

/** Reads `--result-key`. Throws a `UsageError` for an empty key. */
export function resultKeyOf(values: FlagValues<"result-key">): string {
  const resultKey = lastOf(values, "result-key") ?? "robots";
  if (resultKey === "") throw new UsageError("wrong-value", "--result-key must not be empty");
  return resultKey;
}

/** The origin that `--base` names. */
export function originOfBase({ scheme, host }: Base): string {
  return `${scheme}://${host}`;
}
