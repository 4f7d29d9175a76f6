// Makes the findings that accuse no crawler: about crawlers that obeyed the file, crawlers that are not bound, missing data, and pages.
import type { PageFinding } from "../count/pages.ts";
import { tableRowsOf } from "../document/table-rows.ts";
import type { AuditDocument, DocumentOrigin } from "../document/types.ts";
import type { Verification } from "../states/states.ts";
import { type FindingsInput, type Keyed, type Severity, finding } from "./finding.ts";
import { outagesDuring } from "./in-force.ts";
import { amountOf, countTextOf } from "./numbers.ts";
import {
  type SentencePart,
  identityTextOf,
  mayBeAccused,
  reasonsOf,
  requestParts,
  shownOriginOf,
  unknownOriginsOf,
} from "./words.ts";

/** The minimum number of judged requests of a crawler from which a finding concludes that the crawler crossed no rule. */
const leastForAbsence = 50;
/** The maximum number of crawlers that the sentence of the finding `restricted-and-kept` names. */
const mostNamed = 3;

/** One finding for all crawlers that fetched robots.txt, are restricted by it, and crossed no rule. */
export function keptSummary({ crawlerRows, isSampled }: FindingsInput): readonly Keyed[] {
  if (isSampled) return [];
  const kept = crawlerRows.filter(
    ({ crawler, verification, proven, violations, informed, fetches, restricted, isAlwaysRestricted }) =>
      verification !== "false" &&
      crawler.bound !== "no" &&
      proven.judged >= leastForAbsence &&
      violations + informed === 0 &&
      fetches > 0 &&
      (restricted?.lines ?? 0) > 0 &&
      isAlwaysRestricted,
  );
  if (kept.length === 0) return [];
  const named = kept
    .slice(0, mostNamed)
    .flatMap(({ crawler, verification, proven }, at): SentencePart[] => [
      at === 0 ? "" : ", ",
      { name: crawler.productToken },
      ` (${identityTextOf(verification)}, ${amountOf(proven.judged, "judged request")})`,
    ]);
  const more = kept.length - mostNamed;
  const sentence: SentencePart[] = [
    `${kept.length === 1 ? "crawler" : "crawlers"} fetched robots.txt, ${kept.length === 1 ? "is" : "are"} restricted by it, and crossed nothing: `,
    ...named,
    more > 0 ? ` and ${more} more` : "",
  ];
  return [finding("restricted-and-kept", "good", "obedience", 0, [], sentence, countTextOf(kept.length))];
}

/** Findings for disallowed requests of crawlers that robots.txt does not bind, or for which no source says that robots.txt binds them. */
export function wouldBeFindings({ document, origins }: FindingsInput): readonly Keyed[] {
  const crawlers = new Map(document.crawlers.map((crawler) => [crawler.productToken, crawler]));
  const sums = new Map<string, { crawler: string; verification: Verification; requests: number }>();
  for (const origin of origins) {
    for (const row of tableRowsOf(origin, "decisions")) {
      const [, , crawler, verification, state, , proven, disputed, , requests] = row;
      const isOpen =
        state === "not-bound:violation" ||
        (state === "violation" && !mayBeAccused(crawlers.get(crawler), verification));
      if (!isOpen || !proven || disputed || verification === "false") continue;
      if (crawlers.get(crawler)?.kind === "control-token") continue;
      const key = `${crawler} ${verification}`;
      sums.set(key, { crawler, verification, requests: requests + (sums.get(key)?.requests ?? 0) });
    }
  }
  return [...sums].map(([key, { crawler, verification, requests }]) => {
    const { bound } = crawlers.get(crawler)!;
    const isDocumented = bound !== "undocumented";
    const ground =
      bound === "by-name"
        ? "its operator documents another rule for a file that does not name it"
        : isDocumented
          ? "robots.txt does not bind it"
          : "no source says that robots.txt binds it";
    const sentence = [...requestParts(crawler, verification, requests), ` would be disallowed; ${ground}`];
    return finding(isDocumented ? "would-be" : "undocumented", "note", "obedience", requests, [key], sentence);
  });
}

