// The flags of the input, and the settings that they mean. Mistakes are thrown as UsageErrors.
import type { Base, HostBases } from "@robots-stream/logs";
import { UsageError } from "@robots-stream/engine";
import { type Input, type InputFormat, inputFormats, urlTemplateOf } from "@robots-stream/engine/internal";
import { basesOf, type FileBase } from "./file-bases.ts";
import { fileOfLogFormat, logFormatOf } from "./log-format.ts";
import { urlFieldFlags } from "./field-flags.ts";
import { flag, type FlagValues, type Given, given } from "./flag.ts";
import { logTimezoneFlag } from "./log-timezone.ts";
import { rowOf, shard, sizeFrom } from "./values.ts";

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

export const inputFlag = flag({
  name: "input",
  short: "i",
  value: "FORMAT",
  choices: inputFormats.map(({ name }) => name),
  about: `Input format: ${inputFormats.map(({ name }) => name).join(", ")}.`,
  otherwise: "detected from the content and the file's ending",
  read: (text, name) => rowOf(name, text, inputFormats),
});

export const logFormatFlag = flag({
  name: "log-format",
  value: "PATTERN|@FILE",
  file: {
    use: "reads",
    isNone: (value) => !value.startsWith("@"),
    pathOf: (value) => fileOfLogFormat(value) ?? value,
  },
  about:
    "The log's pattern, copied from the server's configuration: nginx's log_format, Apache's LogFormat; also patterns of HAProxy, Envoy and Squid. @FILE or @FILE:NAME: read the pattern from the configuration file.",
  read: logFormatOf,
});

export const baseFlag = flag({
  name: "base",
  value: "[FILE=|host:NAME=]ORIGIN",
  isRepeatable: true,
  about:
    "Origin of the requests, for a log that does not name it: https://example.com. Also for URLs that begin with /. FILE=ORIGIN (a file, folder or pattern): only for these files. host:NAME=ORIGIN: for records that name this host.",
});

export const maxLineBytesFlag = flag({
  name: "max-line-bytes",
  value: "SIZE",
  about: "Maximum size of a line or record. A longer one is a reject.",
  otherwise: "1M",
  read: sizeFrom(),
  usual: 1_048_576,
});

/** The flags about the input, for commands that read URLs but no other fields, in the order of the help. */
export const readingFlags = [inputFlag, logFormatFlag, ...urlFieldFlags, baseFlag, maxLineBytesFlag];

const settingsFlags = [...readingFlags, logTimezoneFlag];
type GivenInput = Given<(typeof settingsFlags)[number]>;

export const shardFlag = flag({
  name: "shard",
  value: "I/N",
  about: "Decide only the records whose origin is in part I of N. Each origin is in exactly one part.",
  otherwise: "all",
  read: shard,
});

export const resultKeyFlag = flag({
  name: "result-key",
  value: "NAME",
  about: "Name of the added object, or prefix of the added columns.",
  otherwise: "robots",
  usual: "robots",
  read(key) {
    if (key === "") throw new UsageError("wrong-value", "--result-key must not be empty");
    return key;
  },
});

/** Reads the flags. Throws a `UsageError` for the first invalid value, and for flags that cannot be combined. */
export function inputSettingsOf(values: FlagValues): InputSettings {
  const flags = given(values, settingsFlags);
  return {
    inputFormat: inputFormatOf(flags),
    urlField: urlFieldOf(flags),
    ...basesOf(flags.get("base")),
    maxLineBytes: flags.get("max-line-bytes"),
    logTimezone: flags.get("log-timezone"),
  };
}

/**
 * The format that `--input` names, or the format of the pattern of `--log-format`; undefined without either flag. Throws a `UsageError` for
 * an invalid value, and if both flags are given.
 */
function inputFormatOf(flags: GivenInput): InputFormat | undefined {
  if (!flags.has("input") || !flags.has("log-format")) return flags.get("input") ?? flags.get("log-format");
  throw new UsageError("wrong-value", "--input and --log-format cannot be combined: the pattern is the format");
}

/**
 * The field of the URL, or the fields of its parts; undefined if no flag names a field. Throws a `UsageError` for flags that cannot be
 * combined, and for a flag without another flag that it needs.
 */
function urlFieldOf(flags: GivenInput): UrlField | undefined {
  const template = flags.get("url-template");
  if (template !== undefined) {
    const second = flags.first("url-field", "path-field", "host-field", "scheme-field", "query-field");
    if (second === undefined) return urlTemplateOf(template);
    throw new UsageError(
      "wrong-value",
      `--url-template and --${second} cannot be combined: the template names all fields`,
    );
  }
  const path = flags.get("path-field");
  const other = flags.first("host-field", "scheme-field", "query-field");
  if (path === undefined) {
    if (other === undefined) return flags.get("url-field");
    throw new UsageError(
      "wrong-value",
      `--${other} needs --path-field`,
      `for example: --host-field host --path-field uri`,
    );
  }
  if (flags.has("url-field")) {
    throw new UsageError("wrong-value", "--url-field and --path-field cannot be combined: a path is a part of the URL");
  }
  const host = flags.get("host-field");
  if (host === undefined && !flags.has("base")) {
    throw new UsageError(
      "wrong-value",
      "--path-field needs the host of the URLs",
      "name its field: --host-field host; or the host of all records: --base https://example.com",
    );
  }
  return { path, host, scheme: flags.get("scheme-field"), query: flags.get("query-field") };
}

/** The origin that `--base` names. */
export function originOfBase({ scheme, host }: Base): string {
  return `${scheme}://${host}`;
}
