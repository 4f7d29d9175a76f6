// Finds, in the fields of a response, the values that state preferences, and converts such values to preferences about categories.
import type { PageValues, SignalName } from "./types.ts";
import { type Saying, type Sayings, contentUsageSayings, sayingsOf } from "./statements.ts";
import { bingCrawlers } from "./vocabulary.ts";
import { checkArgument, checkNames } from "./errors.ts";

const valueNames: readonly string[] = ["contentUsage", "tdmReservation", "tdmPolicy", "licences", "directives"];

/** The maximum number of licences that are read from one Link field. */
const mostLinks = 1000;

/**
 * The values of Content-Usage, TDM-Reservation and TDM-Policy, and the targets of Link with `rel=license`. `fields` has the names and
 * values of all fields of a response, in the order of the response. `X-Robots-Tag` is not read here, because its directives may be for one
 * crawler only; @robots-stream/page reads them. Accepts any names and values; takes time linear in their length.
 */
export function pageValuesOf(fields: Iterable<readonly [name: string, value: string]>): PageValues {
  checkArgument(
    typeof fields !== "string" &&
      typeof (fields as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] === "function",
    "The fields of a page are a list of names and values",
  );
  const contentUsage: string[] = [];
  const tdmReservation: string[] = [];
  const tdmPolicy: string[] = [];
  const licences: string[] = [];
  const lists: Readonly<Record<string, string[]>> = {
    "content-usage": contentUsage,
    "tdm-reservation": tdmReservation,
    "tdm-policy": tdmPolicy,
  };
  for (const [name, value] of fields) {
    const lower = name.toLowerCase();
    if (lower === "link") licences.push(...licenceLinksOf(value));
    else if (Object.hasOwn(lists, lower)) lists[lower]!.push(value);
  }
  return { contentUsage, tdmReservation, tdmPolicy, licences };
}

/** The targets of the links of a Link field that have the relation `license` (RFC 8288 §3). Linear in the field. */
function licenceLinksOf(field: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (found.length < mostLinks) {
    const open = field.indexOf("<", at);
    const close = open < 0 ? -1 : field.indexOf(">", open);
    if (close < 0) return found;
    const { parameters, end } = parametersFrom(field, close + 1);
    if (relationsIn(parameters).includes("license")) found.push(field.slice(open + 1, close).trim());
    at = end;
  }
  return found;
}

/** The parameters of a link, each as written, and the end of the link: the first comma outside of quotes. */
function parametersFrom(field: string, from: number): { readonly parameters: readonly string[]; readonly end: number } {
  const parameters: string[] = [];
  let isQuoted = false;
  let start = from;
  let at = from;
  for (; at < field.length; at++) {
    const character = field[at];
    if (isQuoted && character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === ";" || character === ",")) {
      parameters.push(field.slice(start, at));
      start = at + 1;
      if (character === ",") return { parameters, end: at };
    }
  }
  return { parameters: [...parameters, field.slice(start)], end: field.length };
}

/** The relations, in lower case, in the first `rel` parameter of a link; none without this parameter. */
function relationsIn(parameters: readonly string[]): readonly string[] {
  for (const parameter of parameters) {
    const equals = parameter.indexOf("=");
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== "rel") continue;
    const value = parameter.slice(equals + 1).trim();
    return value
      .replaceAll('"', "")
      .toLowerCase()
      .split(/[ \t]+/u);
  }
  return [];
}

/**
 * Converts the values of a page to the preferences that they state for the crawler `crawlerName`. Skips signals for which `isRead` returns
 * false. Throws a `PreferencesError` if `values` has an unknown member.
 */
export function pageSayings(values: PageValues, crawlerName: string, isRead: (signal: SignalName) => boolean): Sayings {
  checkNames(values, valueNames);
  const { contentUsage = [], tdmReservation = [], tdmPolicy = [], directives = [] } = values;
  const sayings: Saying[] = [];
  if (contentUsage.length > 0 && isRead("content-usage")) {
    const bytes = bytesOf(contentUsage.join(", "));
    sayings.push(...contentUsageSayings(bytes, 0, { scope: "header" }).sayings);
  }
  if (isRead("tdm")) {
    const policy = tdmPolicy.map((value) => value.trim()).find(isAbsoluteUrl);
    for (const value of tdmReservation) {
      const place = { scope: "page", ...(policy === undefined ? {} : { policy }) } as const;
      sayings.push(...sayingsOf("tdm", "tdm-reservation", value.trim(), `tdm-reservation=${value.trim()}`, place));
    }
  }
  for (const directive of directives) {
    const key = directive.trim().toLowerCase();
    if (isRead("bing") && bingCrawlers.includes(crawlerName.toLowerCase())) {
      sayings.push(...sayingsOf("bing", key, "", key, { scope: "page" }));
    }
    if (isRead("noai")) sayings.push(...sayingsOf("noai", key, "", key, { scope: "page" }));
  }
  return { sayings, uses: [] };
}

/**
 * The bytes of a field's value, which Node and fetch return as a string with one character per byte. A character above U+00FF becomes the
 * byte 0xFF, which is invalid in a Dictionary.
 */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = Math.min(text.charCodeAt(at), 0xff);
  return bytes;
}

const longestUrl = 2000;

/**
 * Whether a text is an absolute URL of at most `longestUrl` characters without spaces, control characters, quotation marks and angle
 * brackets.
 */
export function isAbsoluteUrl(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return text.length <= longestUrl && /^[a-z][a-z0-9+.-]*:\/\/[^\x00-\x20\x7f<>"]+$/iu.test(text);
}
