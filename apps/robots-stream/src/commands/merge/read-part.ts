// Reads one part of an audit. A part is an audit document in a file, a pipe or stdin, or a folder with cells (rows of counts) that a
// program such as Spark wrote.
import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { type AuditDocument, type DocumentPart, partOfCells } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { type InputStream, nameOf, openSource, reasonOf, shownWordOf } from "@robots-stream/engine/internal";
import { endedBySignals } from "../../cli/ended-by-signals.ts";
import { readAll } from "../../cli/read-all.ts";
import { asUsage } from "../../cli/audit/as-usage.ts";
import { documentIn, mostDocumentBytes, readDocument } from "../../cli/audit/read-document.ts";

const blockBytes = 1_048_576;
/**
 * Maximum length of a line of cells. Every cell is shorter: the largest cell contains the text of a robots.txt, at most 65,536 characters.
 */
const longestLine = 4 * 1_048_576;

/** Stdin, and the signal that stops the command. */
export interface PartStreams {
  readonly stdin: InputStream;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads one part; "-" is `stdin`. Rejects with a `UsageError` for a file or folder that cannot be read or is not a part of an audit, or
 * with the signal's reason.
 */
export async function readPart(path: string, { stdin, signal }: PartStreams): Promise<DocumentPart> {
  const found = path === "-" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return endedBySignals(() => readCells(path));
  const shown = nameOf(path);
  if (path !== "-" && found?.isFIFO() !== true) return partOf(readDocument(path), shown);
  return partOf(documentIn(await bytesOf(path, shown, stdin, signal), shown), shown);
}

function partOf(document: AuditDocument, name: string): DocumentPart {
  return { name, head: document, counts: () => [document] };
}

/** Reads stdin or a named pipe. */
async function bytesOf(path: string, shown: string, stdin: InputStream, signal?: AbortSignal): Promise<Buffer> {
  try {
    return await readAll(openSource(path, stdin), mostDocumentBytes, shown, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UsageError("unreadable-input", reasonOf(error));
  }
}

/** Reads the cells in a folder. */
function readCells(path: string): DocumentPart {
  const shown = shownWordOf(path);
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
