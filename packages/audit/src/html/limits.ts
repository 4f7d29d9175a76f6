// The amount of detail of a report on the page: less if the page would exceed its limit of size.

/** Numbers of rows and details on the page; JSON and CSV have everything. */
export interface PageLimits {
  readonly rows: number;
  readonly findings: number;
  /** Origins with their intervals. */
  readonly origins: number;
  readonly intervals: number;
  /** Crawlers of an interval. */
  readonly uses: number;
  /** Changed lines of an interval. */
  readonly changes: number;
  /** Origins with the text of their file. */
  readonly files: number;
  readonly lines: number;
}

/** The bound of a page in bytes. */
export const maxPageBytes = 300_000;

/** From the most detail to the least; the first one whose page is small enough is used. */
export const pageLimits: readonly PageLimits[] = [
  { rows: 100, findings: 30, origins: 12, intervals: 12, uses: 12, changes: 20, files: 3, lines: 250 },
  { rows: 100, findings: 30, origins: 8, intervals: 6, uses: 8, changes: 12, files: 2, lines: 200 },
  { rows: 100, findings: 20, origins: 4, intervals: 4, uses: 5, changes: 8, files: 1, lines: 100 },
  { rows: 60, findings: 20, origins: 3, intervals: 3, uses: 5, changes: 5, files: 1, lines: 60 },
  { rows: 25, findings: 12, origins: 2, intervals: 2, uses: 3, changes: 3, files: 1, lines: 30 },
  { rows: 10, findings: 8, origins: 1, intervals: 1, uses: 2, changes: 2, files: 0, lines: 0 },
];
