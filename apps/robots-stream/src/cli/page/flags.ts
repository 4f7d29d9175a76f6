// Defines the flags about pages, and converts their values to settings. Without a flag, the first input file decides whether it has pages.
import { UsageError } from "@robots-stream/engine";
import { flag, type FlagValues, given } from "../flag.ts";
import { oneOf } from "../values.ts";
import { bytesOfFile, type InputFormat, openSource, prepare } from "@robots-stream/engine/internal";
import type { InputStream } from "@robots-stream/engine/start";
import type { InputSettings } from "../input-settings.ts";

/** The fields that are read for pages. For an undefined member, a field with a usual name or the field of a WARC response is read. */
export interface PageSettings {
  readonly xRobotsTag: string | undefined;
  readonly robotsMeta: string | undefined;
  readonly html: string | undefined;
  readonly canonical: string | undefined;
  /** Files with the URLs of the site's sitemaps. */
  readonly sitemaps: readonly string[];
}

const times = ["always", "never", "auto"] as const;

export const pageFlags = [
  flag({
    name: "page",
    value: "WHEN",
    takes: (word) => (times as readonly string[]).includes(word),
    choices: times,
    about:
      "When to add robots.page, the page's own directives for the crawler (read from WARC responses, or from fields with usual names): always, never, or auto (if the first file is a web archive or an export of Screaming Frog).",
    otherwise: "auto; always, if --page has no value",
    read: (text, name) => (text === "" ? "always" : oneOf(times)(text, name)),
  }),
  flag({
    name: "x-robots-tag",
    value: "FIELD",
    about: "Field with the X-Robots-Tag header, or a list of its lines. Adds robots.page.",
  }),
  flag({
    name: "robots-meta",
    value: "FIELD",
    about: "Field with the content of <meta name=robots>, or a list of them. Adds robots.page.",
  }),
  flag({ name: "html", value: "FIELD", about: "Field with the HTML of the page. Adds robots.page." }),
  flag({ name: "canonical", value: "FIELD", about: "Field with the canonical URL of the page. Adds robots.page." }),
  flag({
    name: "sitemap",
    value: "FILE",
    isRepeatable: true,
    file: { use: "reads" },
    about: "File with the URLs of the site's sitemap, in any input format. Adds robots.page.",
  }),
];

/**
 * Reads the flags. Returns undefined if rows have no member `page`, and "auto" if the content of the first file decides. Throws a
 * `UsageError` for an invalid value and for flags that exclude each other.
 */
export function pageSettingsOf(values: FlagValues): PageSettings | "auto" | undefined {
  const flags = given(values, pageFlags);
  const time = flags.get("page");
  const other = flags.first("x-robots-tag", "robots-meta", "html", "canonical", "sitemap");
  if (time === "never") {
    if (other === undefined) return undefined;
    throw new UsageError("wrong-value", `--page never and --${other} cannot be combined`);
  }
  if (time !== "always" && other === undefined) return "auto";
  return {
    xRobotsTag: flags.get("x-robots-tag"),
    robotsMeta: flags.get("robots-meta"),
    html: flags.get("html"),
    canonical: flags.get("canonical"),
    sitemaps: flags.get("sitemap"),
  };
}

/** The settings when no flag names a field. */
export const usualPageSettings: PageSettings = {
  xRobotsTag: undefined,
  robotsMeta: undefined,
  html: undefined,
  canonical: undefined,
  sitemaps: [],
};

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

function hasExportColumns(beginning: Uint8Array): boolean {
  const lines = Buffer.from(beginning)
    .toString("latin1")
    .split(/[\r\n]+/, mostLinesBefore);
  const header = lines.find((line) => !/^[\s\u00ef\u00bb\u00bf]*(?:"?sep=.)?"?$/i.test(line)) ?? "";
  const names = header.split(/[,;\t]/).map((name) => name.replaceAll(/^[\s"\u00ef\u00bb\u00bf]+|["\s]+$/g, ""));
  return names.some((name) => exportColumns.has(name));
}
