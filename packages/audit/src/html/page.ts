// Prints a report as one HTML file that loads nothing and is complete without its script.
import { checkHas } from "../errors.ts";
import { bytesOf } from "../hash.ts";
import { type AuditFinding, shownFindingsOf } from "../report/finding.ts";
import { amountOf, shortAmountOf } from "../report/numbers.ts";
import type { AuditReport } from "../report/report.ts";
import type { SentencePart } from "../report/words.ts";
import { cutTextOf } from "../text/safe-text.ts";
import { crawlersSection } from "./crawler-sections.ts";
import { comparisonSection, dataSection, flipsSection, wasteSection } from "./data-sections.ts";
import { filesSection, originsSection } from "./file-sections.ts";
import { type Markup, html, nothing } from "./markup.ts";
import { answersSection, obedienceSection, violationsSection } from "./obedience-sections.ts";
import { pageShell } from "./shell.ts";
import { type PageLimits, codeOf, maxPageBytes, pageLimits } from "./table.ts";

/** The options of `printHtml`. */
export interface HtmlOptions {
  /** Relative links to reports of single origins, by origin. Default: none. */
  readonly links?: ReadonlyMap<string, string> | undefined;
}

/**
 * Prints the page of a report. Its Content-Security-Policy forbids all requests, and all scripts except the page's own. Equal reports give
 * equal bytes. A page that would exceed 300,000 bytes is printed with fewer rows.
 */
export function printHtml(report: AuditReport, options: HtmlOptions = {}): string {
  checkHas(report, "findings");
  let page = "";
  for (const limits of pageLimits) {
    page = pageOf(report, limits, options.links ?? new Map());
    if (bytesOf(page).length <= maxPageBytes) break;
  }
  return page;
}

function pageOf(report: AuditReport, limits: PageLimits, links: ReadonlyMap<string, string>): string {
  return pageShell({
    title: report.title,
    kind: "robots.txt audit",
    header: html`<small>robots-stream audit</small>
      <h1>${cutTextOf(report.title, 120)}</h1>
      <p class="muted">${headTextOf(report)}</p>
      <p>${report.judgedBy}</p>
      ${report.times === "" ? nothing : html`<p>${report.times}</p>`}
      ${report.sample === "" ? nothing : html`<p><b>${report.sample}</b></p>`}
      <nav aria-label="Sections">
        <a href="#findings">Findings</a>${report.origins > 1 ? html`<a href="#origins">Origins</a>` : nothing}<a
          href="#crawlers"
          >Who came</a
        ><a href="#answers">Answers</a
        >${report.comparison === undefined ? nothing : html`<a href="#compared">Compared</a>`}<a href="#obedience"
          >Obedience</a
        ><a href="#violations">Violations</a><a href="#files">robots.txt</a
        ><a href="#waste">Crawl waste</a>${report.hasCandidate ? html`<a href="#what-if">What if</a>` : nothing}<a
          href="#data"
          >Data</a
        ><a href="#method">Method</a>
      </nav>`,
    main: html`${findingsSection(report.findings, limits.findings)} ${originsSection(report, limits, links)}
    ${crawlersSection(report, limits)} ${answersSection(report, limits)} ${comparisonSection(report, limits)}
    ${obedienceSection(report, limits)} ${violationsSection(report, limits)} ${filesSection(report, limits)}
    ${wasteSection(report, limits)} ${flipsSection(report, limits)} ${dataSection(report, limits)}`,
    footer: report.method[0] ?? "",
  });
}

function headTextOf(report: AuditReport): string {
  const period = report.period === "" ? [] : [`${report.period}, ${report.timeZone}`];
  const lines = report.lines === 0 ? [] : [shortAmountOf(report.lines, "line")];
  const requests = `${amountOf(report.crawlerRequests, "request")} by ${amountOf(report.crawlers, "crawler")}`;
  return [...period, ...lines, requests, amountOf(report.origins, "origin")].join(" · ");
}

const sectionNames: Readonly<Record<AuditFinding["section"], string>> = {
  crawlers: "Who came",
  answers: "Answers",
  obedience: "Obedience",
  violations: "By directory",
  files: "robots.txt",
  data: "Data",
};

function findingsSection(findings: readonly AuditFinding[], most: number): Markup {
  if (findings.length === 0)
    return html`<section id="findings">
      <h2>Findings</h2>
      <p>Nothing to report.</p>
    </section>`;
  const rest = findings.length - most;
  const items = shownFindingsOf(findings, most).map(
    ({ severity, number, sentence, section }) =>
      html`<li class="${severity}">
        <b>${number}</b><span>${sentence.map(partMarkup)}. <a href="#${section}">${sectionNames[section]}</a></span>
      </li> `,
  );
  return html`<section id="findings">
    <h2>Findings</h2>
    <ol class="card findings">
      ${items}
    </ol>
    ${rest > 0 ? html`<p class="muted">${amountOf(rest, "more finding")} in JSON.</p>` : nothing}
  </section>`;
}

function partMarkup(part: SentencePart): Markup {
  if (typeof part === "string") return html`${part}`;
  return "code" in part ? codeOf(part.code, 120) : html`<strong>${part.name}</strong>`;
}
