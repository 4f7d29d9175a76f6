// Limits the detail of a page, so that the page does not exceed its maximum size.

/** The maximum numbers of rows and details on a page. JSON and CSV are complete. */
export interface PageLimits {
  readonly rows: number;
  readonly findings: number;
  /** The maximum number of origins whose intervals are shown. */
  readonly origins: number;
  readonly intervals: number;
  /** The maximum number of crawlers that are shown for an interval. */
  readonly uses: number;
  /** The maximum number of changed lines that are shown for an interval. */
  readonly changes: number;
  /** The maximum number of origins whose file is shown line by line. */
  readonly files: number;
  readonly lines: number;
}

/** The maximum size of a page in bytes. */
export const maxPageBytes = 300_000;

/** Limits, from the most detail to the least. A page is printed with the first limits that make it small enough. */
export const pageLimits: readonly PageLimits[] = [
  { rows: 100, findings: 30, origins: 12, intervals: 12, uses: 12, changes: 20, files: 3, lines: 250 },
  { rows: 100, findings: 30, origins: 8, intervals: 6, uses: 8, changes: 12, files: 2, lines: 200 },
  { rows: 100, findings: 20, origins: 4, intervals: 4, uses: 5, changes: 8, files: 1, lines: 100 },
  { rows: 60, findings: 20, origins: 3, intervals: 3, uses: 5, changes: 5, files: 1, lines: 60 },
  { rows: 25, findings: 12, origins: 2, intervals: 2, uses: 3, changes: 3, files: 1, lines: 30 },
  { rows: 10, findings: 8, origins: 1, intervals: 1, uses: 2, changes: 2, files: 0, lines: 0 },
];
