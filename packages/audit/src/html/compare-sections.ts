// Prints the page's sections about the origins and about the comparison with an earlier audit.
import { changeTextOf, comparisonMarkOf, perDayTextOf, violationsTextOf } from "../report/compare-words.ts";
import { amountOf, countTextOf, orDash } from "../report/numbers.ts";
import { identityTextOf } from "../report/identity.ts";
import type { AuditReport, OriginReport } from "../report/types.ts";
import type { ComparisonRow } from "../report/compare-types.ts";
import { cutTextOf } from "../text/safe-text.ts";
import type { PageLimits } from "./limits.ts";
import { type Markup, html, nothing, smallMarkup } from "./markup.ts";
import { type TableColumn, tableOf } from "./table.ts";

/** The section about the origins of a report with several origins. `links` contains links to reports of single origins, by origin. */
export function originsSection(
  { originReports, origins }: AuditReport,
  { rows }: PageLimits,
  links: ReadonlyMap<string, string>,
): Markup {
  if (origins < 2) return nothing;
  const columns: readonly TableColumn<OriginReport>[] = [
    { heading: "Origin", cell: (row) => originCell(row, links.get(row.origin)), isWide: true },
    { heading: "Requests", cell: ({ requests }) => countTextOf(requests), value: ({ requests }) => requests },
    { heading: "Proven violations", cell: ({ proven }) => orDash(proven), value: ({ proven }) => proven },
    {
      heading: "Assumed",
      cell: ({ assumed }) => orDash(assumed),
      value: ({ assumed }) => assumed,
    },
    {
      heading: "Undecidable",
      cell: ({ undecidable }) => orDash(undecidable),
      value: ({ undecidable }) => undecidable,
    },
    {
      heading: "robots.txt",
      cell: ({ isKnown, intervals }) =>
        isKnown ? amountOf(new Set(intervals.flatMap(({ number }) => number || [])).size, "version") : "not known",
    },
  ];
  return html`<section id="origins">
    <h2>Origins</h2>
    ${tableOf("Origins", columns, originReports, rows)}
  </section>`;
}

function originCell({ origin }: OriginReport, link: string | undefined): Markup {
  const shown = origin === "" ? "(no origin)" : origin === "…" ? "… (others, folded)" : cutTextOf(origin, 120);
  return link === undefined ? html`${shown}` : html`<a href="${link}">${shown}</a>`;
}

/** The section about the changes since an earlier audit. */
export function comparisonSection({ comparison }: AuditReport, { rows }: PageLimits): Markup {
  if (comparison === undefined) return nothing;
  const columns: readonly TableColumn<ComparisonRow>[] = [
    {
      heading: "Crawler",
      cell: ({ crawler }) => html`<b>${crawler.productToken}</b><small>${crawler.operator}</small>`,
    },
    {
      heading: "Identity",
      cell: ({ verification }) => html`<span class="pill">${identityTextOf(verification)}</span>`,
    },
    {
      heading: "Per day, then",
      cell: ({ before }) => perDayTextOf(before),
      value: ({ before }) => before?.perDay ?? 0,
    },
    { heading: "Per day, now", cell: ({ now }) => perDayTextOf(now), value: ({ now }) => now?.perDay ?? 0 },
    { heading: "Change", cell: changeTextOf, value: ({ before, now }) => (now?.perDay ?? 0) - (before?.perDay ?? 0) },
    {
      heading: "Proven violations, then",
      cell: (row) => violationsTextOf(row, row.before),
      value: ({ before }) => before?.proven.violations ?? 0,
    },
    {
      heading: "Now",
      cell: (row) => [violationsTextOf(row, row.now), smallMarkup(comparisonMarkOf(row))],
      value: ({ now }) => now?.proven.violations ?? 0,
    },
  ];
  return html`<section id="compared">
    <h2>Compared with ${comparison.period || "an earlier audit"}</h2>
    <p class="muted">
      Average requests per calendar day of each period, and proven violations. ${comparison.notes.join(" ")}
    </p>
    ${tableOf("Compared with an earlier audit", columns, comparison.rows, rows)}
  </section>`;
}
