// The flags of the input and of the fields of its records, and the settings that they mean. Mistakes are thrown as UsageErrors.
import type { Base } from "@robots-stream/logs";
import { UsageError, type AskedText } from "@robots-stream/engine";
import { type InputFormat, inputFormats, type UrlParts, urlTemplateOf } from "@robots-stream/engine/internal";
import { basesOf } from "./file-bases.ts";
import { fileOfLogFormat, logFormatOf, logTimezoneFlag } from "./log-flags.ts";
import { flag, type FlagValues, type Given, given } from "./flag.ts";
import { rowOf, shard, sizeFrom } from "./values.ts";

/** The field of the URL, or the fields of its parts. */
type UrlField = string | UrlParts;

/** The flags for the URL and its parts. */
export const urlFieldFlags = [
  flag({
    name: "url-field",
    value: "NAME",
    about:
      "Field with the URL: a member, a path to a nested member (request.url, list.0.url), or the name or number of a column.",
    otherwise: "url, uri, address, loc, link, href, page, …",
  }),
  flag({
    name: "url-template",
    value: "TEXT",
    about: "How to compose the URL from fields: '{scheme}://{host}{uri}'. Fields may be nested members.",
  }),
  flag({
    name: "path-field",
    value: "NAME",
    about:
      "Field with the path of the URL, if the parts of the URL are in separate fields; --base or --host-field names the host.",
  }),
  flag({
    name: "host-field",
    value: "NAME",
    about: "Field with the host; needs --path-field.",
    otherwise: "--base",
  }),
  flag({
    name: "scheme-field",
    value: "NAME",
    about: "Field with the scheme, http or https; needs --path-field.",
    otherwise: "the scheme of --base, or https",
  }),
  flag({
    name: "query-field",
    value: "NAME",
    about: "Field with the query, which is added to a path without a query; needs --path-field.",
  }),
];

export const agentFieldFlag = flag({
  name: "agent-field",
  value: "NAME",
  about:
    "Field with the User-Agent header (user_agent in access logs): each record is decided for the crawler that made the request.",
});

export const timeFieldFlag = flag({
  name: "time-field",
  value: "NAME",
  about: "Field with the time, for --since, --until, --as-of-record and --verify.",
  otherwise: "the time of a log; time, timestamp, datetime, ts, date, …",
});

export const methodFieldFlag = flag({
  name: "method-field",
  value: "NAME",
  about: "Field with the method of the request (GET, HEAD …), if the input is not a log.",
  otherwise: "the method of a log; method, request_method, http_method, …",
});

export const statusFieldFlag = flag({
  name: "status-field",
  value: "NAME",
  about: "Field with the status code of the response, if the input is not a log.",
  otherwise: "the status of a log; status, status_code, http_status, …",
});

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
export function inputSettingsOf(values: FlagValues) {
  const flags = given(values, settingsFlags);
  return {
    /** Undefined: the format is detected. */
    inputFormat: inputFormatOf(flags),
    urlField: urlFieldOf(flags),
    ...basesOf(flags.get("base")),
    maxLineBytes: flags.get("max-line-bytes"),
    /** The zone of the clock that wrote times without a zone; undefined: it is not known. */
    logTimezone: flags.get("log-timezone"),
  };
}

/** Settings for reading the input. */
export type InputSettings = Readonly<ReturnType<typeof inputSettingsOf>>;

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

/**
 * Describes the field from which readers take the method or the status of a request. A record may lack the field unless the flag names it.
 */
export function requestTextOf(name: "method" | "status", field: string | undefined): AskedText {
  return { name, field, flag: `--${name}-field`, isRequired: field !== undefined };
}
