// Reads the rows of a Parquet file as lines of JSON with the columns that a run needs.
import { hint, option } from "../common/caller-words.ts";
import { closeSync } from "node:fs";
import { UsageError } from "../common/errors.ts";
import { openToRead } from "../files/open-file.ts";
import { usualTextNames, usualTimeNames } from "../formats/asked-fields.ts";
import { indexOfUsual, indexOfUsualField } from "../formats/url-field.ts";
import { baseOfPaths, isHostName } from "../formats/host-beside.ts";
import type { ReadOptions } from "../formats/input-format.ts";
import { otherParts } from "../formats/url-parts.ts";
import { nameOf } from "./source.ts";

/** The fields of a row that a run needs. */
export type NeededFields = Pick<ReadOptions, "urlField" | "agentField" | "time" | "texts"> &
  Partial<Pick<ReadOptions, "base">>;

/** The error for Parquet data that does not come from a regular file, for example from a pipe. */
export function noFile(path: string): UsageError {
  return new UsageError(
    "unusable-input",
    `${nameOf(path)}: is a Parquet file, which is read from its end, not from a pipe`,
    "give the name of the file",
  );
}

/** The error for `inputFormat` with another format than the file's, when one of the two formats is Parquet. */
export function otherFormat(path: string, named: string, isParquet: boolean): UsageError {
  return new UsageError(
    "unusable-input",
    `${nameOf(path)}: ${isParquet ? "is a Parquet file" : "is not a Parquet file"}`,
    hint`leave out ${option("inputFormat", named)}`,
  );
}

/** The rows of the file at a path as lines of JSON with the columns that the run needs. Throws the errors of `parquetText`. */
export async function* parquetLines(path: string, needed: NeededFields): AsyncGenerator<Uint8Array> {
  const { parquetText } = await import("../formats/parquet/convert.ts");
  const { fd, stat } = openToRead(path, ["file"]);
  try {
    yield* parquetText({ fd, size: stat.size }, (names) => columnsOf(names, needed));
  } finally {
    closeSync(fd);
  }
}

/**
 * The columns that a run needs, in the order of `names`. All columns if there is no column for the URL, or none for a field that the user
 * named, so that the reader's error can list all names.
 */
export function columnsOf(
  names: readonly string[],
  { urlField, agentField, time, texts = [], base }: NeededFields,
): readonly string[] {
  const columnOf = (field: string): string | undefined =>
    names.includes(field) ? field : names.find((name) => field.startsWith(`${name}.`));
  const asked = [
    ...(typeof urlField === "object" ? [urlField.path, ...otherParts.map((part) => urlField[part])] : [urlField]),
    agentField,
    time?.field,
    ...texts.map(({ field }) => field),
  ];
  const needed = new Set(asked.flatMap((field) => (field === undefined ? undefined : columnOf(field)) ?? []));
  if (urlField === undefined) {
    const url = names[indexOfUsualField(names)];
    if (url === undefined) return names;
    needed.add(url);
  }
  const usualTime =
    time !== undefined && time.field === undefined ? names[indexOfUsual(usualTimeNames, names)] : undefined;
  if (usualTime !== undefined) needed.add(usualTime);
  for (const { name, field } of texts) {
    const usual = field === undefined ? names[indexOfUsual(usualTextNames[name], names)] : undefined;
    if (usual !== undefined) needed.add(usual);
  }
  // Columns that may name another host than `base`.
  if (baseOfPaths(urlField, base) !== undefined) for (const name of names.filter(isHostName)) needed.add(name);
  const isComplete = asked.every((field) => field === undefined || columnOf(field) !== undefined);
  return isComplete ? names.filter((name) => needed.has(name)) : names;
}
