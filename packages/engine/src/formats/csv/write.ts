// Records and answers in, rows with added columns out (RFC 4180); the first record says which columns there are.
import { UsageError } from "../../errors.ts";
import { byteStringOfJson } from "../ndjson/strings.ts";
import { noName } from "../ndjson/walk.ts";
import { takenName } from "../url-field.ts";
import { byteStringOf, utf8TextOf } from "../../text.ts";
import type { OutputFormat, RecordWriter, WriterKnowledge, WriterOptions } from "../types.ts";

/** CSV. */
export const csv: OutputFormat = {
  name: "csv",
  about: "rows with added columns",
  createWriter: (options, known) => createWriter(",", options, known),
};

/** CSV with tabs. */
export const tsv: OutputFormat = {
  name: "tsv",
  about: "the same with tabs",
  createWriter: (options, known) => createWriter("\t", options, known),
};

/** What is added, in this order, each with the result key and "_" before it. */
const addedColumns = ["agent", "allowed", "because", "group", "rule", "line", "origin"] as const;

/** Beginnings that a spreadsheet takes for a formula; the full-width ones (as UTF-8 bytes) too. */
const formula = /^(?:[=+\-@\t\r\n]|\u00ef\u00bc[\u009d\u008b\u008d\u00a0])/;

/** Names of fields that are remembered because no column takes them. */
const mostLostNames = 100;

function createWriter(
  delimiter: "," | "\t",
  { resultKey, csvSafe, hasDialect, hasKind }: WriterOptions,
  before: WriterKnowledge = {},
): RecordWriter {
  const prefix = byteStringOf(resultKey);
  const sometimes = [...(hasDialect ? ["dialect"] : []), ...(hasKind ? ["kind"] : [])];
  const added = [...addedColumns, ...sometimes].map((column) => `${prefix}_${column}`);
  const special = delimiter === "," ? /[",\n\r]/ : /["\t\n\r]/;
  let columns: readonly string[] | undefined;
  let indexOf = new Map<string, number>();
  /** Columns of the source that is read now → columns of the output; undefined when they are the same. */
  let places: readonly (number | undefined)[] | undefined;
  const lostNames = new Set<string>(before.lostNames);
  let recordsWithLosses = before.recordsWithLosses ?? 0;
  if (before.columns !== undefined) startColumns(before.columns);

  const cellOf = (bytes: string): string => {
    const safe = csvSafe && formula.test(bytes) ? `'${bytes}` : bytes;
    return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rowOf = (cells: readonly string[]): string => cells.map(cellOf).join(delimiter);

  function startColumns(names: readonly string[]): readonly string[] {
    const taken = names.find((name) => added.includes(name));
    if (taken !== undefined) throw takenName("the first record", utf8TextOf(taken));
    columns = names;
    indexOf = new Map(names.map((name, index) => [name, index]));
    return names;
  }

  function lose(name: string): void {
    // Enough to tell: names may be as many as the records.
    if (lostNames.size < mostLostNames) lostNames.add(name);
  }

  return {
    resultKey: prefix,
    keepsObjects: false,
    memberOpenings: () => undefined,
    headOfObject(walker, start) {
      const { text } = walker;
      const cells = new Map<string, string>();
      walker.walk(start, noName, noName, (keyStart, keyEnd, valueStart, valueEnd) => {
        cells.set(byteStringOfJson(text.slice(keyStart, keyEnd)), cellTextOf(text.slice(valueStart, valueEnd)));
      });
      columns ??= startColumns([...cells.keys()]);
      let known = 0;
      const row = columns.map((column) => {
        const cell = cells.get(column);
        if (cell !== undefined) known++;
        return cell ?? "";
      });
      if (known === 0) throw differentFields("the first record", columns);
      if (known < cells.size) {
        recordsWithLosses++;
        for (const name of cells.keys()) if (!indexOf.has(name)) lose(name);
      }
      return rowOf(row);
    },
    startRows(names, rowDelimiter) {
      columns ??= startColumns(names);
      const isSame = columns.length === names.length && columns.every((column, index) => column === names[index]);
      places = isSame ? undefined : names.map((name) => indexOf.get(name));
      if (places?.every((place) => place === undefined) === true) throw differentFields("the header", columns);
      for (const name of isSame ? [] : names) if (!indexOf.has(name)) lose(name);
      return isSame && rowDelimiter === delimiter && !csvSafe;
    },
    headOfRow: (row) => row,
    headOfFields(_names, fields) {
      if (places === undefined) return rowOf(fields);
      const row = Array.from<string>({ length: columns?.length ?? 0 }).fill("");
      let lost = false;
      fields.forEach((field, index) => {
        const place = places?.[index];
        if (place === undefined) lost = true;
        else row[place] = field;
      });
      if (lost) recordsWithLosses++;
      return rowOf(row);
    },
    tailOf({ agent, dialect, kind, allowed, because, group, rule, line, origin }) {
      const cells = [
        agent ?? "",
        allowed === null ? "" : String(allowed),
        because,
        group ?? "",
        rule ?? "",
        String(line ?? ""),
        origin ?? "",
        ...(hasDialect ? [dialect ?? ""] : []),
        ...(hasKind ? [kind ?? ""] : []),
      ];
      return `${delimiter}${rowOf(cells.map(byteStringOf))}\n`;
    },
    header: () => (columns === undefined ? "" : `${rowOf([...columns, ...added])}\n`),
    known: () => ({ columns, lostNames: [...lostNames], recordsWithLosses }),
    losses() {
      if (lostNames.size === 0) return [];
      // How many, not which: names are bytes of the input.
      const count = lostNames.size < mostLostNames ? String(lostNames.size) : `at least ${mostLostNames}`;
      const fields = `${count} field${lostNames.size === 1 ? "" : "s"}`;
      const records = recordsWithLosses === 1 ? "1 record has" : `${recordsWithLosses} records have`;
      return [`${records} fields that the first record has not; left out: ${fields}`];
    },
  };
}

/** Rows of a second source would lose all of their fields, the URL among them. */
function differentFields(where: string, columns: readonly string[]): UsageError {
  return new UsageError(
    "different-fields",
    `${where} of one source has none of the ${columns.length} columns that the first source gave the output`,
    "run the sources one by one, or write --output ndjson",
  );
}

/** The bytes of a cell for a raw JSON value: a string's own text, nothing for null, anything else as it is written. */
function cellTextOf(raw: string): string {
  if (raw.startsWith('"')) return byteStringOfJson(raw);
  return raw === "null" ? "" : raw;
}
