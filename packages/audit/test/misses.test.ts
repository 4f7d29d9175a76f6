// Tests with a generated log that statuses and examples of what was not served equal a slow computation from the lines.
import { expect, test } from "vitest";
import { printCsv, printHtml, printText, reportOf } from "../src/index.ts";
import { nameHashOf } from "../src/count/origin-counts.ts";
import { Hash64, bytesOf, hexOf } from "../src/hash.ts";
import { documentFor } from "./feed.ts";
import { type LogLine, createWorld } from "./generator.ts";
import { SlowAudit, classOf, directoryOf } from "./slow.ts";

const world = createWorld(5, { hosts: 4, crawlers: 8, lines: 3_000 });
const slow = new SlowAudit(world);
const document = documentFor(world, world.lines);
const report = reportOf(document);

const ofCrawlers = world.lines.filter(({ crawler }) => crawler !== undefined);
const verificationOf = ({ crawler, verification }: LogLine): string =>
  world.crawlers.find(({ productToken }) => productToken === crawler)!.kind === "control-token"
    ? "false"
    : verification;

test("the statuses of each crawler equal a count of the lines", () => {
  const sums = new Map<string, number>();
  for (const line of ofCrawlers) {
    const key = [line.crawler, verificationOf(line), Math.min(line.status, 1_000)].join(" ");
    sums.set(key, (sums.get(key) ?? 0) + 1);
  }
  const found = report.crawlerRows.flatMap(({ crawler, verification, statuses }) =>
    statuses.map(({ status, requests }) => `${crawler.productToken} ${verification} ${status} ${requests}`),
  );
  expect(found.toSorted()).toEqual([...sums].map(([key, count]) => `${key} ${count}`).toSorted());
});

/** The hash of a URL, as documents contain it. */
function hashOf({ origin, target }: LogLine): string {
  const hash = new Hash64();
  const { hashHigh, hashLow } = nameHashOf(origin!);
  const bytes = bytesOf(target);
  hash.start(hashHigh, hashLow);
  hash.add(bytes, 0, bytes.length);
  hash.finish();
  return hexOf(hash.high, hash.low);
}

test("what was not served: requests and the three examples with the smallest hashes, by directory and class", () => {
  const groups = new Map<string, LogLine[]>();
  for (const line of ofCrawlers) {
    const { state } = slow.expect(line);
    const isPage = !["robots-txt", "undecidable:asterisk", "undecidable:connect", "undecidable:no-url"].includes(state);
    const answer = classOf(line.status);
    if (!isPage || !["redirected", "not-found", "refused", "failed"].includes(answer)) continue;
    const key = JSON.stringify([line.origin, directoryOf(line.target), answer]);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  const expected = [...groups].map(([key, lines]) => {
    const hashes = [...new Set(lines.map(hashOf))].toSorted().slice(0, 3);
    return `${key} ${lines.length} ${hashes.join(" ")}`;
  });
  const found = document.origins.flatMap(({ origin, misses }) =>
    misses.map(([directory, answer, requests, examples]) => {
      const hashes = examples.map(([hash]) => hash);
      return `${JSON.stringify([origin, directory, answer])} ${requests} ${hashes.join(" ")}`;
    }),
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
  // A target stands beside its hash.
  const targets = new Map(
    ofCrawlers.flatMap((line) => (line.origin === undefined ? [] : [[hashOf(line), line.target]])),
  );
  const beginningOf = (target: string): string => target.split("?")[0]!.slice(0, 40);
  for (const [hash, target] of document.origins.flatMap(({ misses }) => misses.flatMap(([, , , examples]) => examples)))
    expect(beginningOf(target)).toBe(beginningOf(encodeURI(targets.get(hash)!).replaceAll("%25", "%")));
});

test("text, page and CSV show them", () => {
  const [first] = report.misses;
  const words = first!.answer.replace("-", " ");
  expect(printText(report)).toMatch(new RegExp(`^  ${words} +${first!.requests} `, "mu"));
  expect(printHtml(report)).toContain("What was redirected, not found, refused, failed");
  const rows = printCsv(document, "misses").trimEnd().split("\r\n").slice(1);
  expect(rows).toHaveLength(report.misses.length);
});
