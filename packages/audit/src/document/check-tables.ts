// Checks that the tables and lists of a document do not contradict one another.
import { OriginTables } from "./check-origin.ts";
import { tableRowsOf } from "./table-rows.ts";
import { contradict } from "./table-sums.ts";
import type { AuditDocument } from "./types.ts";

/**
 * Throws an `AuditError` (`ERR_INVALID_DOCUMENT`) if tables of a document contradict one another, or if a list names a version that
 * no origin has. The document must have passed the check of each value. Takes time linear in the size of the document.
 */
export function checkTables(document: AuditDocument): void {
  const { crawlers, period, totals, otherAgents, pages = [] } = document;
  const positions = new Map(crawlers.map(({ productToken }, at) => [productToken, at]));
  if (period !== null && period.first > period.last) contradict("period ends before it begins");
  const versions = new Set(document.origins.flatMap(({ intervals }) => intervals.map(({ version }) => version)));
  for (const list of ["files", "lint"] as const) {
    const other = Object.keys(document[list]).find((version) => !versions.has(version));
    if (other !== undefined) contradict(`${list} has a version that no origin has: ${JSON.stringify(other)}`);
  }
  let [requests, bytes, visits] = [0, 0, 0];
  const came = new Set<string>();
  for (const [at, origin] of document.origins.entries()) {
    const tables = new OriginTables(origin, `origins[${at}]`, positions, period);
    tables.check();
    requests += tables.requests;
    bytes += tables.bytes;
    for (const actor of tables.actors) came.add(actor);
    for (const [, count] of tableRowsOf(origin, "referrals")) visits += count;
  }
  const stranger = document.urls.find(
    ({ crawler, verification }) => !came.has(`${positions.get(crawler)} ${verification}`),
  );
  if (stranger !== undefined)
    contradict(`urls has ${stranger.crawler} (${stranger.verification}), which sent no request`);
  if (requests + totals.notACrawler !== totals.requests) {
    contradict(
      `totals.requests is ${totals.requests}, and the origins and totals.notACrawler have ${requests + totals.notACrawler}`,
    );
  }
  if (bytes + totals.notACrawlerBytes !== totals.bytes) {
    contradict(
      `totals.bytes is ${totals.bytes}, and the origins and totals.notACrawlerBytes have ${bytes + totals.notACrawlerBytes}`,
    );
  }
  const agents = otherAgents.reduce((sum, each) => sum + each.requests, 0);
  const parts: readonly (readonly [part: string, count: number, most: number])[] = [
    ["totals.notACrawlerRobotsTxt", totals.notACrawlerRobotsTxt, totals.notACrawler],
    ["totals.withoutTime", totals.withoutTime, totals.requests],
    ["otherAgents", agents, totals.otherAgents],
    ["totals.otherAgents", totals.otherAgents, totals.notACrawler],
    ["the visits of all origins", visits, totals.notACrawler],
    ...pages.flatMap(({ crawler, pages: all, findings }) =>
      findings.map((each) => [`pages of ${crawler}: ${each.code}`, each.pages, all] as const),
    ),
  ];
  const wrong = parts.find(([, count, most]) => count > most);
  if (wrong !== undefined) contradict(`${wrong[0]}: ${wrong[1]}, and the whole is ${wrong[2]}`);
}
