// Exports the parts of audit for this project's own packages. These names are not a public API and may change in any release.
export { SmallestCounts } from "./count/smallest.ts";
export { csvFieldOf } from "./csv.ts";
export { canonicalTextOf } from "./document/canonical.ts";
export { fail, isCount, isIn, listOf, type Members, membersOf } from "./document/plain.ts";
export { type Markup, type MarkupPart, html, nothing } from "./html/markup.ts";
export { pageShell } from "./html/shell.ts";
export { partedBars } from "./html/plots/bars.ts";
export { plotOf, plotWidth, svgNumber } from "./html/plots/plot.ts";
export { type TableColumn, tableOf } from "./html/table.ts";
export { amountOf, countTextOf, listTextOf, shareTextOf } from "./report/numbers.ts";
export { alignedLines, wrap } from "./text/lines.ts";
export { cutTextOf, safeTextOf } from "./text/safe-text.ts";
export { calendarDayOf, isoDayOf } from "./time.ts";
