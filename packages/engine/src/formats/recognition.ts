// The view that formats have of the beginning of a source, and the evidence that they return: the types of detection.

/** The beginning of a source: exactly its deciding bytes, independent of chunks. */
export interface Beginning {
  /** Its lines that are not empty, as bytes, without the white space around them; the last one may be cut. */
  readonly lines: readonly string[];
  /** The whole ones: all of them, except that a last one without a line end is left out when others come before it. */
  readonly wholeLines: readonly string[];
  /** Whether `--url-field` names a field: then an object is plain JSON, even if it looks like a known log. */
  readonly asksForField: boolean;
}

/** Kinds of evidence, strongest first; the ending of the file's name ranks between the third and the fourth. */
export const evidences = ["heading", "most-lines", "first-line", "guess"] as const;

/**
 * How the beginning of a source shows its format: a heading that only this format has; most of the first lines; how the first line
 * begins; or nothing better, when the name of the file does not tell either.
 */
export type Evidence = (typeof evidences)[number];

/** The reason why a recognized beginning is not read, and the remedy. */
export interface Refusal {
  readonly what: string;
  readonly hint: string;
}

/** What sources of a format look like: tests of all formats make their sources of it. */
export interface FormatSamples {
  /** A line before the records. */
  readonly heading?: string;
  /**
   * A record with a URL of https: `{url}` stands for the URL, or `{scheme}`, `{host}`, `{target}`, `{path}` and `{query}` ("-" for none)
   * for its parts, and `{other}` for the text of another field, if records have others.
   */
  readonly record: string;
  /** The same over several lines, for formats that have such records. */
  readonly longRecords?: readonly string[];
  /** Lines that are rejects, the first between any two records; empty for a format in which every line is a record. */
  readonly broken: readonly string[];
  /** Parts of lines, and whole ones, to be put together at random. */
  readonly fragments: readonly string[];
  /** Whether a line is neither a record nor a reject. */
  isSilent?(line: string): boolean;
  /** The format that sources without a name are taken for, where that is another one. */
  readonly detectedAs?: string;
}

/** Whether to read a beginning as plain JSON, even if its lines look like a known log. */
export function isPlainJson({ wholeLines: [first = ""], asksForField }: Beginning): boolean {
  return asksForField && first.startsWith("{");
}

/** How many of the first lines are looked at one by one. */
const mostLines = 20;

/** "most-lines" when half of the first lines are surely of a format: some may be damaged. */
export function evidenceOfLines(lines: readonly string[], recognizes: (line: string) => boolean): Evidence | undefined {
  const first = lines.slice(0, mostLines);
  const count = first.filter(recognizes).length;
  return count > 0 && count * 2 >= first.length ? "most-lines" : undefined;
}
