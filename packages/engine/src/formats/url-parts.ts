// Composes the URL of a record from several of its fields: from those with the parts of the URL, or by a template (`urlTemplate`).
import { callerText, hint, option, optionMark, type OptionName, optionText } from "../common/caller-words.ts";
import { type Base, type HostBases, type LogProblem, namedHostOf, urlOf } from "@robots-stream/logs";
import { UsageError } from "../common/errors.ts";
import { shownWordOf } from "../common/text.ts";
import { missingIn } from "./url-field.ts";

/** The keys of a template's fields after the first one. */
const templateParts = ["part1", "part2", "part3", "part4", "part5", "part6", "part7"] as const;

/** A template: `path` is the name of its first field; `template` has the texts before, between and after the fields. */
interface UrlTemplate extends Partial<Record<(typeof templateParts)[number], string>> {
  readonly path: string;
  readonly template: readonly string[];
}

/**
 * The names of the fields with the parts of a URL. With a `template`, only the members of `UrlTemplate` are used. Without a `template`, a
 * record may lack any part except the path.
 */
export interface UrlParts extends Partial<UrlTemplate> {
  /** The field with a path, with or without a query, or with a whole URL; with a `template`, the template's first field. */
  readonly path: string;
  /** The field with a host, possibly with a port. A record without a host gets the host of `base`. */
  readonly host?: string | undefined;
  /** The field with "http" or "https", in any case. A record without a scheme gets the scheme of `base`, or https without a `base`. */
  readonly scheme?: string | undefined;
  /** The field with a query, with or without "?" before it. The query is added to a path without a query. */
  readonly query?: string | undefined;
}

/** The name of the field with the URL, or the names of the fields with its parts. */
export type UrlField = string | UrlParts;

/** The parts besides the path. */
export type OtherPart = "host" | "scheme" | "query" | (typeof templateParts)[number];
export const otherParts: readonly OtherPart[] = ["host", "scheme", "query", ...templateParts];

/** The texts of a record's parts; undefined for a field that the record does not have. */
export type PartTexts = Readonly<Partial<Record<OtherPart, string | undefined>>>;

/** The name of the field with the URL or its path; undefined when the user has not named it. */
export function pathFieldOf(urlField: UrlField | undefined): string | undefined {
  return typeof urlField === "object" ? urlField.path : urlField;
}

/** The option that names the field of `pathFieldOf`, for messages. */
export function optionOfPath(urlField: UrlField | undefined): OptionName {
  if (typeof urlField !== "object") return "urlField";
  return urlField.template === undefined ? "pathField" : "urlTemplate";
}

/** The option that names the field of a part, for messages. */
export function optionOfPart(part: OtherPart): OptionName {
  return part === "host" || part === "scheme" || part === "query" ? `${part}Field` : "urlTemplate";
}

/** The settings for composing a URL, besides its parts. */
interface UrlSettings {
  readonly base: Base | undefined;
  readonly hostBases?: HostBases | undefined;
  readonly urlField: UrlField | undefined;
}

/** Composes the URL of a record: from its parts, as `urlOf` does for a request in a log, or by a template. */
export function composedUrlOf(
  path: string,
  parts: PartTexts,
  { base, hostBases, urlField }: UrlSettings,
): string | LogProblem {
  if (typeof urlField === "object" && urlField.template !== undefined) {
    const { template } = urlField;
    const others = templateParts.slice(0, template.length - 2).map((name) => parts[name]);
    return templatedUrlOf(template, [path, ...others], base, hostBases);
  }
  const query = presentOf(parts.query)?.replace(/^\?/, "");
  const scheme = presentOf(parts.scheme)?.toLowerCase();
  const target = query === undefined || query === "" || path.includes("?") ? path : `${path}?${query}`;
  if (!target.startsWith("/") && !/^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(target)) return noPath;
  const known = scheme === "http" || scheme === "https" ? scheme : undefined;
  if (scheme !== undefined && known === undefined) return noScheme;
  return urlOf({ target, scheme: known, host: parts.host }, base, hostBases);
}

const noPath: LogProblem = { code: "no-url", message: "has a path that does not begin with a slash" };
const noScheme: LogProblem = { code: "no-url", message: "has a scheme that is neither http nor https" };

/** Returns the text; undefined for an empty text and for "-", which logs write for a missing value. */
function presentOf(text: string | undefined): string | undefined {
  return text === undefined || text === "" || text === "-" ? undefined : text;
}

/** The error for a first record without the field `asked`, which the user named for a part of the URL. */
export function missingPartField(source: string, part: OtherPart, asked: string, names: readonly string[]): UsageError {
  const what = `no field "${shownWordOf(asked, 60)}"${optionMark(optionOfPart(part))}`;
  return missingIn(source, "no-url-field", what, names, callerText("detectNames"));
}

