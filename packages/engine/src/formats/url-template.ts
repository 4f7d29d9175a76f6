// Parses a template of URLs into the names of its fields, and builds the URL of a record from it (`urlTemplate`).
import { hint, option, optionText } from "../common/caller-words.ts";
import { type Base, type HostBases, type LogProblem, namedHostOf, urlOf } from "@robots-stream/logs";
import { UsageError } from "../common/errors.ts";
import { shownWordOf } from "../common/text.ts";

/** The keys of a template's fields after the first one. */
export const templateParts = ["part1", "part2", "part3", "part4", "part5", "part6", "part7"] as const;

/** A template: `path` is the name of its first field; `template` has the texts before, between and after the fields. */
export interface UrlTemplate extends Partial<Record<(typeof templateParts)[number], string>> {
  readonly path: string;
  readonly template: readonly string[];
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

const noPath: LogProblem = { code: "no-url", message: "has a path that does not begin with a slash" };
const noScheme: LogProblem = { code: "no-url", message: "has a scheme that is neither http nor https" };
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
