// Finds, from the first rows of a table, the names of its columns and the columns with the URL, the User-Agent header, the time and the
// requested texts.
import { optionText } from "../../common/caller-words.ts";
import { problemOf } from "@robots-stream/url";
import { UsageError } from "../../common/errors.ts";
import { byteStringOf, shownWordOf, urlTextOf, utf8TextOf } from "../../common/text.ts";
import type { ReadOptions } from "../input-format.ts";
import type { ResumePoint } from "../../records/batch.ts";
import { askedNames, checkMissingText, checkMissingTime, usualTextNames, usualTimeNames } from "../asked-fields.ts";
import { isHostOfRequest } from "@robots-stream/logs";
import { baseOfPaths, hostBeside, isHostName, isOtherHost, unaskedHost } from "../host-beside.ts";
import { indexOfUsual, missingAgentField, missingUrlField, urlColumnOf, withFacts } from "../url-field.ts";
import { missingPartField, optionOfPart, optionOfPath, type OtherPart, otherParts, pathFieldOf } from "../url-parts.ts";

/** The columns of one source. */
export interface Columns {
  readonly names: readonly string[];
  readonly urlIndex: number;
  /**
   * Set when the URL is composed of several columns, the first of which is `urlIndex`. By other part: the index of its column, or -1 for a
   * part without a column.
   */
  readonly parts: Readonly<Record<OtherPart, number>> | undefined;
  /** The columns that the run needs besides the URL. A time or a text without a column in the table is left out. */
  readonly asked: readonly AskedColumn[];
  /** Whether the writer accepts the bytes of a row as its head (`RecordWriter.startRows`). */
  readonly asRows: boolean;
}

/** A column that the run needs besides the URL. */
interface AskedColumn {
  readonly name: (typeof askedNames)[number];
  readonly index: number;
}

/** Converts columns to a reader's state: `urlIndex`, `agentIndex`, `hostIndex` and so on. */
export function knownOf({ names, urlIndex, parts, asked }: Columns): ResumePoint["known"] {
  const ofParts = parts === undefined ? [] : otherParts.map((name) => [`${name}Index`, parts[name]] as const);
  const ofAsked = asked.map(({ name, index }) => [`${name}Index`, index] as const);
  return { names, urlIndex, isComposed: parts !== undefined, ...Object.fromEntries([...ofParts, ...ofAsked]) };
}

/** Restores a reader's state from a resume point's `known`. Also sets the columns of `writer`. */
export function tableKnownAs(
  known: ResumePoint["known"],
  writer: ReadOptions["writer"],
): { readonly delimiter: string; readonly expected: number; readonly columns: Columns } {
  const delimiter = String(known["delimiter"]);
  const names = known["names"] as readonly string[];
  const columns: Columns = {
    names,
    urlIndex: Number(known["urlIndex"]),
    asked: askedNames.flatMap((name) => {
      const index = known[`${name}Index`];
      return index === undefined ? [] : [{ name, index: Number(index) }];
    }),
    parts: known["isComposed"] === true ? partsBy((name) => Number(known[`${name}Index`] ?? -1)) : undefined,
    asRows: writer.startRows(names, delimiter),
  };
  return { delimiter, expected: Number(known["expected"]), columns };
}

/** The index of the first field that is a URL; -1 if there is none. */
export function firstUrlIn(row: readonly string[]): number {
  return row.findIndex(isUrl);
}

export function isUrl(field: string): boolean {
  return /^(?:https?|ftp):/i.test(field) && problemOf(urlTextOf(field)) === undefined;
}

/**
 * Finds the columns from the header and the first record. Without a header, their names are column_1, column_2 and so on. Throws a
 * `UsageError` when a needed column is missing.
 */
export function columnsOf(
  header: readonly string[] | undefined,
  row: readonly string[],
  delimiter: string,
  options: ReadOptions,
): Columns {
  const { source, urlField, writer } = options;
  const names = header === undefined ? row.map((_field, index) => `column_${index + 1}`) : uniqueNames(header);
  let urlIndex: number;
  const named = pathFieldOf(urlField);
  if (named !== undefined)
    urlIndex = indexOfAsked({ named, role: "url", flag: optionText(optionOfPath(urlField)) }, names, source);
  else if (header === undefined) urlIndex = firstUrlIn(row);
  else urlIndex = urlColumnOf(source, header, (index) => isUrl(row[index] ?? ""));
  if (urlIndex < 0) {
    const urlPlace = firstUrlIn(row) < 0 ? undefined : firstUrlIn(row) + 1;
    throw missingUrlField(source, named, names.map(utf8TextOf), { urlPlace, byPlace: true });
  }
  const asked = askedColumnsOf(options, names);
  options.onLayout?.({ delimiter, hasHeader: header !== undefined, urlField: utf8TextOf(names[urlIndex] as string) });
  const asRows = writer.startRows(names, delimiter);
  const parts =
    typeof urlField === "object"
      ? partsBy((name) => {
          const part = urlField[name];
          const flag = optionText(optionOfPart(name));
          const index = part === undefined ? -1 : indexOfAsked({ named: part, role: "url", flag }, names, source);
          if (part !== undefined && index < 0) throw missingPartField(source, name, part, names.map(utf8TextOf));
          return index;
        })
      : undefined;
  if (options.base === undefined && typeof urlField !== "object" && row[urlIndex]?.startsWith("/") === true) {
    const beside = names.findIndex((name, index) => isHostName(name) && isHostOfRequest(row[index] ?? ""));
    if (beside >= 0)
      options.onHostBeside?.(hostBeside(source, utf8TextOf(names[urlIndex]!), utf8TextOf(names[beside]!)));
  }
  const columns = { names, urlIndex, parts, asked, asRows };
  const host = otherHostIn(row, columns, options);
  if (host !== undefined) throw unaskedHost(source, utf8TextOf(names[urlIndex]!), utf8TextOf(names[host]!));
  return columns;
}