/** The error for names of URL parts when the input format has no fields with URL parts. */
export function noParts(source: string, format: string): UsageError {
  return new UsageError(
    "wrong-value",
    `${source}: the URLs of ${format} are not in separate fields: ${optionText("pathField")} and ${optionText("urlTemplate")} are for JSON objects, CSV and TSV`,
    hint`leave out ${option("urlTemplate")}, ${option("pathField")}, ${option("hostField")}, ${option("schemeField")} and ${option("queryField")}, or name the format: ${option("inputFormat", "ndjson")}`,
  );
}

/**
 * Parses the value of `urlTemplate`: text with names of fields in braces, as in `{scheme}://{host}{uri}`. Throws a `UsageError` for
 * a template without fields, with more than eight fields, or with braces that do not match.
 */
export function urlTemplateOf(text: string): UrlTemplate {
  const literals: string[] = [];
  const names: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf("{", at);
    const literal = text.slice(at, open < 0 ? undefined : open);
    if (literal.includes("}")) throw wrongTemplate(text, 'has a "}" without a "{" before it');
    literals.push(literal);
    if (open < 0) break;
    const close = text.indexOf("}", open);
    const name = text.slice(open + 1, close < 0 ? undefined : close);
    if (close < 0 || name.includes("{")) throw wrongTemplate(text, 'has a "{" without a "}" after its name');
    if (name === "") throw wrongTemplate(text, "has braces without a name in them");
    names.push(name);
    at = close + 1;
  }
  const [path, ...others] = names;
  if (path === undefined) throw wrongTemplate(text, "names no field");
  if (others.length > templateParts.length) {
    throw wrongTemplate(text, `names ${names.length} fields; the limit is ${templateParts.length + 1}`);
  }
  const parts = Object.fromEntries(others.map((name, index) => [templateParts[index]!, name]));
  return { path, ...parts, template: literals };
}

function wrongTemplate(text: string, problem: string): UsageError {
  return new UsageError(
    "wrong-value",
    `${optionText("urlTemplate", shownWordOf(text, 100))}: ${problem}`,
    hint`for example: ${option("urlTemplate", "'{scheme}://{request.host}{request.uri}'")}`,
  );
}

const noHost: LogProblem = { code: "no-host", message: "does not name the host of the request" };
const strangeHost: LogProblem = { code: "no-host", message: "names an invalid host" };

// oxlint-disable-next-line no-control-regex
const notInHost = /[\x00-\x20/?#@\\]/;
const upToHost = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/?#]*$/i;

/**
 * Makes the URL of a record: the texts of the template with the fields between them. A field before "://" must be "http" or "https". A
 * field in the place of the host must not contain a character that ends a host. A field directly after the host must be a path, a query or
 * a port, so that text from a client cannot extend the host. A path alone gets the origin of `base`. Fields after the host may be absent.
 * Returns a `LogProblem` for fields that break one of these rules.
 */
export function templatedUrlOf(
  literals: readonly string[],
  fields: readonly (string | undefined)[],
  base: Base | undefined,
  hosts?: HostBases,
): string | LogProblem {
  let url = literals[0]!;
  let isBehindField = false;
  for (const [index, field] of fields.entries()) {
    let text = field === undefined || field === "-" ? "" : field;
    const isScheme = !url.includes("/") && literals[index + 1]!.startsWith("://");
    if (isScheme && !/^https?$/i.test(text)) return noScheme;
    if (upToHost.test(url)) {
      const isPath = isBehindField && /^[/?]/.test(text);
      const isPort = isBehindField && /^:\d{1,5}$/.test(text);
      // The field is the whole host if neither literal adds to it. A field that names no host leaves the host to `base`.
      const isWhole = url.endsWith("://") && !/^[^/:?#]/.test(literals[index + 1]!);
      if (isWhole && namedHostOf(text).host === undefined) text = "";
      if (text === "" && !isBehindField && (!isWhole || base === undefined)) return noHost;
      if (isBehindField && text !== "" && !isPath && !isPort) return noPath;
      if (!isPath && notInHost.test(text)) return strangeHost;
    }
    const next = literals[index + 1]!;
    // A question mark before the last field is omitted if this field has no text.
    if (text === "" && url.endsWith("?") && next === "") url = url.slice(0, -1);
    url += text + next;
    isBehindField = next === "";
  }
  if (!url.startsWith("/") && !/^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(url)) return noPath;
  return urlOf({ target: url, scheme: undefined, host: undefined }, base, hosts);
}
