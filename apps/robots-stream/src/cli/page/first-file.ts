// Determines whether the first input file of a run is a web archive or an export of Screaming Frog, whose records have page directives.
import { bytesOfFile, type InputFormat, type InputStream, openSource, prepare } from "@robots-stream/engine/internal";
import type { InputSettings } from "../input-settings.ts";

/** Column names that occur only in exports of Screaming Frog. */
const exportColumns: ReadonlySet<string> = new Set(["Meta Robots 1", "X-Robots-Tag 1"]);

/** The files of a run. Only the first file is examined. */
interface FirstFileOptions {
  readonly files: readonly string[];
  readonly stdin: InputStream;
  readonly inputFormat: InputFormat | undefined;
  readonly urlField: InputSettings["urlField"];
}

/** Whether the first file has pages. A pipe can be read only once, so the result for a pipe depends only on the format that flags name. */
export async function hasPages({ files, stdin, inputFormat: format, urlField }: FirstFileOptions): Promise<boolean> {
  if (isArchive(format)) return true;
  // An export is a table.
  if (format !== undefined && !isTable(format)) return false;
  const [first = "-"] = files;
  if (first === "-" || bytesOfFile(first, stdin) === undefined) return false;
  const opened = openSource(first, stdin);
  try {
    const chunks = opened.chunks as AsyncIterable<Uint8Array>;
    const prepared = await prepare(first, chunks, { format, urlField, isLive: false, filePath: first });
    return isArchive(prepared.format) || hasExportColumns(prepared.beginning);
  } catch {
    // The run prepares the file in the same way, and reports the error.
    return false;
  } finally {
    opened.destroy();
  }
}

function isTable({ name }: InputFormat): boolean {
  return name === "csv" || name === "tsv";
}

function isArchive(format: InputFormat | undefined): boolean {
  return format?.name === "warc";
}

/** Number of lines that are searched for the header. Empty lines and a spreadsheet's `sep=,` may precede the header. */
const mostLinesBefore = 5;

/** Whether the header of a table has a column of `exportColumns`. */
function hasExportColumns(beginning: Uint8Array): boolean {
  const lines = Buffer.from(beginning)
    .toString("latin1")
    .split(/[\r\n]+/, mostLinesBefore);
  const header = lines.find((line) => !/^[\s\u00ef\u00bb\u00bf]*(?:"?sep=.)?"?$/i.test(line)) ?? "";
  const names = header.split(/[,;\t]/).map((name) => name.replaceAll(/^[\s"\u00ef\u00bb\u00bf]+|["\s]+$/g, ""));
  return names.some((name) => exportColumns.has(name));
}
