// Finds, among the names of a record's fields, the field with the record's URL; makes the errors for missing fields.
import { callerText, hint, hints, option, optionMark } from "../common/caller-words.ts";
import { UsageError } from "../common/errors.ts";
import { nearestOf } from "@robots-stream/core/internal";
import { shownWordOf, utf8TextOf } from "../common/text.ts";
import type { LikelyParts } from "./likely-field.ts";

/** Usual names of the field with the record's URL. */
const tellingNames: readonly string[] = ["url", "uri", "address", "loc"];

/** Usual names of fields with a URL, of which a record may have several. */
const otherNames: readonly string[] = [
  "link",
  "href",
  "page",
  "page_url",
  "request_url",
  "target_url",
  "full_url",
  "landing_page",
  "permalink",
  "top_pages",
  "referring_page_url",
];

/** The form in which names are compared: in lower case, with "_" for " " and "-". */
export function plainOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[ -]/g, "_");
}

/** The index of the field whose usual name comes first in the order of `usual`; -1 if no field has a usual name. */
export function indexOfUsual(usual: readonly string[], names: readonly string[]): number {
  const plain = names.map(plainOf);
  const found = usual.find((name) => plain.includes(name));
  return found === undefined ? -1 : plain.indexOf(found);
}

/** The same for the usual names of fields with a URL. */
export function indexOfUsualField(names: readonly string[]): number {
  return indexOfUsual([...tellingNames, ...otherNames], names);
}

/**
 * The index of the column with the URL; -1 if there is none. It is the only column with a name of `tellingNames`; if no column has one, the
 * only column with a name of `otherNames`; if no column has a usual name, the only column whose field in the first record is a URL
 * (`isUrl`). Of several columns with usual names, returns the only one whose field is a URL. Throws a `UsageError` with the column numbers
 * when several columns are left.
 */
export function urlColumnOf(source: string, names: readonly string[], isUrl: (index: number) => boolean): number {
  const plain = names.map(plainOf);
  const indexes = names.map((_name, index) => index);
  const named = (usual: readonly string[]): number[] =>
    indexes.filter((index) => usual.includes(plain[index] as string));
  const telling = named(tellingNames);
  const byName = telling.length > 0 ? telling : named(otherNames);
  const byField = (byName.length > 0 ? byName : indexes).filter(isUrl);
  const candidates = byName.length === 1 || byField.length === 0 ? byName : byField;
  if (candidates.length <= 1) return candidates[0] ?? -1;
  const shown = candidates.slice(0, 20).map((index) => index + 1);
  throw withFacts(
    new UsageError(
      "several-url-fields",
      `${source}: several columns may hold the URL: ${shown.join(", ")}${candidates.length > 20 ? ", …" : ""}`,
      hint`choose one: ${option("urlField", String(shown[0]))}`,
    ),
    { fields: names.map(utf8TextOf) },
  );
}

/** Text of the input about an error, which its message does not contain: only `detect` may show it. */
interface Facts {
  /** The names of the first record's fields, for an error about them. */
  readonly fields?: readonly string[];
  /** The field that most likely contains the URL, or those that most likely contain its path and its host. */
  readonly likelyUrlField?: string | undefined;
  readonly likelyParts?: LikelyParts | undefined;
  /** The line that shows the kind of a refused source. */
  readonly line?: string | undefined;
}

const factsOfMistakes = new WeakMap<UsageError, Facts>();

/** Attaches text of the input to an error. Returns the error. */
export function withFacts(error: UsageError, facts: Facts): UsageError {
  factsOfMistakes.set(error, facts);
  return error;
}

/** The text of the input about an error. */
export function factsAbout(error: UsageError | undefined): Facts {
  return (error && factsOfMistakes.get(error)) ?? {};
}

/** Usual names of fields with a User-Agent header. Messages may contain them, because they are constants and not bytes of the input. */
const agentNames: readonly string[] = [
  "user_agent",
  "useragent",
  "user agent",
  "user-agent",
  "agent",
  "ua",
  "http_user_agent",
  "cs-user-agent",
  "cs(User-Agent)",
];
/** The error for a source whose first records all lack the field of `agentField`. */
export function missingAgentFields(source: string, asked: string): UsageError {
  return new UsageError(
    "no-agent-field",
    `${source}: none of the first records has the field "${shownWordOf(asked, 60)}"`,
    hints(hint`name the field with the User-Agent header: ${option("agentField", "NAME")}`, callerText("detectNames")),
  );
}

