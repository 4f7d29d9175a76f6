// Writes records and their answers as rows with added columns (RFC 4180). The first record determines the columns.
import { hint, option } from "../../common/caller-words.ts";
import { UsageError } from "../../common/errors.ts";
import { byteStringOfJson } from "../ndjson/tokens.ts";
import { takenName } from "../url-field.ts";
import { byteStringOf, utf8TextOf } from "../../common/text.ts";
import type {
  Answer,
  FieldValue,
  MemberWriter,
  OutputFormat,
  RecordWriter,
  WalkedObject,
  WriterKnowledge,
  WriterOptions,
} from "../types.ts";

export const csv: OutputFormat = {
  name: "csv",
  about: "rows with added columns",
  rowForms: ["agent"],
  createWriter: (options, known) => new CsvWriter(",", options, known),
};

/** CSV with a tab as delimiter. */
export const tsv: OutputFormat = {
  name: "tsv",
  about: "the same with tabs",
  rowForms: ["agent"],
  createWriter: (options, known) => new CsvWriter("\t", options, known),
};

/** The added columns, in this order; each name is prefixed with the result key and "_". */
const addedColumns = ["agent", "allowed", "because", "group", "rule", "line", "origin"] as const;

/** Beginnings that a spreadsheet interprets as a formula, including the full-width forms (as UTF-8 bytes). */
const formula = /^(?:[=+\-@\t\r\n]|\u00ef\u00bc[\u009d\u008b\u008d\u00a0])/;

/** Largest number of names of lost fields (fields without a column) that are kept; the message states how many there are. */
const mostLostNames = 100;

/** Writes rows that have the columns of the first record. */
class CsvWriter implements RecordWriter {
  readonly resultKey: string;
  readonly keepsObjects = false;
  readonly #options: WriterOptions;
  readonly #delimiter: "," | "\t";
  /** A field with one of these bytes is written in quotes. */
  readonly #special: RegExp;
  /** The names of the added columns. */
  readonly #added: readonly string[];
  #columns: readonly string[] | undefined;
  #indexOf: ReadonlyMap<string, number> = new Map();
  /** The output column of each column of the current source; undefined when they are the same. */
  #targets: readonly (number | undefined)[] | undefined;
  readonly #lostNames: Set<string>;
  #recordsWithLosses: number;

  constructor(delimiter: "," | "\t", options: WriterOptions, before: WriterKnowledge = {}) {
    const { resultKey, hasDialect, hasKind, memberNames = [] } = options;
    this.#options = options;
    this.#delimiter = delimiter;
    this.#special = delimiter === "," ? /[",\n\r]/ : /["\t\n\r]/;
    this.resultKey = byteStringOf(resultKey);
    const sometimes = [...(hasDialect ? ["dialect"] : []), ...(hasKind ? ["kind"] : [])];
    this.#added = [...addedColumns, ...sometimes, ...memberNames].map((column) => `${this.resultKey}_${column}`);
    this.#lostNames = new Set(before.lostNames);
    this.#recordsWithLosses = before.recordsWithLosses ?? 0;
    if (before.columns !== undefined) this.#startColumns(before.columns);
  }

  memberOpenings(): undefined {
    return undefined;
  }

