// Defines the beginning of a source, which input formats examine, and the evidence that they return.

/** The beginning of a source: exactly its deciding bytes (sources/deciding.ts), which do not depend on the sizes of chunks. */
export interface Beginning {
  /** The lines that are not empty, as bytes, without surrounding white space. The last one may be truncated. */
  readonly lines: readonly string[];
  /**
   * The complete lines: all of `lines`, except that a last line without a line end is left out when other lines precede it. Lines of a
   * container runtime are replaced by the lines of the program that they contain.
   */
  readonly wholeLines: readonly string[];
  /** Whether `urlField` names a field. A line that is a JSON object is then plain JSON, even if it looks like a line of a known log. */
  readonly asksForField: boolean;
}

/** Kinds of evidence, strongest first. The ending of the file's name ranks after "first-line" and before "guess". */
export const evidences = ["heading", "most-lines", "first-line", "guess"] as const;

/**
 * The kind of evidence for a format. "heading": a heading that only this format has. "most-lines": at least half of the first lines match.
 * "first-line": the beginning of the first line matches. "guess": the source may have this format; used only without other evidence and
 * when the file's name does not determine the format.
 */
export type Evidence = (typeof evidences)[number];

/** The reason why a recognized beginning is not read, and the remedy. */
export interface Refusal {
  readonly what: string;
  readonly hint: string | undefined;
  /** The line that shows the kind of the source, for `detect`, which may show input. */
  readonly line?: string;
}

/** Sample data of a format, from which the tests of all formats build their sources. */
export interface FormatSamples {
  /** A line that precedes the records. */
  readonly heading?: string;
  /**
   * A record with an https URL: `{url}` stands for the URL, or `{scheme}`, `{host}`, `{target}`, `{path}` and `{query}` ("-" for none)
   * for its parts, and `{other}` for the text of another field, if records have other fields.
   */
  readonly record: string;
  /** The same record over several lines, for formats that have such records. */
  readonly longRecords?: readonly string[];
  /** Lines that are rejects. The first one may be placed between any two records. Empty for a format in which every line is a record. */
  readonly broken: readonly string[];
  /** Parts of lines, and whole lines, that tests combine at random. */
  readonly fragments: readonly string[];
  /** Whether a line is neither a record nor a reject; absent for a format without such lines other than empty ones. */
  isSilent?(line: string): boolean;
  /** The format that is detected for a source without a name, when it is not the format of these samples. */
  readonly detectedAs?: string;
}

/** Whether to read a beginning as plain JSON, even if its lines look like a known log. */
export function isPlainJson({ wholeLines: [first = ""], asksForField }: Beginning): boolean {
  return asksForField && first.startsWith("{");
}

/** Number of first lines that are examined one by one. */
export const mostLines = 20;

/** "most-lines" when `recognizes` accepts at least half of the first lines, some of which may be damaged; otherwise undefined. */
export function evidenceOfLines(lines: readonly string[], recognizes: (line: string) => boolean): Evidence | undefined {
  return isMost(lines, recognizes) ? "most-lines" : undefined;
}

/**
 * Whether `recognizes` accepts at least half of the first `mostLines` lines, and at least one. Examines no more lines than the answer
 * needs.
 */
export function isMost(lines: readonly string[], recognizes: (line: string) => boolean): boolean {
  const examined = Math.min(lines.length, mostLines);
  const needed = Math.max(1, Math.ceil(examined / 2));
  let count = 0;
  for (let at = 0; count < needed && at + needed - count <= examined; at++) if (recognizes(lines[at]!)) count++;
  return count >= needed;
}

/** The number of the first `mostLines` lines that `recognizes` accepts. */
export function countOfLines(lines: readonly string[], recognizes: (line: string) => boolean): number {
  return lines.slice(0, mostLines).filter(recognizes).length;
}