/** The name of a field with a User-Agent header, if one of `names` is usual for it. */
export function usualAgentName(names: readonly string[]): string | undefined {
  return names.find((name) => agentNames.includes(name.toLowerCase()));
}

const tellable: ReadonlySet<string> = new Set([...tellingNames, ...otherNames, ...agentNames]);

/**
 * The error for a first record without a field, which has the names of the record's fields as a fact. `what`: what the record lacks, such
 * as `no field "ua"`. `has`: what the message says about the fields that it has.
 */
export function missingIn(
  source: string,
  code: UsageError["mistake"],
  what: string,
  names: readonly string[],
  remedy: string | undefined,
  { has = countText(names), ...facts }: Facts & { readonly has?: string } = {},
): UsageError {
  const error = new UsageError(code, `${source}: the first record has ${what}; ${has}`, remedy);
  return withFacts(error, { fields: names, ...facts });
}

function countText(names: readonly string[]): string {
  return `it has ${names.length} field${names.length === 1 ? "" : "s"}`;
}

/** The part of a message with the number of fields and those names that are usual names. */
function fieldsText(names: readonly string[]): string {
  if (names.length === 0) return "it has no fields at all";
  const known = names.filter((name) => tellable.has(name)).slice(0, 20);
  return known.length === 0 ? countText(names) : `${countText(names)}, among them ${known.join(", ")}`;
}

/** What a reader knows about the fields of a first record without the field for the URL. */
interface UrlSigns extends Pick<Facts, "likelyUrlField" | "likelyParts"> {
  /** The number, from 1, of the first field whose value is a URL; undefined if there is none. */
  readonly urlPlace: number | undefined;
  /** Whether the user can select the field by that number. */
  readonly byPlace: boolean;
}

/** The error for a first record without a URL field. `asked`: the name that the user gave for the field, undefined without one. */
export function missingUrlField(
  source: string,
  asked: string | undefined,
  names: readonly string[],
  { urlPlace, byPlace, ...likely }: UrlSigns,
): UsageError {
  const what = asked === undefined ? "no field that usually holds a URL" : `no field "${shownWordOf(asked, 60)}"`;
  const where = urlPlace === undefined ? "" : `; field ${urlPlace} holds a URL`;
  const isLikely = likely.likelyUrlField !== undefined || likely.likelyParts !== undefined;
  const name = byPlace && urlPlace !== undefined ? String(urlPlace) : "NAME";
  const remedy = asked === undefined ? hint`name it: ${option("urlField", name)}` : "names are compared exactly";
  const hinted = hints(remedy, callerText(isLikely ? "detectWhich" : "detectNames"));
  return missingIn(source, "no-url-field", what, names, hinted, { has: fieldsText(names) + where, ...likely });
}

/** The error for a first record without the field of `agentField`. */
export function missingAgentField(source: string, asked: string, names: readonly string[]): UsageError {
  const likely = names.filter((name) => agentNames.includes(name));
  const near =
    nearestOf(
      asked,
      names.filter((name) => tellable.has(name)),
    ) ?? (likely.length === 1 ? likely[0] : undefined);
  const what = `no field "${shownWordOf(asked, 60)}"${optionMark("agentField")}`;
  const remedy = near === undefined ? callerText("detectNames") : hint`did you mean ${option("agentField", near)}?`;
  return missingIn(source, "no-agent-field", what, names, remedy, { has: fieldsText(names) });
}

/** The error for a log without User-Agent headers; `askedBy`: the flag or the command that needs them. */
export function missingAgents(source: string, askedBy: string): UsageError {
  return new UsageError(
    "no-agent-field",
    `${source}: this log has no User-Agent headers; ${askedBy} needs them`,
    hints("let the server log them, for example in the format combined", callerText("oneCrawler")),
  );
}

/** The error for a log whose first request has no host. */
export function missingBase(place: string): UsageError {
  return new UsageError(
    "missing-base",
    `${place}: this log does not name the host of its requests`,
    hint`name it: ${option("base", "https://example.com")}`,
  );
}

/** The error for a first record that already has a field with the name of the added member or column. */
export function takenName(source: string, name: string): UsageError {
  return new UsageError(
    "taken-column",
    `${source}: already has a field "${shownWordOf(name)}"`,
    hint`choose another: ${option("resultKey", "NAME")}`,
  );
}