  headOfObject(walker: WalkedObject, start: number): string {
    const { text } = walker;
    const cells = new Map<string, string>();
    walker.eachMember(start, (keyStart, keyEnd, valueStart, valueEnd) => {
      cells.set(byteStringOfJson(text.slice(keyStart, keyEnd)), cellTextOf(text.slice(valueStart, valueEnd)));
    });
    const columns = this.#columns ?? this.#startColumns([...cells.keys()]);
    let known = 0;
    const row = columns.map((column) => {
      const cell = cells.get(column);
      if (cell !== undefined) known++;
      return cell ?? "";
    });
    if (known === 0) throw differentFields("the first record", columns);
    if (known < cells.size) {
      this.#recordsWithLosses++;
      for (const name of cells.keys()) if (!this.#indexOf.has(name)) this.#lose(name);
    }
    return this.#rowOf(row);
  }

  startRows(names: readonly string[], delimiter: string | undefined): boolean {
    const columns = this.#columns ?? this.#startColumns(names);
    const isSame = columns.length === names.length && columns.every((column, index) => column === names[index]);
    this.#targets = isSame ? undefined : names.map((name) => this.#indexOf.get(name));
    if (this.#targets?.every((target) => target === undefined) === true) throw differentFields("the header", columns);
    for (const name of isSame ? [] : names) if (!this.#indexOf.has(name)) this.#lose(name);
    return isSame && delimiter === this.#delimiter && !this.#options.csvSafe;
  }

  headOfFields(_names: readonly string[], fields: readonly FieldValue[]): string {
    const targets = this.#targets;
    if (targets === undefined) return this.#rowOf(fields);
    const row = Array.from<FieldValue>({ length: this.#columns?.length ?? 0 }).fill("");
    let isLossy = false;
    fields.forEach((field, index) => {
      const target = targets[index];
      if (target === undefined) isLossy ||= field !== undefined;
      else row[target] = field;
    });
    if (isLossy) this.#recordsWithLosses++;
    return this.#rowOf(row);
  }

  tailOf({ agent, dialect, kind, allowed, because, group, rule, line, origin }: Answer): string {
    const { hasDialect, hasKind } = this.#options;
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
    return `${this.#delimiter}${this.#rowOf(cells.map(byteStringOf))}\n`;
  }

  readonly members: MemberWriter = {
    tailEnd: "\n".length,
    partEnd: 0,
    lastPartEnd: 0,
    bytesOf: (names, values) =>
      names
        .map((_name, index) => {
          const value = values[index];
          return `${this.#delimiter}${value === undefined ? "" : this.#cellOf(cellTextOf(byteStringOf(value)))}`;
        })
        .join(""),
  };

  // An arrow function, because callers call it without its object.
  readonly header = (): string =>
    this.#columns === undefined ? "" : `${this.#rowOf([...this.#columns, ...this.#added])}\n`;

  known(): WriterKnowledge {
    return {
      columns: this.#columns,
      lostNames: [...this.#lostNames],
      recordsWithLosses: this.#recordsWithLosses,
    };
  }

  losses(): readonly string[] {
    const { size } = this.#lostNames;
    if (size === 0) return [];
    // The message has only the number of names, because names are bytes of the input.
    const count = size < mostLostNames ? String(size) : `at least ${mostLostNames}`;
    const fields = `${count} field${size === 1 ? "" : "s"}`;
    const records = this.#recordsWithLosses === 1 ? "1 record has" : `${this.#recordsWithLosses} records have`;
    return [`${records} fields that the first record lacks; left out: ${fields}`];
  }

  #startColumns(names: readonly string[]): readonly string[] {
    const taken = names.find((name) => this.#added.includes(name));
    if (taken !== undefined) throw takenName("the first record", utf8TextOf(taken));
    this.#columns = names;
    this.#indexOf = new Map(names.map((name, index) => [name, index]));
    return names;
  }

  #rowOf(cells: readonly FieldValue[]): string {
    return cells.map((cell) => (cell === undefined ? "" : this.#cellOf(String(cell)))).join(this.#delimiter);
  }

  #cellOf(bytes: string): string {
    const safe = this.#options.csvSafe && formula.test(bytes) ? `'${bytes}` : bytes;
    return this.#special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  #lose(name: string): void {
    // Only a few names are kept, because there may be as many names as records.
    if (this.#lostNames.size < mostLostNames) this.#lostNames.add(name);
  }
}

/** The error for a later source whose rows would lose all of their fields, including the URL. */
function differentFields(where: string, columns: readonly string[]): UsageError {
  return new UsageError(
    "different-fields",
    `${where} of one source has none of the ${columns.length} columns that the output took from the first source`,
    hint`run the sources one by one, or write ${option("output", "ndjson")}`,
  );
}

/** The bytes of a cell for a raw JSON value: the text of a string, nothing for null, any other value unchanged. */
function cellTextOf(raw: string): string {
  if (raw.startsWith('"')) return byteStringOfJson(raw);
  return raw === "null" ? "" : raw;
}
