// Defines what a run asks of each record besides its URL (the time, and texts such as the client's address), the usual names of the fields
// with it, and the errors for a first record without such a field.
import { callerText, hint, hints, option } from "../common/caller-words.ts";
import type { UsageError } from "../common/errors.ts";
import { type TextField, textFields } from "../records/packed.ts";
import { shownWordOf } from "../common/text.ts";
import { missingAgentField, missingIn, missingUrlField } from "./url-field.ts";
import type { UrlField } from "./url-parts.ts";

/** A text that the engine needs from each record, besides the URL, the User-Agent header and the time. Plain data. */
export interface AskedText {
  readonly name: TextField;
  /**
   * The name that the user gave for the field; undefined: the field that the log format defines for the text, or a field with a usual name.
   */
  readonly field: string | undefined;
  /** The flag or option that names the field, for messages: "addressField". */
  readonly flag: string;
  /** Whether a first record without the field is an error. */
  readonly isRequired: boolean;
}

/** All that a run may ask of a record besides its URL, in the order in which readers search for it. */
export const askedNames: readonly ("agent" | "time" | TextField)[] = ["agent", "time", ...textFields];

/** Usual names of the field with each text, in the order of preference; compared in lower case, with "_" for spaces and "-". */
export const usualTextNames: Readonly<Record<TextField, readonly string[]>> = {
  address: [
    "client",
    "client_ip",
    "clientip",
    "client_address",
    "remote_addr",
    "remote_address",
    "remote_ip",
    "remote_host",
    "ip",
    "ip_address",
    "src_ip",
    "c_ip",
  ],
  xRobotsTag: ["x_robots_tag", "x_robots_tag_1"],
  robotsMeta: ["robots_meta", "meta_robots", "meta_robots_1"],
  html: ["html", "body"],
  canonical: ["canonical", "canonical_url", "canonical_link_element_1"],
  method: ["method", "request_method", "http_method", "http_request_method", "cs_method", "verb"],
  status: ["status", "status_code", "http_status", "http_status_code", "response_status", "response_code", "sc_status"],
  // A list of origins; the user names the field.
  group: [],
};

/**
 * Throws a `UsageError` when the text is required. Call it for a source whose first record lacks the text; `names` are the names of the
 * record's fields.
 */
export function checkMissingText(source: string, asked: AskedText, names: readonly string[]): void {
  const { field, flag, isRequired } = asked;
  if (isRequired) throw missingField(source, "no-text-field", field, `${flag} NAME`, flag, names);
}

/**
 * The error for a first record without the field `field`, or without a usual one. `naming`: the option that names the field, with a value;
 * `askedBy`: what needs the field. Both are in the caller's words, and undefined without such words.
 */
function missingField(
  source: string,
  code: "no-text-field" | "no-time-field",
  field: string | undefined,
  naming: string | undefined,
  askedBy: string | undefined,
  names: readonly string[],
): UsageError {
  const isTime = code === "no-time-field";
  const usual = isTime ? "no field that usually holds a time" : "no field for it with a usual name";
  const what = field === undefined ? usual : `no field "${shownWordOf(field, 60)}"`;
  const remedy = field === undefined ? hint`name it: ${naming}` : "names are compared exactly";
  const asked = askedBy === undefined ? "" : ` (${askedBy})`;
  return missingIn(source, code, what + asked, names, hints(remedy, callerText("detectNames")));
}

/** The setting for the time of records, when the engine needs the time, for example with `since` or `until`. */
export interface AskedTime {
  /** The value of `timeField`; undefined: the time that the log format defines, or a field with a usual name. */
  readonly field: string | undefined;
  /** Whether records may be without a time. */
  readonly isOptional?: boolean | undefined;
  /** What needs the time, in the caller's words; undefined without such words. */
  readonly askedBy?: string | undefined;
}

/** Usual names of fields with a time, in the order of preference. */
export const usualTimeNames: readonly string[] = [
  "time",
  "timestamp",
  "@timestamp",
  "datetime",
  "date_time",
  "time_iso8601",
  "time_local",
  "ts",
  "date",
];

/**
 * Throws a `UsageError` unless the time is optional. Call it for a first record that has no time; `names` are the names of the record's
 * fields.
 */
export function checkMissingTime(source: string, { field, ...asked }: AskedTime, names: readonly string[]): void {
  if (asked.isOptional === true) return;
  const askedBy = field === undefined ? asked.askedBy : option("timeField");
  throw missingField(source, "no-time-field", field, option("timeField", "NAME"), askedBy, names);
}

/** The fields of a format whose records all have the same fields. */
interface FixedFields {
  readonly names: readonly string[];
  /** The fields with the URL, the User-Agent header and the time; undefined if no field has it. Without `url`, `urlField` has no effect. */
  readonly url?: string;
  readonly agent?: string | undefined;
  readonly time?: string | undefined;
  /** The field with each text; null if the text is in no field, so that the user cannot name one. */
  readonly texts?: ReadonlyMap<string, string | null>;
}

/** What a run asks of a source, of `ReadOptions`. */
interface Asked {
  readonly source: string;
  readonly urlField: UrlField | undefined;
  readonly agentField?: string | undefined;
  readonly time?: AskedTime | undefined;
  readonly texts?: readonly AskedText[] | undefined;
}

/** Throws a `UsageError` if a run requires, or the user names, a field that a format does not have. */
export function checkFixedFields({ source, urlField, agentField, time, texts }: Asked, fixed: FixedFields): void {
  const { names, url } = fixed;
  if (agentField !== undefined && agentField !== fixed.agent) throw missingAgentField(source, agentField, names);
  if (url !== undefined && typeof urlField === "string" && urlField !== url)
    throw missingUrlField(source, urlField, names, { urlPlace: undefined, byPlace: false });
  const hasTime = fixed.time !== undefined && (time?.field ?? fixed.time) === fixed.time;
  if (time !== undefined && !hasTime) checkMissingTime(source, time, names);
  checkTexts(source, texts, names, fixed.texts);
}

/** The same for texts alone. A text whose field is not among `names` is missing. */
export function checkTexts(
  source: string,
  texts: readonly AskedText[] = [],
  names: readonly string[],
  fields: FixedFields["texts"],
): void {
  for (const asked of texts) {
    const own = fields?.get(asked.name);
    const has = typeof own === "string" && names.includes(own) && (asked.field ?? own) === own;
    if (!has && (own !== null || asked.field !== undefined)) checkMissingText(source, asked, names);
  }
}