/** Findings for requests that were judged without proof, or not judged. */
export function dataFindings({ document, origins, advice }: FindingsInput): readonly Keyed[] {
  let [judged, isProven, unknown, lost] = [0, false, 0, 0];
  const unreachable: DocumentOrigin[] = [];
  for (const origin of origins) {
    for (const [, , , , , , proven, , , requests] of tableRowsOf(origin, "decisions")) {
      judged += requests;
      isProven ||= proven;
    }
    for (const [, , , state, , requests] of tableRowsOf(origin, "times")) {
      if (state === "undecidable:no-file") unknown += requests;
      if (state !== "undecidable:outage" || outagesDuring(origin, document.period).length > 0) continue;
      lost += requests;
      if (unreachable.at(-1) !== origin) unreachable.push(origin);
    }
  }
  return [
    ...(judged > 0 && !isProven
      ? [
          finding(
            "nothing-proven",
            "note",
            "data",
            judged,
            [],
            [
              `${judged === 1 ? "request was" : "requests were"} judged by a robots.txt that is not proven to have been in force; no crawler is accused`,
            ],
          ),
        ]
      : []),
    ...(unknown > 0 ? [finding("no-file", "note", "data", unknown, [], [noFileText(unknown, origins, advice)])] : []),
    ...(lost > 0
      ? [finding("unreachable", "note", "data", lost, [], unreachableParts(lost, unreachable, advice))]
      : []),
  ];
}

/** The sentence about requests without a known robots.txt. */
function noFileText(
  requests: number,
  origins: readonly DocumentOrigin[],
  advice: FindingsInput["advice"],
): SentencePart {
  const { text, remedy } = unknownOriginsOf(origins, advice);
  const what = requests === 1 ? "request" : "requests";
  if (text === undefined) return `${what} went to origins whose robots.txt is not known`;
  return `${what} cannot be judged: ${text}${remedy}`;
}

/** The sentence about requests of origins whose robots.txt was unreachable whenever it was observed, outside the period. */
function unreachableParts(
  requests: number,
  origins: readonly DocumentOrigin[],
  advice: FindingsInput["advice"],
): readonly SentencePart[] {
  const { reasons, remedy } = reasonsOf(
    origins.flatMap(({ outages }) => outages),
    advice,
  );
  const what = origins.length === 1 ? shownOriginOf(origins[0]!.origin) : amountOf(origins.length, "origin");
  return [
    `${requests === 1 ? "request" : "requests"} cannot be judged: the robots.txt of ${what} was unreachable${reasons}, and no copy of it is known${remedy}`,
  ];
}

const severityOf: Readonly<Record<PageFinding, Severity>> = {
  "noindex-not-seen": "warning",
  "sitemap-disallowed": "warning",
  "sitemap-noindex": "warning",
  "canonical-disallowed": "warning",
  "engines-differ": "note",
};

type Counted = NonNullable<AuditDocument["pages"]>[number]["findings"][number];

/** The findings about pages. Crawlers with equal numbers of pages and equal examples share a finding. */
export function pageFindings({ document: { pages: all = [] } }: FindingsInput): readonly Keyed[] {
  const groups = new Map<string, { readonly found: Counted; readonly looked: number; readonly crawlers: string[] }>();
  for (const { crawler, pages: looked, findings } of all) {
    for (const found of findings) {
      const key = JSON.stringify([found, looked]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { found, looked, crawlers: [crawler] });
      else group.crawlers.push(crawler);
    }
  }
  return [...groups.values()].map(({ found: { code, pages, examples }, looked, crawlers }) => {
    const urls = examples.flatMap(([, url], at): readonly SentencePart[] => [
      at === 0 ? "; for example " : ", ",
      { code: url },
    ]);
    const sentence = [
      ...sentenceOf(code, namesOf(crawlers), pages),
      ` (of ${amountOf(looked, "page")} examined)`,
      ...urls,
    ];
    return finding(code, severityOf[code], "data", pages, crawlers, sentence);
  });
}

/** A list of crawlers: "Googlebot", "Googlebot and bingbot", "Googlebot, YandexBot and bingbot". */
function namesOf(crawlers: readonly string[]): readonly SentencePart[] {
  return crawlers.flatMap((name, at): readonly SentencePart[] => [
    ...(at === 0 ? [] : [at === crawlers.length - 1 ? " and " : ", "]),
    { name },
  ]);
}

function sentenceOf(code: PageFinding, names: readonly SentencePart[], count: number): readonly SentencePart[] {
  const isOne = count === 1;
  const [pages, say, are, have, it] = isOne
    ? ["page", "says", "is", "has", "it"]
    : ["pages", "say", "are", "have", "them"];
  const noindex = { code: "noindex" };
  switch (code) {
    case "noindex-not-seen":
      return [`${pages} ${say} `, noindex, ", which ", ...names, ` cannot see: robots.txt disallows fetching ${it}`];
    case "engines-differ":
      return [`${pages} may be in the index of some of Google, Bing and Yandex, and not of others`];
    case "sitemap-disallowed":
      return [`${pages} of the sitemap ${are} disallowed for `, ...names];
    case "sitemap-noindex":
      return [`${pages} of the sitemap ${say} `, noindex, " to ", ...names];
    case "canonical-disallowed":
      return [`${pages} ${have} a canonical URL that robots.txt disallows for `, ...names];
  }
}
