// Prints the page's last sections: the comparison with an earlier audit, crawl waste, the effect of a candidate file, and the data.
import { wordsOf } from "../report/answers.ts";
import { type ComparisonRow, changeTextOf, comparisonMarkOf, violationsTextOf } from "../report/compare.ts";
import { amountOf, averageTextOf, countTextOf, shareTextOf } from "../report/numbers.ts";
import type { AuditReport } from "../report/report.ts";
import type { FlipRow, MissRow, WasteRow } from "../report/violation-rows.ts";
import { identityTextOf } from "../report/words.ts";
import { cutTextOf } from "../text/safe-text.ts";
import { type Markup, html, nothing, smallMarkup } from "./markup.ts";
import { refusalTextOf } from "./obedience-sections.ts";
import { type PageLimits, type TableColumn, codeOf, numberColumn, tableOf } from "./table.ts";

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
      cell: ({ before }) => averageTextOf(before?.perDay),
      value: ({ before }) => before?.perDay ?? 0,
    },
    { heading: "Per day, now", cell: ({ now }) => averageTextOf(now?.perDay), value: ({ now }) => now?.perDay ?? 0 },
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

function wasteColumns(heading: string, hasOrigins: boolean): readonly TableColumn<WasteRow>[] {
  return [
    {
      heading,
      cell: ({ origin, name }) => codeOf(name, 120, hasOrigins ? `${origin.replace(/^https:\/\//u, "")} ` : ""),
      isWide: true,
    },
    numberColumn("Requests", ({ requests }) => requests),
    numberColumn("Disallowed", ({ disallowed }) => disallowed),
    numberColumn("Redirected", ({ redirected }) => redirected),
    numberColumn("Not found", ({ notFound }) => notFound),
    numberColumn("Refused", ({ refused }) => refused),
    numberColumn("Failed", ({ failed }) => failed),
  ];
}

/** The minimum number of requests for which a share is shown. */
const leastForRate = 50;

/** The section about crawl waste: requests that were disallowed, redirected, not found, refused or failed. */
export function wasteSection(
  { directories, parameters, origins, waste, misses }: AuditReport,
  { rows }: PageLimits,
): Markup {
  const { requests, redirected, notFound, refused, failed, disallowed } = waste;
  const share = (count: number): string =>
    requests >= leastForRate ? `${countTextOf(count)} (${shareTextOf(count, requests)})` : countTextOf(count);
  return html`<section id="waste">
    <h2>Crawl waste</h2>
    ${
      requests === 0
        ? nothing
        : html`<p class="muted">
            Of ${amountOf(requests, "request")} for pages by crawlers, ${share(redirected)} were redirected,
            ${share(notFound)} were not found, ${share(refused)} were refused, and ${share(failed)} failed; robots.txt
            disallows ${share(disallowed)} to crawlers that it binds.
          </p>`
    }
    ${tableOf("Directories", wasteColumns("Directory", origins > 1), directories, rows)}
    ${missesPart(misses, origins > 1, rows)}
    ${
      parameters.length === 0
        ? nothing
        : html`<h3>Parameters</h3>
            ${tableOf("Parameters", wasteColumns("Parameter", origins > 1), parameters, rows >> 1)}`
    }
  </section>`;
}

/** The requests that the server did not serve, with examples. */
function missesPart(misses: AuditReport["misses"], hasOrigins: boolean, rows: number): Markup {
  if (misses.length === 0) return nothing;
  const columns: readonly TableColumn<MissRow>[] = [
    { heading: "Answer", cell: ({ answer }) => wordsOf(answer) },
    {
      heading: "Directory",
      cell: ({ origin, directory }) => codeOf(directory, 120, hasOrigins ? origin.replace(/^https:\/\//u, "") : ""),
      isWide: true,
    },
    numberColumn("Requests", ({ requests }) => requests),
    {
      heading: "Examples",
      cell: ({ examples }) => examples.map((example) => html`${codeOf(example, 80)}<br />`),
      isWide: true,
    },
  ];
  return html`<h3 id="misses">What was redirected, not found, refused, failed</h3>
    <p class="muted">
      Requests of crawlers for pages, by directory and class of answer, with up to three examples: the targets with the
      smallest hashes, which are a random choice. Targets that differ only in left-out values stand once.
    </p>
    ${tableOf("Not served", columns, misses, rows)}`;
}

/** The section about decisions that a candidate file would change. */
export function flipsSection({ flips, hasCandidate, origins, ifRefused }: AuditReport, { rows }: PageLimits): Markup {
  if (!hasCandidate && flips.length === 0) return nothing;
  const sumOf = (wanted: FlipRow["flip"]): string =>
    countTextOf(flips.reduce((sum, { flip, requests }) => sum + (flip === wanted ? requests : 0), 0));
  const columns: readonly TableColumn<FlipRow>[] = [
    {
      heading: "Crawler",
      isWide: true,
      cell: ({ crawler, verification, flip }) =>
        html`<b>${crawler}</b> <span class="pill ${verification}">${identityTextOf(verification)}</span>${smallMarkup(
            flip === "newly-disallowed" ? refusalTextOf(ifRefused, crawler) : "",
          )}`,
    },
    { heading: "Change", cell: ({ flip }) => flip.replace("-", " ") },
    {
      heading: "Directory",
      cell: ({ origin, directory }) => codeOf(directory, 120, origins > 1 ? origin.replace(/^https:\/\//u, "") : ""),
      isWide: true,
    },
    numberColumn("Requests", ({ requests }) => requests),
    {
      heading: "Examples",
      cell: ({ examples }) => examples.map((example) => html`${codeOf(example, 80)}<br />`),
      isWide: true,
    },
  ];
  return html`<section id="what-if">
    <h2>What if</h2>
    <p class="muted">
      Requests of this log that the candidate decides differently from the newest known file:
      ${sumOf("newly-disallowed")} newly disallowed, ${sumOf("newly-allowed")} newly allowed. URLs that crawlers avoided
      are not in the log.
    </p>
    ${flips.length === 0 ? nothing : tableOf("What if", columns, flips, rows)}
  </section>`;
}

/** The sections about the data behind the report and about its method. */
export function dataSection({ data, otherAgents, method }: AuditReport, { rows }: PageLimits): Markup {
  const dataColumns: readonly TableColumn<AuditReport["data"][number]>[] = [
    { heading: "What", cell: ({ name }) => cutTextOf(name, 120), isWide: true },
    { heading: "Number", cell: ({ count }) => countTextOf(count), value: ({ count }) => count },
  ];
  const agentColumns: readonly TableColumn<AuditReport["otherAgents"][number]>[] = [
    { heading: "User-Agent header", cell: ({ agent }) => codeOf(agent, 160), isWide: true },
    numberColumn("Requests", ({ requests }) => requests),
  ];
  return html`<section id="data">
      <h2>Data</h2>
      ${tableOf("Data", dataColumns, data, rows)}
      ${
        otherAgents.length === 0
          ? nothing
          : html`<h3>Unknown agents that look like crawlers</h3>
              ${tableOf("Unknown agents", agentColumns, otherAgents, rows >> 1)}`
      }
    </section>
    <section id="method">
      <h2>Method</h2>
      <ul>
        ${method.map((sentence) => html`<li>${sentence}</li>`)}
      </ul>
    </section>`;
}