/** The indexes of columns that may name a host other than `base`; empty if the user named the fields of the URL's parts, or no base. */
export function hostIndexesOf({ names }: Columns, { urlField, base }: ReadOptions): readonly number[] {
  if (baseOfPaths(urlField, base) === undefined) return [];
  return names.flatMap((name, index) => (isHostName(name) ? [index] : []));
}

/** The index of the field in which a row with a path as its URL names another host than `base`; undefined if there is none. */
export function otherHostIn(row: readonly string[], columns: Columns, options: ReadOptions): number | undefined {
  const { base } = options;
  if (base === undefined || row[columns.urlIndex]?.startsWith("/") !== true) return undefined;
  return hostIndexesOf(columns, options).find((index) => isOtherHost(columns.names[index]!, row[index] ?? "", base));
}

/** Finds the columns that the run needs besides the URL. Throws a `UsageError` for a required one that the table does not have. */
function askedColumnsOf(
  { source, agentField, time, texts = [] }: ReadOptions,
  names: readonly string[],
): AskedColumn[] {
  const found: AskedColumn[] = [];
  const shown = (): readonly string[] => names.map(utf8TextOf);
  const find = (
    name: AskedColumn["name"],
    named: string | undefined,
    usual: readonly string[],
    role: NamedColumn["role"],
    flag: string,
  ): boolean => {
    const index = named === undefined ? indexOfUsual(usual, names) : indexOfAsked({ named, role, flag }, names, source);
    if (index >= 0) found.push({ name, index });
    return index >= 0;
  };
  if (agentField !== undefined && !find("agent", agentField, [], "agent", optionText("agentField")))
    throw missingAgentField(source, agentField, shown());
  if (time !== undefined && !find("time", time.field, usualTimeNames, "time", optionText("timeField")))
    checkMissingTime(source, time, shown());
  for (const asked of texts) {
    const { name, field, flag } = asked;
    if (!find(name, field, usualTextNames[name], "text", flag)) checkMissingText(source, asked, shown());
  }
  return found;
}

function partsBy(indexOf: (name: OtherPart) => number): Readonly<Record<OtherPart, number>> {
  return Object.fromEntries(otherParts.map((name) => [name, indexOf(name)])) as Record<OtherPart, number>;
}

/** A column that the user has named: what it holds, and the flag that names it, for messages. */
interface NamedColumn {
  readonly named: string;
  readonly role: "url" | "agent" | "time" | "text";
  readonly flag: string;
}

/**
 * Finds a column by its name, ignoring case if no column has exactly this name; otherwise by number, from 1. Returns -1 when there is no
 * such column. Throws a `UsageError` when several columns have the name in another case.
 */
function indexOfAsked({ named, role, flag }: NamedColumn, names: readonly string[], source: string): number {
  const name = byteStringOf(named);
  const exact = names.indexOf(name);
  if (exact >= 0) return exact;
  const folded = names.map((each) => each.trim().toLowerCase());
  const loose = folded.indexOf(name.trim().toLowerCase());
  if (loose >= 0) {
    if (folded.indexOf(name.trim().toLowerCase(), loose + 1) >= 0) {
      const places = folded
        .flatMap((each, index) => (each === name.trim().toLowerCase() ? [index + 1] : []))
        .slice(0, 20);
      throw withFacts(
        new UsageError(
          `several-${role}-fields`,
          `${source}: "${shownWordOf(named, 60)}" (${flag}) matches several columns: ${places.join(", ")}`,
          "write the name exactly as in the header, or the number of the column",
        ),
        { fields: names.map(utf8TextOf) },
      );
    }
    return loose;
  }
  return /^[1-9]\d{0,5}$/.test(named) && Number(named) <= names.length ? Number(named) - 1 : -1;
}

/** Makes names unique and not empty, so that they can be keys of one object. */
function uniqueNames(row: readonly string[]): string[] {
  const used = new Set(row);
  const given = new Set<string>();
  /** The next suffix to try for a name. No suffix is tried twice, because a header may repeat a name hundreds of thousands of times. */
  const counts = new Map<string, number>();
  return row.map((field, index) => {
    let name = field === "" ? `column_${index + 1}` : field;
    let count = counts.get(field) ?? 2;
    for (; given.has(name) || (name !== field && used.has(name)); count++) name = `${field}_${count}`;
    counts.set(field, count);
    given.add(name);
    return name;
  });
}
