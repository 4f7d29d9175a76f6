// Reads one part of an audit. A part is an audit document in a file, or a folder with cells (rows of counts) that a program such as Spark
// wrote.
import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { type DocumentPart, partOfCells } from "@robots-stream/audit";
import { nameOf, reasonOf, shownWordOf, UsageError } from "@robots-stream/engine/internal";
import { asUsage } from "../audit/as-usage.ts";
import { readDocument } from "../audit/read-document.ts";

const blockBytes = 1_048_576;
/**
 * Maximum length of a line of cells. Every cell is shorter: the largest cell contains the text of a robots.txt, which is limited to 64 KiB.
 */
const longestLine = 4 * 1_048_576;

/** Reads one part. Throws a `UsageError` for a file or folder that cannot be read or is not a part of an audit. */
export function readPart(path: string): DocumentPart {
  const shown = shownWordOf(path);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const document = readDocument(path);
    return { name: shown, head: document, counts: () => [document] };
  }
  const files = cellFilesOf(path, shown);
  const hash = createHash("sha256");
  let bytes = 0;
  for (const block of blocksOf(files, shown)) {
    hash.update(block);
    bytes += block.length;
  }
  const input = { name: nameOf(path), bytes, sha256: hash.digest("hex") };
  return { name: shown, ...asUsage(`${shown}: `, () => partOfCells(() => cellsIn(files, shown), input)) };
}

/**
 * Returns the paths of the files with cells in a folder, sorted by name. As in Hadoop, files whose names begin with `.` or `_` contain no
 * data. Throws a `UsageError` for a folder without cells, with other files, or whose job has not finished.
 */
function cellFilesOf(folder: string, shown: string): readonly string[] {
  const names = readdirSync(folder).toSorted();
  if (names.includes("_temporary")) {
    throw new UsageError(
      "unreadable-input",
      `${shown}: is not complete: the job that writes it is running or has failed`,
    );
  }
  const data = names.filter((name) => !/^[._]/.test(name));
  const other = data.find((name) => !name.endsWith(".json"));
  if (other !== undefined || data.length === 0) {
    throw new UsageError(
      "unreadable-input",
      other === undefined
        ? `${shown}: has no cells`
        : `${shown}: has ${shownWordOf(other)}, which is not a file of cells`,
      "cells are written as JSON without compression: audit(df, …).write.json(path)",
    );
  }
  return data.map((name) => join(folder, name));
}

function* blocksOf(files: readonly string[], shown: string): Generator<Buffer> {
  const block = Buffer.allocUnsafe(blockBytes);
  for (const file of files) {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(file, "r");
      for (;;) {
        const length = readSync(descriptor, block, 0, blockBytes, null);
        if (length === 0) break;
        yield block.subarray(0, length);
      }
    } catch (error) {
      if (error instanceof UsageError || (error as NodeJS.ErrnoException).code === undefined) throw error;
      throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }
}

function* cellsIn(files: readonly string[], shown: string): Iterable<unknown> {
  for (const file of files) {
    const decoder = new StringDecoder("utf8");
    let rest = "";
    for (const block of blocksOf([file], shown)) {
      const lines = (rest + decoder.write(block)).split("\n");
      rest = lines.pop()!;
      for (const line of lines) if (line !== "") yield cellIn(line, shown);
      if (rest.length > longestLine) throw noCell(shown);
    }
    if (rest !== "") yield cellIn(rest, shown);
  }
}

function cellIn(line: string, shown: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw noCell(shown);
  }
}

function noCell(shown: string): UsageError {
  return new UsageError(
    "unreadable-input",
    `${shown}: has a line that is not a cell`,
    "audit(df, …).write.json(path) writes cells",
  );
}
