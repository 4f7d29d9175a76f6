// The files of a run in, whether the first one contains what pages say to crawlers out: a web archive, or an export of Screaming Frog.
import {
  bytesOfFile,
  type InputFormat,
  type InputStream,
  openSource,
  prepare,
  type UrlField,
} from "@robots-stream/engine/internal";

/** Columns that only exports of Screaming Frog have by these names. */
const exportColumns: ReadonlySet<string> = new Set(["Meta Robots 1", "X-Robots-Tag 1"]);

/** What is looked at. */
interface FirstFileOptions {
  readonly files: readonly string[];
  readonly stdin: InputStream;
  readonly inputFormat: InputFormat | undefined;
  readonly urlField: UrlField | undefined;
}

/** Whether the first file has pages. A pipe is not looked at, as it can be read only once: for a pipe, only a named format tells. */
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
    // The run prepares the file in the same way, and tells what is wrong with it.
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

/** Lines that are looked at for the header: empty ones and a spreadsheet's `sep=,` may be before it. */
const mostLinesBefore = 5;

/** Whether the header of a table has one of these columns. */
function hasExportColumns(beginning: Uint8Array): boolean {
  const lines = Buffer.from(beginning)
    .toString("latin1")
    .split(/[\r\n]+/, mostLinesBefore);
  const header = lines.find((line) => !/^[\s\u00ef\u00bb\u00bf]*(?:"?sep=.)?"?$/i.test(line)) ?? "";
  const names = header.split(/[,;\t]/).map((name) => name.replaceAll(/^[\s"\u00ef\u00bb\u00bf]+|["\s]+$/g, ""));
  return names.some((name) => exportColumns.has(name));
}
