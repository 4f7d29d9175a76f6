// The files of a run in, whether the first one contains what pages say to crawlers out: a web archive, or an export of Screaming Frog.
import {
  bytesOfFile,
  EngineError,
  type InputFormat,
  type InputStream,
  look,
  type LookSettings,
} from "@robots-stream/engine/internal";

/** Columns that only exports of Screaming Frog have by these names. */
const exportColumns = ["Meta Robots 1", "X-Robots-Tag 1"] as const;

/** What is looked at. */
interface FirstFileOptions {
  readonly files: readonly string[];
  readonly stdin: InputStream;
  readonly settings: LookSettings;
  readonly signal: AbortSignal | undefined;
}

/** Whether the first file has pages. A pipe is not looked at, as it can be read only once: for a pipe, only a named format tells. */
export async function hasPages({ files, stdin, settings, signal }: FirstFileOptions): Promise<boolean> {
  const { inputFormat } = settings;
  if (isArchive(inputFormat)) return true;
  const [first = "-"] = files;
  if (first === "-" || bytesOfFile(first, stdin) === undefined) return false;
  try {
    const seen = await look(first, stdin, settings, { signal: signal ?? new AbortController().signal });
    const fields = seen.first?.fields ?? {};
    return isArchive(seen.format) || exportColumns.some((name) => name in fields);
  } catch (error) {
    // The run itself tells what is wrong with the file.
    if (error instanceof EngineError || signal?.aborted === true) return false;
    throw error;
  }
}

function isArchive(format: InputFormat | undefined): boolean {
  return format?.name === "warc";
}
